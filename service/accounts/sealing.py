"""The service's secret: keys outside the store that seal what the store keeps and must not reveal, the newest first."""

import base64
import contextlib
import fcntl
import hmac
import logging
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from events.disk import UMASK, private_directory, to_disk
from events.scripts import Client
from service.config import Settings

SEAL = "wintercount:seal"  # something sealed, by which a process checks whether it has the store's key
STORE = "store"
KEY_BYTES = 32
TEMPORARY = ".secret-"  # how a file of keys begins before it is renamed
ADVICE = (
    "All processes on a store need the same WINTERCOUNT_SECRET or WINTERCOUNT_SECRET_FILE; if the key is lost "
    "for good, `wintercount rotate-secret --lost` gives up what it sealed"
)

log = logging.getLogger(__name__)

Keys = Sequence[str]


class SecretUnusable(Exception):
    """The keys cannot be used, and what to do about it."""


class Unsealable(Exception):
    """None of the keys opens it."""


class Sealer:
    """Seals and opens. It reads the keys for every use, as they may have been rotated."""

    def __init__(self, keys: Callable[[], Keys]) -> None:
        self._keys = keys

    def seal(self, purpose: str, secret: bytes) -> bytes:
        """Seals a secret under the newest key; it opens only for the same purpose."""
        return self._ring().encrypt(purpose.encode() + b"\0" + secret)

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """Returns what was sealed for this purpose; raises `Unsealable`."""
        try:
            named, _, secret = self._ring().decrypt(sealed).partition(b"\0")
        except InvalidToken:
            raise Unsealable(f"what was sealed for {purpose!r} needs a key that is not here") from None
        if named != purpose.encode():
            raise Unsealable(f"this was not sealed for {purpose!r}")
        return secret

    def renewed(self, sealed: bytes) -> bytes:
        """Returns the same under the newest key; raises `Unsealable`."""
        try:
            return self._ring().rotate(sealed)
        except InvalidToken:
            raise Unsealable("this needs a key that is not here") from None

    def derived(self, purpose: str) -> list[bytes]:
        """Returns a key of 64 bytes for this purpose derived from each of the keys, the newest first."""
        return [hmac.digest(key.encode(), purpose.encode(), "sha512") for key in self._keys()]

    def _ring(self) -> MultiFernet:
        return MultiFernet([Fernet(key) for key in self._keys()])


def keys_in(text: str, place: str) -> Keys:
    """Returns the keys in a text, separated by blanks, lines or commas; raises `SecretUnusable`."""
    keys = text.replace(",", " ").split()
    if not keys or not all(map(_is_key, keys)):
        wrong = "something that is not a key" if keys else "no key"
        raise SecretUnusable(f"{place} holds {wrong}: a key is 32 bytes in Base64")
    return keys


def _is_key(text: str) -> bool:
    """Whether a text is exactly one key: Fernet itself ignores invalid characters, and those after a key."""
    try:
        return len(base64.b64decode(text, b"-_", validate=True)) == KEY_BYTES
    except ValueError:
        return False


class KeyFile:
    """The file that holds the keys, one a line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Keys:
        """Returns the keys; raises `SecretUnusable`."""
        try:
            return keys_in(self.path.read_text(), str(self.path))
        except (OSError, UnicodeDecodeError) as error:
            raise SecretUnusable(f"{self.path} cannot be read: {error}") from None

    def create(self) -> None:
        """Creates the file with a new key, unless another process is faster."""
        with contextlib.suppress(FileExistsError):
            self._put([new_key()], os.link)

    def write(self, keys: Keys) -> None:
        """Replaces the keys atomically, and removes temporary files that a killed process left."""
        self._put(keys, os.replace)
        for left in self.path.parent.glob(f"{TEMPORARY}*"):
            left.unlink(missing_ok=True)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Locks out other rotations; raises `SecretUnusable` if one is running.

        Of two at once, one would drop the key under which the other has just sealed.
        """
        directory = os.open(self.path.parent, os.O_RDONLY)
        try:
            try:
                fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SecretUnusable(f"{self.path} is being rotated: repeat this when that has ended") from None
            yield
        finally:
            os.close(directory)

    def _put(self, keys: Keys, take_place: Callable[[str, Path], None]) -> None:
        """Writes a new file to the disk and renames it: a kill leaves either the old keys or the new ones."""
        try:
            private_directory(self.path.parent)
            with tempfile.NamedTemporaryFile("w", dir=self.path.parent, prefix=TEMPORARY, delete=False) as new:  # 0600
                new.write("".join(f"{key}\n" for key in keys))
                new.flush()
                os.fsync(new.fileno())
            try:
                take_place(new.name, self.path)
            finally:
                Path(new.name).unlink(missing_ok=True)
            to_disk(self.path.parent)
        except FileExistsError:
            raise
        except OSError as error:
            raise SecretUnusable(f"{self.path} cannot be written: {error}") from None


def new_key() -> str:
    """Returns a new key."""
    return Fernet.generate_key().decode()


def sealer_from(settings: Settings, *, may_create: bool) -> Sealer:
    """Returns a sealer with the keys of the settings; raises `SecretUnusable`, also if the file must not be created."""
    if settings.secret:
        keys = keys_in(settings.secret, "WINTERCOUNT_SECRET")
        return Sealer(lambda: keys)
    file = KeyFile(settings.key_file)
    if not file.path.exists():
        if not may_create:
            raise SecretUnusable(f"the store is sealed, and its key is not here: {file.path} is missing. {ADVICE}")
        file.create()
    file.read()
    if (mode := stat.S_IMODE(file.path.stat().st_mode)) & UMASK:
        log.warning("%s may be read by others on this machine (%o): chmod 600 it", file.path, mode)
    return Sealer(file.read)


def sealer_for(client: Client, settings: Settings) -> Sealer:
    """Returns the sealer of a store; raises `SecretUnusable` if the store was sealed under keys that are not here."""
    kept = client.get(SEAL)
    sealer = sealer_from(settings, may_create=kept is None)
    if kept is None:  # no write to a sealed store: one without free memory would refuse it
        client.set(SEAL, sealer.seal(STORE, b""), nx=True)
        kept = client.get(SEAL)
    try:
        sealer.open(STORE, kept or b"")
    except Unsealable:
        raise SecretUnusable(f"the store was sealed under another key. {ADVICE}") from None
    return sealer
