"""What a hunt of Big Manitou changes in the numbers of a table: turns, the steps after them, the tiles taken.

Who may take how much, who owes, who holds what and the points change after the turns of a hunt alone. They are open to
all, and written as the state has them. When the next hunt begins, observations are made anew.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from games.big_manitou import events as ev
from games.big_manitou.components import DECK, GROUNDS, HEROES, TILE_ORDER
from games.big_manitou.events import Award
from games.big_manitou.scoring import totals
from games.big_manitou.sight import HEAPS, ground_evaluated
from games.big_manitou.state import State
from games.parties import known
from wintercount.env.grounds import Pieces
from wintercount.env.layout import Change, Numbers, Sharing, places_among
from wintercount.env.turns import Section, Turns

PHASES = ("party", "play", "extra_card", "hunter_move", "penalty", "take_tiles", "over")
STEPS = ("hero", "majority", "runner_up")
TILES = tuple(TILE_ORDER)
ORDERS = ("totem_gains", "horse_gains", "owing")  # of seats
PIECES = Pieces("tiles", TILES, DECK, HEROES)  # of a ground
DURING_TURNS = ("party", "play")  # the phases


def awards(rows: Sequence[Award], own: int, players: int) -> list[int]:
    """How many tiles each seat, from one's own on, may still take by each step of the evaluation."""
    counts = [0] * (players * len(STEPS))
    for row in rows:
        counts[(row.seat - own) % players * len(STEPS) + STEPS.index(row.step)] += row.count
    return counts


class Hunts(Turns):
    """Writes the events of hunts into the numbers of a table."""

    settled: Collection[type] = frozenset(
        [
            ev.ExtraCardOffered,
            ev.ExtraCardWithheld,
            ev.ExtraCardDeclined,
            ev.HunterMoveOffered,
            ev.HunterMoveWithheld,
            ev.HunterMoveDeclined,
            ev.ForcePenaltyAssessed,
            ev.ForcePenaltyWaived,
            ev.GroundEvaluated,
            ev.CylinderMoved,
        ]
    )

    def __init__(self, sharing: Sharing) -> None:
        super().__init__(sharing, GROUNDS, PIECES, PHASES, HEAPS)
        self._players, place = len(sharing.places), sharing.place
        seats = range(self._players)
        self._removed = Section(sharing, "removed", TILES).slot
        self._tiles = [Section(sharing, f"seat {seat}/tiles", TILES).slot for seat in seats]
        self._stock = {ground: Section(sharing, f"ground {ground}/tiles", TILES).slot for ground in GROUNDS}
        self._tiles_taken = [place[f"seat {seat}/tiles_taken"] for seat in seats]
        self._totals, self._bonuses = [[place[f"seat {seat}/{name}"] for seat in seats] for name in ("total", "bonus")]
        self._orders = {order: Section(sharing, order, seats) for order in ORDERS}
        self._awards = Section(sharing, "awards", [f"{step} of {seat}" for seat in seats for step in STEPS])
        self._evaluating = Section(sharing, "evaluating", GROUNDS)
        self._totem, self._horse = [Section(sharing, f"{name}_cylinder", seats) for name in ("totem", "horse")]
        self.changes: Mapping[type, Change] = {
            ev.PartyChosen: self.chosen,
            ev.PartyShuffled: self.shuffled,
            ev.CardPlayed: self._played,
            ev.TrialOfStrengthResolved: self.met,
            ev.CardsDrawn: self.drawn,
            ev.HunterMoved: self._moved,
            ev.UnplayedCardsReturned: self._returned,
            ev.TileDiscarded: self._discarded,
            ev.TilesTaken: self._taken,
            ev.TilesRemoved: self._gone,
        }

    def settle(self, numbers: Numbers, state: State, to_act: Sequence[int]) -> None:
        """The phase and who has to act; after turns whatever all know of awards, debts, cylinders and points, too."""
        super().settle(numbers, state, to_act)
        if state.phase in DURING_TURNS:
            return
        for order, section in self._orders.items():
            section.counts(numbers, places_among(getattr(state, order), 1, self._players))
        self._awards.counts(numbers, awards(state.awards, 1, self._players))
        self._evaluating.holds(numbers, [ground for ground in (ground_evaluated(state),) if ground])
        for section, holder in ((self._totem, state.totem_cylinder), (self._horse, state.horse_cylinder)):
            section.holds(numbers, () if holder is None else (holder - 1,))
        for slot, total in zip(self._totals, totals(state), strict=True):
            numbers[slot] = total
        for slot, bonus in zip(self._bonuses, state.bonuses or (0,) * self._players, strict=True):
            numbers[slot] = bonus

    def _played(self, numbers: Numbers, event: Any) -> None:
        self.laid(numbers, event)
        if not event.extra:
            self.turn_taken(numbers)

    def _moved(self, numbers: Numbers, event: Any) -> None:
        """A hunter lies on another ground."""
        laid = self.seats[event.seat - 1].laid
        numbers[laid[event.from_ground].slot[event.card]] = 0
        numbers[laid[event.to_ground].slot[event.card]] = 1

    def _returned(self, numbers: Numbers, event: Any) -> None:
        """Hand and pile of a seat go where the event says."""
        seat, cards = self.seats[event.seat - 1], known(event.cards)
        for place in ("hand", "pile"):
            numbers[seat.count[place]] = 0
            seat.own[place].holds(numbers, ())
        numbers[seat.count[event.to]] += len(cards)
        for card in cards:
            numbers[seat.own[event.to].slot[card]] = 1

    def _discarded(self, numbers: Numbers, event: Any) -> None:
        """A tile of a seat is out of the game."""
        numbers[self._tiles[event.seat - 1][event.tile]] = 0
        numbers[self._removed[event.tile]] = 1

    def _taken(self, numbers: Numbers, event: Any) -> None:
        """Tiles of a ground are a seat's."""
        self._leave(numbers, event, self._tiles[event.seat - 1])
        numbers[self._tiles_taken[event.seat - 1]] += len(event.tiles)

    def _gone(self, numbers: Numbers, event: Any) -> None:
        """The tiles that nobody may take are out of the game."""
        self._leave(numbers, event, self._removed)

    def _leave(self, numbers: Numbers, event: Any, there: Mapping[Any, int]) -> None:
        here = self._stock[event.ground]
        for tile in event.tiles:
            numbers[here[tile]] = 0
            numbers[there[tile]] = 1
