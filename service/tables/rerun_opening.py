"""Makes the first batch of a record again: a table or a branch as it would be opened."""

import msgspec

from events.canonical import canonical
from events.clocks import LONGEST_S, TimeControl
from events.lifecycle import DisputeRules, SeatOffer, SeatTaken, TableForked, TableOpened
from projections.recording import lifecycle_of, new_lifecycle_event, read_event
from rulings.replay import Batch
from service.accounts.callers import Player
from service.commands import Decided
from service.errors import Refused, refuse_first
from service.levels import LEVELS
from service.tables.opening import Opening, begin, check_offers, game_of, opened_as, taken, who_sits
from service.tables.rating_ranges import MOST_RATING

OFFERS = {"open": (False, False), "player": (True, False), "ai": (False, True)}  # whether a player, a level is named
HIDDEN: dict[str, dict[str, list[int]]] = {  # of the first event
    "TableOpened": {"seed": []},
    "TableForked": {"seed": [], "state": [], "past": []},
}


def opened_again(batch: Batch, table: TableOpened) -> Decided:
    """A table or a branch as it would be opened, who sat down at once, and the start of the game; raises `Refused`."""
    _check_opening(table)
    game, own = game_of(table.game), _own_seat(batch, table.opened_by)
    opener = Player(table.opened_by, "", bot=own.bot, at="")
    fields = {name: getattr(table, name) for name in Opening.__struct_fields__ if name != "contribution"}
    opening = Opening(**fields, contribution=own.contribution)
    check_offers(game, opening, opener)
    payload = opened_as(game, opener, opening) | {"seed": table.seed, "lesson": table.lesson}
    payload |= {"rules_version": table.rules_version}
    if isinstance(table, TableForked):
        _check_fork(table)
        payload = batch.events[0].payload | payload
    sitting = who_sits(opening, opener)
    begun, draws = begin(game, payload, sitting)
    type_ = batch.events[0].envelope.type
    first = new_lifecycle_event(type_, payload, HIDDEN[type_])
    return Decided((first, *map(taken, sitting), *begun), {"kind": "player", "player": table.opened_by}, draws=draws)


def _own_seat(batch: Batch, opener: str) -> SeatTaken:
    """The recorded seat of the opener who sits down; its kind comes from the account."""
    seats = (lifecycle_of(event) for event in batch.events if event.envelope.type == "SeatTaken")
    return next((seat for seat in seats if isinstance(seat, SeatTaken) and seat.player == opener), SeatTaken(0))


def _check_opening(table: TableOpened) -> None:
    """Raises `Refused` for what no request can have asked for."""
    for right, name in (
        (1 <= table.rules_version <= game_of(table.game).rules_version, "rules_version"),
        (table.visibility in ("public", "private"), "visibility"),
        (table.opened_by != "", "opened_by"),
        (_is_hex(table.seed), "seed"),
        (all(_is_offer(offer, number) for number, offer in enumerate(table.seats, 1)), "seats"),
        (_is_clock(table.clock), "clock"),
        (_are_rules(table.disputes), "disputes"),
        (_is_range(table), "ratings"),
    ):
        if not right:
            raise Refused("opening-refused", f"`{name}` is not what a table can be opened with")


def _is_offer(offer: SeatOffer, number: int) -> bool:
    named = (offer.player is not None, offer.level is not None)
    return offer.seat == number and OFFERS.get(offer.kind) == named and (offer.level is None or offer.level in LEVELS)


def _is_clock(clock: TimeControl | None) -> bool:
    return clock is None or (clock.is_whole and max(clock.whole_s, clock.increment_ms // 1000) <= LONGEST_S)


def _are_rules(rules: DisputeRules | None) -> bool:
    if rules is None:
        return True
    times = (rules.window_s, rules.answer_s)
    known = rules.by in ("arbiter", "vote") and rules.play in ("pauses", "goes_on")
    return known and all(0 <= time <= LONGEST_S for time in times)


def _is_range(table: TableOpened) -> bool:
    asked = table.ratings
    if asked is None:
        return True
    bounds = [bound for bound in (asked.least, asked.most) if bound is not None]
    return asked.is_whole and all(0 <= bound <= MOST_RATING for bound in bounds)


def _check_fork(fork: TableForked) -> None:
    """A branch's claims about its parent can be checked only with the parent; here, that they are possible."""
    counts = all(count >= 0 for count in fork.draws.values())
    state = msgspec.convert(fork.state or {}, game_of(fork.game).state_type)
    refuse_first(
        "fork-refused",
        (not _is_chance(fork), "`chance` and its luck contradict each other"),
        (fork.parent_version < 1 or not _is_hex(fork.parent_head) or not counts, "it names no version of a parent"),
        (bool(fork.lesson or fork.rated or fork.ratings), "it is opened as no branch is"),
        (canonical(state) != canonical(fork.state), "`state` has other fields than it may have"),
        (canonical(fork.options) != canonical(state.options), "`state` has other house rules than the branch"),
    )
    for row in fork.past or ():
        read_event(game_of(fork.game).kinds[row["type"]], row["schema"], row["payload"])


def _is_chance(fork: TableForked) -> bool:
    if fork.chance == "anew":
        return (fork.parent_seed, fork.contributions, fork.draws) == (None, (), {})
    continued = _is_hex(fork.parent_seed) and len(fork.contributions) == fork.players
    return fork.chance == "continued" and continued and not fork.dealt_anew


def _is_hex(text: object) -> bool:
    """Whether a value has 64 lower-case hexadecimal digits."""
    return isinstance(text, str) and len(text) == 64 and not set(text) - set("0123456789abcdef")
