"""Dealing what is hidden: faces, specials, armies and territories, every world being equally likely (TO-7).

A draw that does not change how many ways there are to deal the rest takes any of its cases alike. Where it does, as in
`_deal_choices`, each case stands in the population as often as it can be completed: choices in proportion to
their completions make whole worlds uniform (Jerrum, Valiant and Vazirani, "Random generation of combinatorial
structures from a uniform distribution", 1986). `tests/games/tomahawk/test_imagine.py` counts worlds against this.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from games.tomahawk.components import DEALT, SEATS, SPECIAL_CARDS, TRIBE_CARDS, TURNS_OF, Face
from games.tomahawk.events.rows import Card
from games.tomahawk.imagine.memory import Memory, Place
from games.tomahawk.moves import Kept

Draw = Callable[[Sequence[Any], int], tuple[Any, ...]]
Names = tuple[str, ...]  # of the two specials that a seat kept


def deal(memory: Memory, draw: Draw) -> None:
    """Fill every gap of `memory`, all worlds being equally likely."""
    _deal_choices(memory, draw)
    for seat in SEATS:
        faces = free_faces(memory, seat)
        _name_warriors(memory, free_warriors(memory, seat), draw(faces, len(faces)))
    names = free_names(memory)
    _name_specials(memory, [card for card in SPECIAL_CARDS if card not in memory.cards], draw(names, len(names)))
    for seat in memory.mustered:
        memory.orders[seat] = _army_order(memory, seat, draw)
    _deal_territories(memory, draw)


def _deal_choices(memory: Memory, draw: Draw) -> None:
    """Which specials the seats kept, and for which warriors, where that is not known.

    A special may have replaced any unseen copy of its value, so one with more such copies is likelier to have been
    kept. Whatever is dealt after the choices can be dealt in as many ways after any of them.
    """
    seats = [seat for seat, kept in memory.kept.items() if kept is None]
    if not seats:
        return
    population = [choices for choices, ways in _choices(memory, seats, free_names(memory)) for _ in range(ways)]
    (chosen,) = draw(population, 1)
    for seat, names in zip(seats, chosen, strict=True):
        _take_choice(memory, seat, names, draw)


def _choices(memory: Memory, seats: list[int], names: tuple[str, ...]) -> Iterator[tuple[tuple[Names, ...], int]]:
    """What `seats` may have kept, and in how many ways they may have replaced warriors by it (TO-4.2).

    `names` are the specials not known to be anywhere; a special that a seat has shown was kept.
    """
    if not seats:
        yield (), 1
        return
    shown = tuple([memory.cards[card].name for card in DEALT[seats[0]] if card in memory.cards])
    copies = Counter(face.value for face in free_faces(memory, seats[0]))
    for more in combinations(names, 2 - len(shown)):
        ways = _ways_to_replace(memory, shown + more, copies)
        left = tuple([name for name in names if name not in more])
        for others, other_ways in _choices(memory, seats[1:], left) if ways else ():
            yield (shown + more, *others), ways * other_ways


def _ways_to_replace(memory: Memory, names: Names, copies: Counter[int]) -> int:
    """In how many ways two specials find warriors of their values, all copies told apart."""
    first, second = [special.value for name in names for special in memory.components.specials if special.name == name]
    return copies[first] * (copies[second] - (first == second))


def _take_choice(memory: Memory, seat: int, names: Names, draw: Draw) -> None:
    """The seat has kept these specials: which ids they have, and which warriors they replaced, is drawn."""
    shown = [card for card in DEALT[seat] if card in memory.cards]
    hidden = [card for card in DEALT[seat] if card not in memory.cards]
    specials = (*shown, *draw(hidden, 2 - len(shown)))
    _name_specials(memory, specials, names)
    kept = []
    for special in specials:
        (face,) = draw([f for f in free_faces(memory, seat) if f.value == memory.cards[special].value], 1)
        (warrior,) = draw(free_warriors(memory, seat), 1)
        _name_warriors(memory, [warrior], [face])
        kept.append(Kept(special, warrior))
    memory.kept[seat] = tuple(sorted(kept, key=lambda row: row.card))


def free_faces(memory: Memory, seat: int) -> tuple[Face, ...]:
    """The faces of a tribe that are not known to be anywhere, in catalogue order (TO-1.2)."""
    faces = list(memory.components.warriors)
    for card in TRIBE_CARDS[seat]:
        if card in memory.cards:
            faces.remove(Face(memory.cards[card].value, memory.cards[card].hair))
    return tuple(faces)


def free_warriors(memory: Memory, seat: int) -> tuple[str, ...]:
    """The basic warriors of a tribe whose faces are not known, ascending."""
    return tuple([card for card in TRIBE_CARDS[seat] if card not in memory.cards])


def free_names(memory: Memory) -> tuple[str, ...]:
    """The specials that are not known to be anywhere, in catalogue order."""
    known = {memory.cards[card].name for card in SPECIAL_CARDS if card in memory.cards}
    return tuple([special.name for special in memory.components.specials if special.name not in known])


def _name_warriors(memory: Memory, cards: Sequence[str], faces: Sequence[Face]) -> None:
    memory.learn(Card(card, "warrior", face.value, face.hair) for card, face in zip(cards, faces, strict=True))


def _name_specials(memory: Memory, cards: Sequence[str], names: Sequence[str]) -> None:
    by_name = {special.name: special for special in memory.components.specials}
    for card, name in zip(cards, names, strict=True):
        memory.learn([Card(card, name, by_name[name].value, by_name[name].hair)])


def _army(memory: Memory, seat: int) -> list[str]:
    """TO-2.5: the ids of an army, ascending."""
    kept = memory.kept[seat] or ()
    replaced = [row.replaces for row in kept]
    return [*(card for card in TRIBE_CARDS[seat] if card not in replaced), *(row.card for row in kept)]


def _army_order(memory: Memory, seat: int, draw: Draw) -> tuple[str, ...]:
    """The order of an army: what is known lies where it lay, and the unseen cards fill the other places in any way."""
    army = _army(memory, seat)
    places = sorted([place for place in memory.places if place[0] == seat], key=lambda place: memory.places[place])
    hidden = [place for place in places if place not in memory.laid]
    unseen = _unseen(memory, seat, army)
    cards = iter(draw(unseen, len(unseen)))
    memory.laid |= {place: next(cards) for place in hidden}
    order = _positions(memory, seat, places, draw)
    return tuple([order[position] if position in order else next(cards) for position in range(len(army))])


def _unseen(memory: Memory, seat: int, army: Sequence[str]) -> list[str]:
    """The cards of an army that are not known to be anywhere."""
    laid = {card for (owner, _, _), card in memory.laid.items() if owner == seat}
    seen = {*memory.drawn[seat].values(), *memory.hands[seat], *laid}
    return [card for card in army if card not in seen]


def _positions(memory: Memory, seat: int, places: Sequence[Place], draw: Draw) -> dict[int, str]:
    """Where in the army the cards lay that were drawn as is known, or that must have been drawn before they were laid.

    A card laid when n cards had been drawn is one of the first n of the army. Going from small n to great, what is free
    for the next card does not depend on what was drawn for the earlier ones, so all orders are equally likely. A hand
    that is known comes last of these.
    """
    order = dict(memory.drawn[seat])
    laid = [(memory.laid[place], memory.places[place]) for place in places]
    held = [(card, memory.draws[seat]) for card in memory.hands[seat]]
    for card, drawn in (*laid, *held):
        if card not in order.values():
            (position,) = draw([position for position in range(drawn) if position not in order], 1)
            order[position] = card
    return order


def _deal_territories(memory: Memory, draw: Draw) -> None:
    """TO-2.6: the faces of a duration that are not known lie in any order."""
    known = set(memory.territories.values())
    for turns in (3, 2, 1):
        places = [territory for territory, duration in TURNS_OF.items() if duration == turns]
        hidden = [territory for territory in places if territory not in memory.territories]
        faces = [t.face for t in memory.components.territories if t.turns == turns and t.face not in known]
        memory.territories |= dict(zip(hidden, draw(faces, len(faces)), strict=True))
