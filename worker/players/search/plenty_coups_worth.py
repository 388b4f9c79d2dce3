"""What a tribe's standing in Plenty Coups is worth: the points that it may still make of what it has.

With two seats the values are those of a regression: for every turn of 1,510 games of two greedy players with noise,
what each thing that a tribe had at the start of the turn came to in the final lead. For cards only differences count
before the winter, as hands are refilled; values not clearly different from zero are smoothed by hand.

With more seats these values mislead (at four, their first sight won 10 % of 60 games against three greedy players). So
there are others, found by trial, as what is worth watching in others' games is not what wins them: seats with values
moved at random (at first those of the greedy player) played against others, and a regression of how each ended on how
far its values were moved, and on the squares of that, says where the best lie. These are of 3,600 games of four,
against greedy players.

Allies add their points in the end if each has two off the herd (PC-6.5), which few tribes that stand alone come up to.
So to accept a proposal is nearly always worth the card. To propose is worth it where the other tribe holds the card to
accept with, as is known of most hands: they are taken from the display. Who does not accept all the same is not likely
to do so the next time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kernel import Event
from games.plenty_coups.components import COUP_STICK, FREE_HERD, HORSE, MARKERS, ROUNDS, WARRIORS
from games.plenty_coups.events import AllianceSealed, ProposalExpired
from games.plenty_coups.play.alliances import value_of, value_under
from games.plenty_coups.play.raids import repels, strongest
from games.plenty_coups.play.scribe import booty
from games.plenty_coups.scoring import ALLIED_OFF_HERD, Sheet, herd_points, sheet
from games.plenty_coups.state import Camp, StandingRaid, State, camp_of, own_camp, returns, seated_ally
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
    still = cards_count(state.round)
    alone = (standings or Standings(state, standing)).after(state)
    worths = []
    for camp, value in zip(state.camps, alone, strict=True):
        hand = camp.hand if cards is None else cards if camp.seat == seat else ()
        worth = value + _dealings(state, camp) + still * hand_worth(camp.tribe, hand)
        if state.players in ALLYING:
            worth += bond_worth(state, camp, hand, alone, hopes if camp.seat == seat else None)
        worths.append(worth)
    return _ahead(state, seat, worths)


def _ahead(state: State, seat: int, worths: Sequence[float]) -> float:
    """How far what a seat has is ahead of what the others have, as much of them as counts."""
    own, ally, others = 0.0, None, []
    for camp, worth in zip(state.camps, worths, strict=True):
        if camp.seat == seat:
            own, ally = worth, camp.ally if state.players in ALLYING else None
        else:
            others.append((camp.tribe, worth))
    rivals = [worth for tribe, worth in others if tribe != ally]
    return own - MANY["best_rival"] * max(rivals) - MANY["rivals"] * sum(rivals) / len(others)


def standing(state: State, camp: Camp) -> float:
    """What a tribe has but for its cards and bonds: its points, what is on its way and what threatens it."""
    own = sheet(state, camp)
    worth = MANY["off_herd"] * own.off_herd + MANY["herd_points"] * own.herd_points
    worth += MANY["all_turned"] if own.off_herd >= MARKERS else 0.0
    worth += MANY["horse"] * min(camp.horses, FREE_HERD) if camp.horses else MANY["horseless"]
    worth += sum([_raid_worth(state, raid) for raid in state.raids if raid.tribe == camp.tribe])
    return worth - _threat_of_many(state, camp)


def hand_worth(tribe: str, cards: Sequence[str]) -> float:
    """What cards in hand are worth to a tribe."""
    worth = 0.0
    for place, card in enumerate(cards):
        if card in WARRIORS:
            warrior = WARRIORS[card]
            worth += MANY_WARRIORS[warrior.value] + MANY["own_warrior"] * (warrior.tribe == tribe)
        else:
            worth += MANY_CARDS[card] + (MANY_AGAIN.get(card, 0.0) if card in cards[:place] else 0.0)
    return worth


def _raid_worth(state: State, raid: StandingRaid) -> float:
    """What a raid under way may bring: a strong one is harder to repel, and not every one returns."""
    if not returns(raid.round):
        return 0.0
    horses = camp_of(state, raid.target).horses
    brings = MANY["prey"] * booty(horses) + MANY["prey_scores"] * (herd_points(horses) > 0)
    brings += MANY["coup"] * may_mark_coup(state, raid)
    return min(1.0, MANY["returns"] + MANY["attack"] * raid.attack) * brings


def _threat_of_many(state: State, camp: Camp) -> float:
    """What a raid that stands against a tribe may cost it."""
    raid = feared(state, camp)
    if raid is None:
        return 0.0
    scores, repelled = herd_points(camp.horses) > 0, repels(strongest(camp.hand), raid.attack)
    return MANY["threat"] + MANY["threat_to_score"] * scores - MANY["repelled"] * repelled


def _dealings(state: State, camp: Camp) -> float:
    """What it is worth to a tribe to have an ally, proposals and gifts under way, whoever the others are."""
    worth = MANY["proposal"] * sum([proposal.tribe == camp.tribe for proposal in state.proposals])
    if camp.ally:
        worth += MANY["ally"] if camp.ally in state.tribes else MANY["neutral_ally"]
    if state.offer and camp.tribe in (state.offer.tribe, state.offer.to):
        worth += MANY["offer"]
    return worth


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
