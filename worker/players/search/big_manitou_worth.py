"""What a hunt of Big Manitou brings a seat, in points: its tiles and cylinders, and the cards that come back."""

from __future__ import annotations

from games.big_manitou.play.hunt import decks_are_refreshed, takes_cylinder
from worker.players.greedy.big_manitou import WEIGHTS
from worker.players.search.big_manitou_course import Course
from worker.players.search.hunt import HUNTERS, logistic
from worker.players.search.tiles import (
    HORSE,
    TOMAHAWK,
    TOTEM,
    cylinder_worth,
    pairs_worth,
    tomahawks_worth,
)

SCALES = {False: 2.2, True: 1.2}  # points ahead that make a reward of 0.73, by whether the hunt is the last
KEPT = {"hunter": 0.03, "hero": 0.3}  # points for a card that comes back for the next hunt; a hunter's by its strength


class Prized(Course):
    """A hunt whose tiles are valued for the end of the game."""

    __slots__ = ("prizes",)

    prizes: tuple[tuple[tuple[float, ...], ...], ...]  # of each ground and seat, what its tiles add, the best first

    def value_tiles(self) -> None:
        """Works out the prizes of the grounds; they stay until the first tile is taken."""
        self.prizes = tuple(
            [tuple([self._prizes(seat, tiles) for seat in range(self.seats)]) for tiles in self.ground_tiles]
        )

    def _prizes(self, seat: int, tiles: tuple[int, ...]) -> tuple[float, ...]:
        own = self.tiles[seat]
        return (*sorted([self.gain_of(seat, own, tile) for tile in tiles], reverse=True), 0.0, 0.0, 0.0, 0.0)

    def loss_of(self, seat: int, tile: int) -> float:
        """What one tile less takes from a seat's own."""
        own = self.tiles[seat][:]
        own[tile] -= 1
        return self.gain_of(seat, own, tile)

    def gain_of(self, seat: int, own: list[int], tile: int) -> float:
        """What one tile more adds to a seat's own."""
        more = own[:]
        more[tile] += 1
        outlook = self.outlook
        if tile < HORSE:
            return pairs_worth(more, outlook) - pairs_worth(own, outlook)
        if tile == TOMAHAWK:
            most = max([tiles[TOMAHAWK] for other, tiles in enumerate(self.tiles) if other != seat])
            return tomahawks_worth(more, most, outlook) - tomahawks_worth(own, most, outlook)
        holder = self.totem if tile == TOTEM else self.horse
        if holder == seat:
            return WEIGHTS["behind"] if outlook.hunts_left else 0.0
        gained = takes_cylinder(more[tile], None if holder < 0 else self.tiles[holder][tile])
        return cylinder_worth(gained, more[tile], outlook) - cylinder_worth(False, own[tile], outlook)

    def worths(self) -> list[float]:
        """What the tiles and cylinders of every seat are worth, and the cards that come back."""
        return [self._worth(seat) + self._kept(seat) for seat in range(self.seats)]

    def _worth(self, seat: int) -> float:
        tiles, outlook = self.tiles[seat], self.outlook
        most = max([others[TOMAHAWK] for other, others in enumerate(self.tiles) if other != seat])
        return (
            pairs_worth(tiles, outlook)
            + tomahawks_worth(tiles, most, outlook)
            + cylinder_worth(self.totem == seat, tiles[TOTEM], outlook)
            + cylinder_worth(self.horse == seat, tiles[HORSE], outlook)
            + WEIGHTS["tile"] * sum(tiles)
        )

    def _kept(self, seat: int) -> float:
        """BM-3.12, BM-3.16: cards not laid are there for the second hunt of a deck."""
        hunt = self.outlook.hunts - self.outlook.hunts_left
        if self.last or decks_are_refreshed(hunt) or self.options.unplayed_cards == "spent":
            return 0.0
        cards = self.hands[seat] + self.piles[seat]
        return sum([KEPT["hunter"] * card if card <= HUNTERS else KEPT["hero"] for card in cards])

    def rewards(self) -> list[float]:
        """Every seat's lead over the best other, between 0 and 1."""
        return logistic(self.worths(), SCALES[self.last])
