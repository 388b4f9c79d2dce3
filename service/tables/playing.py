"""Plays a move, or checks beforehand whether it is legal; the luck that the table has for it."""

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from events.luck import Luck
from events.recorded import NewEvent
from games.kernel import AnyGame, MoveRefused
from projections.history import TableHistory
from projections.recording import new_events_of
from projections.table import OpenDecision, Table
from service.commands import Decision, Outcome, Request, TableHandler
from service.errors import Refused, move_refused


def luck_of(table: Table) -> Luck:
    """The chance of the table's next decision."""
    return Luck(*table.luck_source, table.draws)


def seed_of(table: Table) -> str:
    """The table's secret seed (hexadecimal)."""
    if not isinstance(table.opened.seed, str):
        raise TypeError("the log holds every table's seed")
    return table.opened.seed


def seed_of_choice(table: Table, request: str | None) -> str:
    """The seed of an AI player's choice, from the table's seed and the request's name: nobody else can work it out.

    In a lesson it is the same for every choice, so that after a move is taken back all goes on as it was prepared.
    """
    name = "lesson" if table.opened.lesson else str(request)
    return hmac.digest(bytes.fromhex(seed_of(table)), name.encode(), "sha256").hex()


def start_events(
    game: AnyGame, opened: Mapping[str, Any], contributions: Sequence[str | None]
) -> tuple[tuple[NewEvent, ...], dict[str, int]]:
    """The events with which the game begins at such a table, and the draws that they used."""
    luck = Luck(opened["seed"], contributions, {})
    options = game.read_options(opened["options"], opened["players"])
    turn = game.start(opened["players"], options, luck)
    return new_events_of(game, turn), luck.drawn


class Play(NamedTuple):
    """A move by a seat. `decision` names the decision that it answers, `version` the version it was made for.

    `mark` is how the hash of that version begins: after the store went back, others' events may have the same numbers.
    `game` is the one by which the move is to be read.
    """

    seat: int
    move: Any
    decision: str | None = None
    version: int | None = None
    mark: str = ""
    game: str | None = None


class GivenUp(msgspec.Struct, frozen=True):
    """An AI player that was replaced for this move: it crashed, failed, took overtime or chose nonsense."""

    player: str
    version: int
    why: Annotated[str, msgspec.Meta(pattern="^(crashed|failed|overtime|nonsense)$")]


class Provenance(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which AI made a move: what is needed to compute it again after the game, and secret until then.

    It saw the table at the version `seen`, and took so many `iterations` of its `budget` from `seed`. It stands in for
    the players in `instead_of`.
    """

    player: str
    version: int
    iterations: Annotated[int, msgspec.Meta(ge=0)]
    budget: Annotated[int, msgspec.Meta(ge=0)]
    seen: int
    seed: str
    instead_of: tuple[GivenUp, ...] = ()


def play(handler: TableHandler, table: str, asked: Play, player: str | None, request: Request) -> Outcome:
    """Plays the move of a person; raises `Refused`, and nothing has changed."""
    return handler.change(table, by_person(asked, player), request)


def by_person(asked: Play, player: str | None) -> Callable[[TableHistory], Decision]:
    """How a person's move is decided."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        if asked.game is not None:
            check_game(table, asked.game)
        check_not_anothers(table, asked.seat, player)
        _check_version(table, asked)
        return _decide(table, asked, {"kind": "seat", "seat": asked.seat, "player": player}, {})

    return decide


def play_ai(handler: TableHandler, table: str, asked: Play, made: Provenance, request: Request) -> Outcome:
    """Plays the move of an AI seat, with what is needed to compute it again after the game.

    Public is only who holds the seat, as it was told when that one sat down: what it took to choose, and who stood in,
    would tell of its cards.
    """

    def decide(history: TableHistory) -> Decision:
        table = history.table
        used = msgspec.to_builtins(made)
        seed = used.pop("seed")
        holder = msgspec.to_builtins(table.seats[asked.seat - 1].ai)
        by = {"kind": "seat", "seat": asked.seat, "player": None, "ai": holder}
        return _decide(table, asked, by, {"ai_seed": seed, "ai_used": used})

    return handler.change(table, decide, request)


def check_game(table: Table, game: str) -> None:
    """Raises `Refused` for a move of another game: the request says by which game it is to be read."""
    if game != table.opened.game:
        raise Refused("contradictory", f"the table plays {table.opened.game}, not {game}")


def check_not_anothers(table: Table, seat: int, player: str | None) -> None:
    """Raises `Refused` if the seat is not the player's."""
    if 1 <= seat <= table.opened.players and table.seats[seat - 1].player != player:
        raise Refused("not_your_seat", f"seat {seat} is not yours")


def check_holds(table: Table, seat: int, player: str | None) -> None:
    """Raises `Refused` unless the player sits there; nobody sits at a seat that the table does not have."""
    if table.seat_of(player) != seat:
        raise Refused("not_your_seat", f"seat {seat} is not yours")


def people(table: Table) -> list[int]:
    """The seats of people."""
    return [seat.seat for seat in table.seats if seat.player is not None]


def _decide(table: Table, asked: Play, by: dict[str, Any], sealed: dict[str, Any]) -> Decision:
    if table.state is None:
        raise Refused("table_not_started", "the game begins when every seat is taken")
    if table.paused:
        raise Refused("table_paused", "play goes on when the dispute is resolved", version=table.version)
    _check_decision(table, asked)
    game, luck = table.game, luck_of(table)
    try:
        move = game.read_move(asked.move)
        turn = game.play(table.state, asked.seat, move, luck)
    except MoveRefused as refusal:
        raise move_refused(refusal.rule, refusal.detail, table.version) from None
    new_events = new_events_of(game, turn)
    if new_events[-1].type == "GameEnded":
        if table.disputed:
            raise Refused("dispute_open", "with this move the game would end: first the dispute has to be resolved")
        new_events += _end_of(table)
    return Decision(new_events, by, {"move": msgspec.to_builtins(move), **sealed}, luck.drawn)


def _check_version(table: Table, asked: Play) -> None:
    if asked.version is None or (asked.version == table.version and table.head.hash.hex().startswith(asked.mark)):
        return
    told = f"the table is at version {table.version}"
    if asked.version == table.version:
        told += f" with the hash {table.head.hash.hex()}, and not with yours: read it anew"
    raise Refused("version_mismatch", told, version=table.version)


def _check_decision(table: Table, asked: Play) -> None:
    if asked.decision is None:
        return
    opened: OpenDecision | None = table.decision_of(asked.seat)
    if opened is None or asked.decision not in (opened.recorded_id, opened.public_id):
        refusal = check(table, asked.seat, asked.move)
        raise Refused(
            "decision_closed",
            f"decision {asked.decision!r} is not open for seat {asked.seat}",
            version=table.version,
            decision=opened.public_id if opened else None,
            **({"rule": refusal.rule} if refusal else {}),
        )


def _end_of(table: Table) -> tuple[NewEvent, ...]:
    """The events after the end of a game: the seed is revealed, and the stream ends."""
    return (
        NewEvent("SeedRevealed", {"seed": seed_of(table)}, {}),
        NewEvent("TableClosed", {"reason": "game_over"}, {}),
    )


def check(table: Table, seat: int, move: Any) -> MoveRefused | None:
    """Why the seat may not make the move now; None if it may."""
    try:
        table.game.play(table.state, seat, table.game.read_move(move), luck_of(table))
    except MoveRefused as refusal:
        return refusal
    return None
