"""Opening a table, and taking or leaving a seat."""

import logging
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from events.envelopes import NewEvent
from events.lifecycle import TYPES, DisputeRules, RatingRange, SeatOffer, SeatTaken, TimeControl
from events.log import LogUnreadable
from games import GAMES
from games.kernel import AnyGame, OptionsRefused
from projections import lobby_queries
from projections.event_conversion import new_lifecycle_event
from projections.history import TableHistory
from projections.store import ProjectionStore
from projections.table import Seat, Table, against_ai
from service.accounts.callers import Player
from service.command_handler import CommandContext, CommandHandler, Decision, Outcome, Request, TableHandler, command
from service.encodings import base32
from service.errors import Refused, option_refused, refuse_first
from service.levels import kind_of
from service.tables.authorisation import check_seat
from service.tables.leaving import ended, resigned
from service.tables.playing import seed_of, start_events
from service.transcripts import NAME as TRANSCRIPT

TABLE = re.compile(r"t_[a-z2-7]{16}")
PARENT = re.compile(f"{TABLE.pattern}|{TRANSCRIPT.pattern}")
PLAYER = re.compile(r"[a-z0-9_]{1,40}")  # not `ai:greedy`, by which standings count a level of AI
OF_TABLES, OF_PLAYERS = ("parent",), ("player", "opened_by", "arbiter")  # fields of a table's own events
FIRST: dict[str, dict[str, list[int]]] = {  # the first event of a table, and its secret fields
    "TableOpened": {"seed": []},
    "TableForked": {"seed": [], "state": [], "past": []},
}

log = logging.getLogger(__name__)


def table_id(name: bytes | None) -> str:
    """Returns the id of a new table: derived from a name, or random."""
    return "t_" + base32((name or secrets.token_bytes(10))[:10])


def wrong_id(history: TableHistory) -> str | None:
    """Returns the first id of a table or player in a record that this service would not give."""
    tables = [(TABLE, history.table.id), *((PARENT, name) for name in _ids(history, OF_TABLES))]
    players = [(PLAYER, name) for name in _ids(history, OF_PLAYERS)]
    return next((name for form, name in (*tables, *players) if not form.fullmatch(name)), None)


def _ids(history: TableHistory, fields: tuple[str, ...]) -> Iterator[str]:
    for event in history.events:
        payload = event.envelope.payload if event.envelope.type in TYPES else {}
        for row in (event.envelope.by, payload, *payload.get("seats", ())):
            yield from (row[name] for name in fields if isinstance(row.get(name), str))


class Opening(msgspec.Struct, frozen=True):
    """A request to open a table.

    `seats` are in order, each `open`, for a `player` or for an `ai`. `rated` is by default true for public tables, but
    not for a person against AI alone. `ratings` bounds the ratings of players who take an open seat.
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
    idle_days: int = 0


def game_of(slug: str) -> AnyGame:
    """Returns the game; raises `Refused` if it is not hosted."""
    if slug not in GAMES:
        raise Refused("no_such_game", f"there is no game {slug!r}; there are {', '.join(GAMES)}")
    return GAMES[slug]


def open_table(
    handler: CommandHandler,
    sent: CommandContext,
    opening: Opening,
    name: bytes | None = None,
    prepared: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda _: {},
) -> Outcome:
    """Opens a table, and begins the game if its seats are for the opener and AI alone.

    The id comes from `name`, so that a repeated request finds the same table. `prepared` takes the house rules and
    returns the fields of the first event that are not the usual ones.
    """
    game, opening = game_of(opening.game), msgspec.structs.replace(opening, idle_days=handler.idle_days)
    check_offers(game, opening, sent.player)
    table, opened = table_id(name), table_opened(game, sent.player, opening)
    opened |= prepared(opened["options"])
    return handler.open(table, first_batch(game, opened, opening, sent.player), sent.request)


def first_batch(game: AnyGame, opened: dict[str, Any], opening: Opening, opener: Player) -> Decision:
    """Returns the first batch of a table or a branch: opened, seats taken, and play begun if these are all."""
    type_ = "TableForked" if "parent" in opened else "TableOpened"
    sitting = [
        Seat(offer.seat, ai=kind_of(offer.level))
        if offer.level is not None
        else Seat(offer.seat, opener.id, opener.bot, contribution=opening.contribution)
        for offer in opening.seats
        if offer.kind == "ai" or offer.player == opener.id
    ]
    begun, draws = _begin(game, opened, sitting)
    new_events = (new_lifecycle_event(type_, opened, FIRST[type_]), *map(_seat_taken, sitting), *begun)
    return Decision(new_events, {"kind": "player", "player": opener.id}, draws=draws)


def house_rules(game: AnyGame, options: Mapping[str, Any], players: int) -> dict[str, Any]:
    """Returns all house rules, with defaults for those not given; raises `Refused`."""
    try:
        found: dict[str, Any] = msgspec.to_builtins(game.read_options(options, players))
    except OptionsRefused as refusal:
        raise option_refused(refusal) from None
    return found


def table_opened(game: AnyGame, opener: Player, opening: Opening) -> dict[str, Any]:
    """Returns the payload of the first event, with a new seed; raises `Refused`."""
    by_default = opening.visibility == "public" and not against_ai(opening.seats, opener.id)
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
        "rated": by_default if opening.rated is None else opening.rated,
        "aids": opening.aids,
        "ratings": msgspec.to_builtins(opening.ratings),
        "seed": secrets.token_hex(32),
    } | ({"idle_days": opening.idle_days} if opening.idle_days else {})


def check_offers(game: AnyGame, opening: Opening, opener: Player) -> None:
    """Raises `Refused` for seats, an arbiter or a visibility that contradict each other."""
    if len(opening.seats) not in game.players:
        least, most = min(game.players), max(game.players)
        players = str(least) if least == most else f"{least} to {most}"
        raise Refused("opening_refused", f"{game.title} is for {players} players, not for {len(opening.seats)}")
    kept = [offer.player for offer in opening.seats if offer.player]
    open_seats = any(offer.kind == "open" for offer in opening.seats)
    is_private = opening.visibility == "private"
    lacks_arbiter = opening.disputes is not None and opening.disputes.by == "arbiter" and opening.arbiter is None
    refuse_first(
        "opening_refused",
        (len(kept) != len(set(kept)), "a player may have one seat at a table"),
        (opening.arbiter in kept, "the arbiter of a table cannot take a seat"),
        (lacks_arbiter, "name the arbiter who decides disputes, or let the seats vote"),
        (is_private and open_seats, "each seat of a private table must be for a player or an AI"),
        (opening.ratings is not None and not open_seats, "a range of ratings needs open seats"),
        (is_private and opening.rated is True, "a private table cannot be rated"),
        (opening.contribution is not None and opener.id not in kept, "to contribute to the luck, take a seat"),
    )


def _seat_taken(seat: Seat) -> NewEvent:
    return new_lifecycle_event("SeatTaken", {name: getattr(seat, name) for name in SeatTaken.__struct_fields__})


def _begin(game: AnyGame, opened: dict[str, Any], seats: list[Seat]) -> tuple[tuple[NewEvent, ...], dict[str, int]]:
    """Returns the events that begin play once every seat is taken, and their draws."""
    if len(seats) < opened["players"]:
        return (), {}
    if "parent" in opened:
        return (NewEvent("PlayContinued", {}, {}),), {}
    contributions = [seat.contribution for seat in sorted(seats, key=lambda seat: seat.seat)]
    return start_events(game, opened, contributions)


class Sitting(NamedTuple):
    """What a person sends to take a seat: a contribution to the luck, and the arbiter whom they accept."""

    contribution: str | None = None
    arbiter: str | None = None


@command
def take_seat(
    _: TableHandler,
    history: TableHistory,
    sent: CommandContext,
    number: int,
    sitting: Sitting = Sitting(),  # noqa: B008 - it cannot change
    *,
    check: Callable[[Table], None] = lambda _: None,
) -> Decision:
    """Seats a person; the last one begins the game. `check` may raise `Refused`."""
    player, contribution = sent.player, sitting.contribution
    table = history.table
    _check_free(table, number, player)
    _check_arbiter(table, sitting.arbiter)
    if contribution is not None and table.fork and table.fork.chance == "continued":
        raise Refused("contradictory", "this branch continues its parent's luck: it takes no contribution")
    check(table)  # last: it may reserve quota
    return _sit(table, Seat(number, player.id, player.bot, contribution=contribution), sent)


@command
def seat_ai(_: TableHandler, history: TableHistory, sent: CommandContext, number: int, level: str) -> Decision:
    """Seats an AI player for the opener of the table."""
    table = history.table
    if sent.player.id != table.opened.opened_by:
        raise Refused("not_allowed", "only the player who opened the table can seat an AI")
    _check_empty(table, number)
    return _sit(table, Seat(number, ai=kind_of(level)), sent)


def _sit(table: Table, seat: Seat, sent: CommandContext) -> Decision:
    seats = [*(s for s in table.seats if s.taken), seat]
    begun, draws = _begin(table.game, msgspec.to_builtins(table.opened) | {"seed": seed_of(table)}, seats)
    return Decision((_seat_taken(seat), *begun), sent.by, draws=draws)


def _check_free(table: Table, number: int, player: Player) -> None:
    _check_empty(table, number)
    offer = table.opened.seats[number - 1]
    if offer.kind == "player" and offer.player != player.id:
        raise Refused("seat_kept", f"seat {number} is kept for another player")
    if table.seat_of(player.id) is not None:
        raise Refused("already_seated", f"you have seat {table.seat_of(player.id)} at this table")
    if player.id == table.opened.arbiter:
        raise Refused("not_allowed", "the arbiter of a table cannot take a seat")


def _check_arbiter(table: Table, named: str | None) -> None:
    """Raises `Refused` unless `named` is the table's arbiter: nobody sits down without having seen it."""
    arbiter = table.opened.arbiter
    if arbiter is None and named is not None:
        raise Refused("arbiter_not_named", "this table has no arbiter: leave `arbiter` out")
    if arbiter != named:
        detail = f"{arbiter} is the arbiter here and may look at any hand in a dispute: to agree, send it as `arbiter`"
        raise Refused("arbiter_not_named", detail)


def _check_empty(table: Table, number: int) -> None:
    check_seat(table, number)
    if table.closed:
        raise Refused("table_finished", "this table is closed: everybody has left it")
    if table.seats[number - 1].taken:
        raise Refused("seat_taken", f"seat {number} is taken")


@command
def leave_seat(_: TableHandler, history: TableHistory, sent: CommandContext, number: int) -> Decision:
    """Frees a person's seat before the game begins; closes the table when nobody is left."""
    table = history.table
    if table.seat_of(sent.player.id) != number:
        raise Refused("not_your_seat", f"seat {number} is not yours")
    if table.state is not None:
        raise Refused("table_started", "the game has begun: resign the seat, or offer to abort the game")
    return Decision(_seat_left(table, number), sent.by)


def _seat_left(table: Table, number: int) -> tuple[NewEvent, ...]:
    left = NewEvent("SeatLeft", {"seat": number, "player": table.seats[number - 1].player}, {})
    if any(seat.player for seat in table.seats if seat.seat != number):
        return (left,)
    return (left, *ended(table, "abandoned"))


@command
def depart(_: TableHandler, history: TableHistory, sent: CommandContext) -> Decision:
    """Removes a player from a table, who resigns if the game has begun; raises `Refused`."""
    table = history.table
    seat = table.seat_of(sent.player.id)
    if seat is None or table.status == "finished":
        raise Refused("not_your_seat", "you have no seat at an unfinished game here")
    if table.state is None:
        return Decision(_seat_left(table, seat), sent.by)
    return Decision(resigned(table, seat), sent.by)


def depart_everywhere(handler: CommandHandler, rows: ProjectionStore, sent: CommandContext) -> bool:
    """Removes a player from all tables of the lobby; logs failures and returns whether there were none."""
    departed = [_departed(handler, table, sent) for table in sorted(lobby_queries.all_seated(rows, sent.player.id))]
    return all(departed)


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
