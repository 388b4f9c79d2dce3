"""Plans for the last turns of Tomahawk: their points are the game's, and no plan is better than the best."""

import random
from functools import cache
from itertools import combinations, count, permutations

import pytest

from games.tomahawk import game as tomahawk
from games.tomahawk.components import TURNS
from games.tomahawk.play.characters import values_of
from games.tomahawk.play.scalps import scalps
from tests.games.random_play import chance_from, random_move
from worker.players.search.campaigns import LENGTH, Campaigns, battles_of, worth_of
from worker.players.search.outlooks import SAFE, Outlook
from worker.players.search.plans import Plans, futures_of
from worker.players.search.skirmish import Fighter, Skirmish, skirmish_of

ROUNDING = 1e-9
GAMES = 24


def before_the_end(seed: int, turns: int) -> Skirmish:
    """A random game with so many turns to go, both sides about to place; a card may lie there by force."""
    rng = random.Random(seed)
    state = tomahawk.start(2, tomahawk.read_options({}, 2), chance_from(rng)).state
    while state.phase != "play_cards" or state.turn <= TURNS - turns:
        seat = tomahawk.to_act(state)[0]
        state = tomahawk.play(state, seat, random_move(tomahawk, state, seat, rng), chance_from(rng)).state
    return skirmish_of(state)


def dances(skirmish: Skirmish) -> bool:
    """Whether a dusk dance is still to be laid; what it brings is a guess."""
    return any(card[0] == "dusk_dance" for cards in (*skirmish.hands, *skirmish.draws) for card in cards)


def face_down(skirmish: Skirmish, side: int) -> int:
    """The scalps that the side takes, less those that it loses, where both warriors lie face down already."""
    slots = [slot[:2] for pile in skirmish.slots for slot in pile if slot[2] < 0]
    taken = sum(scalps(*slot, *values_of(*slot)) for slot in slots)
    return taken if side == 0 else -taken


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("seed", range(GAMES))
def test_a_plan_makes_the_points_that_it_promises(seed: int, side: int) -> None:
    """Cards laid in two turns, by both sides as planned, move the lead by the sum of what each pile's pair brings."""
    rng = random.Random(seed)
    skirmish = next(found for n in count(100 * seed) if not dances(found := before_the_end(n, 2)))
    reply = tuple(rng.sample(range(len(skirmish.hands[1 - side])), len(skirmish.open_piles(1 - side))))
    futures = futures_of(skirmish, side, reply, rng)
    plans = Plans(skirmish, side, [futures])
    hand = skirmish.hands[side][:]
    rng.shuffle(hand)
    now = {pile: hand.pop() for pile in skirmish.open_piles(side)}
    forced = {} if skirmish.forced is None else {skirmish.forced[1]: skirmish.forced[2]}
    promised = sum(plans.pairs[pile][(forced | now)[pile], hand[pile]] for pile in range(4))
    theirs = [futures[pile].now for pile in skirmish.open_piles(1 - side)]
    before = skirmish.points[side] - skirmish.points[1 - side] + face_down(skirmish, side)
    skirmish.supply = 99
    for own, other in ((list(now.values()), theirs), (hand, [future.last for future in futures])):
        skirmish.play(*((own, other) if side == 0 else (other, own)), rng)
    assert skirmish.points[side] - skirmish.points[1 - side] == before + promised


@pytest.mark.parametrize("seed", range(4))
def test_no_plan_is_better_than_the_best(seed: int) -> None:
    """Every way of spreading the hand over the piles and the two turns is worth what the best is, or less."""
    skirmish, rng = before_the_end(seed, 2), random.Random(seed)
    reply = tuple(range(len(skirmish.open_piles(1))))
    plans = Plans(skirmish, 0, [futures_of(skirmish, 0, reply, rng)])
    size, piles = len(plans.open), range(4)
    worths: dict[tuple[int, ...], float] = {}
    for places in permutations(range(len(plans.hand))):
        cards: list[Fighter] = [plans.hand[place] for place in places]
        first = iter(cards[:size])
        now = [next(first) if pile in plans.open else plans.cards[-1] for pile in piles]
        worth = sum([plans.pairs[pile][now[pile], cards[size + pile]] for pile in piles])
        worths[places[:size]] = max(worth, worths.get(places[:size], worth))
    best = max(worths.values())
    found = plans.placements(band=0.5)
    assert found[0][0] == pytest.approx(best)
    assert {places for _, places in found} == {p for p, worth in worths.items() if worth >= best - 0.5 + ROUNDING}
    assert all(worths[places] == pytest.approx(points) for points, places in found)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("seed", range(GAMES))
def test_a_campaign_makes_the_points_that_it_promises(seed: int, side: int) -> None:
    """Cards laid in three turns, by both sides as planned, move the lead by the sum of what each pile's trio brings."""
    rng = random.Random(seed)
    skirmish = next(found for n in count(100 * seed) if not dances(found := before_the_end(n, LENGTH)))
    reply = tuple(rng.sample(range(len(skirmish.hands[1 - side])), len(skirmish.open_piles(1 - side))))
    battles = battles_of(skirmish, side, reply, rng)
    campaigns = Campaigns(skirmish, side, [battles])
    now = skirmish.hands[side][:]
    rng.shuffle(now)
    own = {pile: now.pop() for pile in skirmish.open_piles(side)}
    laid = {} if skirmish.forced is None or skirmish.forced[0] != side else {skirmish.forced[1]: skirmish.forced[2]}
    later = now + skirmish.draws[side]
    rng.shuffle(later)
    trios = [((laid | own)[pile], later[pile], later[4 + pile]) for pile in range(4)]
    promised = sum(worth_of(campaigns.fronts[pile], trios[pile]) for pile in range(4))
    theirs = [[card for battle in row for card in battle.rivals] for row in battles]
    before = skirmish.points[side] - skirmish.points[1 - side] + face_down(skirmish, side)
    skirmish.supply = 99
    for turn in range(LENGTH):
        mine = [trios[pile][turn] for pile in skirmish.open_piles(side)]
        other = [theirs[pile][turn] for pile in skirmish.open_piles(1 - side)]
        skirmish.play(*((mine, other) if side == 0 else (other, mine)), rng)
    assert skirmish.points[side] - skirmish.points[1 - side] == pytest.approx(before + promised)


def best_after(campaigns: Campaigns, places: tuple[int, ...]) -> float:
    """The best campaign that begins so: any two of the other cards are tried at every pile, in both orders."""

    @cache
    def worth(pile: int, pair: frozenset[int]) -> float:
        first = campaigns.cards[places[pile]]
        orders = [[campaigns.cards[place] for place in order] for order in permutations(pair)]
        return max(worth_of(campaigns.fronts[pile], (first, *later)) for later in orders)

    @cache
    def best(pile: int, left: frozenset[int]) -> float:
        pairs = map(frozenset, combinations(left, 2))
        return max(worth(pile, pair) + (best(pile + 1, left - pair) if pile < 3 else 0) for pair in pairs)

    return best(0, frozenset(range(12)) - set(places))


@pytest.mark.parametrize("seed", range(2))
def test_no_campaign_is_better_than_the_best(seed: int) -> None:
    """Placements that begin good campaigns are worth what trying all of them finds; the others are not that good."""
    rng, band = random.Random(seed), 1.5
    skirmish = next(found for n in count(100 * seed) if (found := before_the_end(n, LENGTH)).forced is None)
    campaigns = Campaigns(skirmish, 0, [battles_of(skirmish, 0, (0, 1, 2, 3), rng) for _ in range(3)])
    placed = campaigns.placements(band)
    assert placed == sorted(placed, reverse=True)
    for points, places in placed[:40]:
        assert points == pytest.approx(best_after(campaigns, places))
    good = {places for _, places in placed}
    for places in rng.sample(list(permutations(range(8), 4)), 20):
        assert places in good or best_after(campaigns, places) < placed[0][0] - band + ROUNDING


def test_a_price_grows_with_the_value_and_hair_lowers_it_where_it_may_be_lost() -> None:
    """The stronger a card the dearer it is to give up; hair makes the weak cheaper, and nothing is kept at last."""
    outlook = Outlook([before_the_end(1, LENGTH)], 0, random.Random(1))
    bald = [outlook.price(("warrior", value, 0)) for value in range(1, 11)]
    assert bald == sorted(bald)
    hairy = [outlook.price(("warrior", value, 2)) for value in range(1, 11)]
    assert [one > two for one, two in zip(bald, hairy, strict=True)] == [value < SAFE for value in range(1, 11)]
    assert Outlook([before_the_end(1, 1)], 0, random.Random(1)).price(("warrior", 10, 0)) == 0
