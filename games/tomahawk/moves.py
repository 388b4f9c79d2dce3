"""The four decisions of Tomahawk, and the one summary of legal moves (TO-4)."""

from collections.abc import Iterator
from functools import partial
from itertools import permutations

import msgspec

from games.from_json import move_from
from games.kernel import Chance, Move, MoveSet
from games.tomahawk.components import PileNumber


class Kept(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A special that is kept, and the basic warrior that it replaces."""

    card: str
    replaces: str


class Placement(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A card at a pile."""

    pile: PileNumber
    card: str


class ChooseSpecials(Move, frozen=True, gc=False):
    """Keep two of the three specials, each instead of a basic warrior of its value (TO-4.2)."""

    keep: tuple[Kept, ...]


class PlayCards(Move, frozen=True, gc=False):
    """Play one card at each of the piles where no card is forced (TO-4.3)."""

    cards: tuple[Placement, ...]


class LookInForests(Move, frozen=True, gc=False):
    """Look at what the opponent played this turn in forests still being fought for (TO-4.4)."""


class DeclineForestLook(Move, frozen=True, gc=False):
    """Decline that look (TO-4.4)."""


AnyMove = ChooseSpecials | PlayCards | LookInForests | DeclineForestLook


class PlayCardsSet(MoveSet, frozen=True, gc=False, tag="play_cards", rename={"hand": "from"}):
    """Every placement of `choose` different cards of `from`, one at each of `piles` (TO-4.6)."""

    choose: int
    hand: tuple[str, ...]
    piles: tuple[PileNumber, ...]

    def expansions(self) -> Iterator[PlayCards]:
        """Every move that the summary stands for."""
        return map(self._placing, permutations(self.hand, self.choose))

    def sample(self, chance: Chance) -> PlayCards:
        """One of those moves, each equally likely."""
        return self._placing(chance("play_cards", self.hand, self.choose))

    def _placing(self, cards: tuple[str, ...]) -> PlayCards:
        return PlayCards(tuple(map(Placement, self.piles, cards)))


MOVE_SETS: tuple[type[MoveSet], ...] = (PlayCardsSet,)
read_move = partial(move_from, union=AnyMove, rule="TO-4.1a")
