"""The page's check of an archive finds what `events/verify.py` finds, in every recorded table and altered ones."""

import base64
import json
import os
import random
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from service.page import FOLDER
from tests import corpus
from tests.events.test_verify import BAD, KINDS, Alteration, closed, found, rechained
from tests.long import quick_first
from tools.node import NODE

ALTERATIONS = int(os.environ.get("ALTERATIONS", "400"))
SHORT = 40  # of them
CHECK = FOLDER / "static" / "js" / "reading" / "verify-archive.js"
SCRIPT = Path(__file__).parent / "check_archives.mjs"


def checked(archives: Iterable[bytes]) -> list[dict[str, Any]]:
    """What the page's own modules say of each archive, run by node."""
    lines = "".join(f"{base64.b64encode(archive).decode()}\n" for archive in archives)
    command = [NODE, str(SCRIPT), CHECK.as_uri()]
    answer = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    rows: list[dict[str, Any]] = json.loads(answer.stdout)
    return rows


def place_of(fault: str) -> int:
    """Where `verify.py` sees a fault: 0 is the header."""
    named = re.match(r"header|version (\d+)", fault)
    assert named
    return int(named[1] or 0)


@pytest.mark.slow
def test_every_recorded_table_holds() -> None:
    """Every event is checked, and every secret of a finished game."""
    rows = checked(b"".join(corpus.lines_of(name)) for name in corpus.NAMES)
    for name, row in zip(corpus.NAMES, rows, strict=True):
        head, *events = [json.loads(line) for line in corpus.lines_of(name)]
        opened = sum(len(event["opened"]) for event in events)
        assert row == {"faults": [], "events": head["events"], "opened": opened, "sealed": 0}, name


def test_what_is_still_closed_is_told() -> None:
    """The archive of a running table, as a spectator gets it, holds too: its seals are counted, none is opened."""
    (row,) = checked([b"".join(closed())])
    secrets = sum(len(json.loads(line)["secrets"]) for line in closed()[1:])
    assert row == {"faults": [], "events": len(closed()) - 1, "opened": 0, "sealed": secrets}


@pytest.mark.slow
@pytest.mark.parametrize("count", [SHORT, pytest.param(ALTERATIONS, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", quick_first(KINDS, quick=2))
def test_alterations_are_found_where_the_verifier_finds_them(kind: Alteration, count: int) -> None:
    rng = random.Random(kind.__name__)
    sources = [corpus.lines_of("tomahawk-2-greedy"), corpus.lines_of("manitou-2-taken-back"), closed()]
    tried = [kind(rng, rng.choice(sources))[0] for _ in range(count // len(KINDS) + 1)]
    altered = [archive for archive in tried if archive not in map(b"".join, sources)]  # one may change nothing
    for archive, row in zip(altered, checked(altered), strict=True):
        assert [fault["place"] for fault in row["faults"][:1]] == [place_of(found(archive)[0])]


def test_what_is_no_archive_is_said_to_be_none() -> None:
    """As by the verifier, with the place."""
    for (what, (_, fault)), row in zip(BAD.items(), checked(data for data, _ in BAD.values()), strict=True):
        assert row["faults"][0]["place"] == place_of(fault), what


def anew(change: dict[str, Any], line: int) -> bytes:
    """A recorded table of which one event says something else, hashed anew to the end."""
    header, *rest = corpus.lines_of("tomahawk-2-greedy")
    events = [json.loads(each) for each in rest]
    events[line] |= change
    return rechained(header, events)


def test_what_is_hashed_anew_to_the_end_has_to_make_sense() -> None:
    """Times that run backwards, foreign events, torn batches and salts in another form are found in a whole chain."""
    salt = {"opened": {"seed": {"salt": "AB" * 16}}}
    changes: list[tuple[dict[str, Any], int]] = [
        ({"at": "2020-01-01T00:00:00.000Z"}, -1),
        ({"table": "t_other"}, -1),
        ({"batch": [2, 2]}, 1),
        (salt, 0),
    ]
    archives = [anew(change, line) for change, line in changes]
    rows = checked(archives)
    assert [row["faults"][0]["kind"] for row in rows] == ["backwards", "other_table", "torn", "no_event"]
    assert [row["faults"][0]["place"] for row in rows] == [place_of(found(archive)[0]) for archive in archives]
