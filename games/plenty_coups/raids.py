"""Raids, defence and coups: launching, driving off, repelling, returning (PC-4.20 to 4.53, PC-5.4, PC-5.5)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from operator import attrgetter

from games.deciding import when
from games.plenty_coups import events as ev
from games.plenty_coups import moves as mv
from games.plenty_coups.components import (
    COUP_STICK,
    WARRIORS,
    WEAPONS,
    WINTER,
    in_order,
    printed_value,
    warriors_in,
)
from games.plenty_coups.house_rules import Options
from games.plenty_coups.scribe import (
    Bar,
    Check,
    Kind,
    Scribe,
    against,
    ally_of,
    booty,
    checked,
    gain,
    herds_moved,
    marker_gained,
    meets,
    one,
    raided,
    unbarred,
    wooed,
    wooers,
)
from games.plenty_coups.state import (
    Camp,
    Side,
    StandingRaid,
    State,
    camp_of,
    due_raids,
    has_point_to_gain,
    is_lone_young,
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


def _stick_for_coup(_: State, camp: Camp, move: mv.ReturnRaid) -> bool:
    return not move.coup or has_stick(camp.hand)


def _marker_not_turned(state: State, _: Camp, move: mv.ReturnRaid) -> bool:
    return not move.coup or any(raid.target == move.target and can_turn(raid.marker) for raid in due_raids(state))


def _herd_to_touch(state: State, _: Camp, move: mv.ReturnRaid) -> bool:
    return not move.coup or state.options.empty_herd_coup or camp_of(state, move.target).horses > 0


RETURN = (
    Check("PC-4.20", lambda state, _, move: _due_on(state, move.target) is not None, "no raid on {target} is due"),
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
    home = scribe.write(ev.RaidReturned(*returned, *brought, raid.marker, coup, left_over, rules))
    if coup:
        _mark_coup(scribe, raid, home.horses)


def _mark_coup(scribe: Scribe, raid: StandingRaid, horses: int) -> None:
    """PC-5.8: a coup on returning from a raid, whose own marker is turned over."""
    rules = ("PC-4.21", "PC-4.22", *when(not horses, "PC-R13"), "PC-5.8")
    scribe.write(ev.CoupMarked(scribe.seat, raid.tribe, "raid", raid.target, rules))
    gain(scribe, raid.tribe, "raid_coup", f"raid:{raid.target}")


def _return_raid(scribe: Scribe, move: mv.ReturnRaid) -> None:
    raid = checked(_due_on(scribe.state, move.target))
    bring_home(scribe, raid, coup=move.coup, left_over=False)


def _returns(state: State, camp: Camp) -> Iterator[mv.ReturnRaid]:
    for raid in due_raids(state):
        yield mv.ReturnRaid(raid.target, False)
        with_coup = mv.ReturnRaid(raid.target, True)
        if state.actions and meets(RETURN, state, camp, with_coup):
            yield with_coup


# --- launching (PC-5.5) ---


def _are_warriors(_: State, __: Camp, move: mv.Raid) -> bool:
    return len(move.cards) in (1, 2) and all(card in WARRIORS for card in move.cards)


def _are_of_one_tribe(_: State, __: Camp, move: mv.Raid) -> bool:
    return len({WARRIORS[card].tribe for card in move.cards}) == 1


def _beats(state: State, camp: Camp, cards: Cards, raid: StandingRaid) -> bool:
    return strength(state.options, printed_value(cards), bonus(camp, cards)) > strength_of(state, raid)


def _beats_standing_raid(state: State, camp: Camp, move: mv.Raid) -> bool:
    raid = raid_on(state, move.target)
    return raid is None or _beats(state, camp, move.cards, raid)


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
    Check("PC-4.43", lambda _, camp, __: camp.raid_markers + camp.prestige_markers > 0, "no marker is in camp"),
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
    scribe.write(ev.RaidDrivenOff(*driven_off, scribe.seat, scribe.camp.tribe, printed + plus, printed, rules))


def _launch(scribe: Scribe, move: mv.Raid) -> bool:
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
    scribe.write(ev.RaidLaunched(scribe.seat, camp.tribe, move.target, cards, *value, side, scribe.cost, rules))
    return len(cards) == 2


@lru_cache(maxsize=4096)  # of the warriors alone: a hand as a whole seldom comes again
def _war_parties(warriors: Cards, most: int) -> tuple[Cards, ...]:
    """The sets of at most `most` warriors that one raid may take, singles first."""
    pairs = (pair for pair in combinations(warriors, 2) if WARRIORS[pair[0]].tribe == WARRIORS[pair[1]].tribe)
    return tuple(party for party in (*((card,) for card in warriors), *pairs) if len(party) <= most)


def _raids(state: State, camp: Camp) -> list[mv.Raid]:
    parties = _war_parties(warriors_in(camp.hand), state.actions)  # PC-3.7: a warrior costs an action
    targets = unbarred(RAID_BARS, state, camp) if parties else []
    standing = {raid.target: raid for raid in state.raids}
    return [
        mv.Raid(target, cards)
        for target in targets
        for cards in parties
        if target not in standing or _beats(state, camp, cards, standing[target])
    ]


# --- defending (PC-4.45) ---

MOST_WEAPONS = 2  # PC-4.46: in one defence


def _are_weapons(_: State, __: Camp, move: mv.Defend) -> bool:
    return 1 <= len(move.cards) <= MOST_WEAPONS and all(card in WEAPONS for card in move.cards)


def defence(weapons: Iterable[str]) -> int:
    """PC-4.48: the sum of the weapons."""
    return sum([WEAPONS[card] for card in weapons])


def repels(weapons: Iterable[str], attack: int) -> bool:
    """PC-4.48: whether the weapons drive off a raid of that attack value."""
    return defence(weapons) >= attack


def strongest(hand: Cards, most: int = MOST_WEAPONS) -> list[str]:
    """PC-4.46: the weapons of the highest values in a hand, at most `most`."""
    weapons = [card for card in hand if card in WEAPONS]
    return sorted(weapons, key=WEAPONS.__getitem__, reverse=True)[:most] if len(weapons) > most else weapons


def _suffices(state: State, camp: Camp, move: mv.Defend) -> bool:
    raid = raid_on(state, camp.tribe)
    return raid is not None and repels(move.cards, raid.attack)


DEFEND = (
    Check("PC-4.45", lambda state, camp, _: raid_on(state, camp.tribe) is not None, "no raid stands on your camp"),
    Check("PC-4.46", _are_weapons, "a defence takes one or two weapons, not {cards}"),
    Check("PC-4.48", _suffices, "{cards} are weaker than the raid on your camp"),
)


def defence_cost(state: State, move: mv.Defend) -> int:
    """PC-3.7: a double defence costs two actions, but one in round 10."""
    return 2 if len(move.cards) == 2 and state.round != WINTER else 1


def _young_of_two(cards: Cards) -> bool:
    """PC-R46: one of two warriors is young."""
    return len(cards) == 2 and any(WARRIORS[card].value == 1 for card in cards)


def _strength_for_coup(options: Options, raid: StandingRaid) -> int:
    """PC-R10: what a weapon has to exceed for a coup in defence."""
    return raid.attack if options.bonus_counts == "always" else raid.printed


def _is_strictly_greater(state: State, raid: StandingRaid, weapons: Cards) -> bool:
    """PC-4.50: one weapon, above what the raid counts for a coup."""
    return len(weapons) == 1 and WEAPONS[weapons[0]] > _strength_for_coup(state.options, raid)


def _defend(scribe: Scribe, move: mv.Defend) -> bool:
    """PC-5.8: the raid is repelled; a double defence ends the turn (PC-3.8)."""
    state, camp = scribe.state, scribe.camp
    raid = checked(raid_on(state, camp.tribe))
    weapons = in_order(move.cards)
    strictly = _is_strictly_greater(state, raid, weapons)
    worthy = strictly and not is_lone_young(raid.cards)
    gains = has_point_to_gain(state, camp)
    coup_open = worthy and gains and state.actions > 1
    rules = (
        *_rules_of_repelling(state, raid, weapons),
        *_rules_of_coup(raid, weapons, strictly=strictly),
        *when(worthy and not gains, "PC-4.53"),
        *when(worthy and marker_gained(state, camp.tribe) in ("extra", "none"), "PC-R14"),
    )
    attack = (raid.cards, raid.attack, raid.printed, raid.marker)
    outcome = (scribe.cost, strictly, coup_open, rules)
    scribe.write(ev.RaidRepelled(scribe.seat, camp.tribe, raid.tribe, weapons, defence(weapons), *attack, *outcome))
    return len(weapons) == 2


def _rules_of_repelling(state: State, raid: StandingRaid, weapons: Cards) -> Cards:
    """PC-5.11: the rules applied to whether the weapons suffice."""
    double = len(weapons) == 2
    return (
        *when(ally_lost(state, raid), "PC-R12"),
        "PC-4.48",
        *when(raid.bonus, "PC-R9"),
        *when(double and repels(weapons[-1:], raid.attack), "PC-R45"),
        *when(double and state.round == WINTER, "PC-R21"),
        "PC-5.8",
    )


def _rules_of_coup(raid: StandingRaid, weapons: Cards, *, strictly: bool) -> Cards:
    """PC-5.11: the rules applied to whether a coup may be marked, except PC-4.53."""
    return (
        "PC-4.50",
        *when(len(weapons) == 1 and raid.bonus, "PC-R10"),
        *when(strictly, "PC-4.51"),
        *when(strictly and _young_of_two(raid.cards), "PC-R46"),
    )


@lru_cache(maxsize=4096)
def _armouries(hand: Cards) -> tuple[Cards, ...]:
    """The sets of weapons in a hand that one defence may take, singles first."""
    weapons = [card for card in hand if card in WEAPONS]
    return (*((card,) for card in dict.fromkeys(weapons)), *dict.fromkeys(combinations(weapons, 2)))


def _defences(state: State, camp: Camp) -> list[mv.Defend]:
    if raid_on(state, camp.tribe) is None:
        return []
    moves = map(mv.Defend, _armouries(camp.hand))
    return [move for move in moves if defence_cost(state, move) <= state.actions and _suffices(state, camp, move)]


# --- the coup in defence ---


def _repelled_strictly(state: State, _: Camp, __: mv.MarkDefenceCoup) -> bool:
    return state.repelled is not None


def _raid_was_worthy(state: State, _: Camp, __: mv.MarkDefenceCoup) -> bool:
    return state.repelled is not None and not is_lone_young(state.repelled.cards)


DEFENCE_COUP = (
    Check("PC-4.50", _repelled_strictly, "no raid was repelled in this turn by a single, strictly greater weapon"),
    Check("PC-4.51", _raid_was_worthy, "the raid was a lone young warrior"),
    Check("PC-4.52", lambda _, camp, __: has_stick(camp.hand), "a coup in defence needs a coup-stick in hand"),
    Check("PC-4.53", lambda state, camp, _: has_point_to_gain(state, camp), "all four markers show prestige"),
)


def _mark_defence_coup(scribe: Scribe, _: mv.MarkDefenceCoup) -> None:
    state = scribe.state
    raid = checked(state.repelled)
    tribe = scribe.camp.tribe
    rules = (
        "PC-4.50",
        *when(raid.bonus, "PC-R10"),
        "PC-4.51",
        *when(_young_of_two(raid.cards), "PC-R46"),
        *when(marker_gained(state, tribe) == "none", "PC-R55"),
        "PC-5.8",
    )
    scribe.write(ev.CoupMarked(scribe.seat, tribe, "defence", raid.tribe, rules))
    gain(scribe, tribe, "defence_coup")


def _defence_coups(state: State, camp: Camp) -> list[mv.MarkDefenceCoup]:
    move = mv.MarkDefenceCoup()
    return [move] if state.actions and meets(DEFENCE_COUP, state, camp, move) else []


KINDS = {
    mv.ReturnRaid: Kind(
        _return_raid, _returns, RETURN, cost=lambda _, move: int(move.coup), other=attrgetter("target")
    ),
    mv.Raid: Kind(
        _launch,
        _raids,
        RAID,
        cost=lambda _, move: 2 if len(move.cards) == 2 else 1,
        cards=attrgetter("cards"),
        other=attrgetter("target"),
    ),
    mv.Defend: Kind(_defend, _defences, DEFEND, cost=defence_cost, cards=attrgetter("cards")),
    mv.MarkDefenceCoup: Kind(_mark_defence_coup, _defence_coups, DEFENCE_COUP, cost=one),
}
