"""The analysis of a finished game: of which table, as lines of text, and as a page of HTML with plots."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader

from games import GAMES
from projections.history import TableHistory
from rulings.notation import parse
from rulings.notation.tabling import Keeping, Transcript
from rulings.words import move_words, vocabulary
from wintercount.operations.records import from_file, is_text, text_in
from worker.analysis.evaluating import SURE
from worker.analysis.finished import Analysis, Weighed
from worker.analysis.luck import Luck, SeatLuck, Stroke

STROKES = 5  # of luck that are named
WIDE, HIGH = 760, 300  # of a graph
LEFT, RIGHT, TOP, BOTTOM = 48, 72, 24, 28  # its edges
STEPS = (0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)  # from one line of it to the next
MOST_LINES = 7
SIGNS = {"good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}  # as chess players write them


def told_move(game: str, move: Any) -> str:
    """A move in words; as JSON if the game has none for it."""
    if move["type"] in vocabulary(game, "en")["moves"]:
        return move_words(game, move, "en").rstrip(".")
    return msgspec.json.encode(move).decode()


def strokes_of_luck(luck: Luck) -> list[Stroke]:
    """The events at which chance changed most, the greatest change first."""
    moved = [stroke for stroke in luck.strokes if any(stroke.chance)]
    return sorted(moved, key=lambda stroke: -max(map(abs, stroke.chance)))[:STROKES]


def report(found: Analysis | Luck) -> str:
    """What decisions were worth, with a graph of what seats could expect; or the luck of a game."""
    environment = Environment(
        loader=PackageLoader("wintercount.operations", "reports"), autoescape=True, trim_blocks=True
    )
    environment.filters |= {"signed": signed, "plain": plain}
    environment.globals |= {"sure": SURE, "title": GAMES[found.game].title}
    if isinstance(found, Luck):
        return environment.get_template("luck.html").render(luck=found, strokes=strokes_of_luck(found))
    page = environment.get_template("analysis.html")
    return page.render(analysis=found, graph=graph_of(found), signs=SIGNS, told_move=told_move)


def signed(value: float) -> str:
    """A difference, with a true minus."""
    return f"{value:+.2f}".replace("-", "−")


def plain(value: float) -> str:
    """A value, with a true minus."""
    return f"{value:.2f}".replace("-", "−")


class Point(NamedTuple):
    """A decision in a graph: where it lies, the sign of its verdict, and what it says."""

    x: float
    y: float
    sign: str
    title: str


class Graph(NamedTuple):
    """The leads that seats could expect over the events: a line a seat, lines for round values, numbers of events."""

    wide: int
    high: int
    left: int
    right: int
    lines: dict[int, list[Point]]
    values: list[tuple[float, str]]
    events: list[tuple[float, int]]


def graph_of(analysis: Analysis) -> Graph:
    """The graph of an analysis; a seat of which no decision was looked at has no line."""
    leads = [row.evaluation.made.margin.mean for row in analysis.decisions]
    low, high = min([0.0, *leads]), max([0.0, *leads])
    last = max([row.version for row in analysis.decisions], default=1)
    scale = _Scale(low, max(high, low + 1), last)
    seats = sorted({row.seat for row in analysis.decisions})
    return Graph(
        WIDE,
        HIGH,
        LEFT,
        WIDE - RIGHT,
        {seat: [scale.point(row) for row in analysis.decisions if row.seat == seat] for seat in seats},
        [(scale.y(value), plain(value).removesuffix(".00")) for value in scale.values()],
        [(scale.x(version), version) for version in sorted({1, (1 + last) // 2, last})],
    )


class _Scale(NamedTuple):
    """Where events up to the last, and values from low to high, lie in a graph."""

    low: float
    high: float
    last: int

    def x(self, version: int) -> float:
        return round(LEFT + (version - 1) / max(1, self.last - 1) * (WIDE - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        return round(HIGH - BOTTOM - (value - self.low) / (self.high - self.low) * (HIGH - TOP - BOTTOM), 1)

    def point(self, row: Weighed) -> Point:
        lead = row.evaluation.made.margin
        title = f"event {row.version}: {signed(lead.mean)} ± {plain(SURE * lead.error)}, {row.verdict}"
        return Point(self.x(row.version), self.y(lead.mean), SIGNS[row.verdict], title)

    def values(self) -> Iterator[float]:
        """Round values, of which there are not too many."""
        step = next((step for step in STEPS if (self.high - self.low) / step <= MOST_LINES), STEPS[-1])
        first = int(self.low // step)
        for number in range(first, int(self.high // step) + 1):
            if number * step >= self.low:
                yield number * step


LOADED = Keeping("x_analysed", "", "1970-01-01T00:00:00.000Z", "private")  # as what a text is analysed


def history_in(path: str) -> TableHistory:
    """The table of an archive, or the main line of a text; raises `ArchiveRefused` or `NotationError`."""
    return Transcript(parse(text_in(path)), LOADED).history(0) if is_text(path) else from_file(path)()


def lines(found: Analysis | Luck) -> Iterator[str]:
    """What was found, for people to read in a terminal."""
    return _lines_of_luck(found) if isinstance(found, Luck) else _lines_of_decisions(found)


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


def _lines_of_decisions(analysis: Analysis) -> Iterator[str]:
    yield (
        f"{analysis.table}: {analysis.game}, {len(analysis.decisions)} of {analysis.choices} decisions with a choice, "
        f"{analysis.worlds} worlds, played out by {analysis.player} {analysis.version}"
    )
    for seat in analysis.seats:
        yield (
            f"seat {seat.seat}: lost {seat.mean_loss:.2f} points of lead per decision, of {seat.decisions}; "
            f"inaccuracies: {seat.inaccuracies}, mistakes: {seat.mistakes}, blunders: {seat.blunders}"
        )
    for row in analysis.decisions:
        if row.evaluation.loss:
            yield f"event {row.version}, seat {row.seat}: {row.verdict}, {row.evaluation.loss:.2f} points"
            yield f"  made   {told_move(analysis.game, row.evaluation.made.move)}"
            yield f"  better {told_move(analysis.game, row.evaluation.others[0].move)}"
