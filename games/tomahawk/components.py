"""The box of Tomahawk, and where its territories lie at the start (TO-1, TO-2.7)."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal, get_args

import msgspec

PREFIX = "TO"  # of rule ids

Terrain = Literal["plain", "forest", "mountain"]
Species = Literal["bison", "caribou", "eagle"]
PileNumber = Literal[1, 2, 3, 4]
Picto = Literal["none", "puma", "gathering"]

SEATS = (1, 2)
TURNS = 6
OPENING_HAND, REFILL = 8, 4  # TO-2.5, TO-5.11
PICTOS: tuple[str, ...] = get_args(Picto)
SPECIES: dict[str, Species] = {"plain": "bison", "forest": "caribou", "mountain": "eagle"}  # TO-1.4
TRIBES = {1: "tepee", 2: "totem"}  # TO-R4


class Face(msgspec.Struct, frozen=True, gc=False):
    """What a basic warrior shows."""

    value: int
    hair: int


class Special(msgspec.Struct, frozen=True, gc=False):
    """One of the seven specials."""

    name: str
    value: int
    hair: int


class TerritoryFace(msgspec.Struct, frozen=True, gc=False):
    """What a territory shows."""

    face: str
    terrain: Terrain
    turns: int
    animals: int
    picto: Picto


class Components(msgspec.Struct, frozen=True, rename={"set_name": "set"}):
    """A component set (TO-1.6), each list in catalogue order."""

    set_name: str
    warriors: tuple[Face, ...]
    specials: tuple[Special, ...]
    territories: tuple[TerritoryFace, ...]
    scalp_tokens: int


BALANCED_1 = Components(
    set_name="balanced-1",
    warriors=(  # TO-1.2, ruling TO-R1
        *(Face(1, 0), Face(1, 0)),
        *(Face(2, 0), Face(2, 0), Face(2, 1)),
        *(Face(3, 0), Face(3, 0), Face(3, 2)),
        *(Face(4, 0), Face(4, 1), Face(4, 2)),
        *(Face(5, 0), Face(5, 1), Face(5, 2)),
        *(Face(6, 0), Face(6, 1), Face(6, 3)),
        *(Face(7, 0), Face(7, 2)),
        *(Face(8, 1), Face(8, 2)),
        *(Face(9, 0), Face(9, 4)),
        Face(10, 2),
    ),
    specials=(  # TO-1.3, ruling TO-R2
        Special("great_spirit", 3, 2),
        Special("shifting_spirit", 2, 1),
        Special("sequoia_heart", 5, 1),
        Special("dusk_dance", 4, 2),
        Special("windswept_skull", 8, 0),
        Special("sky_power", 6, 0),
        Special("teasing_cloud", 1, 4),
    ),
    territories=(  # TO-1.4, ruling TO-R3
        TerritoryFace("T01", "plain", 3, 5, "none"),
        TerritoryFace("T02", "plain", 3, 4, "puma"),
        TerritoryFace("T03", "forest", 3, 5, "gathering"),
        TerritoryFace("T04", "forest", 3, 4, "none"),
        TerritoryFace("T05", "mountain", 3, 5, "puma"),
        TerritoryFace("T06", "plain", 2, 3, "gathering"),
        TerritoryFace("T07", "forest", 2, 3, "none"),
        TerritoryFace("T08", "forest", 2, 2, "puma"),
        TerritoryFace("T09", "mountain", 2, 4, "none"),
        TerritoryFace("T10", "mountain", 2, 3, "gathering"),
        TerritoryFace("T11", "plain", 1, 2, "none"),
        TerritoryFace("T12", "plain", 1, 1, "puma"),
        TerritoryFace("T13", "forest", 1, 1, "none"),
        TerritoryFace("T14", "mountain", 1, 2, "none"),
        TerritoryFace("T15", "mountain", 1, 1, "gathering"),
    ),
    scalp_tokens=24,
)
SETS = {BALANCED_1.set_name: BALANCED_1}

PILES: tuple[PileNumber, ...] = (1, 2, 3, 4)
PILE_TURNS = {1: (3, 3), 2: (1, 2, 3), 3: (2, 1, 3), 4: (1, 1, 2, 2)}  # TO-2.7, from the top
UNUSED = {3: "u3", 2: "u2", 1: "u1"}
PILE_TERRITORIES = {pile: tuple(f"p{pile}-{n}" for n in range(1, len(t) + 1)) for pile, t in PILE_TURNS.items()}
TURNS_OF = {  # how long the battle for a territory takes, by its id (TO-7.7: public)
    **{t: n for pile in PILES for t, n in zip(PILE_TERRITORIES[pile], PILE_TURNS[pile], strict=True)},
    **{territory: n for n, territory in UNUSED.items()},
}

TRIBE_CARDS = {1: tuple(f"a{n:02}" for n in range(1, 25)), 2: tuple(f"b{n:02}" for n in range(1, 25))}  # TO-1.7
SPECIAL_CARDS = tuple(f"x{n}" for n in range(1, 8))
DEALT = {1: SPECIAL_CARDS[:3], 2: SPECIAL_CARDS[3:6]}  # TO-2.3
UNDEALT = SPECIAL_CARDS[6]


def flaws(components: Components) -> Iterator[str]:
    """TO-1.6: why a component set cannot be played with; nothing if it can."""
    return (what for what, is_so in FLAWS if is_so(components))


def _shows_too_much(components: Components) -> bool:
    shown = [(w.value, w.hair) for w in components.warriors] + [(s.value, s.hair) for s in components.specials]
    return any(not (1 <= value <= 10 and 0 <= hair <= 4) for value, hair in shown)


def _names_others(components: Components) -> bool:
    return sorted(s.name for s in components.specials) != sorted(s.name for s in BALANCED_1.specials)


def _values_of(components: Components) -> dict[str, int]:
    return {special.name: special.value for special in components.specials}


def _moves_fixed_values(components: Components) -> bool:
    values = _values_of(components)
    return (values.get("shifting_spirit"), values.get("sky_power")) != (2, 6)


def _lacks_warriors(components: Components) -> bool:
    counts = Counter(warrior.value for warrior in components.warriors)
    return any(counts[value] < min(2, shared) for value, shared in Counter(_values_of(components).values()).items())


def _lacks_territories(components: Components) -> bool:
    faces = components.territories
    return len({face.face for face in faces}) != 15 or Counter(face.turns for face in faces) != {1: 5, 2: 5, 3: 5}


def _miscounts_animals(components: Components) -> bool:
    return any(not 1 <= face.animals <= 5 for face in components.territories)


def _shows_strange_signs(components: Components) -> bool:
    return any(face.terrain not in SPECIES or face.picto not in PICTOS for face in components.territories)


FLAWS: tuple[tuple[str, Callable[[Components], bool]], ...] = (
    ("a tribe has 24 basic warriors", lambda components: len(components.warriors) != 24),
    ("values are 1 to 10 and hair is 0 to 4", _shows_too_much),
    ("the seven specials are those of TO-1.3", _names_others),
    ("shifting_spirit is a 2 and sky_power a 6", _moves_fixed_values),
    ("a special finds no warrior of its value to replace", _lacks_warriors),
    ("there are 15 different territories, five of each duration", _lacks_territories),
    ("a territory has 1 to 5 animals", _miscounts_animals),
    ("terrains and pictos are those of TO-1.4", _shows_strange_signs),
)
