"""What a tribe's standing in Plenty Coups is worth with three seats or more, to a player that looks one move ahead."""

from __future__ import annotations

from collections.abc import Sequence

from games.plenty_coups.components import FREE_HERD, MARKERS, WARRIORS
from games.plenty_coups.play.raids import repels, strongest
from games.plenty_coups.play.scribe import booty
from games.plenty_coups.scoring import herd_points, sheet
from games.plenty_coups.state import Camp, StandingRaid, State, camp_of, returns
from worker.players.greedy.plenty_coups import Standings, cards_count, feared, may_mark_coup
from worker.players.search.plenty_coups_alliances import ALLYING, Hopes, bond_worth
from worker.players.search.plenty_coups_values import VALUES, Values


def lead_of_many(
    state: State,
    seat: int,
    cards: Sequence[str] | None,
    standings: Standings | None = None,
    hopes: Hopes | None = None,
) -> float:
    """How far a seat is ahead of its rivals, the best of them above all; `cards`: those of its hand that count.

    With `ALLYING` seats an ally is no rival. Without `cards` all hands count; with them the rivals' do not. Towards the
    end of the winter none does. `standings`: those by `standing` of the table a move before; `hopes`: the seat's own.
    """
    values, still = VALUES[state.players], cards_count(state.round)
    alone = (standings or Standings(state, standing)).after(state)
    worths = []
    for camp, value in zip(state.camps, alone, strict=True):
        hand = camp.hand if cards is None else cards if camp.seat == seat else ()
        worth = value + _dealings(state, camp, values) + still * hand_worth(camp.tribe, hand, values)
        if state.players in ALLYING:
            worth += bond_worth(state, camp, hand, alone, hopes if camp.seat == seat else None)
        worths.append(worth)
    return _ahead(state, seat, worths, values)


def _ahead(state: State, seat: int, worths: Sequence[float], values: Values) -> float:
    """How far what a seat has is ahead of what the others have, as much of them as counts."""
    own, ally, others = 0.0, None, []
    for camp, worth in zip(state.camps, worths, strict=True):
        if camp.seat == seat:
            own, ally = worth, camp.ally if state.players in ALLYING else None
        else:
            others.append((camp.tribe, worth))
    rivals = [worth for tribe, worth in others if tribe != ally]
    return own - values.best_rival * max(rivals) - values.rivals * sum(rivals) / len(others)


def standing(state: State, camp: Camp) -> float:
    """What a tribe has but for its cards and bonds: its points, what is on its way and what threatens it."""
    own, values = sheet(state, camp), VALUES[state.players]
    worth = values.off_herd * own.off_herd + values.herd_points * own.herd_points
    worth += values.all_turned if own.off_herd >= MARKERS else 0.0
    worth += values.horse * min(camp.horses, FREE_HERD) if camp.horses else values.horseless
    worth += sum([_raid_worth(state, raid, values) for raid in state.raids if raid.tribe == camp.tribe])
    return worth - _threat(state, camp, values)


def hand_worth(tribe: str, cards: Sequence[str], values: Values) -> float:
    """What cards in hand are worth to a tribe."""
    worth = 0.0
    for place, card in enumerate(cards):
        if card in WARRIORS:
            warrior = WARRIORS[card]
            worth += values.warriors[warrior.value] + values.own_warrior * (warrior.tribe == tribe)
        else:
            worth += values.cards[card] + (values.again.get(card, 0.0) if card in cards[:place] else 0.0)
    return worth


def _raid_worth(state: State, raid: StandingRaid, values: Values) -> float:
    """What a raid under way may bring: a strong one is harder to repel, and not every one returns."""
    if not returns(raid.round):
        return 0.0
    horses = camp_of(state, raid.target).horses
    brings = values.prey * booty(horses) + values.prey_scores * (herd_points(horses) > 0)
    brings += values.coup * may_mark_coup(state, raid)
    return min(1.0, values.returns + values.attack * raid.attack) * brings


def _threat(state: State, camp: Camp, values: Values) -> float:
    """What a raid that stands against a tribe may cost it."""
    raid = feared(state, camp)
    if raid is None:
        return 0.0
    scores, repelled = herd_points(camp.horses) > 0, repels(strongest(camp.hand), raid.attack)
    return values.threat + values.threat_to_score * scores - values.repelled * repelled


def _dealings(state: State, camp: Camp, values: Values) -> float:
    """What it is worth to a tribe to have an ally, proposals and gifts under way, whoever the others are."""
    worth = values.proposal * sum([proposal.tribe == camp.tribe for proposal in state.proposals])
    if camp.ally:
        worth += values.ally if camp.ally in state.tribes else values.neutral_ally
    if state.offer and camp.tribe in (state.offer.tribe, state.offer.to):
        worth += values.offer
    return worth
