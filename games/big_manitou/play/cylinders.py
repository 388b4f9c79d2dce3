"""Who holds the two cylinders (BM-5.8, BM-5.10)."""

from collections.abc import Iterator

from games.big_manitou import events as ev
from games.big_manitou.components import KIND, Cylinder, tiles_of
from games.big_manitou.events.rows import CylinderReason, SeatTiles
from games.big_manitou.state import Cards, State

CYLINDERS: tuple[Cylinder, ...] = ("totem", "horse")


def cylinder_for(tile: str) -> Cylinder | None:
    """The cylinder that stands for the majority of a tile's kind, if there is one."""
    kind = KIND[tile]
    return kind if kind in ("totem", "horse") else None


def holder_of(state: State, cylinder: Cylinder) -> int | None:
    """The seat that holds a cylinder."""
    return state.totem_cylinder if cylinder == "totem" else state.horse_cylinder


def counts_of(state: State, cylinder: Cylinder) -> tuple[int, ...]:
    """How many tiles of a cylinder's kind each seat has."""
    return tuple([tiles_of(seat.tiles, cylinder) for seat in state.seats])


def cylinders_gained(state: State, seat: int, tiles: Cards) -> Iterator[ev.CylinderMoved]:
    """BM-5.8: the cylinders that come to the seat with the tiles it has just taken, first the totem cylinder."""
    for cylinder in CYLINDERS:
        if not tiles_of(tiles, cylinder):
            continue
        holder, counts = holder_of(state, cylinder), counts_of(state, cylinder)
        if holder is None:
            yield _moved(state, cylinder, seat, "first_tile", ("BM-5.8",))
        elif holder != seat and counts[seat - 1] >= counts[holder - 1]:
            yield _moved(state, cylinder, seat, "matched", ("BM-5.8", "BM-R17"))


def cylinder_lost(state: State, seat: int, tile: str) -> ev.CylinderMoved | None:
    """BM-5.10 with `cylinder_on_loss: "recheck"`: where a cylinder goes whose holder has just discarded `tile`."""
    cylinder = cylinder_for(tile)
    if cylinder is None or state.options.cylinder_on_loss == "keep" or holder_of(state, cylinder) != seat:
        return None
    counts = counts_of(state, cylinder)
    rules = ("BM-5.10", "BM-R16")
    if max(counts) > counts[seat - 1]:
        gains = state.totem_gains if cylinder == "totem" else state.horse_gains
        latest = max([s for s in gains if counts[s - 1] == max(counts)], key=gains.index)
        return _moved(state, cylinder, latest, "overtaken", rules)
    return None if counts[seat - 1] else _moved(state, cylinder, None, "no_tiles", rules)


def _moved(
    state: State, cylinder: Cylinder, to_seat: int | None, reason: CylinderReason, rules: tuple[str, ...]
) -> ev.CylinderMoved:
    counts = tuple([SeatTiles(seat, count) for seat, count in enumerate(counts_of(state, cylinder), 1)])
    return ev.CylinderMoved(state.hunt, cylinder, holder_of(state, cylinder), to_seat, reason, counts, rules)
