"""The benchmarks run: each part with next to nothing to measure, so that only whether it works is told."""

import json
import socket
import threading
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from benchmarks import host
from benchmarks.__main__ import PARTS, measure, write
from benchmarks.figures import SMOKE, Aim, Figures, markdown, percentile_ms
from benchmarks.host import ADDRESS
from benchmarks.load import Answer, Lane, drive, whole
from benchmarks.yardstick import REFERENCE, Yards, told
from tests.long import long_but_for


@pytest.fixture(autouse=True)
def _data_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the embedded servers keep is kept apart from the service's own."""
    monkeypatch.setattr(host, "DATA", tmp_path)
    monkeypatch.setattr("benchmarks.machine.DATA", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", long_but_for({"moves", "engines"}.__contains__, PARTS))
def test_a_part_finds_figures(part: str, tmp_path: Path) -> None:
    """Every part gives rows of positive figures, and they are written as JSON and as Markdown."""
    described, figures = measure([part], SMOKE)
    write(tmp_path, described, figures)

    rows = json.loads((tmp_path / "latest.json").read_text())["parts"][part]["rows"]
    assert rows
    assert all(value > 0 for row in rows for name, value in row.items() if name)
    assert f"## {figures[part].title}" in (tmp_path / "latest.md").read_text()


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


@pytest.mark.parametrize(("pace", "rate", "time"), [(25_000.0, "met", "met"), (26_000.0, "**not met**", "**not met**")])
def test_an_aim_is_for_the_machine_of_reference(pace: float, rate: str, time: str) -> None:
    """On one on which the yardstick reads more, more is wanted in proportion."""
    yards = REFERENCE._replace(plain=pace)
    aims = [Aim("moves a second", 1000.0, 1000, yard="plain"), Aim("replay, ms", 2.0, 2.0, most=True, yard="plain")]
    lines = markdown(Figures("Speed", "As it is.", [{"": "one", "moves/s": 1000.0}], aims, yards)).splitlines()

    assert lines[-2] == (
        f"- moves a second: 1,000 ({1000 / pace:.3g} for a yardstick, plain), "
        f"wanted at least 1,000 ({1000 / REFERENCE.plain:.3g} for a yardstick, plain): {rate}"
    )
    assert lines[-1] == (
        f"- replay, ms: 2 ({pace / 500:.3g} yardsticks, plain), wanted at most 2 "
        f"({REFERENCE.plain / 500:.3g} yardsticks, plain): {time}"
    )


@pytest.mark.parametrize(("paces", "said"), [([100.0, 105.0, 109.0], False), ([100.0, 94.0, 105.0], True)])
def test_a_yardstick_that_moved_is_told(paces: list[float], said: bool) -> None:
    """By more than a tenth of its median within a run."""
    assert ("**more than a tenth" in told(paces)) is said


@pytest.mark.slow
def test_yardsticks_are_measured_before_between_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a part finds is held against the two measurements around it."""
    paces = iter([100.0, 300.0, 500.0])
    monkeypatch.setattr("benchmarks.__main__.yards", lambda _: Yards(next(paces), 7.0))
    monkeypatch.setattr("benchmarks.__main__.machine", lambda _: {"cores": "2"})
    monkeypatch.setattr("benchmarks.__main__.PARTS", dict.fromkeys(("one", "two"), lambda *_: Figures("", "", [])))
    described, figures = measure(["one", "two"], SMOKE)

    assert [figures[part].yards for part in ("one", "two")] == [Yards(200.0, 7.0), Yards(400.0, 7.0)]
    assert described["yardstick, plain"].startswith(
        "300 a second; in the course of the run 100, 300, 500; moved by 133%"
    )
