"""The reader of replies: one thread a process, which wakes the inboxes of those whose invitations were answered."""

import logging
import threading

from redis.exceptions import RedisError

from service.accounts.replies import FIRST, Replies
from service.streams.listening import REPLIES, Topic

WAIT_S = 1.0  # then it listens for those as well whose inbox was opened meanwhile

log = logging.getLogger(__name__)


class RepliesReader:
    """Wakes the listeners among `players`; starts with the first inbox."""

    def __init__(self, replies: Replies, players: Topic) -> None:
        self._replies, self._players = replies, players
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._known: dict[str, str] = {}  # the last place of each who listens

    def start(self) -> None:
        """Begins to read, unless it reads already."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._read, name="replies", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Reads no more."""
        self._stop.set()

    def _read(self) -> None:
        while not self._stop.is_set():
            try:
                self._wake()
            except RedisError as error:
                log.warning("the store does not answer: %s", error)
                self._stop.wait(WAIT_S)

    def _wake(self) -> None:
        """Wakes those with news; whoever listens since a moment ago is woken once for all that there was before."""
        self._known = {player: self._known.get(player, FIRST) for player in self._players.names()}
        if not self._known:
            self._stop.wait(WAIT_S)
            return
        news = self._replies.news(self._known, WAIT_S)
        for listener in self._players.to(news):
            listener.tell(REPLIES)
        self._known |= news
