"""The verifier of archives: it finds every alteration and names the version, and needs nothing but its own file.

`ALTERATIONS=10000 pytest -m long tests/events/test_verify.py` tries more alterations than `make trust` does.
"""

import hashlib
import json
import os
import random
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from events import verify
from events.verify import GENESIS, MOST_BYTES, archive_faults, canonical, envelope_of, lines_of
from rulings.archive_format import lines
from tests import corpus
from tests.disputed_tables import Court
from tests.tables import ANN

ALTERATIONS = int(os.environ.get("ALTERATIONS", "1500"))
SHORT = 300  # of them
SCHEMA = Path("docs/archive.schema.json")
MEMORY = 96 * 1024 * 1024
NAMES = ("tomahawk-2-greedy", "manitou-2-taken-back")

Archive = tuple[bytes, ...]
Alteration = Callable[[random.Random, Archive], tuple[bytes, int]]


@cache
def closed() -> Archive:
    """The archive of a running table as a spectator gets it."""
    return tuple(lines(running(), None, over=False))


@cache
def running() -> Any:
    """A table of Big Manitou in its first hunt."""
    court = Court()
    table = court.open_disputable("big-manitou", "ann ben")
    for _ in range(12):
        court.step(table)
    return court.history(table)


def found(data: bytes) -> list[str]:
    """What the verifier says of an archive."""
    return list(archive_faults(lines_of(BytesIO(data))))


# Each alteration gives the altered archive and the line from which on it differs (line 0 is the header)


def flip_bit(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    return _changed(archive, rng, lambda byte: byte ^ (1 << rng.randrange(8)))


def flip_byte(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    return _changed(archive, rng, lambda byte: (byte + rng.randrange(1, 256)) % 256)


def _changed(archive: Archive, rng: random.Random, change: Callable[[int], int]) -> tuple[bytes, int]:
    line = rng.randrange(len(archive))
    at = rng.randrange(len(archive[line]))
    text = bytearray(archive[line])
    text[at] = change(text[at])
    return b"".join((*archive[:line], bytes(text), *archive[line + 1 :])), line


def drop_line(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    line = rng.randrange(len(archive))
    return b"".join((*archive[:line], *archive[line + 1 :])), line


def insert_line(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    line = rng.randrange(len(archive) + 1)
    new = rng.choice([b"\n", b"{}\n", b"null\n", b"\xff\n", archive[0], rng.choice(archive).replace(b"1", b"2")])
    rest = archive[line:]
    return b"".join((*archive[:line], new, *rest)), line + (bool(rest) and new == rest[0])


def duplicate_line(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    line = rng.randrange(len(archive))
    return b"".join((*archive[: line + 1], *archive[line:])), line + 1


def swap_lines(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    one, other = sorted(rng.sample(range(len(archive)), 2))
    swapped = list(archive)
    swapped[one], swapped[other] = archive[other], archive[one]
    return b"".join(swapped), one


def truncate(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    data = b"".join(archive)
    kept = data[: rng.randrange(len(data))]
    return kept, kept.count(b"\n")


def rehash_event(rng: random.Random, archive: Archive) -> tuple[bytes, int]:
    """Another time, cause or payload, with the hash that fits it: the next event, or the header, knows the old one."""
    line = rng.randrange(1, len(archive))
    event = json.loads(archive[line])
    event |= rng.choice([{"by": {"kind": "nobody"}}, {"draws": {"luck": 1}}, {"request": "another"}, {"schema": 9}])
    previous = bytes.fromhex(json.loads(archive[line - 1])["hash"]) if line > 1 else GENESIS
    event["hash"] = hashlib.sha256(previous + line.to_bytes(8, "big") + canonical(envelope_of(event))).hexdigest()
    return b"".join((*archive[:line], canonical(event) + b"\n", *archive[line + 1 :])), line


KINDS = (flip_bit, flip_byte, drop_line, insert_line, duplicate_line, swap_lines, truncate, rehash_event)


@pytest.mark.parametrize("tried", [SHORT, pytest.param(ALTERATIONS, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", KINDS)
def test_every_alteration_is_found_and_its_version_named(kind: Alteration, tried: int) -> None:
    """Complete archives and closed ones, altered anywhere; what befell the header may show at any version."""
    rng = random.Random(kind.__name__)
    archives = [*map(corpus.lines_of, NAMES), closed()]
    for _ in range(tried // len(KINDS) + 1):
        archive = rng.choice(archives)
        altered, line = kind(rng, archive)
        faults = found(altered)
        assert altered != b"".join(archive)
        assert faults, (kind, line)
        named = re.match(r"header|version (\d+): ", faults[0])
        assert named, faults
        allowed = {line, line + 1} if kind is rehash_event and line + 1 < len(archive) else {line}
        assert line == 0 or int(named[1]) in allowed, (line, faults)


Rows = list[dict[str, Any]]


def upper_salt(events: Rows) -> None:
    events[0]["opened"]["seed"]["salt"] = events[0]["opened"]["seed"]["salt"].upper()


def a_batch_without_its_end(events: Rows) -> None:
    for event in events:
        if event["batch"][1] == len(events):
            event["batch"][1] += 1


SENSELESS: dict[str, tuple[Callable[[Rows], object], str]] = {
    "a batch that is torn": (lambda e: e[4].update(batch=[5, 5]), "version 5: the previous batch is incomplete"),
    "a last batch that is torn": (a_batch_without_its_end, "version 143: the last batch is incomplete"),
    "another batch": (lambda e: e[4].update(batch=[7, 9]), "version 5: the event is outside its batch"),
    "a salt in another form": (upper_salt, "version 1: not a valid event (ValueError)"),
    "time running backwards": (
        lambda e: e[-1].update(at="2020-01-01T00:00:00.000Z"),
        "version 142: the event is earlier than the previous one",
    ),
    "a machine that is ahead": (
        lambda e: e[2].update(now="2999-01-01T00:00:00.000Z"),
        "version 3: the machine's time is given although the table's is not ahead of it",
    ),
    "a machine that is where the table is": (
        lambda e: e[2].update(now=e[2]["at"]),
        "version 3: the machine's time is given although the table's is not ahead of it",
    ),
    "a foreign event": (lambda e: e[-1].update(table="t_other"), "version 142: the event belongs to another table"),
}


@pytest.mark.parametrize("what", SENSELESS)
def test_what_is_hashed_anew_to_the_end_has_to_make_sense(what: str) -> None:
    """Torn batches, salts in another form, times that run backwards and foreign events are found in a whole chain."""
    alter, fault = SENSELESS[what]
    header, *rows = corpus.lines_of(NAMES[0])
    events = [json.loads(line) for line in rows]
    alter(events)
    assert found(rechained(header, events))[0] == fault


def rechained(header: bytes, events: list[dict[str, Any]]) -> bytes:
    """An archive of these events, hashed and counted anew."""
    previous = GENESIS
    for event in events:
        digest = hashlib.sha256(previous + event["version"].to_bytes(8, "big") + canonical(envelope_of(event)))
        previous = digest.digest()
        event["hash"] = previous.hex()
    head = json.loads(header) | {"events": len(events), "head": previous.hex()}
    return b"".join(canonical(value) + b"\n" for value in (head, *events))


# Closed archives


def test_the_archive_of_a_running_table_verifies_and_tells_nothing() -> None:
    """To a spectator no secret is opened; the header's head is the table's."""
    history = running()
    assert found(b"".join(closed())) == []
    assert json.loads(closed()[0])["head"] == history.table.head.hash.hex()
    for line, event in zip(closed()[1:], history.events, strict=True):
        row = json.loads(line)
        assert (row["opened"], set(row["payload"]) & set(row["readers"])) == ({}, set())
        assert not {"move", "ai_seed", "again"} & set(row)
        assert all(seal.salt.encode() not in line for seal in event.sealed.values())


def test_a_seat_gets_its_own_secrets_and_no_others() -> None:
    """Its archive verifies against the same head, and opens what it may read."""
    history = running()
    seat = history.table.seat_of(ANN.id)
    archive = list(lines(history, seat, over=False))
    assert found(b"".join(archive)) == []
    assert json.loads(archive[0]) == json.loads(closed()[0])
    for line, event in zip(archive[1:], history.events, strict=True):
        assert set(json.loads(line)["opened"]) == {name for name in event.sealed if event.may_read(name, seat)}
    assert any(json.loads(line)["opened"] for line in archive[1:])


# The one file


def run(path: Path, *words: str, **more: Any) -> tuple[int, str]:
    """What the verifier says of a file, alone and without any library."""
    command = [sys.executable, "-I", "-S", str(Path(verify.__file__)), *words, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **more)
    assert done.stderr == ""
    return done.returncode, done.stdout


def edited(change: dict[str, Any]) -> bytes:
    header = json.loads(corpus.lines_of(NAMES[0])[0]) | change
    return canonical(header) + b"\n" + b"".join(corpus.lines_of(NAMES[0])[1:])


NO_ARCHIVE = "header: this is not the archive of a table; `wintercount export TABLE FILE` and GET /v1/tables/"
LONG = b'{"format":"wintercount-archive"' + b" " * MOST_BYTES
BAD = {
    "newer": (edited({"format_version": 2}), "header: the archive has format 2; this program reads 1"),
    "equal to ours": (edited({"format_version": 1.0}), "header: the archive has format 1.0; this program reads 1"),
    "a truth": (edited({"format_version": True}), "header: the archive has format True; this program reads 1"),
    "another form": (edited({"format": "winter"}), NO_ARCHIVE),
    "more in the header": (edited({"note": "mine"}), "header: the fields must be "),
    "another game": (edited({"game": "go"}), "version 1: the header names another table, game or version"),
    "no event": (corpus.lines_of(NAMES[0])[0], "version 1: the header says 142 events, the archive has 0"),
    "truncated": (b"".join(corpus.lines_of(NAMES[0]))[:-1], "version 142: the line is not the canonical JSON"),
    "not JSON": (b"winter\n", NO_ARCHIVE),
    "not an object": (b"[1]\n", NO_ARCHIVE),
    "not UTF-8": (b"\xff\xfe\n", NO_ARCHIVE),
    "deep": (b"[" * 100_000 + b"\n", NO_ARCHIVE),
    "a number too long": (b"9" * 10_000 + b"\n", NO_ARCHIVE),
    "empty": (b"", NO_ARCHIVE),
    "a picture": (b"\x89PNG\r\n\x1a\n", NO_ARCHIVE),
    "a document": (b'{\n  "cards": []\n}\n', NO_ARCHIVE),
    "no header": (corpus.lines_of(NAMES[0])[1], NO_ARCHIVE),
    "half a header": (corpus.lines_of(NAMES[0])[0][:-9], "header: the line is not a JSON object"),
    "another order": (
        b'{"format": "wintercount-archive"}\n',
        "header: the line is not the canonical JSON of an object",
    ),
    "too long a line": (LONG, f"header: the line is longer than {MOST_BYTES} bytes"),
}


def test_it_runs_alone_without_any_library(tmp_path: Path) -> None:
    """Isolated, without site packages: all it needs is the file and Python."""
    path = tmp_path / "table.ndjson"
    path.write_bytes(b"".join(corpus.lines_of(NAMES[0])))
    assert run(path) == (2, f"{verify.HELD}\n{verify.NOT_CHECKED}\n")


def test_who_asks_for_the_chain_alone_is_told_of_it_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0 says that all that was asked for holds; without a path it is a wrong use."""
    path = tmp_path / "table.ndjson"
    path.write_bytes(b"".join(corpus.lines_of(NAMES[0])))
    assert (verify.main(["--chain", str(path)]), capsys.readouterr().out) == (0, f"{verify.HELD}\n")
    path.write_bytes(BAD["truncated"][0])
    assert verify.main(["--chain", str(path)]) == 1
    assert verify.main(["--chain"]) == 2
    assert capsys.readouterr().err == "python verify.py [--chain] ARCHIVE\n"


@pytest.mark.parametrize("where", ["hash", "head", "salt", "commitment"])
@pytest.mark.parametrize("form", [str.upper, lambda text: f" {text}", lambda text: text[:-2]])
def test_a_hash_in_another_form_is_none(where: str, form: Callable[[str], str]) -> None:
    """Hashes are compared as bytes, and written in one way: lower-case hexadecimal digits, all of them."""
    head, *events = [json.loads(line) for line in corpus.lines_of(NAMES[0])]
    if where == "head":
        head["head"] = form(head["head"])
    elif where == "hash":
        events[3]["hash"] = form(events[3]["hash"])
    elif where == "salt":
        events[0]["opened"]["seed"]["salt"] = form("ab" * 16)
    else:
        events[0]["secrets"]["seed"] = form(events[0]["secrets"]["seed"])
    data = b"".join(canonical(row) + b"\n" for row in (head, *events))
    if where in ("salt", "commitment"):
        data = rechained(canonical(head) + b"\n", events)
    assert found(data)


def test_it_knows_no_game(tmp_path: Path) -> None:
    """The chain of a game that it has never heard of holds like any other."""
    events = [json.loads(line) for line in corpus.lines_of(NAMES[0])[1:]]
    events[0]["payload"]["game"] = "go"
    header = canonical(json.loads(corpus.lines_of(NAMES[0])[0]) | {"game": "go"})
    path = tmp_path / "table.ndjson"
    path.write_bytes(rechained(header, events))
    assert run(path, "--chain")[0] == 0


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_archive_is_said_to_be_none(what: str) -> None:
    """With the place: the header, or the version."""
    data, fault = BAD[what]
    assert found(data)[0].startswith(fault)


def test_a_bad_archive_is_told_in_words(tmp_path: Path) -> None:
    """And with an exit status that a script can read."""
    path = tmp_path / "table.ndjson"
    path.write_bytes(BAD["truncated"][0])
    assert run(path) == (1, "version 142: the line is not the canonical JSON of an object\n")


@pytest.mark.parametrize("before", [LONG[:31], corpus.lines_of(NAMES[0])[0]], ids=["header", "version 1"])
def test_a_line_without_an_end_is_not_read(before: bytes, tmp_path: Path) -> None:
    """100 MB in one line, in less memory than it takes to hold them."""
    path = tmp_path / "long.ndjson"
    with open(path, "wb") as file:
        file.write(before)
        file.truncate(len(before) + 100_000_000)

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    where = "version 1" if before.endswith(b"\n") else "header"
    assert run(path, preexec_fn=bounded) == (1, f"{where}: the line is longer than {MOST_BYTES} bytes\n")


# The schema


@pytest.mark.parametrize("name", corpus.NAMES)
def test_every_line_fits_the_schema(name: str) -> None:
    """docs/archive.schema.json describes each line of a complete archive."""
    schema = jsonschema_rs.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for line in corpus.lines_of(name):
        assert schema.is_valid(json.loads(line)), line[:200]


def test_lines_of_closed_archives_fit_the_schema() -> None:
    """And a line with a word too many does not."""
    schema = jsonschema_rs.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for line in closed():
        assert schema.is_valid(json.loads(line))
        assert not schema.is_valid(json.loads(line) | {"words": "more"})
