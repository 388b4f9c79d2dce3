"""Expensive reads, answered in a process of their own so that they take no time from those who play.

Threads would: the interpreter lets one of them run at a time, and each switch from a busy one takes milliseconds.
"""

import logging
import threading
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from redis.exceptions import RedisError

from events.archiving.objects import ArchiveSlow
from events.archiving.patience import waiting_at_most
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
from service.transcripts.reading import Transcripts
from service.transcripts.store import TranscriptStore
from worker.helper_process import Aside, Lost

DEADLINE_S = 10.0  # for one answer, after which its process is ended
PATIENCE_S = 2.0  # to wait for the answer before
ARCHIVE_S = 1.5  # to wait for the archive in all: it may hang, or be slow, and those behind have no more patience
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


class Found(NamedTuple):
    """What the process has found: an answer, or the exception raised instead, and what it had to read for it."""

    answer: Answer | Exception
    read_ms: int = 0


class ExpensiveProcess:
    """Answers in a process of its own that reads the log at `url`, one question after the other.

    `note` is told what a question had to read beyond what everybody pays who asks it, in processor milliseconds.
    """

    def __init__(
        self,
        url: str,
        note: Callable[[int], None] = lambda _: None,
        function: str = "service.runtime.expensive_process:answered",
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self._url, self._note, self._lock = url, note, threading.Lock()
        self._aside = Aside(function, deadline_s)

    def __call__(self, question: Question) -> Answer:
        """As `answer`; raises `Refused` (`too-busy`) while it answers others, or when it takes too long."""
        if not self._lock.acquire(timeout=PATIENCE_S):
            raise Refused("too-busy", "questions about whole games are answered one after the other; try again")
        try:
            found: Found = self._aside.ask((self._url, question))
        except Lost as lost:
            log.error("%s of %s: %s", question.name, question.table, lost.why)
            raise Refused("too-busy", "the answer took too long to find; ask for less at once") from None
        finally:
            self._lock.release()
        self._note(found.read_ms)
        if isinstance(found.answer, Exception):
            raise found.answer
        return found.answer

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._aside.close()


class ExpensiveProcesses:
    """Answers in two processes, each as `ExpensiveProcess`: whoever has worlds imagined, which takes seconds, keeps
    nobody waiting who asks for anything else.
    """

    def __init__(self, url: str, note: Callable[[int], None]) -> None:
        self._imagining, self._others = ExpensiveProcess(url, note), ExpensiveProcess(url, note)

    def __call__(self, question: Question) -> Answer:
        """As `answer`; raises `Refused`."""
        return (self._imagining if question.imagines else self._others)(question)

    def close(self) -> None:
        """Ends both."""
        self._imagining.close()
        self._others.close()


class Bill:
    """What the question under way has read so far, in processor milliseconds: one question is answered at a time."""

    def __init__(self) -> None:
        self.read_ms = 0

    def charge(self, cost_ms: int) -> None:
        """Adds to it: whoever asks is charged where the answer is told."""
        self.read_ms += cost_ms


BILL = Bill()


@cache
def _handler(url: str) -> CommandHandler:
    settings, store = settings_from(), log_at(url)
    client = store.client
    sealer = sealer_from(settings, may_create=False)
    texts = Texts(keys_of(client, settings, sealer), Sanctions(client).hides_name)
    loaded = Transcripts(TranscriptStore(client, texts, settings.transcripts), BILL.charge)
    charge = BILL.charge
    return CommandHandler(store, KEPT_TABLES, texts, cursors_of(sealer), loaded, charge=charge, owe=charge)


def answered(asked: tuple[str, Question]) -> Found:
    """The answer, or the exception raised instead, and what it had to read; the process runs this."""
    BILL.read_ms = 0
    found = _answer(*asked)
    return Found(found, BILL.read_ms)


def _answer(url: str, question: Question) -> Answer | Exception:
    try:
        with waiting_at_most(ARCHIVE_S):
            return answer(_handler(url), question)
    except ArchiveSlow as slow:
        return Refused("too-busy", f"{slow}; ask again")
    except (Refused, LogUnreadable, KeysUnavailable) as error:
        return error
    except SecretUnusable as error:  # it starts while the key store is empty, or is another one
        return KeysUnavailable(str(error))
    except RedisError as error:
        return RedisError(str(error))  # as a kind that can be sent
    except Exception as error:
        log.exception("%s of %s", question.name, question.table, exc_info=error)
        return RuntimeError(f"{question.name}: {type(error).__name__}")
