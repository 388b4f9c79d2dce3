"""Defending a camp, and the coup in defence (PC-4.45 to 4.53)."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from operator import attrgetter

from games.plenty_coups.components import MARKERS, WARRIORS, WEAPONS, WINTER, in_order
from games.plenty_coups.events import CoupMarked, RaidRepelled
from games.plenty_coups.moves import Defend, MarkDefenceCoup
from games.plenty_coups.options import Options
from games.plenty_coups.play.prestige import gain
from games.plenty_coups.play.raids import ally_lost, has_stick
from games.plenty_coups.play.scribe import Check, Kind, Scribe, checked, meets, one, when
from games.plenty_coups.state import Camp, StandingRaid, State, markers_turned, raid_on

Cards = tuple[str, ...]

MOST_WEAPONS = 2  # PC-4.46: in one defence


def _is_raided(state: State, camp: Camp, _: Defend) -> bool:
    return raid_on(state, camp.tribe) is not None


def _are_weapons(_: State, __: Camp, move: Defend) -> bool:
    return 1 <= len(move.cards) <= MOST_WEAPONS and all(card in WEAPONS for card in move.cards)


def defence(weapons: Iterable[str]) -> int:
    """PC-4.48: the sum of the weapons."""
    return sum([WEAPONS[card] for card in weapons])


def repels(weapons: Iterable[str], attack: int) -> bool:
    """PC-4.48: whether the weapons drive off a raid of that attack value."""
    return defence(weapons) >= attack


def strongest(hand: Cards, most: int = MOST_WEAPONS) -> list[str]:
    """PC-4.46: at most so many weapons of a hand, those of the highest values."""
    weapons = [card for card in hand if card in WEAPONS]
    return sorted(weapons, key=WEAPONS.__getitem__, reverse=True)[:most] if len(weapons) > most else weapons


def _suffices(state: State, camp: Camp, move: Defend) -> bool:
    raid = raid_on(state, camp.tribe)
    return raid is not None and repels(move.cards, raid.attack)


DEFEND = (
    Check("PC-4.45", _is_raided, "no raid stands on your camp"),
    Check("PC-4.46", _are_weapons, "a defence takes one or two weapons, not {cards}"),
    Check("PC-4.48", _suffices, "{cards} are weaker than the raid on your camp"),
)


def defence_cost(state: State, move: Defend) -> int:
    """PC-3.7: a double defence costs two actions, but one in round 10."""
    return 2 if len(move.cards) == 2 and state.round != WINTER else 1


def _is_lone_young(cards: Cards) -> bool:
    """PC-4.51: a lone warrior of printed value 1."""
    return len(cards) == 1 and WARRIORS[cards[0]].value == 1


def _young_of_two(cards: Cards) -> bool:
    """PC-R46: one of two warriors is young."""
    return len(cards) == 2 and any(WARRIORS[card].value == 1 for card in cards)


def _has_point_to_gain(state: State, camp: Camp) -> bool:
    """PC-4.53: a marker can be turned, or points beyond the markers count (PC-R14)."""
    return state.options.prestige_limit == "none" or markers_turned(state, camp.tribe) < MARKERS


def _strength_for_coup(options: Options, raid: StandingRaid) -> int:
    """PC-R10: what a weapon has to exceed for a coup in defence."""
    return raid.attack if options.bonus_counts == "always" else raid.printed


def _is_strictly_greater(state: State, raid: StandingRaid, weapons: Cards) -> bool:
    """PC-4.50: one weapon, above what the raid counts for a coup."""
    return len(weapons) == 1 and WEAPONS[weapons[0]] > _strength_for_coup(state.options, raid)


def _defend(scribe: Scribe, move: Defend) -> bool:
    """PC-5.8: the raid is repelled; a double defence ends the turn (PC-3.8)."""
    state, camp = scribe.state, scribe.camp
    raid = checked(raid_on(state, camp.tribe))
    weapons = in_order(move.cards)
    strictly = _is_strictly_greater(state, raid, weapons)
    worthy = strictly and not _is_lone_young(raid.cards)
    gains = _has_point_to_gain(state, camp)
    coup_open = worthy and gains and state.actions > 1
    rules = (
        *_rules_of_repelling(state, raid, weapons),
        *_rules_of_coup(raid, weapons, strictly=strictly),
        *when(worthy and not gains, "PC-4.53"),
    )
    attack = (raid.cards, raid.attack, raid.printed, raid.marker)
    outcome = (scribe.cost, strictly, coup_open, rules)
    scribe.write(RaidRepelled(scribe.seat, camp.tribe, raid.tribe, weapons, defence(weapons), *attack, *outcome))
    return len(weapons) == 2


def _rules_of_repelling(state: State, raid: StandingRaid, weapons: Cards) -> Cards:
    """PC-5.11: what came to bear on whether the weapons suffice."""
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
    """PC-5.11: what came to bear on whether a coup may be marked, but for PC-4.53."""
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


def _defences(state: State, camp: Camp) -> list[Defend]:
    if raid_on(state, camp.tribe) is None:
        return []
    moves = map(Defend, _armouries(camp.hand))
    return [move for move in moves if defence_cost(state, move) <= state.actions and _suffices(state, camp, move)]


# --- the coup in defence ---


def _repelled_strictly(state: State, _: Camp, __: MarkDefenceCoup) -> bool:
    return state.repelled is not None


def _raid_was_worthy(state: State, _: Camp, __: MarkDefenceCoup) -> bool:
    return state.repelled is not None and not _is_lone_young(state.repelled.cards)


def _stick_in_hand(_: State, camp: Camp, __: MarkDefenceCoup) -> bool:
    return has_stick(camp.hand)


def _marker_to_turn(state: State, camp: Camp, _: MarkDefenceCoup) -> bool:
    return _has_point_to_gain(state, camp)


DEFENCE_COUP = (
    Check("PC-4.50", _repelled_strictly, "no raid was repelled in this turn by a single, strictly greater weapon"),
    Check("PC-4.51", _raid_was_worthy, "the raid was a lone young warrior"),
    Check("PC-4.52", _stick_in_hand, "a coup in defence needs a coup-stick in hand"),
    Check("PC-4.53", _marker_to_turn, "all four markers show prestige"),
)


def _mark_defence_coup(scribe: Scribe, _: MarkDefenceCoup) -> None:
    state = scribe.state
    raid = checked(state.repelled)
    tribe = scribe.camp.tribe
    rules = (
        "PC-4.50",
        *when(raid.bonus, "PC-R10"),
        "PC-4.51",
        *when(_young_of_two(raid.cards), "PC-R46"),
        "PC-5.8",
    )
    scribe.write(CoupMarked(scribe.seat, tribe, "defence", raid.tribe, rules))
    gain(scribe, tribe, "defence_coup")


def _defence_coups(state: State, camp: Camp) -> list[MarkDefenceCoup]:
    move = MarkDefenceCoup()
    return [move] if state.actions and meets(DEFENCE_COUP, state, camp, move) else []


KINDS = {
    Defend: Kind(_defend, _defences, DEFEND, cost=defence_cost, cards=attrgetter("cards")),
    MarkDefenceCoup: Kind(_mark_defence_coup, _defence_coups, DEFENCE_COUP, cost=one),
}
