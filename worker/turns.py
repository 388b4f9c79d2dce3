"""Playing the turns of AI seats: a seat's view and feed go in, a move comes out and is played as any other."""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from events.times import millis
from games.kernel import AnyGame, MoveRefused
from projections.history import History
from projections.table import Decision, Table
from service.commands import CommandHandler, Request
from service.errors import OF_MOVES, Refused
from service.tables.playing import GivenUp, Play, Provenance, play_ai
from service.tables.table_luck import seed_of_choice
from worker.efforts import budget as budget_of
from worker.players import Chosen
from worker.stand_ins import candidates
from worker.thinking import CutOff, Question, think_here

MOST_TURNS = 100  # played in one go before other tables have their turn
PLAYED = ("decision-closed", "table-finished")  # refusals of a turn that somebody has played meanwhile
WAITING = ("table-paused", "dispute-open")  # refusals of a turn that is due anew when a dispute is resolved
NONSENSE = OF_MOVES  # refusals of a move that no player should choose

Think = Callable[[Question], Chosen]

log = logging.getLogger(__name__)


class PlayedTurn(NamedTuple):
    """A turn that was played: how long it had been due (None where a dispute delayed it), and who was replaced."""

    waited_s: float | None
    given_up: tuple[GivenUp, ...]


class WorkerContext(NamedTuple):
    """How a worker works: who thinks for it, whether it continues after a turn, and whom it tells about each."""

    think: Think = think_here
    goes_on: Callable[[], bool] = lambda: True
    tell: Callable[[PlayedTurn], Any] = lambda _: None


IN_PROCESS = WorkerContext()  # thinks here, goes on, tells nobody


class TurnsPlayed(NamedTuple):
    """What came of playing a table's turns: how many, and whether the next one has to wait for a dispute."""

    played: int
    waits: bool = False


def play_turns(
    handler: CommandHandler, table: str, most: int = MOST_TURNS, context: WorkerContext = IN_PROCESS
) -> TurnsPlayed:
    """Plays what AI seats owe at a table until nothing is owed or may be played now, or `most` turns are played."""
    for played in range(most):
        history = handler.history(table)
        decision = owed(history.table)
        if decision is None or (played and not context.goes_on()):
            return TurnsPlayed(played)
        if not play_turn(handler, history, decision, context):
            return TurnsPlayed(played, waits=True)
    return TurnsPlayed(most)


def owed(table: Table) -> Decision | None:
    """The first decision that waits for an AI seat."""
    return next((decision for decision in table.decisions if table.seats[decision.seat - 1].ai), None)


def play_turn(
    handler: CommandHandler, history: History, decision: Decision, context: WorkerContext = IN_PROCESS
) -> bool:
    """Chooses and plays one move, unless another worker has; False if it has to wait for a dispute.

    A player that cannot be relied on is given up, and others stand in for it; raises `CutOff` if they fail as well.
    """
    table = history.table
    ai = table.seats[decision.seat - 1].ai
    if ai is None:
        raise ValueError(f"seat {decision.seat} is not held by an AI")
    given_up: tuple[GivenUp, ...] = ()
    for player in candidates(ai, table.opened.game):
        try:
            asked, made = _chosen(history, decision, Chooser(player, ai.level, given_up), context.think)
            return _played(handler, table, decision, (asked, made), context)
        except CutOff as cut_off:
            log.error("%s: player %s was given up: %s", table.id, player, cut_off.why)
            given_up += (GivenUp(*player, cut_off.why),)
    raise CutOff(given_up[-1].why)


class Chooser(NamedTuple):
    """A player that may choose at a level, and who was given up before."""

    player: tuple[str, int]
    level: str
    given_up: tuple[GivenUp, ...]


def _chosen(history: History, decision: Decision, who: Chooser, think: Think) -> tuple[Play, Provenance]:
    """What a player at a level wants to play, and what is needed to compute it again; raises `CutOff`."""
    (player, level, given_up), table, seat = who, history.table, decision.seat
    seed = ai_seed(table, decision)
    budget = 0 if given_up else budget_of(level, table.opened.game)
    view = table.game.view(table.state, seat)
    chosen = think(Question(player, table.opened.game, view, history.feed(seat), seed, budget))
    made = Provenance(*player, chosen.iterations, budget, table.version, seed, given_up)
    return Play(seat, _readable(table.game, chosen.move), decision.public_id), made


def _readable(game: AnyGame, move: Any) -> Any:
    """The move as a request would bring it; raises `CutOff` for anything else."""
    try:
        return game.read_move(msgspec.to_builtins(move))
    except (MoveRefused, TypeError, ValueError, RecursionError):
        raise CutOff("nonsense") from None


def _played(
    handler: CommandHandler, table: Table, decision: Decision, asked: tuple[Play, Provenance], context: WorkerContext
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
    context.tell(PlayedTurn(None if table.disputes else waited_ms / 1000, made.instead_of))
    return True


def ai_seed(table: Table, decision: Decision) -> str:
    """The seed of an AI's choice: nobody without the table's secret can work it out beforehand."""
    return seed_of_choice(table, f"ai|{decision.recorded_id}")
