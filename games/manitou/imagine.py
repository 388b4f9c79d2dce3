"""A whole table that agrees with what one reader has seen: the hidden cards dealt anew (MA-7.3).

Of another seat's set a reader knows which cards are out of sight and how many lie in each hidden place; of the buffalo
which are left in each pile. Every way to deal the one over the other agrees with its view, and one is drawn, each
equally likely: that is what a reader should believe if what others keep, take and lay says nothing about the rest (as
in M. Ginsberg, 'GIB: Imperfect Information in a Computationally Challenging Game', JAIR 14, 2001).

Only a pass rules deals out, as nobody passes with a card that could be laid (MA-4.4). Cards go home after each hunt, so
a pass of an earlier hunt tells nothing any more. The hands that explain the passes of this hunt are listed
(`games.hands` says which do) and one is drawn; a hand counts once, however many orders of drawing explain it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.hands import Holding, house_rules
from games.kernel import Chance, Event
from games.manitou import events as ev
from games.manitou.components import GROUNDS, in_deck_order
from games.manitou.events import Cards
from games.manitou.evolve import fought, laid
from games.manitou.options import Options
from games.manitou.play import closed_to
from games.manitou.sight import GroundView, HerdPile, SeatView, View
from games.manitou.state import Camp, Ground, PointsPile, State
from games.parties import SeatCards, Secret, without
from games.rows import swapped


class Table(NamedTuple):
    """What a reader sees, the house rules that may have been in force, and the events of this hunt."""

    view: View
    rules: tuple[Options, ...]
    hunt: Sequence[Event]


def imagine(view: View, feed: Sequence[Event], chance: Chance) -> State:
    """A state that gives the same view, and from which every event of `feed` could have come."""
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
    """A pile of buffalo in its order, or in any if that is hidden."""
    return shown(pile.order) or dealt(chance, pile.cards, pile.count)


def shown(cards: Secret) -> Cards:
    """The cards that a reader may see, none where they are left out."""
    return cards if isinstance(cards, tuple) else ()


def dealt(chance: Chance, cards: Cards, count: int) -> Cards:
    """Some of `cards` in random order."""
    return chance("imagine", cards, count) if count else ()


def this_hunt(feed: Sequence[Event]) -> Sequence[Event]:
    """The events since the hunt began."""
    last = len(feed) - 1
    return feed[next((place for place in range(last, 0, -1) if isinstance(feed[place], ev.HuntStarted)), 0) :]


def camp(table: Table, row: SeatView, chance: Chance) -> Camp:
    """The hidden cards of a seat in their places, as the reader knows them or dealt anew."""
    if isinstance(row.hand, tuple):
        pile = dealt(chance, shown(row.pile), row.pile_count)
        return Camp(shown(row.reserve), shown(row.party), pile, row.hand, row.party_size, row.party_chosen)
    hand = dealt_hand(table, row, chance)
    rest = dealt(chance, without(row.unseen_cards, hand), row.pile_count + row.party_count)
    pile, party = rest[: row.pile_count], in_deck_order(rest[row.pile_count :])
    return Camp(without(row.unseen_cards, hand + rest), party, pile, hand, row.party_size, row.party_chosen)


def dealt_hand(table: Table, row: SeatView, chance: Chance) -> Cards:
    """A hand for another seat: any, or if it has passed in this hunt one that explains why."""
    has_passed = any(isinstance(event, ev.TurnPassed) and event.seat == row.seat for event in table.hunt)
    hands = tuple(holding(table, row.seat).hands(row.unseen_cards)) if has_passed and row.hand_count else ()
    if not hands:  # or the house rules were neither those of the start nor those of now when it passed
        return in_deck_order(dealt(chance, row.unseen_cards, row.hand_count))
    (hand,) = chance("imagine", hands, 1)
    return hand


def holding(table: Table, seat: int) -> Holding:
    """What a seat has drawn, laid and passed with in this hunt."""
    found = Holding()
    grounds = (Ground((), ((),) * table.view.players),) * len(GROUNDS)
    for event in table.hunt:
        if isinstance(event, ev.CardPlayed | ev.TrialOfStrengthResolved):
            grounds = swapped(grounds, event.ground, after(grounds[event.ground - 1], event))
        if isinstance(event, ev.CardPlayed | ev.CardsDrawn | ev.TurnPassed) and event.seat == seat:
            follow(found, event, table.rules, grounds)
    return found


def follow(
    found: Holding,
    event: ev.CardPlayed | ev.CardsDrawn | ev.TurnPassed,
    rules: tuple[Options, ...],
    grounds: tuple[Ground, ...],
) -> None:
    """One event of the seat that holds the cards; it passed under one of these house rules."""
    if isinstance(event, ev.CardPlayed):
        found.play(event.card)
    elif isinstance(event, ev.CardsDrawn):
        found.draw(event.count)
    else:
        found.pass_turn({card for options in rules for card in closed_to(options, grounds, event.seat)})


def after(ground: Ground, event: ev.CardPlayed | ev.TrialOfStrengthResolved) -> Ground:
    """A ground after a card or a trial."""
    if isinstance(event, ev.CardPlayed):
        return laid(ground, event.seat, event.card, trial=event.trial)
    return fought(ground, event.face_up_after)
