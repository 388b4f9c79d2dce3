"""The box of Tomahawk, and where its territories lie at the start (TO-1, TO-2.7)."""

from typing import Literal, get_args

import msgspec

PREFIX = "TO"  # of rule ids
RULES_VERSION = 1
PLAYERS = (2,)

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

CARDS = (*TRIBE_CARDS[1], *TRIBE_CARDS[2], *SPECIAL_CARDS)
FIELD = {territory: territory.replace("-", "_") for territory in TURNS_OF}  # of `State.faces`
