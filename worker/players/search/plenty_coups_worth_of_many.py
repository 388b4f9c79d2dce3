"""What a tribe's standing in Plenty Coups is worth with three seats or more, to a player that looks one move ahead.

The values were found by trial, as what is worth watching in others' games is not what wins them: in 3,600 games of
four, two seats with values moved at random (at first those of the greedy player) played against two greedy players. A
regression of how each moved seat ended on how far its values were moved, and on the squares of that, says where the
best lie.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.plenty_coups.components import COUP_STICK, FREE_HERD, HORSE, MARKERS, WARRIORS
from games.plenty_coups.play.defence import repels, strongest
from games.plenty_coups.play.scribe import booty
from games.plenty_coups.scoring import herd_points, sheet
from games.plenty_coups.state import Camp, StandingRaid, State, camp_of, returns
from worker.players.greedy.plenty_coups import Standings, cards_count, feared, may_mark_coup

VALUES = {
    "off_herd": 1.47,
    "all_turned": 0.47,  # all four markers
    "herd_points": 0.99,
    "horse": 0.79,  # each that does not score
    "horseless": 0.51,  # nothing is left to be raided
    "returns": 0.51,  # the chance that a raid returns, and more for each point of its attack
    "attack": 0.13,
    "prey": 1.04,  # that the camp raided has a horse
    "prey_scores": 0.09,  # and that it is one of those that score
    "coup": 0.85,  # with a coup-stick in hand and a marker to turn
    "threat": 0.75,  # a raid standing against the tribe
    "threat_to_score": 0.27,  # the same, if the horse is one that scores
    "repelled": -0.14,  # weapons in hand that would repel it: they are there to be played
    "ally": 0.59,
    "neutral_ally": 0.1,
    "proposal": 0.1,  # of one's own
    "offer": 0.07,
    "best_rival": 0.59,  # times the best of the others
    "rivals": 0.5,  # times all of them, on average
}
CARDS = {COUP_STICK: 0.51, HORSE: 0.47, "weapon-2": -0.14, "weapon-3": -0.04, "weapon-4": 0.29}
WARRIOR = {1: 0.08, 2: 0.15, 3: 0.42, 4: 0.48}
OWN_WARRIOR = 0.14
AGAIN = {COUP_STICK: -0.15, HORSE: -0.15}  # for a second such card


def lead_of_many(state: State, seat: int, cards: Sequence[str] | None, standings: Standings | None = None) -> float:
    """How far a seat is ahead of its rivals, the best of them above all; `cards`: those of its hand that count.

    Without them all hands count; with them the rivals' do not. Towards the end of the winter none does. `standings`:
    those by `standing` of the table a move before.
    """
    own, rivals = 0.0, []
    still = cards_count(state.round)
    values = (standings or Standings(state, standing)).after(state)
    for camp, value in zip(state.camps, values, strict=True):
        hand = camp.hand if cards is None else cards if camp.seat == seat else ()
        worth = value + _bonds(state, camp) + still * hand_worth(camp.tribe, hand)
        if camp.seat == seat:
            own = worth
        else:
            rivals.append(worth)
    return own - VALUES["best_rival"] * max(rivals) - VALUES["rivals"] * sum(rivals) / len(rivals)


def standing(state: State, camp: Camp) -> float:
    """What a tribe has but for its cards and bonds: its points, what is on its way and what threatens it."""
    own = sheet(state, camp)
    worth = VALUES["off_herd"] * own.off_herd + VALUES["herd_points"] * own.herd_points
    worth += VALUES["all_turned"] if own.off_herd >= MARKERS else 0.0
    worth += VALUES["horse"] * min(camp.horses, FREE_HERD) if camp.horses else VALUES["horseless"]
    worth += sum([_raid_worth(state, raid) for raid in state.raids if raid.tribe == camp.tribe])
    return worth - _threat(state, camp)


def hand_worth(tribe: str, cards: Sequence[str]) -> float:
    """What cards in hand are worth to a tribe."""
    worth = 0.0
    for place, card in enumerate(cards):
        if card in WARRIORS:
            warrior = WARRIORS[card]
            worth += WARRIOR[warrior.value] + OWN_WARRIOR * (warrior.tribe == tribe)
        else:
            worth += CARDS[card] + (AGAIN.get(card, 0.0) if card in cards[:place] else 0.0)
    return worth


def _raid_worth(state: State, raid: StandingRaid) -> float:
    """What a raid under way may bring: a strong one is harder to repel, and not every one returns."""
    if not returns(raid.round):
        return 0.0
    horses = camp_of(state, raid.target).horses
    brings = VALUES["prey"] * booty(horses) + VALUES["prey_scores"] * (herd_points(horses) > 0)
    brings += VALUES["coup"] * may_mark_coup(state, raid)
    return min(1.0, VALUES["returns"] + VALUES["attack"] * raid.attack) * brings


def _threat(state: State, camp: Camp) -> float:
    """What a raid that stands against a tribe may cost it."""
    raid = feared(state, camp)
    if raid is None:
        return 0.0
    scores, repelled = herd_points(camp.horses) > 0, repels(strongest(camp.hand), raid.attack)
    return VALUES["threat"] + VALUES["threat_to_score"] * scores - VALUES["repelled"] * repelled


def _bonds(state: State, camp: Camp) -> float:
    """What a tribe's alliance, proposals and gifts under way are worth to it."""
    worth = VALUES["proposal"] * sum([proposal.tribe == camp.tribe for proposal in state.proposals])
    if camp.ally:
        worth += VALUES["ally"] if camp.ally in state.tribes else VALUES["neutral_ally"]
    if state.offer and camp.tribe in (state.offer.tribe, state.offer.to):
        worth += VALUES["offer"]
    return worth
