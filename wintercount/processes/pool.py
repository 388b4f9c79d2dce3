"""A small pool of processes that answer expensive questions; a process that takes too long is killed.

Threads would take time from players, as the interpreter runs one at a time.
"""

import logging
import queue
import threading
from functools import cache

from redis.exceptions import RedisError

from events.log import LogUnreadable
from service.accounts.key_store import KeysUnavailable, keys_of
from service.accounts.personal_texts import Texts
from service.accounts.sealing import SecretUnusable, sealer_from
from service.accounts.shown_names import DisplayNames
from service.command_handler import CommandHandler
from service.config import settings_from
from service.errors import Refused
from service.feed_cursors import cursors_of
from service.moderation.actions import Actions
from service.stores import log_at
from service.tables.whole_game_questions import Answer, Question, answer
from service.transcripts import Transcripts, TranscriptStore
from worker import ai_explanations
from worker.ai_process import CutOff, FunctionProcess

CHILDREN = 2
DEADLINE_S = 20.0  # for one answer
PATIENCE_S = 2.0  # to wait for a free process
ARCHIVE_S = 1.5  # to wait for the archive: less than others wait for a process
KEPT_TABLES = 128  # in memory: enough for a page of the feed, and the next page has mostly the same

log = logging.getLogger(__name__)


class InlineExecutor:
    """Answers in the calling thread."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def __call__(self, question: Question) -> Answer:
        """As `answer`."""
        return answer(self._handler, question, ai_explanations)

    def close(self) -> None:
        """Does nothing."""


class Pool:
    """Answers in processes that read the log at `url`. At most `most` questions are answered or wait."""

    def __init__(
        self,
        url: str,
        most: int,
        children: int = CHILDREN,
        deadline_s: float = DEADLINE_S,
        function: str = "wintercount.processes.pool:answered",
    ) -> None:
        self._url, self._places = url, threading.BoundedSemaphore(most)
        self._children = [FunctionProcess(function, deadline_s) for _ in range(children)]
        self._free: queue.LifoQueue[FunctionProcess] = queue.LifoQueue()  # the last to answer has most tables in memory
        for child in self._children:
            self._free.put(child)

    def __call__(self, question: Question) -> Answer:
        """As `answer`; raises `Refused` (`too_busy`) if it is full or the answer takes too long."""
        if not self._places.acquire(blocking=False):
            raise _too_busy()
        try:
            return self._answered(question)
        finally:
            self._places.release()

    def _answered(self, question: Question) -> Answer:
        try:
            child = self._free.get(timeout=PATIENCE_S)
        except queue.Empty:
            raise _too_busy() from None
        try:
            found: Answer | Exception = child.ask((self._url, question))
        except CutOff as lost:
            log.error("%s of %s: %s", question.name, question.table, lost.why)
            raise Refused("too_busy", "the answer took too long; ask for less at once") from None
        finally:
            self._free.put(child)
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        """Ends the processes."""
        for child in self._children:
            child.close()


def _too_busy() -> Refused:
    return Refused("too_busy", "other expensive questions are being answered; try again")


@cache
def _handler(url: str) -> CommandHandler:
    settings, store = settings_from(), log_at(url)
    client = store.client
    if store.has_archive:
        store.archive.answer_s = ARCHIVE_S
    sealer = sealer_from(settings, may_create=False)
    texts = Texts(keys_of(client, settings, sealer))
    names = DisplayNames(client, texts, Actions(client).hidden)
    loaded = Transcripts(TranscriptStore(client, texts, settings.transcripts))
    return CommandHandler(store, KEPT_TABLES, names, cursors_of(sealer), loaded)


def answered(asked: tuple[str, Question]) -> Answer | Exception:
    """Returns the answer or the exception, in a process of the pool."""
    url, question = asked
    try:
        return answer(_handler(url), question, ai_explanations)
    except (Refused, LogUnreadable, KeysUnavailable) as error:
        return error
    except SecretUnusable as error:  # the key store is empty, or another one
        return KeysUnavailable(str(error))
    except RedisError as error:
        return RedisError(str(error))  # as a type that can be pickled
    except Exception as error:
        log.exception("%s of %s", question.name, question.table, exc_info=error)
        return RuntimeError(f"{question.name}: {type(error).__name__}")
