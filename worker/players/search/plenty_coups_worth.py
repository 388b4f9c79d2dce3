"""What a tribe's standing in Plenty Coups is worth: the points that it may still make of what it has.

The values are those of a regression: for every turn of 1,510 games of two greedy players with noise, what each thing
that a tribe had at the turn's start came to in the final lead. For cards only differences count before the winter, as
hands are refilled; values not clearly different from zero are smoothed by hand.

With more than two seats these values mislead (at four, their first sight won 10 % of 60 games against three greedy
players), so there are others (`plenty_coups_worth_of_many`).
"""

from __future__ import annotations

from collections.abc import Sequence

from games.plenty_coups.components import COUP_STICK, FREE_HERD, HORSE, ROUNDS, WARRIORS
from games.plenty_coups.play.raids import repels, strongest
from games.plenty_coups.play.scribe import booty
from games.plenty_coups.scoring import Sheet, sheet
from games.plenty_coups.state import Camp, State, camp_of, returns, seated_ally
from worker.players.greedy.plenty_coups import Standings, feared, may_mark_coup
from worker.players.search.plenty_coups_alliances import Hopes
from worker.players.search.plenty_coups_worth_of_many import lead_of_many

TWO = 2  # seats for which the values hold
SPAN = 3  # rounds of which one column of the values speaks; the last is the winter's
VALUES = {
    "off_herd": (0.6, 0.75, 0.82, 0.96),
    "herd_points": (1.2, 1.2, 0.95, 0.96),
    "horse": (0.25, 0.34, 0.34, 0.18),  # each of those that do not score
    "horseless": (-0.3, -0.2, -0.1, 0.0),
    "raid": (0.0, 0.05, 0.06, 0.0),  # under way
    "attack": (0.07, 0.11, 0.1, 0.0),  # each point of it
    "prey": (0.16, 0.2, 0.2, 0.45),  # that the camp raided has a horse
    "coup": (0.16, 0.1, 0.1, 0.52),  # a coup-stick in hand for a raid under way
    "threat": (-0.1, -0.15, -0.2, 0.0),  # a raid on the tribe
    "horse_at_stake": (0.0, 0.0, 0.0, -0.5),
    "defence": (0.1, 0.14, 0.27, 0.14),  # one weapon that repels it
    "neutral_ally": (0.1, 0.05, 0.0, 0.0),
    "disdained": (-0.1, -0.1, -0.1, 0.0),
    "own_warrior": (0.07, 0.05, 0.15, 0.12),
}
CARDS = {
    COUP_STICK: (-0.1, -0.1, -0.08, 0.16),
    HORSE: (0.0, 0.05, 0.0, 0.25),
    "weapon-2": (0.0, 0.0, -0.08, 0.14),
    "weapon-3": (0.1, 0.03, 0.0, 0.2),
    "weapon-4": (0.2, 0.3, 0.2, 0.24),
}
WARRIOR = {
    1: (0.0, -0.1, -0.1, 0.2),
    2: (0.0, 0.0, 0.02, 0.25),
    3: (0.06, 0.08, 0.06, 0.33),
    4: (0.2, 0.25, 0.22, 0.39),
}
# Of an ally's own total, which counts as the tribe's if both have two points off the herd (PC-6.5): the chance of that.
ALLIED = (0.5, 0.6, 0.7, 0.9)
PROPOSED = 0.3  # of what the alliance would be worth, while a proposal is open
RIVAL = 1.0  # a point of the best rival against one's own


def column(state: State) -> int:
    """Where in the rows of values the round is."""
    return min(3, max(0, state.round - 1) // SPAN)


def own_worth(state: State, camp: Camp, own: Sheet, cards: Sequence[str]) -> float:
    """What a tribe has by itself, and the cards of its hand that count."""
    at = column(state)
    worth = VALUES["off_herd"][at] * own.off_herd + VALUES["herd_points"][at] * own.herd_points
    worth += VALUES["horse"][at] * min(camp.horses, FREE_HERD) if camp.horses else VALUES["horseless"][at]
    worth += _raids(state, camp, at) + _threat(state, camp, at)
    if camp.disdained:
        worth += VALUES["disdained"][at]
    if camp.ally and camp.ally not in state.tribes:
        worth += VALUES["neutral_ally"][at]
    still = 1.0 if at < 3 else (ROUNDS - state.round) / SPAN
    return worth + still * sum([card_worth(card, camp.tribe, at) for card in cards])


def card_worth(card: str, tribe: str, at: int) -> float:
    """What a card in hand is worth to a tribe."""
    if card not in WARRIORS:
        return CARDS[card][at]
    warrior = WARRIORS[card]
    return WARRIOR[warrior.value][at] + (VALUES["own_warrior"][at] if warrior.tribe == tribe else 0.0)


def _raids(state: State, camp: Camp, at: int) -> float:
    """What raids under way may bring; not every one returns."""
    worth = 0.0
    for raid in state.raids:
        if raid.tribe == camp.tribe and returns(raid.round):
            worth += VALUES["raid"][at] + VALUES["attack"][at] * raid.attack
            worth += VALUES["prey"][at] * booty(camp_of(state, raid.target).horses)
            worth += VALUES["coup"][at] if may_mark_coup(state, raid) else 0.0
    return worth


def _threat(state: State, camp: Camp, at: int) -> float:
    """What a raid that stands against a tribe may cost it."""
    raid = feared(state, camp)
    if raid is None:
        return 0.0
    worth = VALUES["threat"][at] + VALUES["horse_at_stake"][at] * booty(camp.horses)
    return worth + (VALUES["defence"][at] if repels(strongest(camp.hand, 1), raid.attack) else 0.0)


def lead(
    state: State,
    seat: int,
    cards: Sequence[str] | None = None,
    standings: Standings | None = None,
    hopes: Hopes | None = None,
) -> float:
    """How far a seat is ahead of its best rival, allies counted together; `cards`: those of its hand that count.

    Without them all hands count; with them the rivals' do not, as they would be the same after any move. `standings`:
    those among many of the table a move before; `hopes`: the seat's own, with five seats or more.
    """
    if state.players == TWO:
        return lead_of_two(state, seat, cards)
    return lead_of_many(state, seat, cards, standings, hopes)


def lead_of_two(state: State, seat: int, cards: Sequence[str] | None) -> float:
    """The same with two seats, by the values above."""
    at, worths = column(state), worths_of(state, seat, cards)
    own, rivals = 0.0, []
    for camp in [camp for camp in state.camps if camp.seat is not None]:
        ally = seated_ally(state, camp)
        joint = worths[camp.tribe] + (ALLIED[at] * max(0.0, worths[ally.tribe]) if ally else 0.0)
        if camp.seat == seat:
            own = joint if ally else joint + _proposals(state, camp, worths, at)
        elif ally is None or ally.seat != seat:
            rivals.append(joint)
    return own - RIVAL * max(rivals, default=0.0)


def worths_of(state: State, seat: int, cards: Sequence[str] | None) -> dict[str, float]:
    """What every tribe has by itself; `cards`: those of the seat's hand that count, if others' do not."""
    worths: dict[str, float] = {}
    for camp in state.camps:
        hand = camp.hand if cards is None else cards if camp.seat == seat else ()
        worths[camp.tribe] = own_worth(state, camp, sheet(state, camp), hand)
    return worths


def _proposals(state: State, camp: Camp, worths: dict[str, float], at: int) -> float:
    """What an alliance may come to that is proposed to a tribe or by it."""
    partners = [
        row.to if row.tribe == camp.tribe else row.tribe for row in state.proposals if camp.tribe in (row.tribe, row.to)
    ]
    return PROPOSED * ALLIED[at] * max([max(0.0, worths[partner]) for partner in partners], default=0.0)
