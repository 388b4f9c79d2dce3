"""What is in the box, and the tables of the rules (BM-1, BM-2.6)."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

PREFIX = "BM"  # of rule ids
RULES_VERSION = 1

Kind = Literal["bison", "tipi", "horse", "totem", "tomahawk"]
Cylinder = Literal["totem", "horse"]
GroundNumber = Literal[1, 2, 3]
TileSet = Literal["balanced", "plenty", "ritual"]

GROUNDS: tuple[GroundNumber, ...] = (1, 2, 3)
TURNS = 7  # of each seat in a hunt (BM-3.8)

HUNTERS = tuple(f"hunter-{strength}" for strength in range(1, 11))
HEROES = ("chief-1", "chief-2", "matriarch-1", "matriarch-2", "rainmaker-1", "scout-1", "sorcerer-1")
DECK = HUNTERS + HEROES
"""BM-1.2: the playing cards of every seat, in deck order."""

DECK_ORDER = {card: place for place, card in enumerate(DECK)}
STRENGTH = {card: strength for strength, card in enumerate(HUNTERS, 1)}
"""The printed strength of each hunter; heroes have none."""

BEATS: Mapping[str, frozenset[str]] = {  # BM-1.5, as on the tribe card
    "chief": frozenset({"rainmaker", "scout", "sorcerer"}),
    "matriarch": frozenset({"chief"}),
    "rainmaker": frozenset({"scout", "matriarch"}),
    "scout": frozenset({"sorcerer", "matriarch"}),
    "sorcerer": frozenset({"rainmaker", "matriarch"}),
}


def tiles_named(kind: Kind, value: int | None, count: int) -> tuple[str, ...]:
    """The ids of `count` tiles of a kind and value (BM-1.3)."""
    stem = kind if value is None else f"{kind}-{value}"
    return tuple(f"{stem}-{number}" for number in range(1, count + 1))


class TileKind(NamedTuple):
    """A row of BM-1.3: tiles that differ only in the last number of their id."""

    kind: Kind
    value: int | None
    counts: Mapping[TileSet, int]

    def tiles(self, tile_set: TileSet) -> tuple[str, ...]:
        """The ids of the tiles of this kind and value."""
        return tiles_named(self.kind, self.value, self.counts[tile_set])


VALUED: Mapping[TileSet, int] = {"balanced": 7, "plenty": 8, "ritual": 6}
UNVALUED: Mapping[TileSet, int] = {"balanced": 6, "plenty": 4, "ritual": 8}

TILE_KINDS = (  # BM-1.3, in tile order
    TileKind("bison", 1, VALUED),
    TileKind("bison", 2, VALUED),
    TileKind("bison", 3, VALUED),
    TileKind("tipi", 1, VALUED),
    TileKind("tipi", 2, VALUED),
    TileKind("tipi", 3, VALUED),
    TileKind("horse", None, UNVALUED),
    TileKind("totem", None, UNVALUED),
    TileKind("tomahawk", None, UNVALUED),
)

TILES: Mapping[TileSet, tuple[str, ...]] = {
    tile_set: tuple(tile for kind in TILE_KINDS for tile in kind.tiles(tile_set)) for tile_set in VALUED
}
"""The 60 tiles of each tile set, in tile order."""

_ALL = [(tile, kind) for kind in TILE_KINDS for tile_set in ("plenty", "ritual") for tile in kind.tiles(tile_set)]
KIND: Mapping[str, Kind] = {tile: kind.kind for tile, kind in _ALL}
VALUE: Mapping[str, int] = {tile: kind.value or 0 for tile, kind in _ALL}
PAYS_FIRST = frozenset(tile for tile, kind in KIND.items() if kind in ("bison", "tipi"))  # BM-5.6
TILE_ORDER: Mapping[str, int] = {tile: place for place, tile in enumerate(dict.fromkeys(tile for tile, _ in _ALL))}


class Table(NamedTuple):
    """A row of BM-2.6: what depends on the number of players. Sizes of parties: first player, between, dealer."""

    hunts: int
    ground_sizes: tuple[int, int, int]
    party_sizes: tuple[int, ...]


TABLES: Mapping[int, Table] = {
    2: Table(4, (4, 3, 2), (8, 7)),
    3: Table(3, (4, 4, 3), (9, 8, 7)),
    4: Table(4, (4, 4, 3), (9, 8, 8, 7)),
    5: Table(5, (4, 4, 4), (9, 8, 8, 8, 7)),
}
"""BM-2.6, by number of players; the parties in turn order (BM-3.5)."""
PLAYERS = tuple(TABLES)


def in_deck_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards of one seat, sorted as the rules sort cards."""
    return tuple(sorted(cards, key=DECK_ORDER.__getitem__))


def in_tile_order(tiles: Iterable[str]) -> tuple[str, ...]:
    """The tiles sorted as the rules sort tiles."""
    return tuple(sorted(tiles, key=TILE_ORDER.__getitem__))


def tiles_of(tiles: tuple[str, ...], kind: Kind) -> int:
    """How many of the tiles are of a kind."""
    return [KIND[tile] for tile in tiles].count(kind)
