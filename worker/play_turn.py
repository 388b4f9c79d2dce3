"""Plays the turns of AI seats: a player gets the seat's view and feed, and its move is played like any other."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from events.lifecycle import PlayerKind
from events.times import millis
from games.kernel import AnyGame, MoveRefused
from projections.history import TableHistory
from projections.table import OpenDecision, Table
from service.command_handler import CommandHandler, Request
from service.errors import OF_MOVES, Refused
from service.levels import LEVELS, NEWEST, STAND_INS
from service.tables.playing import GivenUp, Play, Provenance, check, play_ai, seed_of_choice
from worker.ai_process import CutOff, Question, think_here
from worker.ai_process import budget as budget_of
from worker.move_delay import Releases
from worker.players import PLAYERS, Chosen, plays

MOST_TURNS = 100  # at a table before other tables have their turn
PLAYED = ("decision_closed", "table_finished")  # refusals: another worker has played the turn meanwhile
WAITING = ("table_paused", "dispute_open")  # refusals: the turn is due again when a dispute is resolved
NONSENSE = OF_MOVES  # refusals of an invalid or illegal move

Think = Callable[[Question], Chosen]
Asked = tuple[Play, Provenance]

log = logging.getLogger(__name__)


class WorkerContext(NamedTuple):
    """A worker's functions: to think, to decide whether to play another turn, and to count each turn.

    `count_turn` gets how long the turn waited in seconds (None if a dispute delayed it), and why players were replaced.
    `releases` holds back moves that were searched for; without it they are played at once.
    """

    think: Think = think_here
    goes_on: Callable[[], bool] = lambda: True
    count_turn: Callable[[float | None, Sequence[str]], Any] = lambda *_: None
    releases: Releases | None = None

    def holds(self, table: Table, decision: OpenDecision) -> bool:
        """Whether the move of a decision is chosen already and held back."""
        return bool(self.releases and is_held_back(table, decision) and self.releases.holds(_name(table, decision)))


IN_PROCESS = WorkerContext()


class TurnsPlayed(NamedTuple):
    """The number of turns played, and whether the next one has to wait for a dispute."""

    played: int
    waits: bool = False


def play_turns(
    handler: CommandHandler, table: str, most: int = MOST_TURNS, context: WorkerContext = IN_PROCESS
) -> TurnsPlayed:
    """Plays due turns of AI seats at a table, at most `most`."""
    for played in range(most):
        history = handler.history(table)
        decision = next_ai_decision(history.table, context)
        if decision is None or (played and not context.goes_on()):
            return TurnsPlayed(played)
        if not play_turn(handler, history, decision, context):
            return TurnsPlayed(played, waits=True)
    return TurnsPlayed(most)


def next_ai_decision(table: Table, context: WorkerContext = IN_PROCESS) -> OpenDecision | None:
    """Returns the first decision that waits for an AI seat, and whose move is not held back."""
    waiting = (decision for decision in table.decisions if table.seats[decision.seat - 1].ai)
    return next((decision for decision in waiting if not context.holds(table, decision)), None)


def is_held_back(table: Table, decision: OpenDecision) -> bool:
    """Returns whether a seat's moves are held back: its level searches, and people are at the table."""
    ai = table.seats[decision.seat - 1].ai
    return bool(ai and budget_of(ai.level, table.game.slug)) and any(seat.ai is None for seat in table.seats)


def _name(table: Table, decision: OpenDecision) -> str:
    return f"{table.id}|{decision.recorded_id}"


def play_turn(
    handler: CommandHandler, history: TableHistory, decision: OpenDecision, context: WorkerContext = IN_PROCESS
) -> bool:
    """Chooses and plays or holds one move, unless another worker has; returns False if it has to wait for a dispute.

    If the player fails, others stand in for it; raises `CutOff` if all of them fail.
    """
    table, game, seat = history.table, history.table.game, decision.seat
    ai = table.seats[seat - 1].ai
    if ai is None:
        raise ValueError(f"seat {seat} is not held by an AI")
    seed, given_up = ai_seed(table, decision), tuple[GivenUp, ...]()
    for player in candidates(ai, game.slug):
        budget = 0 if given_up else budget_of(ai.level, game.slug)
        try:
            asked = Question(player, game.slug, game.view(table.state, seat), history.feed(seat), seed, budget)
            chosen = context.think(asked)
            made = Provenance(*player, chosen.iterations, budget, table.version, seed, given_up)
            play = Play(seat, _readable(game, chosen.move), decision.public_id)
            return _played_in_time(handler, table, decision, (play, made), context)
        except CutOff as cut_off:
            log.error("%s: player %s was given up: %s", table.id, player, cut_off.why)
            given_up += (GivenUp(*player, cut_off.why),)
    raise CutOff(given_up[-1].why)


def _readable(game: AnyGame, move: Any) -> Any:
    """Parses a move as if a request had sent it; raises `CutOff`."""
    try:
        return game.read_move(msgspec.to_builtins(move))
    except (MoveRefused, TypeError, ValueError, RecursionError):
        raise CutOff("nonsense") from None


def _played_in_time(
    handler: CommandHandler, table: Table, decision: OpenDecision, asked: Asked, context: WorkerContext
) -> bool:
    """Plays a move now, or has it played later; raises `CutOff` for an illegal one in either case."""
    if context.releases is None or not is_held_back(table, decision):
        return _played(handler, table, decision, asked, context)
    play, made = asked
    if check(table, play.seat, play.move):
        raise CutOff("nonsense")

    def released(at_ms: int) -> None:
        _played(handler, table, decision, (play._replace(at_ms=at_ms), made), context)

    context.releases.hold(_name(table, decision), millis(decision.since), released)
    return True


def _played(
    handler: CommandHandler, table: Table, decision: OpenDecision, asked: Asked, context: WorkerContext
) -> bool:
    play, made = asked
    try:
        outcome = play_ai(handler, table.id, play, made, Request(f"ai|{decision.recorded_id}", "ai"))
    except Refused as refusal:
        if refusal.code in NONSENSE:
            raise CutOff("nonsense") from None
        if refusal.code not in PLAYED + WAITING:
            raise
        return refusal.code in PLAYED
    waited_ms = max(0, millis(outcome.table.counted_from) - millis(decision.since))  # a clock may have run ahead then
    context.count_turn(None if table.disputes else waited_ms / 1000, [given_up.why for given_up in made.instead_of])
    return True


def ai_seed(table: Table, decision: OpenDecision) -> str:
    """Returns the seed of an AI's choice, which nobody can predict without the table's secret seed."""
    return seed_of_choice(table, f"ai|{decision.recorded_id}")


def candidates(ai: PlayerKind, game: str) -> Iterator[tuple[str, int]]:
    """Yields the seat's player (its level's current version if the own one is gone), then the stand-ins."""
    level = LEVELS[ai.level]
    first = (ai.player, ai.version) if (ai.player, ai.version) in PLAYERS else (level.player, level.version)
    yield first
    others = ((player, NEWEST[player]) for player in STAND_INS if plays(player, game))
    yield from (other for other in others if other != first)
