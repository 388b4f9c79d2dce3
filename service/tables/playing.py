"""Plays a move, or checks whether it is legal, with the table's own luck."""

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from events.envelopes import NewEvent
from events.verifiable_luck import Luck
from games.kernel import AnyGame, MoveRefused
from projections.event_conversion import new_events_of
from projections.history import TableHistory
from projections.table import Table
from service.command_handler import Decision, Outcome, Request, TableHandler
from service.errors import Refused, move_refused


def luck_of(table: Table) -> Luck:
    """Returns the chance of the table's next decision."""
    return Luck(*table.luck_source, table.draws)


def seed_of(table: Table) -> str:
    """Returns the table's secret seed (hexadecimal)."""
    if not isinstance(table.opened.seed, str):
        raise TypeError("the log holds every table's seed")
    return table.opened.seed


def seed_of_choice(table: Table, request: str | None) -> str:
    """Returns the secret seed of an AI player's choice, from the table's seed and the idempotency key.

    A lesson has one seed for all choices, so that it goes on as prepared after a move is taken back.
    """
    name = "lesson" if table.opened.lesson else str(request)
    return hmac.digest(bytes.fromhex(seed_of(table)), name.encode(), "sha256").hex()


def start_events(
    game: AnyGame, opened: Mapping[str, Any], contributions: Sequence[str | None]
) -> tuple[tuple[NewEvent, ...], dict[str, int]]:
    """Returns the events that begin the game, and their draws."""
    luck = Luck(opened["seed"], contributions, {})
    options = game.read_options(opened["options"], opened["players"])
    turn = game.start(opened["players"], options, luck)
    return new_events_of(game, turn), luck.drawn


OWN_SEAT = -(2**53)  # in place of a seat: the player's own; no request can send this number


class Place(NamedTuple):
    """A version of a table, and the beginning of its hash: after the store went back, others may have its number."""

    version: int
    mark: str = ""


class Play(NamedTuple):
    """A move by a seat (or `OWN_SEAT`), for `game`.

    `decision` is the decision that it answers; `places` are the versions that it was made for, empty for any. An AI
    player's move that was held back is recorded at `at_ms`, its release.
    """

    seat: int
    move: Any
    decision: str | None = None
    places: tuple[Place, ...] = ()
    game: str | None = None
    at_ms: int | None = None


class GivenUp(msgspec.Struct, frozen=True):
    """An AI player that was replaced for this move."""

    player: str
    version: int
    why: Annotated[str, msgspec.Meta(pattern="^(crashed|failed|overtime|nonsense)$")]


class Provenance(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is needed to compute an AI player's move again; secret until the game is over.

    The player saw version `seen`, and used `iterations` of its `budget` from `seed`. It stood in for `instead_of`.
    """

    player: str
    version: int
    iterations: Annotated[int, msgspec.Meta(ge=0)]
    budget: Annotated[int, msgspec.Meta(ge=0)]
    seen: int
    seed: str
    instead_of: tuple[GivenUp, ...] = ()


def play(handler: TableHandler, table: str, asked: Play, player: str | None, request: Request) -> Outcome:
    """Plays a person's move; raises `Refused`, and then nothing has changed."""
    return handler.change(table, by_person(asked, player), request)


def by_person(asked: Play, player: str | None) -> Callable[[TableHistory], Decision]:
    """Returns the function that decides a person's move."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        if asked.game is not None:
            check_game(table, asked.game)
        seat = table.seat_of(player) if asked.seat == OWN_SEAT else asked.seat
        if seat is None:
            raise Refused("not_your_seat", "you have no seat at this table")
        if 1 <= seat <= table.opened.players and table.seats[seat - 1].player != player:
            raise Refused("not_your_seat", f"seat {seat} is not yours")
        _check_version(table, asked)
        return _decide(table, seat, asked, {"kind": "seat", "seat": seat, "player": player}, {})

    return decide


def play_ai(handler: TableHandler, table: str, asked: Play, made: Provenance, request: Request) -> Outcome:
    """Plays an AI player's move. Only the holder of the seat is public: effort and stand-ins would reveal cards."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        used = msgspec.to_builtins(made)
        seed = used.pop("seed")
        holder = msgspec.to_builtins(table.seats[asked.seat - 1].ai)
        by = {"kind": "seat", "seat": asked.seat, "player": None, "ai": holder}
        decided = _decide(table, asked.seat, asked, by, {"ai_seed": seed, "ai_used": used})
        return msgspec.structs.replace(decided, now_ms=asked.at_ms)

    return handler.change(table, decide, request)


def check_game(table: Table, game: str) -> None:
    """Raises `Refused` if the table plays another game than the request names."""
    if game != table.opened.game:
        raise Refused("contradictory", f"the table plays {table.opened.game}, not {game}")


def check_holds(table: Table, seat: int, player: str | None) -> None:
    """Raises `Refused` unless the player holds the seat."""
    if table.seat_of(player) != seat:
        raise Refused("not_your_seat", f"seat {seat} is not yours")


def check_running(table: Table) -> None:
    """Raises `Refused` unless a game has begun and is not over."""
    if table.status == "finished":
        raise Refused("table_finished", "the game is over: fork it or readjudicate it instead")
    if table.state is None:
        raise Refused("table_not_started", "the game begins when every seat is taken")


def people(table: Table) -> list[int]:
    """Returns the seats of people."""
    return [seat.seat for seat in table.seats if seat.player is not None]


def _decide(table: Table, seat: int, asked: Play, by: dict[str, Any], sealed: dict[str, Any]) -> Decision:
    if table.state is None:
        raise Refused("table_not_started", "the game begins when every seat is taken")
    if table.paused:
        raise Refused("table_paused", "play goes on when the dispute is resolved", version=table.version)
    _check_decision(table, seat, asked)
    game, luck = table.game, luck_of(table)
    try:
        if table.over:
            _check_open(table)
        move = game.read_move(asked.move)
        turn = game.play(table.state, seat, move, luck)
    except MoveRefused as refusal:
        raise move_refused(refusal, table.version) from None
    new_events = new_events_of(game, turn)
    if new_events[-1].type == "GameEnded":
        if table.disputed:
            raise Refused("dispute_open", "this move would end the game: first the dispute has to be resolved")
        revealed = NewEvent("SeedRevealed", {"seed": seed_of(table)}, {})
        new_events += (revealed, NewEvent("TableClosed", {"reason": "game_over"}, {}))
    return Decision(new_events, by, {"move": msgspec.to_builtins(move), **sealed}, luck.drawn)


def _check_version(table: Table, asked: Play) -> None:
    here = [place for place in asked.places if place.version == table.version]
    if not asked.places or any(table.head.hash.hex().startswith(place.mark) for place in here):
        return
    detail = f"the table is at version {table.version}"
    if here:
        detail += f" with the hash {table.head.hash.hex()}, not with yours: read it again"
    raise Refused("version_mismatch", detail, version=table.version)


def _check_decision(table: Table, seat: int, asked: Play) -> None:
    if asked.decision is None:
        return
    opened = table.decision_of(seat)
    if opened is None or asked.decision not in (opened.recorded_id, opened.public_id):
        refusal = check(table, seat, asked.move)
        raise Refused(
            "decision_closed",
            f"decision {asked.decision!r} is not open for seat {seat}",
            version=table.version,
            decision=opened.public_id if opened else None,
            **({"rule": refusal.rule} if refusal else {}),
        )


def _check_open(table: Table) -> None:
    """Raises `MoveRefused` if the game ended early, which its rules do not know."""
    if table.over and table.closed != "game_over":
        raise MoveRefused(f"{table.game.prefix}-4.1c", f"the game is over: {table.closed}")


def check(table: Table, seat: int, move: Any) -> MoveRefused | None:
    """Returns why the seat may not make the move now; None if it may."""
    try:
        _check_open(table)
        table.game.play(table.state, seat, table.game.read_move(move), luck_of(table))
    except MoveRefused as refusal:
        return refusal
    return None
