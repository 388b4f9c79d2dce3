"""Given, when, then for Manitou: cards are laid by the rules, and a seat holds whatever an example lets it lay."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

from msgspec.structs import replace

from games.kernel import first_of_all as in_order
from games.manitou import game as manitou
from games.manitou.components import HERO_CARDS, in_deck_order
from games.manitou.evolve import Scribe
from games.manitou.moves import PlayCard
from games.manitou.play import end_hunt
from games.manitou.state import Camp, State
from games.rows import swapped
from tests.games.spec import Told, refused_by

refusal = partial(refused_by, manitou)


class Orders:
    """Luck that deals the orders given for a kind, one after the other, and leaves the rest as it lies."""

    def __init__(self, **orders: Sequence[Sequence[str]]) -> None:
        self.orders = {kind: list(outcomes) for kind, outcomes in orders.items()}

    def __call__(self, kind: str, population: Sequence[Any], count: int) -> tuple[Any, ...]:
        if not self.orders.get(kind):
            return in_order(kind, population, count)
        outcome = tuple(self.orders[kind].pop(0))
        assert sorted(outcome) == sorted(population), kind
        return outcome


def buffalo(*names: str) -> tuple[str, ...]:
    """Buffalo cards by the last part of their ids: `2-1` is `buffalo-2-1`."""
    return tuple(f"buffalo-{name}" for name in names)


class Table(Told):
    """A table in the phase `play` of a hunt, with nothing laid; it remembers all events from then on."""

    def __init__(self, players: int = 2, hunt: int = 1, **options: Any) -> None:
        state = manitou.start(players, manitou.read_options(options, players), in_order).state
        self.state: State = replace(state, phase="play", hunt=hunt)
        self.events: list[Any] = []

    def holds(self, seat: int, *hand: str, pile: tuple[str, ...] = ()) -> Self:
        """The hand and the pile of a seat; the rest of its cards out of sight is its reserve."""
        camp = self.state.camps[seat - 1]
        unseen = camp.reserve + camp.pile + camp.hand
        assert {*hand, *pile} <= set(unseen)
        reserve = in_deck_order(card for card in unseen if card not in (*hand, *pile))
        held = Camp(reserve, pile=pile, hand=in_deck_order(hand))
        self.state = replace(self.state, camps=swapped(self.state.camps, seat, held))
        return self

    def turn_of(self, seat: int, turn: int = 1) -> Self:
        """It is the turn of a seat."""
        place = self.state.turn_order.index(seat)
        self.state = replace(self.state, turns_taken=(turn - 1) * self.state.players + place)
        return self

    def stake(self, ground: int, *names: str) -> Self:
        """The buffalo of a ground."""
        staked = replace(self.state.grounds[ground - 1], buffalo=buffalo(*names))
        self.state = replace(self.state, grounds=swapped(self.state.grounds, ground, staked))
        return self

    def plays(self, seat: int, move: Any) -> Self:
        """A seat makes a move."""
        turn = manitou.play(self.state, seat, move, in_order)
        self.events += turn.events
        self.state = turn.state
        return self

    def lays(self, seat: int, cards: str, on: int) -> Self:
        """A seat lays cards on a ground, in as many turns of its own; `scout` is any copy that it still has."""
        for card in cards.split():
            camp = self.state.camps[seat - 1]
            copy = next(c for c in camp.reserve + camp.hand if c == card or c.rpartition("-")[0] == card)
            self.holds(seat, copy).turn_of(seat).plays(seat, PlayCard(copy, on))  # type: ignore[arg-type]
        return self

    def refusal(self, seat: int, card: str, on: int) -> str | None:
        """The rule that forbids a seat to lay a card on a ground, None if it may."""
        camp = self.state.camps[seat - 1]
        copy = next(c for c in camp.reserve + camp.hand if c == card or c.rpartition("-")[0] == card)
        self.holds(seat, copy).turn_of(seat)
        return refusal(self.state, seat, {"type": "play_card", "card": copy, "ground": on})

    def scored(self) -> Self:
        """The hunt ends here."""
        for seat in range(1, self.state.players + 1):
            self.holds(seat)
        scribe = Scribe(self.state)
        end_hunt(scribe)
        self.events += scribe.events
        self.state = scribe.state
        return self

    def trial(self) -> tuple[str, list[int], tuple[str, ...] | None]:
        """The relation in the last trial, whose cards were turned down, and what is face up after it."""
        found = self.last("TrialOfStrengthResolved")
        up = found["face_up_after"]
        return found["relation"], [row["seat"] for row in found["turned_down"]], up and tuple(up["cards"])

    def face_up(self, ground: int) -> tuple[int, tuple[str, ...]] | None:
        """The seat with heroes face up on a ground, and these."""
        up = self.state.grounds[ground - 1].face_up
        return (up.seat, up.cards) if up else None


def dealt(parties: Sequence[str], chance: Any = in_order, **options: Any) -> Table:
    """Hunt 1 after every seat has chosen its party, given in seat order; events from the very start."""
    table = Table(len(parties), **options)
    turn = manitou.start(len(parties), table.state.options, chance)
    table.events, table.state = list(turn.events), turn.state
    for seat, party in enumerate(parties, 1):
        turn = manitou.play(table.state, seat, {"type": "choose_party", "cards": party.split()}, chance)
        table.events += turn.events
        table.state = turn.state
    return table


HEROES_ONLY = " ".join(HERO_CARDS[:8])
