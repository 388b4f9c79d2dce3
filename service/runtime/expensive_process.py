"""Expensive reads, answered in a process of their own so that they take no time from those who play.

Threads would: the interpreter lets one of them run at a time, and each switch from a busy one takes milliseconds.
"""

import logging
import threading
from functools import cache

from redis.exceptions import RedisError

from events.log import LogUnreadable
from service.accounts.key_stores import KeysUnavailable
from service.accounts.person_keys import keys_of
from service.accounts.personal_texts import Texts
from service.accounts.sealing import SecretUnusable, sealer_from
from service.commands import CommandHandler
from service.config import settings_from
from service.cursors import cursors_of
from service.errors import Refused
from service.moderation.sanctions import Sanctions
from service.stores import log_at
from service.tables.expensive import Answer, Question, answer
from service.transcripts.keeping import TranscriptStore
from service.transcripts.memory import Transcripts
from worker.helper_process import Aside, Lost

DEADLINE_S = 10.0  # for one answer, after which its process is ended
PATIENCE_S = 2.0  # to wait for the answer before
KEPT_TABLES = 128  # in memory: those of a page of the feed, which are mostly those of the next one

log = logging.getLogger(__name__)


class Here:
    """Answers in the calling thread."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def __call__(self, question: Question) -> Answer:
        """As `answer`."""
        return answer(self._handler, question)

    def close(self) -> None:
        """There is nothing to close."""


class ExpensiveProcess:
    """Answers in a process of its own that reads the log at `url`, one question after the other."""

    def __init__(
        self, url: str, function: str = "service.runtime.expensive_process:answered", deadline_s: float = DEADLINE_S
    ) -> None:
        self._url, self._lock = url, threading.Lock()
        self._aside = Aside(function, deadline_s)

    def __call__(self, question: Question) -> Answer:
        """As `answer`; raises `Refused` (`too-busy`) while it answers others, or when it takes too long."""
        if not self._lock.acquire(timeout=PATIENCE_S):
            raise Refused("too-busy", "questions about whole games are answered one after the other; try again")
        try:
            found = self._aside.ask((self._url, question))
        except Lost as lost:
            log.error("%s of %s: %s", question.name, question.table, lost.why)
            raise Refused("too-busy", "the answer took too long to find; ask for less at once") from None
        finally:
            self._lock.release()
        if isinstance(found, Exception):
            raise found
        answered: Answer = found
        return answered

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._aside.close()


@cache
def _handler(url: str) -> CommandHandler:
    settings, store = settings_from(), log_at(url)
    client = store.client
    sealer = sealer_from(settings, may_create=False)
    texts = Texts(keys_of(client, settings, sealer), Sanctions(client).hides_name)
    loaded = Transcripts(TranscriptStore(client, texts, settings.transcripts))
    return CommandHandler(store, KEPT_TABLES, texts, cursors_of(sealer), loaded)


def answered(asked: tuple[str, Question]) -> Answer | Exception:
    """The answer, or the exception raised instead; the process runs this."""
    url, question = asked
    try:
        return answer(_handler(url), question)
    except (Refused, LogUnreadable, KeysUnavailable) as error:
        return error
    except SecretUnusable as error:  # it starts while the key store is empty, or is another one
        return KeysUnavailable(str(error))
    except RedisError as error:
        return RedisError(str(error))  # as a kind that can be sent
    except Exception as error:
        log.exception("%s of %s", question.name, question.table, exc_info=error)
        return RuntimeError(f"{question.name}: {type(error).__name__}")
