"""Opening a table, sitting down, getting up before the game begins, and leaving all tables for good."""

import base64
import logging
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from events.lifecycle import TYPES, DisputeRules, RatingRange, SeatOffer, SeatTaken, TimeControl
from events.log import LogUnreadable
from events.recorded import NewEvent
from games import GAMES
from games.kernel import AnyGame, OptionsRefused
from projections import lobby_lists
from projections.history import TableHistory
from projections.recording import new_lifecycle_event
from projections.store import ProjectionStore
from projections.table import Seat, Table
from service.accounts.callers import Player
from service.commands import CommandContext, CommandHandler, Decision, Outcome, Request, TableHandler
from service.errors import Refused, option_refused, refuse_first
from service.levels import kind_of
from service.tables.clocks import handed_over
from service.tables.playing import seed_of, start_events
from service.transcripts import NAME as TRANSCRIPT

TABLE = re.compile(r"t_[a-z2-7]{16}")
PARENT = re.compile(f"{TABLE.pattern}|{TRANSCRIPT.pattern}")  # a text, too, is played on from
PLAYER = re.compile(r"[a-z0-9_]{1,40}")  # not `ai:greedy`, by which standings count a level of AI
OF_TABLES, OF_PLAYERS = ("parent",), ("player", "opened_by", "arbiter")  # fields of a table's own events


def table_id(name: bytes | None) -> str:
    """The id of a table to open: made of a name, or random."""
    return "t_" + base64.b32encode((name or secrets.token_bytes(10))[:10]).decode().lower()


def wrong_id(history: TableHistory) -> str | None:
    """The first id of a table or of a player in a record that no service gives; None if all are right."""
    table = history.table
    named = [(TABLE, table.id), *((PARENT, name) for name in _named(history, OF_TABLES))]
    players = [(PLAYER, name) for name in _named(history, OF_PLAYERS)]
    return next((name for form, name in (*named, *players) if not form.fullmatch(name)), None)


def _named(history: TableHistory, fields: tuple[str, ...]) -> Iterator[str]:
    for event in history.events:
        yield from _values(event.envelope.by, fields)
        if event.envelope.type in TYPES:
            payload = event.envelope.payload
            yield from _values(payload, fields)
            for seat in payload.get("seats", ()):
                yield from _values(seat, fields)


def _values(told: dict[str, Any], fields: tuple[str, ...]) -> Iterator[str]:
    return (told[name] for name in fields if isinstance(told.get(name), str))


FIRST: dict[str, dict[str, list[int]]] = {  # the first event of a table, and what nobody may read of it
    "TableOpened": {"seed": []},
    "TableForked": {"seed": [], "state": [], "past": []},
}


class Opening(msgspec.Struct, frozen=True):
    """What a player asks for: the game, its house rules, and what each seat is meant for.

    The offers are in seat order; their `kind` is `open`, `player` (kept for one) or `ai`. `rated`: whether ratings
    count it; None: at a public table. `aids`: whether seats are told what they may believe while the game runs.
    `ratings`: between which ratings others may be who take an open seat.
    """

    game: str
    seats: tuple[SeatOffer, ...]
    options: dict[str, Any] = {}
    visibility: str = "public"
    clock: TimeControl | None = None
    arbiter: str | None = None
    disputes: DisputeRules | None = None
    contribution: str | None = None
    rated: bool | None = None
    aids: bool = False
    ratings: RatingRange | None = None


def game_of(slug: str) -> AnyGame:
    """The game; raises `Refused` if it is not hosted."""
    if slug not in GAMES:
        raise Refused("no_such_game", f"{slug!r} is not hosted; there are {', '.join(GAMES)}")
    return GAMES[slug]


def open_table(
    handler: CommandHandler,
    sent: CommandContext,
    opening: Opening,
    name: bytes | None = None,
    prepared: Mapping[str, Any] = MappingProxyType({}),
) -> Outcome:
    """Opens a table. Seats kept for the opener and for AI are taken at once; the game begins if these are all.

    `name` makes a repeated request name the same table again. `prepared` is what the first event says of a lesson.
    """
    game, opener = game_of(opening.game), sent.player
    check_offers(game, opening, opener)
    table, opened = table_id(name), opened_as(game, opener, opening) | dict(prepared)
    return handler.open(table, first_batch(game, opened, opening, opener), sent.request)


def first_batch(game: AnyGame, opened: dict[str, Any], opening: Opening, opener: Player) -> Decision:
    """How a table or a branch begins: it is opened, seats are taken at once, and if these are all, play begins."""
    type_ = "TableForked" if "parent" in opened else "TableOpened"
    sitting = [
        Seat(offer.seat, ai=kind_of(offer.level))
        if offer.level is not None
        else Seat(offer.seat, opener.id, opener.bot, contribution=opening.contribution)
        for offer in opening.seats
        if offer.kind == "ai" or offer.player == opener.id
    ]
    begun, draws = begin(game, opened, sitting)
    new_events = (new_lifecycle_event(type_, opened, FIRST[type_]), *map(taken, sitting), *begun)
    return Decision(new_events, {"kind": "player", "player": opener.id}, draws=draws)


def house_rules(game: AnyGame, options: Mapping[str, Any], players: int) -> dict[str, Any]:
    """All house rules, with defaults for those not named; raises `Refused`."""
    try:
        found: dict[str, Any] = msgspec.to_builtins(game.read_options(options, players))
    except OptionsRefused as refusal:
        raise option_refused(refusal) from None
    return found


def opened_as(game: AnyGame, opener: Player, opening: Opening) -> dict[str, Any]:
    """The first event, with a new seed; raises `Refused`."""
    return {
        "game": opening.game,
        "rules_version": game.rules_version,
        "players": len(opening.seats),
        "options": house_rules(game, opening.options, len(opening.seats)),
        "visibility": opening.visibility,
        "opened_by": opener.id,
        "seats": msgspec.to_builtins(opening.seats),
        "clock": msgspec.to_builtins(opening.clock),
        "arbiter": opening.arbiter,
        "disputes": msgspec.to_builtins(opening.disputes),
        "lesson": False,
        "rated": opening.visibility == "public" if opening.rated is None else opening.rated,
        "aids": opening.aids,
        "ratings": msgspec.to_builtins(opening.ratings),
        "seed": secrets.token_hex(32),
    }


def _counted(players: Sequence[int]) -> str:
    """Numbers of players in words: 2, or 2 to 5."""
    least, most = min(players), max(players)
    return str(least) if least == most else f"{least} to {most}"


def check_offers(game: AnyGame, opening: Opening, opener: Player) -> None:
    """Raises `Refused` for seats, an arbiter or a visibility that do not fit each other."""
    if len(opening.seats) not in game.players:
        for_whom = f"{game.title} is for {_counted(game.players)} players"
        raise Refused("opening_refused", f"{for_whom}, not for {len(opening.seats)}")
    kept = [offer.player for offer in opening.seats if offer.player]
    open_seats = any(offer.kind == "open" for offer in opening.seats)
    refuse_first(
        "opening_refused",
        (len(kept) != len(set(kept)), "a player may have one seat at a table"),
        (opening.arbiter in kept, "the arbiter of a table has no seat at it"),
        (_lacks_arbiter(opening), "name the arbiter who decides disputes, or let the seats vote"),
        (opening.visibility == "private" and open_seats, "at a private table every seat is kept for a player or an AI"),
        (opening.ratings is not None and not open_seats, "a range of ratings is for open seats, and there are none"),
        (opening.visibility == "private" and opening.rated is True, "a private table is casual: no rating tells of it"),
        (
            opening.contribution is not None and opener.id not in kept,
            "only who takes a seat contributes to the luck",
        ),
    )


def _lacks_arbiter(opening: Opening) -> bool:
    return opening.disputes is not None and opening.disputes.by == "arbiter" and opening.arbiter is None


def taken(seat: Seat) -> NewEvent:
    """The event that somebody sits down."""
    return new_lifecycle_event("SeatTaken", {name: getattr(seat, name) for name in SeatTaken.__struct_fields__})


def begin(game: AnyGame, opened: dict[str, Any], seats: list[Seat]) -> tuple[tuple[NewEvent, ...], dict[str, int]]:
    """The events with which play begins once every seat is taken, and their draws; a branch continues as it was."""
    if len(seats) < opened["players"]:
        return (), {}
    if "parent" in opened:
        return (NewEvent("PlayContinued", {}, {}),), {}
    contributions = [seat.contribution for seat in sorted(seats, key=lambda seat: seat.seat)]
    return start_events(game, opened, contributions)


class Sitting(NamedTuple):
    """What a person brings to a seat: a contribution to the table's luck, and the arbiter that was shown."""

    contribution: str | None = None
    arbiter: str | None = None


NOTHING_BROUGHT = Sitting()


def take_seat(  # noqa: PLR0913 - who sits down where, with what and with whom
    handler: TableHandler,
    table: str,
    number: int,
    sent: CommandContext,
    sitting: Sitting = NOTHING_BROUGHT,
    *,
    check: Callable[[Table], None] = lambda _: None,
) -> Outcome:
    """A person sits down; with the last seat the game begins. `check` raises `Refused` for others' tables."""
    player, contribution = sent.player, sitting.contribution

    def decide(history: TableHistory) -> Decision:
        table = history.table
        _check_free(table, number, player)
        _check_shown(table, sitting.arbiter)
        if contribution is not None and table.fork and table.fork.chance == "continued":
            raise Refused("contradictory", "the luck of this branch is its parent's: it takes no contribution")
        check(table)  # last: it may note who comes
        return _sit(table, Seat(number, player.id, player.bot, contribution=contribution), sent)

    return handler.change(table, decide, sent.request)


def seat_ai(handler: TableHandler, table: str, number: int, sent: CommandContext, level: str) -> Outcome:
    """The player who opened the table gives an open seat to an AI player."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        if sent.player.id != table.opened.opened_by:
            raise Refused("not_allowed", "only the player who opened the table gives a seat to an AI")
        _check_empty(table, number)
        return _sit(table, Seat(number, ai=kind_of(level)), sent)

    return handler.change(table, decide, sent.request)


def _sit(table: Table, seat: Seat, sent: CommandContext) -> Decision:
    seats = [*(s for s in table.seats if s.taken), seat]
    opened = msgspec.to_builtins(table.opened) | {"seed": seed_of(table)}
    begun, draws = begin(table.game, opened, seats)
    return Decision((taken(seat), *begun), sent.by, draws=draws)


def _check_free(table: Table, number: int, player: Player) -> None:
    _check_empty(table, number)
    offer = table.opened.seats[number - 1]
    if offer.kind == "player" and offer.player != player.id:
        raise Refused("seat_kept", f"seat {number} is kept for another player")
    if table.seat_of(player.id) is not None:
        raise Refused("already_seated", f"you have seat {table.seat_of(player.id)} at this table")
    if player.id == table.opened.arbiter:
        raise Refused("not_allowed", "the arbiter of a table has no seat at it")


def _check_shown(table: Table, arbiter: str | None) -> None:
    """Raises `Refused` unless the named arbiter is the table's: nobody sits down without having seen it."""
    shown = table.opened.arbiter
    if shown is None and arbiter is not None:
        raise Refused("arbiter_not_named", "this table has no arbiter: leave `arbiter` out")
    if shown != arbiter:
        told = f"{shown} is the arbiter here and may look at any hand in a dispute: if you agree, send it as `arbiter`"
        raise Refused("arbiter_not_named", told)


def _check_empty(table: Table, number: int) -> None:
    if not 1 <= number <= table.opened.players:
        raise Refused("no_such_seat", f"the table has the seats 1 to {table.opened.players}")
    if table.closed:
        raise Refused("table_finished", "everybody has left this table")
    if table.seats[number - 1].taken:
        raise Refused("seat_taken", f"seat {number} is taken")


def leave_seat(handler: TableHandler, table: str, number: int, sent: CommandContext) -> Outcome:
    """A person leaves before the game begins; when nobody is left, the table closes."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        if table.seat_of(sent.player.id) != number:
            raise Refused("not_your_seat", f"seat {number} is not yours")
        if table.state is not None:
            raise Refused("table_started", "the game has begun: a seat is given up by letting its clock run out")
        return Decision(seat_left(table, number), sent.by)

    return handler.change(table, decide, sent.request)


def seat_left(table: Table, number: int) -> tuple[NewEvent, ...]:
    """What happens when a person gives a seat up before the game begins."""
    left = NewEvent("SeatLeft", {"seat": number, "player": table.seats[number - 1].player}, {})
    if any(seat.player for seat in table.seats if seat.seat != number):
        return (left,)
    return (left, NewEvent("TableClosed", {"reason": "abandoned"}, {}))


LEVEL = "greedy"  # plays every game with any number of seats, and at once

log = logging.getLogger(__name__)


def depart(handler: TableHandler, table: str, sent: CommandContext, level: str = LEVEL) -> Outcome:
    """The player leaves a table, whether its game has begun or not; raises `Refused` if no seat is theirs."""

    def decide(history: TableHistory) -> Decision:
        table = history.table
        seat = table.seat_of(sent.player.id)
        if seat is None or table.status == "finished":
            raise Refused("not_your_seat", "no seat of a game that goes on is yours here")
        if table.state is None:
            return Decision(seat_left(table, seat), sent.by)
        return Decision((handed_over(table, seat, level, seat),), sent.by)

    return handler.change(table, decide, sent.request)


def depart_everywhere(handler: CommandHandler, rows: ProjectionStore, sent: CommandContext) -> bool:
    """The player leaves all tables that the lobby knows; whether they could, which is logged where not."""
    left = [_departed(handler, table, sent) for table in sorted(lobby_lists.all_seated(rows, sent.player.id))]
    return all(left)


def _departed(handler: CommandHandler, table: str, sent: CommandContext) -> bool:
    request = Request(f"{sent.request.key}|{table}", sent.request.fingerprint)
    try:
        depart(handler, table, CommandContext(sent.player, request))
    except Refused as refused:
        if refused.code != "not_your_seat":  # the lobby lags behind the log
            log.error("%s keeps a seat at %s: %s", sent.player.id, table, refused)
            return False
    except LogUnreadable as damage:
        log.critical("%s keeps a seat at %s: %s", sent.player.id, table, damage)
        return False
    return True
