"""Raids and coups: launching, driving off, returning (PC-4.20 to 4.43, PC-5.4, PC-5.5)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from operator import attrgetter

from games.plenty_coups.components import COUP_STICK, WARRIORS, in_order, printed_value, warriors_in
from games.plenty_coups.events import CoupMarked, RaidDrivenOff, RaidLaunched, RaidReturned
from games.plenty_coups.moves import Raid, ReturnRaid
from games.plenty_coups.options import Options
from games.plenty_coups.play.bars import Bar, against, ally_of, raided, unbarred, wooed, wooers
from games.plenty_coups.play.prestige import gain
from games.plenty_coups.play.scribe import (
    Check,
    Kind,
    Scribe,
    booty,
    checked,
    herds_moved,
    meets,
    when,
)
from games.plenty_coups.state import (
    Camp,
    Side,
    StandingRaid,
    State,
    camp_of,
    due_raids,
    is_winter,
    playing,
    raid_on,
    returns,
    seat_of,
)

Cards = tuple[str, ...]


def bonus(camp: Camp, cards: Cards) -> int:
    """PC-5.4: 1 for warriors of the raider's own tribe or of its ally."""
    return int(WARRIORS[cards[0]].tribe in (camp.tribe, camp.ally))


def strength(options: Options, printed: int, plus: int) -> int:
    """PC-R10: what counts for driving off a raid: the printed sum, and the bonus unless it is for defence only."""
    return printed if options.bonus_counts == "defence_only" else printed + plus


def strength_of(state: State, raid: StandingRaid) -> int:
    """PC-R10: the strength of a standing raid where the +1 may not count."""
    return strength(state.options, raid.printed, raid.bonus)


def ally_lost(state: State, raid: StandingRaid) -> bool:
    """PC-R12: whether the raid's bonus came from an ally that the raider has lost since."""
    return bool(raid.bonus) and not bonus(camp_of(state, raid.tribe), raid.cards)


# --- returning (PC-3.6) ---


def has_stick(hand: Cards) -> bool:
    """PC-4.21, PC-4.52: whether a coup can be marked with these cards in hand."""
    return COUP_STICK in hand


def can_turn(marker: Side) -> bool:
    """PC-4.22: whether a coup can turn the marker over that came along on a raid."""
    return marker == "raid"


def _due_on(state: State, target: str) -> StandingRaid | None:
    return next((raid for raid in due_raids(state) if raid.target == target), None)


def _raid_is_due(state: State, _: Camp, move: ReturnRaid) -> bool:
    return _due_on(state, move.target) is not None


def _stick_for_coup(_: State, camp: Camp, move: ReturnRaid) -> bool:
    return not move.coup or has_stick(camp.hand)


def _marker_not_turned(state: State, _: Camp, move: ReturnRaid) -> bool:
    return not move.coup or any(raid.target == move.target and can_turn(raid.marker) for raid in due_raids(state))


def _herd_to_touch(state: State, _: Camp, move: ReturnRaid) -> bool:
    return not move.coup or state.options.empty_herd_coup or camp_of(state, move.target).horses > 0


RETURN = (
    Check("PC-4.20", _raid_is_due, "no raid on {target} is due"),
    Check("PC-4.21", _stick_for_coup, "a coup on {target} needs a coup-stick in hand"),
    Check("PC-4.22", _marker_not_turned, "the marker of the raid on {target} shows prestige already"),
    Check("PC-4.23", _herd_to_touch, "{target} has no horse, so there is no coup"),
)


def bring_home(scribe: Scribe, raid: StandingRaid, *, coup: bool, left_over: bool) -> None:
    """PC-5.8: the warriors are discarded, and the marker comes home with a horse if there is one."""
    state = scribe.state
    seat, horses = playing(state, raid.tribe), booty(camp_of(state, raid.target).horses)
    rules = (
        *(("PC-3.12", "PC-R8") if left_over else ("PC-3.6",)),
        *when(is_winter(state), "PC-R40"),
        *when(not horses, "PC-R13"),
        "PC-5.8",
    )
    returned = (seat, raid.tribe, raid.target, raid.cards)
    brought = (horses, *herds_moved(state, raid.target, raid.tribe, horses))
    scribe.write(RaidReturned(*returned, *brought, raid.marker, coup, left_over, rules))
    if coup:
        _mark_coup(scribe, raid, horses)


def _mark_coup(scribe: Scribe, raid: StandingRaid, horses: int) -> None:
    """PC-5.8: a coup on returning from a raid, whose own marker is turned over."""
    rules = ("PC-4.21", "PC-4.22", *when(not horses, "PC-R13"), "PC-5.8")
    scribe.write(CoupMarked(scribe.seat, raid.tribe, "raid", raid.target, rules))
    gain(scribe, raid.tribe, "raid_coup", f"raid:{raid.target}")


def _return_raid(scribe: Scribe, move: ReturnRaid) -> None:
    raid = checked(_due_on(scribe.state, move.target))
    bring_home(scribe, raid, coup=move.coup, left_over=False)


def _returns(state: State, camp: Camp) -> Iterator[ReturnRaid]:
    for raid in due_raids(state):
        yield ReturnRaid(raid.target, False)
        with_coup = ReturnRaid(raid.target, True)
        if state.actions and meets(RETURN, state, camp, with_coup):
            yield with_coup


# --- launching (PC-5.5) ---


def _are_warriors(_: State, __: Camp, move: Raid) -> bool:
    return len(move.cards) in (1, 2) and all(card in WARRIORS for card in move.cards)


def _are_of_one_tribe(_: State, __: Camp, move: Raid) -> bool:
    return len({WARRIORS[card].tribe for card in move.cards}) == 1


def _beats(state: State, camp: Camp, cards: Cards, raid: StandingRaid) -> bool:
    return strength(state.options, printed_value(cards), bonus(camp, cards)) > strength_of(state, raid)


def _beats_standing_raid(state: State, camp: Camp, move: Raid) -> bool:
    raid = raid_on(state, move.target)
    return raid is None or _beats(state, camp, move.cards, raid)


def _has_marker(_: State, camp: Camp, __: Raid) -> bool:
    return camp.raid_markers + camp.prestige_markers > 0


RAID_BARS = (
    Bar("PC-4.38", ally_of, "{target} is your ally"),
    Bar("PC-4.39", wooers, "{target} has an open proposal to your tribe"),
    Bar("PC-4.40", wooed, "your tribe has an open proposal to {target}"),
    Bar("PC-4.41", raided, "your tribe's raid stands on {target} already"),
)
RAID = (
    Check("PC-4.35", _are_warriors, "a raid takes one or two warriors, not {cards}"),
    Check("PC-4.36", _are_of_one_tribe, "{cards} are not of one tribe"),
    *against(RAID_BARS, attrgetter("target")),
    Check("PC-4.42", _beats_standing_raid, "{cards} do not beat the raid that stands on {target}"),
    Check("PC-4.43", _has_marker, "no marker is in camp"),
)


def _drive_off(scribe: Scribe, raid: StandingRaid, printed: int, plus: int) -> None:
    """PC-5.5: the former raid's warriors are discarded and its marker goes home."""
    state = scribe.state
    rules = (
        *when(ally_lost(state, raid), "PC-R12"),
        "PC-4.42",
        *when(raid.bonus or plus, "PC-R10"),
        "PC-5.5",
    )
    driven_off = (seat_of(state, raid.tribe), raid.tribe, raid.target, raid.cards, raid.attack, raid.printed)
    scribe.write(RaidDrivenOff(*driven_off, scribe.seat, scribe.camp.tribe, printed + plus, printed, rules))


def _launch(scribe: Scribe, move: Raid) -> bool:
    """PC-5.5; a double attack ends the turn (PC-3.8)."""
    camp = scribe.camp
    cards = in_order(move.cards)
    printed, plus = printed_value(cards), bonus(camp, cards)
    former = raid_on(scribe.state, move.target)
    if former is not None:
        _drive_off(scribe, former, printed, plus)
    rules = (
        "PC-5.4",
        *when(WARRIORS[cards[0]].tribe == move.target, "PC-R45"),
        "PC-5.5",
        *when(not returns(scribe.state.round), "PC-R39"),
    )
    side: Side = "raid" if camp.raid_markers else "prestige"
    value = (printed, plus, printed + plus)
    scribe.write(RaidLaunched(scribe.seat, camp.tribe, move.target, cards, *value, side, scribe.cost, rules))
    return len(cards) == 2


@lru_cache(maxsize=4096)  # of the warriors alone: a hand as a whole seldom comes again
def _war_parties(warriors: Cards, most: int) -> tuple[Cards, ...]:
    """The sets of warriors that one raid of at most so many may take, singles first."""
    pairs = (pair for pair in combinations(warriors, 2) if WARRIORS[pair[0]].tribe == WARRIORS[pair[1]].tribe)
    return tuple(party for party in (*((card,) for card in warriors), *pairs) if len(party) <= most)


def _raids(state: State, camp: Camp) -> list[Raid]:
    parties = _war_parties(warriors_in(camp.hand), state.actions)  # PC-3.7: a warrior costs an action
    targets = unbarred(RAID_BARS, state, camp) if parties else []
    standing = {raid.target: raid for raid in state.raids}
    return [
        Raid(target, cards)
        for target in targets
        for cards in parties
        if target not in standing or _beats(state, camp, cards, standing[target])
    ]


KINDS = {
    ReturnRaid: Kind(_return_raid, _returns, RETURN, cost=lambda _, move: int(move.coup), other=attrgetter("target")),
    Raid: Kind(
        _launch,
        _raids,
        RAID,
        cost=lambda _, move: 2 if len(move.cards) == 2 else 1,
        cards=attrgetter("cards"),
        other=attrgetter("target"),
    ),
}
