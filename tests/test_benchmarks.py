"""The benchmarks run: each part with next to nothing to measure, so that only whether it works is told."""

import json
import socket
import threading
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from benchmarks import growth, host
from benchmarks.__main__ import PARTS, measure, write
from benchmarks.figures import SMOKE, Aim, Figures, markdown, percentile_ms
from benchmarks.host import ADDRESS
from benchmarks.load import Answer, Lane, drive, whole
from tests.servers import data_directory


@pytest.fixture(autouse=True)
def _data_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the embedded servers keep is kept apart from the service's own."""
    monkeypatch.setattr(host, "DATA", tmp_path)
    monkeypatch.setattr("benchmarks.machine.DATA", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_a_part_finds_figures(part: str, tmp_path: Path) -> None:
    """Every part gives rows of positive figures, and they are written as JSON and as Markdown."""
    described, figures = measure([part], SMOKE)
    write(tmp_path, described, figures)

    rows = json.loads((tmp_path / "latest.json").read_text())["parts"][part]["rows"]
    assert rows
    assert all(value > 0 for row in rows for name, value in row.items() if name)
    assert f"## {figures[part].title}" in (tmp_path / "latest.md").read_text()


@pytest.mark.slow
def test_growth_goes_on_where_it_stopped() -> None:
    """Tables are played and archived, what is there is counted, and standings made anew agree to the byte."""
    with data_directory() as directory:
        first, second = (growth.grown(directory, tables) for tables in (2, 8))

    assert [row["tables"] for row in second[0].rows] == [2, 8]
    assert second[0].rows[:1] == first[0].rows
    assert [row["calls"] for row in second[1].rows if row["what"].startswith("an archived")] == [2, 8]
    assert [row["the same to the byte"] for row in second[2].rows] == [True, True]
    assert "2 segments" in second[0].note


def test_an_answer_is_whole_with_its_last_byte() -> None:
    """An answer that came in pieces counts once as much has come as its head says."""
    head = b"HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\n"

    assert whole(head[:-1]) is None
    assert whole(head + b"abc") is None
    assert whole(head + b"abcd") == Answer(201, b"abcd")


@pytest.fixture
def lane() -> Iterator[Lane]:
    """A connection to a server that answers everything with nothing."""
    with socket.create_server((ADDRESS, 0)) as listener:
        server = threading.Thread(target=_answer, args=(listener,))
        server.start()
        found = Lane(ADDRESS, listener.getsockname()[1], repeat(b"?"))
        yield found
        found.close()
        server.join()


def _answer(listener: socket.socket) -> None:
    with listener.accept()[0] as client:
        while client.recv(1):
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def test_a_busy_machine_is_given_until_the_first_answer(lane: Lane) -> None:
    """Given a window in which nothing can be answered, one answer counts, at the rate at which it came."""
    window = drive([lane], seconds=0.0)

    assert len(window.latencies_s) == 1
    assert window.rate <= 1 / window.latencies_s[0]


def test_percentiles_are_in_milliseconds() -> None:
    """Of a hundred times, the fiftieth percentile is the fifty-first in order, and the ninety-ninth the last."""
    times = [number / 1000 for number in range(100, 0, -1)]

    assert percentile_ms(times, 50) == pytest.approx(51.0)
    assert percentile_ms(times, 99) == pytest.approx(100.0)


def test_an_aim_that_is_not_met_is_told() -> None:
    """Aims stand below the figures, each with what was found and whether that is enough."""
    aims = [Aim("moves a second", 999.0, 1000), Aim("replay, ms", 2.5, 3.0, most=True)]
    text = markdown(Figures("Speed", "As it is.", [{"": "one", "moves/s": 999.0}], aims))

    assert "- moves a second: 999, wanted at least 1,000: **not met**" in text
    assert "- replay, ms: 2.5, wanted at most 3: met" in text
