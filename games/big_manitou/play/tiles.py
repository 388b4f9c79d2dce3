"""Discarding tiles for the force penalty, and taking those of an award (BM-4.8, BM-4.9, BM-5.6)."""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Literal, TypeVar

from games.big_manitou import events as ev
from games.big_manitou.components import GROUNDS, PAYS_FIRST, in_tile_order
from games.big_manitou.moves import DiscardTile, TakeTiles
from games.big_manitou.play.cylinders import counts_of, cylinder_for, holder_of
from games.big_manitou.state import Cards, State, seat_of
from games.kernel import MoveRefused
from games.parties import without

Tile = TypeVar("Tile")


def payable(tiles: Sequence[Tile], pays_first: Collection[Tile]) -> tuple[Tile, ...]:
    """BM-5.6: the tiles that may be discarded: such as pay first, or if there is none any."""
    return tuple([tile for tile in tiles if tile in pays_first]) or tuple(tiles)


def eligible(tiles: Cards) -> Cards:
    """BM-5.6: the tiles that may be discarded: bison and tipi, or if there is none any."""
    return payable(tiles, PAYS_FIRST)


def check_discard(state: State, seat: int, tile: str) -> None:
    """Refuses with BM-4.8a and BM-4.8b."""
    tiles = seat_of(state, seat).tiles
    if tile not in tiles:
        raise MoveRefused("BM-4.8a", f"{tile} is not a tile of seat {seat}")
    if tile not in eligible(tiles):
        raise MoveRefused("BM-4.8b", f"{tile} stays while seat {seat} has a bison or tipi tile")


def check_taking(state: State, ground: int, tiles: Cards) -> None:
    """Refuses with BM-4.9a to BM-4.9d."""
    count = state.awards[0].count
    if ground != state.evaluating:
        raise MoveRefused("BM-4.9a", f"ground {state.evaluating} is being evaluated, not ground {ground}")
    if len(tiles) != count:
        raise MoveRefused("BM-4.9b", f"the award is {count} tiles, not {len(tiles)}")
    if len(set(tiles)) != count:
        twice = next(tile for tile in tiles if tiles.count(tile) > 1)
        raise MoveRefused("BM-4.9c", f"{twice} appears twice")
    for tile in tiles:
        if tile not in state.grounds[ground - 1].tiles:
            raise MoveRefused("BM-4.9d", f"{tile} is not on ground {ground}")


def discards(state: State, seat: int) -> list[DiscardTile]:
    """BM-4.10: a move for each eligible tile, in tile order."""
    return [DiscardTile(tile) for tile in eligible(seat_of(state, seat).tiles)]


def takings(state: State) -> list[TakeTiles]:
    """BM-4.10: a move for each combination that the next award allows, in tile order."""
    place = state.evaluating - 1
    tiles = in_tile_order(state.grounds[place].tiles)
    return [TakeTiles(GROUNDS[place], pick) for pick in combinations(tiles, state.awards[0].count)]


def discard(state: State, seat: int, tile: str) -> ev.TileDiscarded:
    """BM-5.6: the force penalty paid."""
    return ev.TileDiscarded(
        hunt=state.hunt,
        seat=seat,
        tile=tile,
        eligible=eligible(seat_of(state, seat).tiles),
        reason="force_penalty",
        phase=phase_after_payment(state),
        rules=discard_rules(state, seat, tile),
    )


def waiver(state: State, seat: int) -> ev.ForcePenaltyWaived:
    """BM-5.6: a seat without tiles pays nothing."""
    return ev.ForcePenaltyWaived(state.hunt, seat, "no_tiles", phase_after_payment(state), penalty_rules(state))


def phase_after_payment(state: State) -> Literal["penalty"] | None:
    """BM-3.13: the next penalised seat is to pay."""
    return "penalty" if len(state.owing) > 1 else None


def take(state: State, seat: int, move: TakeTiles) -> ev.TilesTaken:
    """BM-5.7 step 5: the tiles of the next award taken."""
    left = in_tile_order(without(state.grounds[move.ground - 1].tiles, move.tiles))
    return ev.TilesTaken(
        hunt=state.hunt,
        ground=move.ground,
        seat=seat,
        step=state.awards[0].step,
        tiles=in_tile_order(move.tiles),
        left=left,
        phase="take_tiles" if len(state.awards) > 1 else penalty_if_due(state, left),
    )


def penalty_if_due(state: State, left: Cards) -> Literal["penalty"] | None:
    """BM-3.13: the penalty of the first hunt is due when ground 3 is empty; `left` lie on the ground still."""
    return "penalty" if state.owing and state.evaluating == GROUNDS[-1] and not left else None


def discard_rules(state: State, seat: int, tile: str) -> tuple[str, ...]:
    """BM-5.11, the row of `TileDiscarded`."""
    rules = penalty_rules(state)
    cylinder = cylinder_for(tile)
    if cylinder is None or holder_of(state, cylinder) != seat:
        return rules
    counts = counts_of(state, cylinder)
    left = counts[seat - 1] - 1
    behind = left < max(counts[: seat - 1] + counts[seat:])
    return (*rules, "BM-5.10", "BM-R16") if left == 0 or behind else rules


def penalty_rules(state: State) -> tuple[str, ...]:
    """BM-5.11: what is cited whenever the force penalty is paid or waived."""
    return ("BM-5.6", "BM-R24") if state.hunt == 1 else ("BM-5.6",)
