"""Imagines complete states by dealing the hidden cards again in agreement with all that a seat has seen (BM-7).

For another seat's deck, the viewer knows which cards are open and how many are in each hidden place. Every way to deal
the rest over these places agrees with its view. One of them is drawn, each equally likely. That is the right belief if
the others' choices reveal nothing about their hidden cards. Searching players have used such worlds since M. Ginsberg,
'GIB: Imperfect Information in a Computationally Challenging Game', JAIR 14 (2001).

Only a pass excludes deals, because nobody may pass with a playable card (BM-4.4). So the hands that explain every pass
of a seat (`games.manitou_family_hands`) are listed first, one of them is drawn, and then the rest is dealt. Lists are
short: a hand has at most three cards, and few hands explain a pass. Each hand counts once, however many orders of
drawing explain it; counting the orders would need the whole course of the hunt and change little.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product
from typing import Any

from msgspec import UNSET

from games.big_manitou import events as ev
from games.big_manitou.components import DECK, GROUNDS, HEROES, TILES, in_deck_order
from games.big_manitou.house_rules import Options
from games.big_manitou.play import bar_to_laying
from games.big_manitou.sight import HEAPS, GroundView, SeatView, View
from games.big_manitou.state import Cards, Ground, Seat, State
from games.kernel import Chance
from games.manitou_family_hands import Holding, house_rules
from games.manitou_family_parties import SeatCard
from games.rows import without


def imagine(seen: View, feed: Sequence[Any], chance: Chance) -> State:
    """Returns a state that agrees with the view and the feed; all deals of hidden cards are equally likely."""
    holdings = _holdings_with_passes(seen, feed)
    return State(
        players=seen.players,
        options=seen.options,
        bag=_bag(seen),
        seats=tuple([_seat(seen, row, holdings.get(row.seat, ()), chance) for row in seen.seats]),
        grounds=tuple([_ground(row) for row in seen.grounds]),
        removed=seen.removed,
        hunt=seen.hunt,
        turn_order=seen.turn_order,
        phase=seen.phase,
        turns=seen.turns,
        totem_cylinder=seen.totem_cylinder,
        horse_cylinder=seen.horse_cylinder,
        totem_gains=seen.totem_gains,
        horse_gains=seen.horse_gains,
        owing=seen.owing,
        evaluating=_evaluated(seen),
        bonuses=seen.bonuses,
        awards=seen.awards,
    )


def _evaluated(seen: View) -> int:
    """Returns the number of grounds evaluated: in the first hunt all, before the force penalty (BM-3.13)."""
    return len(GROUNDS) if seen.phase == "penalty" and seen.hunt == 1 else seen.evaluating


class Watched(Holding):
    """A holding, and the place of the cards that were in hand: still there, or set aside as spent (BM-3.12)."""

    place = "hand"


Holdings = Sequence[Watched]


class Watch:
    """Follows the plays and passes of a game, and where heroes are face up."""

    def __init__(self, rules: Sequence[Options], players: int) -> None:
        self.rules, self.seats = rules, range(1, players + 1)
        self.refresh()
        self.clear()

    def refresh(self, _: ev.DecksRefreshed | None = None) -> None:
        """BM-3.16: nothing is set aside."""
        self.spent: dict[int, list[Watched]] = {seat: [] for seat in self.seats}

    def clear(self, _: ev.HuntStarted | None = None) -> None:
        """BM-3.15: empty hands and grounds."""
        self.now = {seat: Watched() for seat in self.seats}
        self.heroes: dict[int, tuple[SeatCard, ...]] = dict.fromkeys(GROUNDS, ())

    def draw(self, event: ev.CardsDrawn) -> None:
        """The seat has drawn cards (BM-3.9)."""
        self.now[event.seat].draw(event.count)

    def play(self, event: ev.CardPlayed) -> None:
        """The seat has laid a card (BM-5.3)."""
        self.now[event.seat].play(event.card)
        if event.card in HEROES:
            self.heroes[event.ground] += (SeatCard(event.seat, event.card),)

    def turn_down(self, event: ev.TrialOfStrengthResolved) -> None:
        """Heroes are turned face down (BM-5.4)."""
        self.heroes[event.ground] = without(self.heroes[event.ground], event.turned_down)

    def pass_turn(self, event: ev.TurnPassed) -> None:
        """BM-4.4: the cards that the seat can lay on no ground, by the house rules that may have been in force."""
        stuck = [card for card in HEROES if any(self._is_stuck(options, event.seat, card) for options in self.rules)]
        self.now[event.seat].pass_turn(stuck)

    def _is_stuck(self, options: Options, seat: int, card: str) -> bool:
        return all(bar_to_laying(options, heroes, seat, card) for heroes in self.heroes.values())

    def put_away(self, event: ev.UnplayedCardsReturned) -> None:
        """BM-3.12: returned cards are like any other in the reserve; spent ones are remembered."""
        holding, self.now[event.seat] = self.now[event.seat], Watched()
        if event.to == "spent":
            holding.place = "spent"
            self.spent[event.seat].append(holding)


FOLLOW: Mapping[type, Callable[[Watch, Any], None]] = {
    ev.HuntStarted: Watch.clear,
    ev.CardsDrawn: Watch.draw,
    ev.CardPlayed: Watch.play,
    ev.TrialOfStrengthResolved: Watch.turn_down,
    ev.TurnPassed: Watch.pass_turn,
    ev.UnplayedCardsReturned: Watch.put_away,
    ev.DecksRefreshed: Watch.refresh,
}


def _holdings_with_passes(seen: View, feed: Sequence[Any]) -> dict[int, Holdings]:
    """Returns for each seat the holdings with passes whose cards are still hidden."""
    if not any(type(event) is ev.TurnPassed for event in feed):
        return {}
    watch = Watch(house_rules(seen.options, feed), seen.players)
    for event in feed:
        follow = FOLLOW.get(type(event))
        if follow:
            follow(watch, event)
    return {seat: [one for one in (*watch.spent[seat], watch.now[seat]) if one.passes] for seat in watch.seats}


def _bag(seen: View) -> Cards:
    """BM-7.2: the tiles in the bag are those not seen elsewhere."""
    owned = [tile for row in seen.seats for tile in row.tiles]
    lying = [tile for row in seen.grounds for tile in row.tiles]
    return without(TILES[seen.options.tile_set], {*owned, *lying, *seen.removed})


def _ground(row: GroundView) -> Ground:
    return Ground(row.tiles, tuple([tuple([laid.card for laid in side.cards]) for side in row.sides]), row.heroes)


def _seat(seen: View, row: SeatView, holdings: Holdings, chance: Chance) -> Seat:
    """Returns a seat with its cards as the viewer knows them, the others dealt; a pile is always shuffled."""
    cards = {field: cards for field in HEAPS if (cards := getattr(row, field)) is not UNSET}
    if "pile" in cards:
        cards["pile"] = _mixed(cards["pile"], chance)
    else:
        cards = _dealt(seen, row, cards, holdings, chance)
    return Seat(discards=row.discards, tiles=row.tiles, tiles_taken=row.tiles_taken, **cards)


def _dealt(seen: View, row: SeatView, shown: dict[str, Cards], holdings: Holdings, chance: Chance) -> dict[str, Cards]:
    """Deals the unseen cards of a seat to its places; all deals that explain its passes are equally likely.

    The viewer's own hand explains its passes, so what it draws blind (BM-R5) can be any card that it has not seen.
    """
    laid = [card.card for ground in seen.grounds for card in ground.sides[row.seat - 1].cards]
    unseen = without(DECK, {*row.discards, *laid})
    held = shown or _held(holdings, unseen, chance)
    rest = iter(_mixed(without(unseen, {card for cards in held.values() for card in cards}), chance))
    dealt = {}
    for field in HEAPS:
        cards = held.get(field, ())
        dealt[field] = (*cards, *islice(rest, getattr(row, f"{field}_count") - len(cards)))
    return {field: cards if field == "pile" else in_deck_order(cards) for field, cards in dealt.items()}


def _held(holdings: Holdings, unseen: Cards, chance: Chance) -> dict[str, Cards]:
    """Draws hands that explain the passes, by their place now; all such hands are equally likely."""
    if not holdings:
        return {}
    worlds = [
        hands
        for hands in product(*(holding.hands(unseen) for holding in holdings))
        if len({card for hand in hands for card in hand}) == sum([len(hand) for hand in hands])
    ]
    if not worlds:  # the house rules were neither those of the start nor those of now when a seat passed
        return {}
    (hands,) = chance("imagine", worlds, 1)
    held: dict[str, Cards] = {}
    for holding, hand in zip(holdings, hands, strict=True):
        held[holding.place] = held.get(holding.place, ()) + hand
    return held


def _mixed(cards: Cards, chance: Chance) -> Cards:
    return chance("imagine", cards, len(cards)) if cards else ()
