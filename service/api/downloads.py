"""Files that are sent as they are read: a few at a time, each held by whoever takes it.

Where there is no room for a further one, the last of the address that has most breaks off: few accounts of one address
would else keep everybody from taking any.
"""

import threading
from collections.abc import Callable
from typing import Any

from service.dumps.keeping import Dumps, Stored
from service.dumps.manifests import Manifest
from service.errors import Refused
from service.limits.giving_way import last_to_give_way

DOWNLOADED = "wintercount.downloaded"  # in the WSGI environment: the answer is read as fast as it is taken
MOST, MOST_OF_ONE = 16, 2  # downloads in a web process, and of one caller among them

_lock = threading.RLock()  # a file that is forgotten is closed wherever its thread is just then
_taken: dict["Download", None] = {}  # the first that was begun first


def taken_by(caller: str) -> int:
    """How many downloads a caller takes in this process."""
    with _lock:
        return sum(one.caller == caller for one in tuple(_taken))


class Download(Stored):
    """The file of a dump on its way to a caller at an address. It counts from `begin` until it is closed."""

    def __init__(self, dumps: Dumps, manifest: Manifest, caller: str, address: str) -> None:
        super().__init__(dumps.place, manifest)
        self.caller, self.address, self._gave_way = caller, address, False

    def begin(self, pay: Callable[[], object]) -> None:
        """Counts the download, which is paid for then; raises `Refused` (`too-busy`) if there are too many."""
        with _lock:
            if taken_by(self.caller) >= MOST_OF_ONE:
                raise Refused("too-busy", f"take at most {MOST_OF_ONE} dumps at once")
            last = self._in_the_way()
            pay()
            if last is not None:
                last.give_way()
            _taken[self] = None

    def _in_the_way(self) -> "Download | None":
        """The download that has to make room for this one, if there is none; raises `Refused` if it is of the same."""
        if len(_taken) < MOST:
            return None
        last = last_to_give_way({one: one.address for one in tuple(_taken)}, self.address)
        if last is None:
            raise Refused("too-busy", f"{MOST} dumps are being taken; come again")
        return last

    def give_way(self) -> None:
        """Counts no more, and breaks off where it would be read on: its client goes on with `Range`."""
        self._gave_way = True
        _taken.pop(self, None)

    def readinto(self, buffer: Any) -> int:
        """Reads on; raises `ConnectionError` if it had to make room, and what reading a dump raises."""
        if self._gave_way:
            raise ConnectionError("it had to make room for others")
        return super().readinto(buffer)

    def close(self) -> None:
        """Ends it; whoever is not sent to any more is closed as well, when the file is forgotten."""
        super().close()
        with _lock:
            _taken.pop(self, None)
