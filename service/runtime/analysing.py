"""The table of a file to be analysed, and an analysis as lines of text or as a page that needs nothing else."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader

from projections.history import History
from rulings.archive_file import history_of, lines_in, opened
from rulings.notation import parse
from rulings.notation.tabling import Keeping, Transcript
from service.runtime.offline import text_in
from worker.analysis.evaluating import SURE
from worker.analysis.finished import Analysis, Weighed
from worker.analysis.luck.valuing import Luck, SeatLuck, Stroke
from worker.analysis.readings import Worth

LOADED = Keeping("x_analysed", "", "1970-01-01T00:00:00.000Z", "private")  # as what a text is analysed
WIDE, HIGH = 720, 160  # of a plot
STROKES = 5  # of luck that are named


def history_in(path: str) -> History:
    """The table of an archive, or the main line of a text; raises `ArchiveRefused` or `NotationError`."""
    with opened(Path(path)) as file:
        is_text = file.read(1) != b"{"
    if is_text:
        return Transcript(parse(text_in(path)), LOADED).history(0)
    with opened(Path(path)) as file:
        return history_of(lines_in(file))


def lines(found: Analysis | Luck | Worth) -> Iterator[str]:
    """What was found, for people to read in a terminal."""
    if isinstance(found, Luck):
        return _lines_of_luck(found)
    return _lines_of_worth(found) if isinstance(found, Worth) else _lines_of_decisions(found)


def _lines_of_luck(luck: Luck) -> Iterator[str]:
    yield f"{luck.table}: {luck.game}, every event played on from in {luck.worlds} worlds"
    for seat in luck.seats:
        yield f"seat {seat.seat}: lead {seat.margin:+.2f} = {sum_of(seat)}"
        yield f"  less all luck {seat.adjusted.mean:+.2f} ± {SURE * seat.adjusted.error:.2f}"
    for stroke in strokes_of_luck(luck):
        changes = ", ".join(f"seat {seat} {change:+.2f}" for seat, change in enumerate(stroke.chance, 1))
        yield f"chance at {'the deal' if not stroke.version else f'event {stroke.version}'}: {changes}"


def sum_of(seat: SeatLuck) -> str:
    """What the lead of a seat is made of."""
    own = f"own choices{' (luck)' if seat.player else ''}"
    parts = [(seat.chance, "chance"), (seat.own, own), (seat.others, "choices of others"), (seat.ruled, "rulings")]
    return " ".join([f"{seat.expected.mean:+.2f} expected", *(f"{part.mean:+.2f} {name}" for part, name in parts)])


def strokes_of_luck(luck: Luck) -> list[Stroke]:
    """The events at which chance changed most, the greatest change first."""
    moved = [stroke for stroke in luck.strokes if any(stroke.chance)]
    return sorted(moved, key=lambda stroke: -max(map(abs, stroke.chance)))[:STROKES]


def _lines_of_worth(worth: Worth) -> Iterator[str]:
    options = ", ".join(f"{name}={_move(value)}" for name, value in worth.options.items())
    yield (
        f"{worth.table}: {worth.game}, event {worth.ruling} read by {options}; {worth.worlds} worlds a seat, "
        f"{worth.budget} games played out by {worth.player} {worth.version}"
    )
    if worth.refused:
        yield f"under that reading {worth.refused} forbids the move, and another one is chosen"
    for seat in worth.seats:
        yield (
            f"seat {seat.seat}: {seat.gained.points.mean:+.2f} ± {SURE * seat.gained.points.error:.2f} points "
            f"({seat.ruled.points.mean:.2f} as ruled, {seat.other.points.mean:.2f} by the other reading), "
            f"{seat.gained.margin.mean:+.2f} ± {SURE * seat.gained.margin.error:.2f} lead, "
            f"{seat.gained.victory.mean:+.0%} ± {SURE * seat.gained.victory.error:.0%} victory"
        )


def _lines_of_decisions(analysis: Analysis) -> Iterator[str]:
    yield (
        f"{analysis.table}: {analysis.game}, {len(analysis.decisions)} of {analysis.choices} decisions with a choice, "
        f"{analysis.worlds} worlds, played out by {analysis.player} {analysis.version}"
    )
    for seat in analysis.seats:
        yield (
            f"seat {seat.seat}: {seat.mean_loss:.2f} points lost by a decision; {seat.inaccuracies} inaccuracies, "
            f"{seat.mistakes} mistakes, {seat.blunders} blunders"
        )
    for row in analysis.decisions:
        if row.evaluation.loss:
            yield f"event {row.version}, seat {row.seat}: {row.verdict}, {row.evaluation.loss:.2f} points"
            yield f"  made   {_move(row.evaluation.made.move)}"
            yield f"  better {_move(row.evaluation.others[0].move)}"


def _move(move: Any) -> str:
    return msgspec.json.encode(move).decode()


class Bar(NamedTuple):
    """A decision in a plot: where its bar lies, and what it says."""

    x: float
    y: float
    width: float
    height: float
    verdict: str
    title: str


def report(found: Analysis | Luck) -> str:
    """An analysis as a page of HTML with plots in it, or the luck of a game as one with tables."""
    environment = Environment(loader=PackageLoader("service.runtime", "reports"), autoescape=True, trim_blocks=True)
    if isinstance(found, Luck):
        page = environment.get_template("luck.html")
        return page.render(luck=found, strokes=strokes_of_luck(found), sure=SURE)
    return _report_of_decisions(environment, found)


def _report_of_decisions(environment: Environment, analysis: Analysis) -> str:
    plots = [(seat, bars([row for row in analysis.decisions if row.seat == seat.seat])) for seat in analysis.seats]
    page = environment.get_template("analysis.html")
    return page.render(analysis=analysis, plots=plots, wide=WIDE, high=HIGH, move=_move)


def bars(rows: Sequence[Weighed]) -> list[Bar]:
    """The expected margin of each decision of a seat as a bar from the middle line, up if the seat is ahead."""
    most = max([abs(row.evaluation.made.margin.mean) for row in rows], default=0) or 1
    step = WIDE / max(1, len(rows))
    return [
        _bar(number * step, step, row, HIGH / 2 * row.evaluation.made.margin.mean / most)
        for number, row in enumerate(rows)
    ]


def _bar(x: float, step: float, row: Weighed, up: float) -> Bar:
    margin = row.evaluation.made.margin
    title = f"event {row.version}: {margin.mean:+.2f} ± {margin.error:.2f}, {row.verdict}"
    return Bar(
        round(x, 1), round(HIGH / 2 - max(0.0, up), 1), round(0.8 * step, 1), round(abs(up), 1), row.verdict, title
    )
