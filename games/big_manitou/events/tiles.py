"""What becomes of tiles and cylinders: penalties, awards, removals (BM-5.5 to BM-5.10)."""

from typing import Literal

from games.big_manitou.components import Cylinder
from games.big_manitou.events.rows import Award, CylinderReason, ForceTotal, GroundTotal, SeatCards, SeatTiles, Step
from games.kernel import Event


class ForcePenaltyAssessed(Event, frozen=True, gc=False):
    """BM-5.5; `penalised` in turn order."""

    hunt: int
    totals: tuple[ForceTotal, ...]
    highest: int
    penalised: tuple[int, ...]
    payment: Literal["now", "after_awards"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]


class TileDiscarded(Event, frozen=True, gc=False):
    """BM-5.6; `eligible` as before the discard."""

    hunt: int
    seat: int
    tile: str
    eligible: tuple[str, ...]
    reason: Literal["force_penalty"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]


class ForcePenaltyWaived(Event, frozen=True, gc=False):
    """A penalised seat has no tile to pay with (BM-5.6)."""

    hunt: int
    seat: int
    reason: Literal["no_tiles"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]


class GroundEvaluated(Event, frozen=True, gc=False):
    """BM-5.7; tiles in the order drawn, `tomahawks` from when the evaluation of ground 1 began."""

    hunt: int
    ground: int
    tiles: tuple[str, ...]
    hero: SeatCards | None
    totals: tuple[GroundTotal, ...]
    tied_out: tuple[int, ...]
    majority: int | None
    runner_up: int | None
    awards: tuple[Award, ...]
    unclaimed: int
    tomahawks: tuple[SeatTiles, ...]
    phase: Literal["take_tiles"] | None
    rules: tuple[str, ...]


class TilesTaken(Event, frozen=True, gc=False):
    """BM-5.7 step 5; `left` lie on the ground still."""

    hunt: int
    ground: int
    seat: int
    step: Step
    tiles: tuple[str, ...]
    left: tuple[str, ...]
    phase: Literal["take_tiles", "penalty"] | None


class CylinderMoved(Event, frozen=True, gc=False):
    """BM-5.8, BM-5.10; `counts` are the tiles of that kind which every seat holds now."""

    hunt: int
    cylinder: Cylinder
    from_seat: int | None
    to_seat: int | None
    reason: CylinderReason
    counts: tuple[SeatTiles, ...]
    rules: tuple[str, ...]


class TilesRemoved(Event, frozen=True, gc=False):
    """Tiles that no award covers are out of the game (BM-5.9)."""

    hunt: int
    ground: int
    tiles: tuple[str, ...]
    reason: Literal["unclaimed"]
    phase: Literal["penalty"] | None
    rules: tuple[str, ...]
