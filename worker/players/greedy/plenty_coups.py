"""Greedy Plenty Coups: the move that leaves the seat's tribe with the best value, one move ahead.

Moves are tried on a table built from the view alone: hidden cards are stand-ins, and nothing below reads them.
"""

import random
from collections.abc import Callable, Sequence

from games.kernel import Event, Move, first_of_all
from games.plenty_coups.components import COUP_STICK, FREE_HERD, HORSE, ROUNDS, WARRIORS, WEAPONS, WINTER
from games.plenty_coups.imagine import Cards, Cover, state_shown
from games.plenty_coups.play import legal_moves, play_legal
from games.plenty_coups.raids import can_turn, has_stick, repels, strongest
from games.plenty_coups.scoring import sheet
from games.plenty_coups.scribe import booty
from games.plenty_coups.sight import CampView, View
from games.plenty_coups.state import Camp, StandingRaid, State, camp_of, raid_on, returns, seated_ally
from worker.players import Candidate, ranked
from worker.players.float_sums import added

NOISE = 0.6  # points by which a novice misjudges a move at most

# In points of prestige. A horse below the sixth scores nothing yet but is one step nearer; most raids return; rivals
# count so that a captured horse is better than a bred one. Tuned in some hundred games of two and four against a
# uniform player and against earlier values.
WEIGHTS = {
    "horse": 0.55,  # each that does not score
    "raid": 0.75,  # a raid of one's own under way, if nobody can be seen to drive it off
    "coup": 0.8,  # the chance of a coup on its return, with a coup-stick in hand and a marker to turn
    "threat": 0.6,  # a raid standing against one, less the weapons that would repel it
    "ally": 0.4,  # a seated ally
    "neutral_ally": 0.1,
    "proposal": 0.35,  # an open proposal of one's own
    "offer": 0.3,  # a card to come for one given away
    "rivals": 0.5,  # times the best of the others
}
CARD_VALUES = {
    COUP_STICK: 0.5,
    HORSE: 0.5,
    **{card: 0.08 * value for card, value in WEAPONS.items()},
    **{card: 0.08 * warrior.value for card, warrior in WARRIORS.items()},
}
OWN_WARRIOR = 0.08  # more for a warrior of one's own tribe: its raids have a bonus
STAND_IN = HORSE  # for a card that is not seen


def weigh(view: View, feed: Sequence[Event], luck: random.Random) -> list[Candidate]:  # noqa: ARG001 - the view holds all it uses
    """Returns the seat's moves, the best first; luck orders equal ones."""
    if view.seat is None:
        raise ValueError("a spectator does not move")
    state, seat = table_seen(view), view.seat
    moves: list[Move] = legal_moves(state, seat)
    if len(moves) == 1:
        return [Candidate(moves[0], 0, 0.0)]
    return ranked(moves, gains(state, seat) if view.phase != "choose_tribe" else lambda _: 0.0, luck)


def table_seen(view: View) -> State:
    """Returns the table in the view, with stand-ins for hidden cards."""
    gift = view.offer.give if view.offer and isinstance(view.offer.give, str) else STAND_IN
    pile = (STAND_IN,) * view.pile_count
    return state_shown(view, Cover([_hand(camp) for camp in view.camps], pile, gift, view.discards))


def _hand(seen: CampView) -> Cards:
    return seen.hand if isinstance(seen.hand, tuple) else (STAND_IN,) * seen.hand_count


class Standings:
    """Values of the camps of a table, and of each table that one move leads to, by a given rule.

    The rule may use the camp, the raids and the herds of others. Values are computed again only if a move changes one
    of these, which most moves do for few camps.
    """

    __slots__ = ("before", "herds", "known", "rule")

    def __init__(self, before: State, rule: Callable[[State, Camp], float]) -> None:
        self.before, self.rule = before, rule
        self.herds = [camp.horses for camp in before.camps]
        self.known: list[float | None] = [None] * len(before.camps)

    def after(self, state: State) -> list[float]:
        """Returns the values after a move, or of the table itself, in camp order."""
        before, rule = self.before, self.rule
        if state.raids is not before.raids or [camp.horses for camp in state.camps] != self.herds:
            return [rule(state, camp) for camp in state.camps]
        return [
            self._kept(at) if camp is before.camps[at] else rule(state, camp) for at, camp in enumerate(state.camps)
        ]

    def _kept(self, at: int) -> float:
        value = self.known[at]
        if value is None:
            value = self.known[at] = self.rule(self.before, self.before.camps[at])
        return value


def gains(state: State, seat: int) -> Callable[[Move], float]:
    """Returns a function that gives the seat's lead over the best other player after a move.

    Cards drawn from the pile do not count: they would be the same for most moves.
    """
    standings = Standings(state, standing)

    def gain(move: Move) -> float:
        after, left = looked_ahead(state, seat, move)
        own, others = 0.0, []
        for camp, value in zip(after.camps, standings.after(after), strict=True):
            if camp.seat == seat:
                hand = cards_count(after.round) * added([card_value(card, camp.tribe) for card in left])
                own = with_bonds(after, camp, value) + hand
            elif camp.seat is not None:
                others.append(with_bonds(after, camp, value))
        return own - WEIGHTS["rivals"] * max(others)

    return gain


def looked_ahead(state: State, seat: int, move: Move) -> tuple[State, list[str]]:
    """Returns the state after a move without luck, and the cards left of those that the seat has seen."""
    before = next(camp for camp in state.camps if camp.seat == seat)
    after: State = play_legal(state, seat, move, first_of_all).state
    seen, left = [*before.hand, *state.display], []
    for card in camp_of(after, before.tribe).hand:
        if card in seen:
            seen.remove(card)
            left.append(card)
    return after, left


def cards_count(round_: int) -> float:
    """Returns the weight of cards in hand: in the winter less each round, and in its last none."""
    return min(1.0, (ROUNDS - round_) / (ROUNDS - WINTER + 1))


def card_value(card: str, tribe: str) -> float:
    """Returns the value of a card in hand to a tribe."""
    own = card in WARRIORS and WARRIORS[card].tribe == tribe
    return CARD_VALUES[card] + OWN_WARRIOR * own


def standing(state: State, camp: Camp) -> float:
    """Returns a tribe's points as if the game ended now, and its raids, but without alliances, proposals and gifts."""
    own = sheet(state, camp)
    value = own.off_herd + own.herd_points + WEIGHTS["horse"] * min(camp.horses, FREE_HERD)
    value += added([raid_value(state, raid) for raid in state.raids if raid.tribe == camp.tribe])
    return value - threat(state, camp)


def with_bonds(state: State, camp: Camp, value: float) -> float:
    """Adds the values of a tribe's alliance, proposals and gifts to its standing."""
    if camp.ally:
        value += WEIGHTS["ally"] if seated_ally(state, camp) else WEIGHTS["neutral_ally"]
    value += WEIGHTS["proposal"] * sum([proposal.tribe == camp.tribe for proposal in state.proposals])
    if state.offer and camp.tribe in (state.offer.tribe, state.offer.to):
        value += WEIGHTS["offer"]
    return value


def raid_value(state: State, raid: StandingRaid) -> float:
    """Returns the expected value of a raid under way: strong ones are harder to repel, and not all return."""
    if not returns(raid.round):
        return 0.0
    chance = min(1.0, WEIGHTS["raid"] * (0.7 + 0.08 * raid.attack))
    return chance * (0.8 * booty(camp_of(state, raid.target).horses) + WEIGHTS["coup"] * may_mark_coup(state, raid))


def may_mark_coup(state: State, raid: StandingRaid) -> bool:
    """Returns whether the tribe can mark a coup when the raid returns."""
    return can_turn(raid.marker) and has_stick(camp_of(state, raid.tribe).hand)


def threat(state: State, camp: Camp) -> float:
    """Returns the expected cost of a raid against a tribe; weapons that would repel it reduce the cost."""
    raid = feared(state, camp)
    if raid is None:
        return 0.0
    return WEIGHTS["threat"] * (0.4 if repels(strongest(camp.hand), raid.attack) else 1.0)


def feared(state: State, camp: Camp) -> StandingRaid | None:
    """Returns the raid against a tribe that may take something from it."""
    raid = raid_on(state, camp.tribe) if state.raids else None
    return raid if raid is not None and returns(raid.round) else None
