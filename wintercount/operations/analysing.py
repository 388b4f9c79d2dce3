"""The table of a file to be analysed, and an analysis as lines of text."""

from collections.abc import Iterator
from pathlib import Path

from projections.history import History
from rulings.archive_file import history_of, lines_in, opened
from rulings.notation import parse
from rulings.notation.tabling import Keeping, Transcript
from wintercount.operations.offline import text_in
from wintercount.operations.reporting import strokes_of_luck, told_move
from worker.analysis.evaluating import SURE
from worker.analysis.finished import Analysis
from worker.analysis.luck.valuing import Luck, SeatLuck

LOADED = Keeping("x_analysed", "", "1970-01-01T00:00:00.000Z", "private")  # as what a text is analysed


def history_in(path: str) -> History:
    """The table of an archive, or the main line of a text; raises `ArchiveRefused` or `NotationError`."""
    with opened(Path(path)) as file:
        is_text = file.read(1) != b"{"
    if is_text:
        return Transcript(parse(text_in(path)), LOADED).history(0)
    with opened(Path(path)) as file:
        return history_of(lines_in(file))


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
