"""Files that are sent as they are read: a few at a time, each held by whoever takes it."""

import threading
from collections import Counter

from service.dumps.keeping import Dumps, Stored
from service.dumps.manifests import Manifest
from service.errors import Refused

DOWNLOADED = "wintercount.downloaded"  # in the WSGI environment: the answer is read as fast as it is taken
MOST, MOST_OF_ONE = 16, 2  # downloads in a web process, and of one caller among them

_lock = threading.RLock()  # a file that is forgotten is closed wherever its thread is just then
_taken: Counter[str] = Counter()


def taken_by(caller: str) -> int:
    """How many downloads a caller takes in this process."""
    with _lock:
        return _taken[caller]


class Download(Stored):
    """The file of a dump on its way to a caller. It counts from `begin` until it is closed."""

    def __init__(self, dumps: Dumps, manifest: Manifest, caller: str) -> None:
        super().__init__(dumps.place, manifest)
        self._caller, self._counts = caller, False

    def begin(self) -> None:
        """Counts the download; raises `Refused` (`too-busy`) if there are too many."""
        with _lock:
            if _taken.total() >= MOST or _taken[self._caller] >= MOST_OF_ONE:
                raise Refused("too-busy", f"take at most {MOST_OF_ONE} dumps at once")
            _taken[self._caller] += 1
        self._counts = True

    def close(self) -> None:
        """Ends it; whoever is not sent to any more is closed as well, when the file is forgotten."""
        super().close()
        if self._counts:
            self._counts = False
            with _lock:
                _taken[self._caller] -= 1
                if not _taken[self._caller]:
                    del _taken[self._caller]
