"""The expected value of a tribe's position in Plenty Coups, in final points.

With two seats, the values come from a regression over every turn of 1,510 games of two noisy greedy players: the effect
on the final lead of each thing that a tribe had at the start of the turn. Before the winter only differences between
cards count, because hands are refilled; values not clearly different from zero are smoothed by hand.

With more seats these values mislead (at four, their first sight won 10 % of 60 games against three greedy players). So
others were found by experiment: seats whose values were changed at random (at first the greedy player's) played against
others, and a quadratic regression of their results on the changes showed the best values. These come from 3,600 games
of four, against greedy players.

Allies add their points in the end if each has two off the herd (PC-6.5), which few tribes reach alone. So accepting a
proposal is nearly always worth the card. Proposing is worth it if the other tribe holds the card to accept, which is
known for most hands, because they are taken from the display. A tribe that declines once is unlikely to accept later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kernel import Event
from games.plenty_coups.alliances import value_of, value_under
from games.plenty_coups.components import COUP_STICK, FREE_HERD, HORSE, MARKERS, ROUNDS, WARRIORS
from games.plenty_coups.events import AllianceSealed, ProposalExpired
from games.plenty_coups.raids import repels, strongest
from games.plenty_coups.scoring import ALLIED_OFF_HERD, Sheet, herd_points, sheet
from games.plenty_coups.scribe import booty
from games.plenty_coups.state import Camp, StandingRaid, State, camp_of, own_camp, returns, seated_ally
from worker.players.float_sums import added
from worker.players.greedy.plenty_coups import Standings, cards_count, feared, may_mark_coup

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


MANY = {  # with three seats or more
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
    "own_warrior": 0.14,  # more for one of the tribe's own
}
MANY_CARDS = {COUP_STICK: 0.51, HORSE: 0.47, "weapon-2": -0.14, "weapon-3": -0.04, "weapon-4": 0.29}
MANY_AGAIN = {COUP_STICK: -0.15, HORSE: -0.15}  # for a second such card
MANY_WARRIORS = {1: 0.08, 2: 0.15, 3: 0.42, 4: 0.48}  # by value
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


def column(state: State) -> int:
    """Returns the column of the round in the rows of values."""
    return min(3, max(0, state.round - 1) // SPAN)


def own_value(state: State, camp: Camp, own: Sheet, cards: Sequence[str]) -> float:
    """Returns the value of a tribe without bonds, including the cards of its hand that count."""
    at = column(state)
    expected = VALUES["off_herd"][at] * own.off_herd + VALUES["herd_points"][at] * own.herd_points
    expected += VALUES["horse"][at] * min(camp.horses, FREE_HERD) if camp.horses else VALUES["horseless"][at]
    expected += _raids(state, camp, at) + _threat(state, camp, at)
    if camp.disdained:
        expected += VALUES["disdained"][at]
    if camp.ally and seated_ally(state, camp) is None:
        expected += VALUES["neutral_ally"][at]
    still = 1.0 if at < 3 else (ROUNDS - state.round) / SPAN
    return expected + still * added([card_value(card, camp.tribe, at) for card in cards])


def card_value(card: str, tribe: str, at: int) -> float:
    """Returns the value of a card in hand to a tribe."""
    if card not in WARRIORS:
        return CARDS[card][at]
    warrior = WARRIORS[card]
    return WARRIOR[warrior.value][at] + (VALUES["own_warrior"][at] if warrior.tribe == tribe else 0.0)


def _raids(state: State, camp: Camp, at: int) -> float:
    """Returns the expected value of raids under way; not all return."""
    expected = 0.0
    for raid in state.raids:
        if raid.tribe == camp.tribe and returns(raid.round):
            expected += VALUES["raid"][at] + VALUES["attack"][at] * raid.attack
            expected += VALUES["prey"][at] * booty(camp_of(state, raid.target).horses)
            expected += VALUES["coup"][at] if may_mark_coup(state, raid) else 0.0
    return expected


def _threat(state: State, camp: Camp, at: int) -> float:
    """Returns the expected cost of a raid against a tribe."""
    raid = feared(state, camp)
    if raid is None:
        return 0.0
    expected = VALUES["threat"][at] + VALUES["horse_at_stake"][at] * booty(camp.horses)
    return expected + (VALUES["defence"][at] if repels(strongest(camp.hand, 1), raid.attack) else 0.0)


def lead(
    state: State,
    seat: int,
    cards: Sequence[str] | None = None,
    standings: Standings | None = None,
    hopes: Hopes | None = None,
) -> float:
    """Returns a seat's lead over its rivals, mostly the best one, counting allies together or with many seats apart.

    `cards` are those of its hand that count. Without them all hands do; with them the rivals' do not, as they would be
    the same after any move. `standings`: with many seats, those by `standing` of the table before the move. `hopes`:
    the seat's own, with `ALLYING` seats.
    """
    if state.players == TWO:
        return lead_of_two(state, seat, cards)
    return _ahead(state, seat, _values_of_many(state, seat, cards, standings, hopes))


def lead_of_two(state: State, seat: int, cards: Sequence[str] | None) -> float:
    """Returns the same for two seats, by the values above."""
    at, expectations = column(state), values_of_tribes(state, seat, cards)
    own, rivals = 0.0, []
    for camp in [camp for camp in state.camps if camp.seat is not None]:
        ally = seated_ally(state, camp)
        joint = expectations[camp.tribe] + (ALLIED[at] * max(0.0, expectations[ally.tribe]) if ally else 0.0)
        if camp.seat == seat:
            own = joint if ally else joint + _proposals(state, camp, expectations, at)
        elif ally is None or ally.seat != seat:
            rivals.append(joint)
    return own - RIVAL * max(rivals, default=0.0)


def values_of_tribes(state: State, seat: int, cards: Sequence[str] | None) -> dict[str, float]:
    """Returns every tribe's value without bonds; `cards` are those of the seat's hand that count, if others' do not."""
    expectations: dict[str, float] = {}
    for camp in state.camps:
        hand = camp.hand if cards is None else cards if camp.seat == seat else ()
        expectations[camp.tribe] = own_value(state, camp, sheet(state, camp), hand)
    return expectations


def _proposals(state: State, camp: Camp, expectations: dict[str, float], at: int) -> float:
    """Returns the expected value of alliances proposed to a tribe or by it."""
    partners = [
        row.to if row.tribe == camp.tribe else row.tribe for row in state.proposals if camp.tribe in (row.tribe, row.to)
    ]
    return PROPOSED * ALLIED[at] * max([max(0.0, expectations[partner]) for partner in partners], default=0.0)


def expectations_of(state: State) -> list[float]:
    """Returns what each seat may expect in the end; only the differences count."""
    if state.players == TWO:
        return [lead_of_two(state, seat, None) / 2 for seat in (1, 2)]
    values = zip(state.camps, _values_of_many(state, 0, None), strict=True)
    return [value for _, value in sorted((camp.seat, value) for camp, value in values if camp.seat is not None)]


def _values_of_many(
    state: State,
    seat: int,
    cards: Sequence[str] | None,
    standings: Standings | None = None,
    hopes: Hopes | None = None,
) -> list[float]:
    """Returns the values of the camps, in their order, with arguments as `lead` has them."""
    still = cards_count(state.round)
    alone = (standings or Standings(state, standing)).after(state)
    expectations = []
    for camp, value in zip(state.camps, alone, strict=True):
        hand = camp.hand if cards is None else cards if camp.seat == seat else ()
        expected = value + _dealings(state, camp) + still * hand_value(camp.tribe, hand)
        if state.players in ALLYING:
            expected += bond_value(state, camp, hand, alone, hopes if camp.seat == seat else None)
        expectations.append(expected)
    return expectations


def _ahead(state: State, seat: int, expectations: Sequence[float]) -> float:
    """Returns a seat's value less the weighted values of its rivals."""
    own, ally, others = 0.0, None, []
    for camp, expected in zip(state.camps, expectations, strict=True):
        if camp.seat == seat:
            own, ally = expected, camp.ally if state.players in ALLYING else None
        else:
            others.append((camp.tribe, expected))
    rivals = [expected for tribe, expected in others if tribe != ally]
    return own - MANY["best_rival"] * max(rivals) - MANY["rivals"] * added(rivals) / len(others)


def standing(state: State, camp: Camp) -> float:
    """Returns a tribe's value without cards and bonds: its points, its raids, and raids against it."""
    own = sheet(state, camp)
    expected = MANY["off_herd"] * own.off_herd + MANY["herd_points"] * own.herd_points
    expected += MANY["all_turned"] if own.off_herd >= MARKERS else 0.0
    expected += MANY["horse"] * min(camp.horses, FREE_HERD) if camp.horses else MANY["horseless"]
    expected += added([_raid_value(state, raid) for raid in state.raids if raid.tribe == camp.tribe])
    return expected - _threat_of_many(state, camp)


def hand_value(tribe: str, cards: Sequence[str]) -> float:
    """Returns the value of cards in hand to a tribe."""
    expected = 0.0
    for place, card in enumerate(cards):
        if card in WARRIORS:
            warrior = WARRIORS[card]
            expected += MANY_WARRIORS[warrior.value] + MANY["own_warrior"] * (warrior.tribe == tribe)
        else:
            expected += MANY_CARDS[card] + (MANY_AGAIN.get(card, 0.0) if card in cards[:place] else 0.0)
    return expected


def _raid_value(state: State, raid: StandingRaid) -> float:
    """Returns the expected value of a raid under way: strong ones are harder to repel, and not all return."""
    if not returns(raid.round):
        return 0.0
    horses = camp_of(state, raid.target).horses
    brings = MANY["prey"] * booty(horses) + MANY["prey_scores"] * (herd_points(horses) > 0)
    brings += MANY["coup"] * may_mark_coup(state, raid)
    return min(1.0, MANY["returns"] + MANY["attack"] * raid.attack) * brings


def _threat_of_many(state: State, camp: Camp) -> float:
    """Returns the expected cost of a raid against a tribe."""
    raid = feared(state, camp)
    if raid is None:
        return 0.0
    scores, repelled = herd_points(camp.horses) > 0, repels(strongest(camp.hand), raid.attack)
    return MANY["threat"] + MANY["threat_to_score"] * scores - MANY["repelled"] * repelled


def _dealings(state: State, camp: Camp) -> float:
    """Returns the value to a tribe of an ally, proposals and gifts, whoever the others are."""
    expected = MANY["proposal"] * sum([proposal.tribe == camp.tribe for proposal in state.proposals])
    if camp.ally:
        expected += MANY["ally"] if seated_ally(state, camp) else MANY["neutral_ally"]
    if state.offer and camp.tribe in (state.offer.tribe, state.offer.to):
        expected += MANY["offer"]
    return expected


def hopes_of(worlds: Sequence[State], feed: Sequence[Event]) -> Hopes:
    """Returns the chances that others accept: the share of tables where each holds the card, times their willingness.

    To change an ally takes a warrior no worse than the one under the camp (PC-4.82).
    """
    own = own_camp(worlds[0]).tribe
    willing, able = _willing(feed, own), dict.fromkeys(worlds[0].tribes, 0.0)
    for world in worlds:
        for camp in world.camps:
            able[camp.tribe] += _best_warrior(camp.hand, own) >= (value_under(camp) or 1)
    return {tribe: willing * count / len(worlds) for tribe, count in able.items()}


def _willing(feed: Sequence[Event], own: str) -> float:
    """Returns the chance that others accept, from the results of the tribe's own and of all proposals."""
    chance = WILLING
    for event in feed:
        if isinstance(event, AllianceSealed) and event.tribe != own:
            chance = 1.0
        elif isinstance(event, ProposalExpired) and event.tribe == own:
            chance *= LAPSED
    return chance


def bond_value(state: State, camp: Camp, hand: Sequence[str], values: Sequence[float], hopes: Hopes | None) -> float:
    """Returns the value of a tribe's alliance with another player, or of a proposed one.

    `values`: each camp's value without bonds; `hopes`: the tribe's own, if known.
    """
    if camp.ally:
        return JOINED * _added(state, camp, camp.ally, values) if seated_ally(state, camp) else 0.0
    expected = 0.0
    for proposal in state.proposals:
        if proposal.tribe == camp.tribe:
            added = _added(state, camp, proposal.to, values)
            expected = max(
                expected, UNASKED * added if hopes is None else hopes[proposal.to] * (JOINED * added + PROPOSER)
            )
        elif proposal.to == camp.tribe and _best_warrior(hand, proposal.tribe):
            expected = max(expected, ANSWERED * _added(state, camp, proposal.tribe, values))
    return expected


def _added(state: State, camp: Camp, partner: str, values: Sequence[float]) -> float:
    """Returns the value that another player's tribe would add, times the chance that it counts."""
    value = max(0.0, values[state.tribes.index(partner)])
    return _counts(state, camp) * _counts(state, camp_of(state, partner)) * value


def _counts(state: State, camp: Camp) -> float:
    """Returns the chance that a tribe has enough off the herd in the end."""
    points = sheet(state, camp).off_herd
    return 1.0 if points >= ALLIED_OFF_HERD else REACHED[points][max(0, state.round - 1)]


def _best_warrior(hand: Sequence[str], tribe: str) -> int:
    """Returns the greatest value of a tribe's warriors in a hand; 0 if there is none."""
    return max([value_of(card) for card in hand if card in WARRIORS and WARRIORS[card].tribe == tribe], default=0)
