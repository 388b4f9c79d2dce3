"""A state laid out from a view: what it shows as it is, and where it does not show cards those that are given."""

from collections.abc import Sequence
from typing import NamedTuple

from games.plenty_coups.sight import CampView, RaidView, View
from games.plenty_coups.state import Camp, Offer, Proposal, Side, StandingRaid, State

Cards = tuple[str, ...]


class Cover(NamedTuple):
    """The cards where a view may not show them: the hand of each camp, the pile, the gift on offer, the discards."""

    hands: Sequence[Cards]
    pile: Cards
    gift: str
    discards: Cards


def state_shown(view: View, cover: Cover) -> State:
    """The state with these cards in the places that may be covered."""
    return State(
        players=view.players,
        options=view.options,
        plain=view.plain,
        pile=cover.pile,
        phase=view.phase,
        chosen=view.chosen,
        tribes=tuple([camp.tribe for camp in view.camps]),
        camps=tuple([_camp(camp, hand) for camp, hand in zip(view.camps, cover.hands, strict=True)]),
        shared=view.shared_tribe,
        neutral=view.neutral_tribes,
        round=view.round,
        turn=view.turn,
        actions=view.actions,
        take=view.take,
        free_made=view.free_exchange_made,
        repelled=view.repelled,
        hunted=view.hunted,
        disdained=view.acting_tribe if view.phase == "answer_disdain" else None,
        offer=Offer(view.offer.tribe, view.offer.to, cover.gift, view.offer.free) if view.offer else None,
        raids=tuple([_raid(raid) for raid in view.raids]),
        proposals=tuple([Proposal(proposal.tribe, proposal.to, proposal.card) for proposal in view.proposals]),
        display=view.display,
        discards=cover.discards,
    )


def _camp(seen: CampView, hand: Cards) -> Camp:
    return Camp(
        seen.tribe,
        seen.seat,
        seen.horses,
        hand,
        seen.raid_markers,
        seen.prestige_markers,
        seen.extra,
        seen.ally,
        seen.ally_card,
        seen.disdained,
    )


def _raid(seen: RaidView) -> StandingRaid:
    side: Side = "prestige" if seen.marker == "prestige" else "raid"
    return StandingRaid(seen.tribe, seen.target, seen.cards, seen.printed, seen.bonus, side, seen.round)
