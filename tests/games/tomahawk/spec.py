"""Given, when, then for Tomahawk: tables played by script, and single slots and battles put together by hand."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from games.payloads import event_type
from games.tomahawk import game as tomahawk
from games.tomahawk.battles import Battle, battle
from games.tomahawk.components import BALANCED_1, DEALT, TRIBE_CARDS
from games.tomahawk.events import Card
from games.tomahawk.house_rules import Options
from games.tomahawk.slots import duel, effects
from games.tomahawk.state import Cards, Faces, Pile, Side, Slot, State, known_values
from tests.games.spec import Told, payload, refused_by

FACES = {face.face: face for face in BALANCED_1.territories}
SPECIALS = {special.name: special for special in BALANCED_1.specials}
NAMES = tuple(SPECIALS)


class Script:
    """Luck as the document writes it: outcomes by kind, in order; what is not scripted comes after, unchanged."""

    def __init__(self, **outcomes: str) -> None:
        self.outcomes = {kind: outcome.replace(",", " ").split() for kind, outcome in outcomes.items()}
        self.asked: list[tuple[str, tuple[Any, ...], int]] = []

    def __call__(self, kind: str, population: Sequence[Any], count: int) -> tuple[Any, ...]:
        self.asked.append((kind, tuple(population), count))
        scripted = self.outcomes.get(kind, [])
        rest = [item for item in population if item not in scripted] if scripted else population
        outcome = (*scripted, *rest)[:count]
        assert len(outcome) == count
        assert all(item in population for item in outcome)
        return outcome


def card(text: str, seat: int = 1, number: int = 1) -> Card:
    """The warrior `6/3`, or the special `sky_power`, with an id of its own."""
    if text in SPECIALS:
        return Card(f"x{NAMES.index(text) + 1}", text, SPECIALS[text].value, SPECIALS[text].hair)
    value, _, hair = text.partition("/")
    return Card(f"{'_ab'[seat]}{number:02}", "warrior", int(value), int(hair or 0))


def fought(face: str, first: str, second: str, **options: Any) -> Battle:
    """The battle for territory `face`; a special in its turn: `sky_power=2` has the value 2 after effects."""
    (one, its_values), (other, other_values) = _laid(1, first), _laid(2, second)
    return battle(Options(**options), FACES[face], (one, other), (its_values, other_values))


def _laid(seat: int, side: str) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """The cards of a seat, and their values after effects."""
    parts = [text.partition("=") for text in side.split()]
    cards = tuple(card(name, seat, number) for number, (name, _, _) in enumerate(parts, 1))
    return cards, tuple(int(value or shown.value) for shown, (_, _, value) in zip(cards, parts, strict=True))


class Faced(NamedTuple):
    """What came of two warriors face to face."""

    effects: list[dict[str, Any]]
    duel: dict[str, Any] | None
    values: tuple[int, int]


def faced(first: str, second: str, *, supply: int = 24, earlier: bool = False, **options: Any) -> Faced:
    """Two warriors are turned up face to face on a plain; `earlier`: in a turn after they were played."""
    cards = (card(first, 1), card(second, 2))
    slot = Slot(1 if earlier else 2, (cards[0].card, cards[1].card), (cards[0].value, cards[1].value))
    empty = Pile(None, ())
    state = State(
        options=Options(**options),
        components=BALANCED_1,
        sides=(Side(()), Side(())),
        piles=(Pile("p1-1", (), (slot,)), empty, empty, empty),
        supply=supply,
        turn=2,
        cards=Cards(**{shown.card: shown for shown in cards}),
        faces=Faces(**{"p1_1": FACES["T01"]}),
    )
    found = effects(state, 1, 1)
    for effect in found:
        state = tomahawk.evolve(state, effect)
    judged = [payload(event) for event in duel(state, 1, 1)]
    values = known_values(state.piles[0].slots[0])
    return Faced([payload(event) for event in found], judged[0] if judged else None, values)


class Table(Told):
    """A table that is played by script and remembers all its events and each seat's feed."""

    def __init__(self, script: Script | None = None, **options: Any) -> None:
        self.script = script or Script()
        self.events: list[Any] = []
        self.latest: tuple[Any, ...] = ()
        self.feeds: dict[int | None, list[Any]] = {None: [], 1: [], 2: []}
        self.state: Any = None
        self._follow(tomahawk.start(2, tomahawk.read_options(options, 2), self.script))

    def _follow(self, turn: Any) -> None:
        state = self.state
        for event in turn.events:
            secret = tomahawk.readers(state, event)
            for seat, feed in self.feeds.items():
                feed.append(hidden(event, [field for field, seats in secret.items() if seat not in seats]))
            state = tomahawk.evolve(state, event)
        assert state == turn.state
        self.state, self.latest = state, turn.events
        self.events += turn.events

    def move(self, seat: Any, raw: Any) -> "Table":
        """When `seat` makes this move."""
        self._follow(tomahawk.play(self.state, seat, raw, self.script))
        return self

    def choose(self, seat: int, keep: str) -> "Table":
        """When `seat` keeps specials: `x1/a16 x3/a09`."""
        return self.move(seat, choosing(keep))

    def place(self, text: str) -> "Table":
        """When a seat places cards: `1: 17 21 20 11`, `-` where a card is forced."""
        seat, _, cards = text.partition(":")
        return self.move(int(seat), placing(int(seat), cards))

    def then_refused(self, rule: str, seat: Any, raw: Any) -> "Table":
        """Then this move is refused by `rule`, and nothing has changed."""
        assert refused_by(tomahawk, self.state, seat, raw, self.script) == rule
        return self

    def payloads(self, *types: str, turn: int | None = None) -> list[dict[str, Any]]:
        """What the events of these types say, of the whole game or of one turn."""
        return [told for told in super().payloads(*types) if turn is None or told.get("turn") == turn]


def hidden(event: Any, fields: Iterable[str]) -> Any:
    """The event without `fields`."""
    return msgspec.structs.replace(event, **dict.fromkeys(fields, msgspec.UNSET))


def choosing(keep: str) -> dict[str, Any]:
    """The move `x1/a16 x3/a09`."""
    rows = [dict(zip(("card", "replaces"), row.split("/"), strict=True)) for row in keep.split()]
    return {"type": "choose_specials", "keep": rows}


def played(first: str, second: str, script: Script | None = None, **options: Any) -> Table:
    """A table at which both seats play these cards, turns divided by `/`; they draw them in time.

    Unless scripted, seat 1 is dealt great spirit, shifting spirit and sequoia heart and keeps the last two; seat 2 is
    dealt dusk dance, windswept skull and sky power and keeps the first two.
    """
    script = script or Script()
    for seat, cards in ((1, first), (2, second)):
        ids = [named(seat, text) for text in cards.replace("/", " ").split() if text != "-"]
        script.outcomes.setdefault(f"army_{seat}", ids)
    table = Table(script, **options)
    for seat, kept in ((1, DEALT[1][1:]), (2, DEALT[2][:2])):
        table.choose(seat, " ".join(f"{special}/{_twin(table, seat, special)}" for special in kept))
    for one, other in zip(first.split("/"), second.split("/"), strict=True):
        table.place(f"1: {one}").place(f"2: {other}")
    return table


def _twin(table: Table, seat: int, special: str) -> str:
    """The last basic warrior of a seat that has the value of a special."""
    cards = table.state.cards
    value = getattr(cards, special).value
    return [card for card in TRIBE_CARDS[seat] if getattr(cards, card).value == value][-1]


def named(seat: int, text: str) -> str:
    """The id that `17` or `x1` stands for."""
    return text if text.startswith("x") else "_ab"[seat] + text


def placing(seat: int, cards: str) -> dict[str, Any]:
    """The move `17 x1 - 11` of a seat."""
    rows = [{"pile": pile, "card": named(seat, text)} for pile, text in enumerate(cards.split(), 1) if text != "-"]
    return {"type": "play_cards", "cards": rows}


def types(events: Iterable[Any]) -> list[str]:
    """The types of `events`."""
    return [event_type(type(event)) for event in events]
