"""The values by which the searching player judges a standing in Plenty Coups with three seats or more.

They were found by trial, as what is worth watching in others' games is not what wins them: seats with values moved at
random (at first those of the greedy player) played against others, and a regression of how each ended on how far its
values were moved, and on the squares of that, says where the best lie. These are of 3,600 games of four, against greedy
players.
"""

from __future__ import annotations

from typing import NamedTuple

from games.plenty_coups.components import COUP_STICK, HORSE


class Values(NamedTuple):
    """What things are worth to a tribe, a point of prestige off the herd being worth `off_herd`."""

    off_herd: float
    all_turned: float  # all four markers
    herd_points: float
    horse: float  # each that does not score
    horseless: float  # nothing is left to be raided
    returns: float  # the chance that a raid returns, and more for each point of its attack
    attack: float
    prey: float  # that the camp raided has a horse
    prey_scores: float  # and that it is one of those that score
    coup: float  # with a coup-stick in hand and a marker to turn
    threat: float  # a raid standing against the tribe
    threat_to_score: float  # the same, if the horse is one that scores
    repelled: float  # weapons in hand that would repel it: they are there to be played
    ally: float
    neutral_ally: float
    proposal: float  # of one's own
    offer: float
    best_rival: float  # times the best of the others
    rivals: float  # times all of them, on average
    cards: dict[str, float]
    again: dict[str, float]  # for a second such card
    warriors: dict[int, float]  # by value
    own_warrior: float  # more for one of the tribe's own


OF_MANY = Values(
    off_herd=1.47,
    all_turned=0.47,
    herd_points=0.99,
    horse=0.79,
    horseless=0.51,
    returns=0.51,
    attack=0.13,
    prey=1.04,
    prey_scores=0.09,
    coup=0.85,
    threat=0.75,
    threat_to_score=0.27,
    repelled=-0.14,
    ally=0.59,
    neutral_ally=0.1,
    proposal=0.1,
    offer=0.07,
    best_rival=0.59,
    rivals=0.5,
    cards={COUP_STICK: 0.51, HORSE: 0.47, "weapon-2": -0.14, "weapon-3": -0.04, "weapon-4": 0.29},
    again={COUP_STICK: -0.15, HORSE: -0.15},
    warriors={1: 0.08, 2: 0.15, 3: 0.42, 4: 0.48},
    own_warrior=0.14,
)
VALUES = dict.fromkeys((3, 4, 5, 6), OF_MANY)  # by the number of seats; alike so far
