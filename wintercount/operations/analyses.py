"""The analysis of a finished game as lines of text."""

from collections.abc import Iterator
from typing import Any

import msgspec

from projections.history import TableHistory
from rulings.notation import parse
from rulings.notation.transcript import Transcript, TranscriptDetails
from rulings.sentences import move_words, vocabulary
from wintercount.operations.table_sources import from_file, is_text, text_in
from worker.analysis.evaluating import SURE
from worker.analysis.finished import Analysis, turning_points
from worker.analysis.luck import Luck, SeatLuck, Stroke

STROKES = 5  # of luck that are named


def _move_text(game: str, move: Any) -> str:
    """Returns a move in words, or as JSON if the game has no words for it."""
    if move["type"] in vocabulary(game, "en")["moves"]:
        return move_words(game, move, "en").rstrip(".")
    return msgspec.json.encode(move).decode()


def _strokes_of_luck(luck: Luck) -> list[Stroke]:
    """Returns the events at which chance changed most, the greatest change first."""
    moved = [stroke for stroke in luck.strokes if any(stroke.chance)]
    return sorted(moved, key=lambda stroke: -max(map(abs, stroke.chance)))[:STROKES]


LOADED = TranscriptDetails("x_analysed", "", "1970-01-01T00:00:00.000Z", "private")  # the table of a text


def history_in(path: str) -> TableHistory:
    """Returns the table of an archive, or the main line of a text; raises `ArchiveRefused` or `NotationError`."""
    return Transcript(parse(text_in(path)), LOADED).history(0) if is_text(path) else from_file(path)()


def lines(found: Analysis | Luck) -> Iterator[str]:
    """Yields an analysis in lines."""
    return _lines_of_luck(found) if isinstance(found, Luck) else _lines_of_decisions(found)


def _lines_of_luck(luck: Luck) -> Iterator[str]:
    yield f"{luck.table}: {luck.game}, every event played on from in {luck.worlds} worlds"
    for seat in luck.seats:
        yield f"seat {seat.seat}: lead {seat.margin:+.2f} = {_sum_of(seat)}"
        yield f"  less all luck {seat.adjusted.mean:+.2f} ± {SURE * seat.adjusted.error:.2f}"
    for stroke in _strokes_of_luck(luck):
        changes = ", ".join(f"seat {seat} {change:+.2f}" for seat, change in enumerate(stroke.chance, 1))
        yield f"chance at {'the deal' if not stroke.version else f'event {stroke.version}'}: {changes}"


def _sum_of(seat: SeatLuck) -> str:
    """Returns the parts of a seat's lead."""
    own = f"own choices{' (luck)' if seat.player else ''}"
    parts = [(seat.chance, "chance"), (seat.own, own), (seat.others, "choices of others"), (seat.ruled, "rulings")]
    return " ".join([f"{seat.expected.mean:+.2f} expected", *(f"{part.mean:+.2f} {name}" for part, name in parts)])


def _lines_of_decisions(analysis: Analysis) -> Iterator[str]:
    yield (
        f"{analysis.table}: {analysis.game}, {len(analysis.evaluations)} decisions with a choice, "
        f"played on by {analysis.player} {analysis.version}"
    )
    for seat in analysis.seats:
        share = "accuracy {:.0%} ({:.0%} to {:.0%})".format(*seat.accuracy) if seat.accuracy else "no decision"
        yield (
            f"seat {seat.seat}: {share}; {seat.mean_loss.mean:.2f} ± {SURE * seat.mean_loss.error:.2f} points of lead "
            f"lost per decision, of {seat.evaluated}; "
            f"inaccuracies: {seat.inaccuracies}, mistakes: {seat.mistakes}, blunders: {seat.blunders}"
        )
    for row in turning_points(analysis.evaluations):
        changes = ", ".join(f"seat {seat} {swing:+.0%}" for seat, swing in enumerate(row.swings, 1) if swing)
        yield f"turning point at event {row.version}: {changes} of the victory"
    for row in analysis.evaluations:
        if row.evaluation.is_sure:
            yield f"event {row.version}, seat {row.seat}: {row.verdict}, {row.evaluation.loss.mean:.2f} points"
            yield f"  made   {_move_text(analysis.game, row.evaluation.made.move)}"
            yield f"  better {_move_text(analysis.game, row.evaluation.others[0].move)}"
