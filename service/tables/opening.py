"""Opening a table: what may be asked for, who sits there at once, and the events with which it begins."""

import secrets
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from events.clocks import TimeControl
from events.lifecycle import DisputeRules, SeatOffer, SeatTaken
from events.ranges import RatingRange
from events.recorded import NewEvent
from games import GAMES
from games.kernel import AnyGame, OptionsRefused
from projections.recording import new_lifecycle_event
from projections.table import Seat
from service.accounts.callers import Player
from service.commands import CommandContext, CommandHandler, Decided, Outcome
from service.errors import Refused, option_refused, refuse_first
from service.levels import kind_of
from service.tables.ids import table_id
from service.tables.table_luck import start_events

SAT = "SeatTaken"
NOTHING_PREPARED: Mapping[str, Any] = MappingProxyType({})


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
        raise Refused("no-such-game", f"{slug!r} is not hosted; there are {', '.join(GAMES)}")
    return GAMES[slug]


def open_table(
    handler: CommandHandler,
    sent: CommandContext,
    opening: Opening,
    name: bytes | None = None,
    prepared: Mapping[str, Any] = NOTHING_PREPARED,
) -> Outcome:
    """Opens a table. Seats kept for the opener and for AI are taken at once; the game begins if these are all.

    `name` makes a repeated request name the same table again. `prepared` is what the first event says of a lesson.
    """
    game, opener = game_of(opening.game), sent.player
    check_offers(game, opening, opener)
    table, opened = table_id(name), opened_as(game, opener, opening) | dict(prepared)
    sitting = who_sits(opening, opener)
    new_events = (new_lifecycle_event("TableOpened", opened, {"seed": []}), *(taken(seat) for seat in sitting))
    begun, draws = begin(game, opened, sitting)
    return handler.open(table, Decided(new_events + begun, sent.by, draws=draws), sent.request)


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
        raise Refused("opening-refused", f"{for_whom}, not for {len(opening.seats)}")
    kept = [offer.player for offer in opening.seats if offer.player]
    open_seats = any(offer.kind == "open" for offer in opening.seats)
    refuse_first(
        "opening-refused",
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


def who_sits(opening: Opening, opener: Player) -> list[Seat]:
    """The seats that are taken at once: the opener's and those of AI."""
    return [_sitting(offer, opener, opening.contribution) for offer in opening.seats if _sits(offer, opener)]


def _sits(offer: SeatOffer, opener: Player) -> bool:
    return offer.kind == "ai" or offer.player == opener.id


def _sitting(offer: SeatOffer, opener: Player, contribution: str | None) -> Seat:
    if offer.level is not None:
        return Seat(offer.seat, ai=kind_of(offer.level))
    return Seat(offer.seat, opener.id, opener.bot, contribution=contribution)


def taken(seat: Seat) -> NewEvent:
    """The event that somebody sits down."""
    return new_lifecycle_event(SAT, {name: getattr(seat, name) for name in SeatTaken.__struct_fields__})


def begin(game: AnyGame, opened: dict[str, Any], seats: list[Seat]) -> tuple[tuple[NewEvent, ...], dict[str, int]]:
    """The events with which play begins once every seat is taken, and their draws; a branch continues as it was."""
    if len(seats) < opened["players"]:
        return (), {}
    if "parent" in opened:
        return (NewEvent("PlayContinued", {}, {}),), {}
    contributions = [seat.contribution for seat in sorted(seats, key=lambda seat: seat.seat)]
    return start_events(game, opened, contributions)
