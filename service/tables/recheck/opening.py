"""Makes the first batch of a table again: its opening, who sat down at once, and the start of the game."""

from collections.abc import Callable

import msgspec

from events.canonical import canonical
from events.clocks import LONGEST_S, TimeControl
from events.lifecycle import DisputeRules, SeatOffer, SeatTaken, TableForked, TableOpened
from games.kernel import AnyGame
from projections.recording import lifecycle_of, new_lifecycle_event
from projections.upcasting import read_event
from service.accounts.callers import Player
from service.commands import Decided
from service.levels import LEVELS
from service.tables.opening import Opening, RecordedPerson, begin, check_offers, game_of, house_rules, taken, who_sits
from service.tables.rating_ranges import MOST_RATING
from service.tables.recheck.recorded import Taken, Wrong

NAMED = {"open": (False, False), "player": (True, False), "ai": (False, True)}  # whether a player, a level is named


def opened(batch: Taken) -> Decided:
    """A table as it would be opened; raises `Wrong` or `Refused`."""
    return _begun(batch, batch.read(TableOpened), {"seed": []})


def forked(batch: Taken) -> Decided:
    """A branch as it would be opened. Its claims about the parent can be checked only with the parent."""
    fork = batch.read(TableForked)
    anew = (fork.parent_seed, fork.contributions, fork.draws) == (None, (), {})
    continued = is_hex(fork.parent_seed, 64) and len(fork.contributions) == fork.players and not fork.dealt_anew
    if not {"anew": anew, "continued": continued}.get(fork.chance):
        raise Wrong("`chance` and the luck of the branch contradict each other")
    if fork.parent_version < 1 or not is_hex(fork.parent_head, 64) or any(count < 0 for count in fork.draws.values()):
        raise Wrong("it names no version of a parent")
    _check_state(fork)
    return _begun(batch, fork, {"seed": [], "state": [], "past": []})


def _check_state(fork: TableForked) -> None:
    """State and past are what the game knows, in the form in which it writes them."""
    game = game_of(fork.game)
    state = msgspec.convert(fork.state or {}, game.state_type)
    if canonical(state) != canonical(fork.state):
        raise Wrong("`state` has other fields than it may have")
    if canonical(fork.options) != canonical(state.options):
        raise Wrong("`state` has other house rules than the branch")
    for row in fork.past or ():
        read_event(game.kinds[row["type"]], row["schema"], row["payload"])


def _begun(batch: Taken, table: TableOpened, readers: dict[str, list[int]]) -> Decided:
    if batch.before is not None:
        raise Wrong("the table is open already")
    game = game_of(table.game)
    own = _own_seat(batch, table.opened_by)
    opener = Player(table.opened_by, "", bot=own.bot, at="")
    shared = {name: getattr(table, name) for name in Opening.__struct_fields__ if name != "contribution"}
    opening = Opening(**shared, contribution=own.contribution)
    _check(table, game)
    check_offers(game, opening, opener)
    sitting = who_sits(opening, RecordedPerson(opener.id, own.name, own.bot))
    begun, draws = begin(game, batch.first.payload, sitting)
    new_events = (new_lifecycle_event(batch.named, batch.first.payload, readers), *map(taken, sitting), *begun)
    return Decided(new_events, {"kind": "player", "player": table.opened_by}, draws=draws)


def _own_seat(batch: Taken, opener: str) -> SeatTaken:
    """The recorded seat of the opener who sits down; its name and kind come from the account."""
    seats = (lifecycle_of(event) for event in batch.events if event.envelope.type == "SeatTaken")
    return next((seat for seat in seats if isinstance(seat, SeatTaken) and seat.player == opener), SeatTaken(0))


def _check(table: TableOpened, game: AnyGame) -> None:
    """Raises `Wrong` for what no request can have asked for."""
    for right, name in (
        (1 <= table.rules_version <= game.rules_version, "rules_version"),
        (table.players == len(table.seats), "players"),
        (table.visibility in ("public", "private"), "visibility"),
        (table.opened_by != "", "opened_by"),
        (is_hex(table.seed, 64), "seed"),
        (all(_is_offer(offer, number) for number, offer in enumerate(table.seats, 1)), "seats"),
        (_is_clock(table.clock), "clock"),
        (_are_rules(table.disputes), "disputes"),
        (_are_options(table, game), "options"),
        (not (table.lesson and isinstance(table, TableForked)), "lesson"),
        (not (table.rated and isinstance(table, TableForked)), "rated"),
        (_is_range(table), "ratings"),
    ):
        if not right:
            raise Wrong(f"`{name}` is not what a table can be opened with")


def _is_offer(offer: SeatOffer, number: int) -> bool:
    named = (offer.player is not None, offer.level is not None)
    return offer.seat == number and NAMED.get(offer.kind) == named and (offer.level is None or offer.level in LEVELS)


def _is_clock(clock: TimeControl | None) -> bool:
    return clock is None or (clock.is_whole and max(clock.whole_s, clock.increment_ms // 1000) <= LONGEST_S)


def _is_range(table: TableOpened) -> bool:
    """Whether a range of ratings can have been asked for; at a branch none can."""
    asked = table.ratings
    if asked is None:
        return True
    bounds = [bound for bound in (asked.least, asked.most) if bound is not None]
    return asked.is_whole and not isinstance(table, TableForked) and all(0 <= bound <= MOST_RATING for bound in bounds)


def _are_rules(rules: DisputeRules | None) -> bool:
    return rules is None or (
        rules.by in ("arbiter", "vote")
        and rules.play in ("pauses", "goes_on")
        and 0 <= rules.window_s <= LONGEST_S
        and 0 <= rules.answer_s <= LONGEST_S
    )


def _are_options(table: TableOpened, game: AnyGame) -> bool:
    """All house rules, as they are recorded."""
    return canonical(house_rules(game, table.options, table.players)) == canonical(table.options)


def is_hex(text: object, digits: int) -> bool:
    """Whether a value has this many lower-case hexadecimal digits."""
    return isinstance(text, str) and len(text) == digits and not set(text) - set("0123456789abcdef")


OPENINGS: dict[str, Callable[[Taken], Decided]] = {"TableOpened": opened, "TableForked": forked}
