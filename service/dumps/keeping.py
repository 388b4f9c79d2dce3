"""Where dumps lie: a file and its manifest for each month, in a directory or an object storage."""

import io
import logging
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from events.archiving.objects import ListedFile, MissingObject, Objects
from service.dumps.manifests import FILE, Manifest, ManifestRefused, name_of, read, signed
from service.dumps.signing import Signer

UNDER = "dumps"
CHUNK = 256 * 1024  # bytes that are read at once

log = logging.getLogger(__name__)


class Dumps:
    """The dumps that there are; none where no place is set for them. Safe for threads."""

    def __init__(self, objects: Objects | None, signer: Signer) -> None:
        self.objects, self.signer = objects, signer

    @cached_property
    def _read(self) -> dict[ListedFile, Manifest]:
        return {}

    @cached_property
    def _refused(self) -> set[ListedFile]:
        return set()

    def manifests(self) -> list[Manifest]:
        """The manifest of each month, the newest first; one that does not hold is told to the operator alone, once."""
        listed = self.objects.listed(UNDER) if self.objects else []
        found = (self._trusted(one) for one in reversed(listed) if one.name.endswith(".json"))
        return [manifest for manifest in found if manifest]

    def _trusted(self, listed: ListedFile) -> Manifest | None:
        try:
            return self._manifest(listed)
        except ManifestRefused as refusal:
            if listed not in self._refused:  # anybody may ask as often as they like
                self._refused.add(listed)
                log.critical("%s: %s", listed.name, refusal)
        except MissingObject:
            log.warning("%s was removed meanwhile", listed.name)
        return None

    def _manifest(self, listed: ListedFile) -> Manifest:
        """A manifest, read again only when its file has changed."""
        if listed not in self._read:
            self._read[listed] = self._checked(listed.name)
        return self._read[listed]

    def _checked(self, name: str) -> Manifest:
        found = read(self.place.read(name))
        if found.key not in self.signer.known():
            raise ManifestRefused("it is signed under a key that is not here")
        return found

    @property
    def place(self) -> Objects:
        """Where they lie; raises `MissingObject` if no place is set."""
        if self.objects is None:
            raise MissingObject("no place is set for dumps")
        return self.objects

    def manifest(self, month: str) -> Manifest | None:
        """The manifest of a month; None if there is none. Raises `ManifestRefused`."""
        try:
            return self._checked(_path(name_of(month)))
        except MissingObject:
            return None

    def take(self, manifest: Manifest, file: Path) -> None:
        """Keeps the file of a month, which nobody is told of before its manifest is published."""
        self.place.take(_path(manifest.file), file)

    def publish(self, manifest: Manifest) -> Manifest:
        """Signs the manifest of a file that is kept, and tells of it."""
        kept = signed(manifest, self.signer)
        self.place.write(_path(name_of(manifest.month)), kept.kept)
        return kept

    def remove_others(self, manifest: Manifest) -> None:
        """Removes the files of the month that its manifest does not name."""
        for one in self.place.listed(UNDER):
            found = FILE.fullmatch(one.name.removeprefix(f"{UNDER}/"))
            if found and found[1] == manifest.month and found[0] != manifest.file:
                self.place.remove(one.name)

    def sign_again(self) -> int:
        """Signs the manifests anew that were signed under a key before the newest; how many. It may be repeated."""
        older = [one for one in self.manifests() if one.key != self.signer.known()[0]]
        for manifest in older:
            self.publish(manifest)
        return len(older)

    def chunks(self, manifest: Manifest) -> Iterator[bytes]:
        """The file of a month, a part at a time."""
        with Stored(self.place, manifest) as file:
            yield from iter(lambda: file.read(CHUNK), b"")


class Stored(io.RawIOBase):
    """The file of a dump, of which only what is read is fetched."""

    def __init__(self, objects: Objects, manifest: Manifest) -> None:
        self._objects, self._name, self._size, self._at = objects, _path(manifest.file), manifest.size, 0

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def seekable(self) -> bool:
        """A part of it may be read by itself."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Goes to an offset from its beginning, from here, or from its end."""
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def tell(self) -> int:
        """The offset of what is read next."""
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Reads on; raises `MissingObject` if the file is gone, `ArchiveUnavailable` if there is no answer."""
        length = min(len(buffer), self._size - self._at)
        if length > 0:
            buffer[:length] = self._objects.part(self._name, self._at, length)
            self._at += length
        return max(length, 0)


def _path(name: str) -> str:
    return f"{UNDER}/{name}"
