"""What alliances among the players of Plenty Coups are worth to the searching player, with five seats or more.

Allies add their points in the end if each has two off the herd (PC-6.5), which few tribes that stand alone come up to.
So to accept a proposal is nearly always worth the card. To propose is worth it where the other tribe holds the card to
accept with, as is known of most hands: they are taken from the display. Who does not accept all the same is not likely
to do so the next time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kernel import Event
from games.plenty_coups.components import WARRIORS
from games.plenty_coups.events import AllianceSealed, ProposalExpired
from games.plenty_coups.play.alliances import value_of, value_under
from games.plenty_coups.scoring import ALLIED_OFF_HERD, sheet
from games.plenty_coups.state import Camp, State, camp_of, own_camp

ALLYING = (5, 6)  # seats; with four, players who judge alliances so won no more often by first sight
# How many tribes that had none, or one, as a round began had two in the end: of 150 games of four seats and as many of
# six, by first sight.
REACHED = (
    (0.8, 0.8, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4, 0.2, 0.1, 0.03, 0.0),
    (0.95, 0.95, 0.92, 0.91, 0.89, 0.85, 0.8, 0.72, 0.63, 0.48, 0.27, 0.1),
)
JOINED = 0.7  # of what the ally has: alliances end
PROPOSER = 2.0  # more for the tribe that proposed: a point off the herd, and an ally
ANSWERED = 0.6  # of what the ally has, with the card in hand to accept a proposal
UNASKED = 0.05  # the same for a proposal of which nothing is known
WILLING = 0.3  # the chance that a tribe accepts that can, before anything is seen of that
LAPSED = 0.3  # times as much after each proposal that was not answered

Hopes = Mapping[str, float]  # the chance that a proposal is accepted, by the tribe that it is made to


def hopes_of(worlds: Sequence[State], feed: Sequence[Event]) -> Hopes:
    """What a tribe may hope for in its turn: at how many tables each holds what it takes, and how willing all are.

    To change an ally takes a warrior no worse than the one under the camp (PC-4.82).
    """
    own = own_camp(worlds[0]).tribe
    willing, able = _willing(feed, own), dict.fromkeys(worlds[0].tribes, 0.0)
    for world in worlds:
        for camp in world.camps:
            able[camp.tribe] += _best_warrior(camp.hand, own) >= (value_under(camp) or 1)
    return {tribe: willing * count / len(worlds) for tribe, count in able.items()}


def _willing(feed: Sequence[Event], own: str) -> float:
    """The chance that others accept, by what became of the tribe's own proposals and of everybody's."""
    chance = WILLING
    for event in feed:
        if isinstance(event, AllianceSealed) and event.tribe != own:
            chance = 1.0
        elif isinstance(event, ProposalExpired) and event.tribe == own:
            chance *= LAPSED
    return chance


def bond_worth(state: State, camp: Camp, hand: Sequence[str], values: Sequence[float], hopes: Hopes | None) -> float:
    """What a tribe's alliance with another player is worth, or one that is proposed.

    `values`: what each camp has by itself; `hopes`: the tribe's own, if they were asked for.
    """
    if camp.ally:
        return JOINED * _added(state, camp, camp.ally, values) if camp.ally in state.tribes else 0.0
    worth = 0.0
    for proposal in state.proposals:
        if proposal.tribe == camp.tribe:
            added = _added(state, camp, proposal.to, values)
            worth = max(worth, UNASKED * added if hopes is None else hopes[proposal.to] * (JOINED * added + PROPOSER))
        elif proposal.to == camp.tribe and _best_warrior(hand, proposal.tribe):
            worth = max(worth, ANSWERED * _added(state, camp, proposal.tribe, values))
    return worth


def _added(state: State, camp: Camp, partner: str, values: Sequence[float]) -> float:
    """What another player's tribe would add, times the chance that it counts."""
    value = max(0.0, values[state.tribes.index(partner)])
    return _counts(state, camp) * _counts(state, camp_of(state, partner)) * value


def _counts(state: State, camp: Camp) -> float:
    """The chance that a tribe has enough off the herd in the end."""
    points = sheet(state, camp).off_herd
    return 1.0 if points >= ALLIED_OFF_HERD else REACHED[points][max(0, state.round - 1)]


def _best_warrior(hand: Sequence[str], tribe: str) -> int:
    """The greatest value of the warriors of a tribe in a hand; 0 if there is none."""
    return max([value_of(card) for card in hand if card in WARRIORS and WARRIORS[card].tribe == tribe], default=0)
