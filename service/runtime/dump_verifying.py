"""`wintercount verify` of a dump: signature, checksum, and every table as an archive by itself."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from events.archiving.compression import MOST_UNPACKED, ZstdError, unpacking
from events.times import millis
from events.verify import archive_faults
from rulings.archive_file import ArchiveRefused, Unknown, history_of
from service.dumps.lines import LeftOut, game_in, imported_in, line_of, record_in
from service.dumps.manifests import FILE, Manifest, ManifestRefused, bounds, name_of, read
from service.runtime.printing import progress
from service.runtime.verifying import Checks, Status, Verification, decided
from service.tables.audit import MOST_FAULTS

MAGIC = b"\x28\xb5\x2f\xfd"  # with which a Zstandard frame begins
NO_KEY = "the manifest is signed, but by whom was not checked: name the service's public key with --key"


class Proof(NamedTuple):
    """What a dump is held against: its manifest, beside it if no other is named, and the service's public key."""

    manifest: str | None = None
    key: str | None = None


def is_dump(path: str) -> bool:
    """Whether a file is packed as dumps are."""
    found = Path(path)
    if not found.is_file():
        return False
    with found.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def dump_verdict(path: str, ai_moves: int, proof: Proof) -> Verification:
    """The result of checking a dump: 20 faults are told at most."""
    try:
        manifest = _manifest(Path(path), proof)
    except (ManifestRefused, OSError) as refusal:
        return Verification([f"the manifest: {refusal}"], Status.FAULT)
    if manifest is None:
        return _tables(path, None, ai_moves, ["it was held against no manifest: name it with --manifest"])
    if proof.key not in (None, manifest.key):
        return Verification([f"the manifest is signed under {manifest.key}, which is another key"], Status.FAULT)
    with Path(path).open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != manifest.sha256:
            return Verification(["the file is not that of the manifest: its SHA-256 is another"], Status.FAULT)
    return _tables(path, manifest, ai_moves, [] if proof.key else [NO_KEY])


def _manifest(path: Path, proof: Proof) -> Manifest | None:
    named = FILE.fullmatch(path.name)
    beside = path.with_name(name_of(named[1])) if named else None
    found = Path(proof.manifest) if proof.manifest else beside
    if found is None or not (proof.manifest or found.exists()):
        return None
    return read(found.read_bytes())


def _tables(path: str, manifest: Manifest | None, ai_moves: int, unchecked: list[str]) -> Verification:
    """Checks the tables one by one; what could not be checked of any of them is told once."""
    games, open_ends = Counter[str](), Counter[str]()
    faults = list(islice(_faults(path, manifest, ai_moves, games, open_ends), MOST_FAULTS))
    if faults:
        return Verification(faults, Status.FAULT)
    if manifest and dict(games) != manifest.games:
        return Verification(["the manifest counts other games than the file holds"], Status.FAULT)
    unchecked += [f"{count} tables: {why}" for why, count in open_ends.items()]
    held = f"{path}: {games.total() - open_ends.total()} tables hold, each with its chain, its draws and its decisions"
    return Verification([held, *unchecked], Status.UNCHECKED if unchecked else Status.HOLDS)


def _faults(
    path: str, manifest: Manifest | None, ai_moves: int, games: Counter[str], open_ends: Counter[str]
) -> Iterator[str]:
    place = ""
    bar = progress(_lines(path), total=manifest.tables if manifest else None, unit=" tables")
    try:
        for number, line in enumerate(bar, 1):
            found, here = _line(line, ai_moves, games)
            if found.status is Status.FAULT:
                yield from (f"line {number}: {fault}" for fault in found.lines)
            elif here is not None and not _is_in_place(here, place, manifest):
                yield f"line {number}: its game did not end behind that of the line before, within the month"
            elif found.status is Status.UNCHECKED:
                open_ends[found.lines[-1]] += 1
            place = max(place, here or "")
    except (ZstdError, EOFError) as damage:
        yield f"it cannot be unpacked: {damage}"


def _lines(path: str) -> Iterator[bytes]:
    """The lines of a dump; none is read further than a table may be long."""
    with unpacking(Path(path)) as file:
        yield from iter(lambda: file.readline(MOST_UNPACKED), b"")


def _line(line: bytes, ai_moves: int, games: Counter[str]) -> tuple[Verification, str | None]:
    """What is found of a line, and the place of its game in the order of all games, where it is known."""
    try:
        record = record_in(line)
        if faults := list(archive_faults(record)):
            return Verification(faults, Status.FAULT), None
        history = history_of(record)
        if line_of(history, imported_in(line)) != line:
            return Verification(["what it tells of the game is not what its record tells"], Status.FAULT), None
    except Unknown as unknown:  # a later release has made the dump
        games[game_in(line)] += 1
        return Verification([str(unknown)], Status.UNCHECKED), None
    except (ArchiveRefused, LeftOut, ValueError) as refusal:
        return Verification([str(refusal)], Status.FAULT), None
    games[history.table.opened.game] += 1
    place = f"{millis(str(history.table.ended_at)):015d}|{history.table.id}"
    return decided(lambda: history, Checks(ai_moves)), place


def _is_in_place(here: str, before: str, manifest: Manifest | None) -> bool:
    return here > before and (manifest is None or _is_within(here, manifest.month))


def _is_within(place: str, month: str) -> bool:
    first, end = bounds(month)
    return first <= int(place.partition("|")[0]) < end
