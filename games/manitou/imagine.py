"""Imagines complete states by dealing the hidden cards again in agreement with all that a seat has seen (MA-7.3).

For another seat's set, the viewer knows which cards are hidden and how many are in each place; for the buffalo, which
are left in each pile. Every deal over these places agrees with its view. One is drawn, each equally likely. That is the
right belief if the others' choices reveal nothing about their hidden cards (M. Ginsberg, 'GIB: Imperfect Information in
a Computationally Challenging Game', JAIR 14, 2001).

Only a pass excludes deals, because nobody may pass with a playable card (MA-4.4). Cards return after each hunt, so only
passes of the current hunt matter. The hands that explain them (`games.manitou_family_hands`) are listed and one is
drawn; each hand counts once, however many orders of drawing explain it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.kernel import Chance, Event
from games.manitou import events as ev
from games.manitou.components import GROUNDS, in_deck_order
from games.manitou.events import Cards
from games.manitou.evolve import fought, laid
from games.manitou.house_rules import Options
from games.manitou.play import closed_to
from games.manitou.sight import GroundView, HerdPile, SeatView, View
from games.manitou.state import Camp, Ground, PointsPile, State
from games.manitou_family_hands import Holding, house_rules
from games.manitou_family_parties import SeatCards, Secret
from games.rows import swapped, without


class Table(NamedTuple):
    """The viewer's view, the house rules that may have applied, and the events of this hunt."""

    view: View
    rules: tuple[Options, ...]
    hunt: Sequence[Event]


def imagine(view: View, feed: Sequence[Event], chance: Chance) -> State:
    """Returns a state with the same view that could have led to every event of `feed`."""
    table = Table(view, house_rules(view.options, feed), this_hunt(feed))
    return State(
        players=view.players,
        options=view.options,
        phase=view.phase,
        hunt=view.hunt,
        dealer=view.dealer,
        turn_order=view.turn_order,
        turns_taken=view.turns_taken,
        camps=tuple([camp(table, seat, chance) for seat in view.seats]),
        grounds=tuple([ground(row) for row in view.grounds]),
        points=tuple([PointsPile(s.buffalo, s.prisoners, s.hide_thieves, s.paper_penalties) for s in view.seats]),
        small=buffalo_pile(view.small_pile, chance),
        large=buffalo_pile(view.large_pile, chance),
        hide_thieves=view.hide_thieves,
        removed=view.removed,
    )


def ground(row: GroundView) -> Ground:
    """A ground, which hides nothing."""
    sides = tuple([tuple([laid_card.card for laid_card in side.cards]) for side in row.sides])
    face_up = SeatCards(row.heroes[0].seat, tuple([hero.card for hero in row.heroes])) if row.heroes else None
    return Ground(row.buffalo, sides, face_up)


def buffalo_pile(pile: HerdPile, chance: Chance) -> Cards:
    """Returns a pile of buffalo, shuffled if its order is hidden."""
    return shown(pile.order) or dealt(chance, pile.cards, pile.count)


def shown(cards: Secret) -> Cards:
    """Returns the cards that the viewer may see, none if the field is unset."""
    return cards if isinstance(cards, tuple) else ()


def dealt(chance: Chance, cards: Cards, count: int) -> Cards:
    """Draws some of the cards in random order."""
    return chance("imagine", cards, count) if count else ()


def this_hunt(feed: Sequence[Event]) -> Sequence[Event]:
    """Returns the events since the hunt began."""
    last = len(feed) - 1
    return feed[next((place for place in range(last, 0, -1) if isinstance(feed[place], ev.HuntStarted)), 0) :]


def camp(table: Table, row: SeatView, chance: Chance) -> Camp:
    """Returns a seat's cards in their places, as the viewer knows them, or dealt."""
    if isinstance(row.hand, tuple):
        pile = dealt(chance, shown(row.pile), row.pile_count)
        return Camp(shown(row.reserve), shown(row.party), pile, row.hand, row.party_size, row.party_chosen)
    hand = dealt_hand(table, row, chance)
    rest = dealt(chance, without(row.unseen_cards, hand), row.pile_count + row.party_count)
    pile, party = rest[: row.pile_count], in_deck_order(rest[row.pile_count :])
    return Camp(without(row.unseen_cards, hand + rest), party, pile, hand, row.party_size, row.party_chosen)


def dealt_hand(table: Table, row: SeatView, chance: Chance) -> Cards:
    """Draws a hand for another seat: any one, or one that explains its passes in this hunt."""
    has_passed = any(isinstance(event, ev.TurnPassed) and event.seat == row.seat for event in table.hunt)
    hands = tuple(holding(table, row.seat).hands(row.unseen_cards)) if has_passed and row.hand_count else ()
    if not hands:  # or the house rules were neither those of the start nor those of now when it passed
        return in_deck_order(dealt(chance, row.unseen_cards, row.hand_count))
    (hand,) = chance("imagine", hands, 1)
    return hand


def holding(table: Table, seat: int) -> Holding:
    """Returns a seat's draws, plays and passes in this hunt; a pass was made under one of the house rules."""
    found = Holding()
    grounds = (Ground((), ((),) * table.view.players),) * len(GROUNDS)
    for event in table.hunt:
        if isinstance(event, ev.CardPlayed):
            ground = laid(grounds[event.ground - 1], event.seat, event.card, trial=event.trial)
            grounds = swapped(grounds, event.ground, ground)
            if event.seat == seat:
                found.play(event.card)
        elif isinstance(event, ev.TrialOfStrengthResolved):
            grounds = swapped(grounds, event.ground, fought(grounds[event.ground - 1], event.face_up_after))
        elif isinstance(event, ev.CardsDrawn) and event.seat == seat:
            found.draw(event.count)
        elif isinstance(event, ev.TurnPassed) and event.seat == seat:
            found.pass_turn({card for options in table.rules for card in closed_to(options, grounds, seat)})
    return found
