"""The steps of a hunt after its turns, until a seat must act (BM-3.10 to BM-3.16)."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeVar

from games.big_manitou import events as ev
from games.big_manitou.components import (
    DECK,
    GROUNDS,
    KIND,
    PAYS_FIRST,
    TABLES,
    TURNS,
    Cylinder,
    in_deck_order,
    in_tile_order,
    tiles_of,
)
from games.big_manitou.end_of_hunt import assessment, evaluation
from games.big_manitou.events import CylinderReason, SeatTiles
from games.big_manitou.evolve import Scribe
from games.big_manitou.moves import DiscardTile, TakeTiles
from games.big_manitou.scoring import final_scores
from games.big_manitou.setup import begin_hunt
from games.big_manitou.state import Cards, State, dealer_of, hunters_laid, seat_of
from games.deciding import when
from games.kernel import Chance, MoveRefused
from games.manitou_family_parties import SeatCards
from games.rows import without

Step = Literal["turns", "extra_card", "hunter_move", "penalty", "grounds", "end"]

STEPS: tuple[Step, ...] = ("turns", "extra_card", "hunter_move", "penalty", "grounds", "end")
STEPS_OF_FIRST_HUNT: tuple[Step, ...] = ("turns", "extra_card", "hunter_move", "grounds", "penalty", "end")


def step_after(step: Step, hunt: int) -> Step:
    """BM-3.13: what follows a step; only in the first hunt is the force penalty paid after the awards."""
    steps = STEPS_OF_FIRST_HUNT if hunt == 1 else STEPS
    return steps[steps.index(step) + 1]


def turns_are_over(turns: int, players: int) -> bool:
    """BM-3.8: whether every seat has had its turns, given how many all of them together had."""
    return turns >= TURNS * players


def decks_are_refreshed(hunt: int) -> bool:
    """BM-3.16: whether everybody has a full deck again after a hunt."""
    return hunt % 2 == 0


def no_extra_card(holder: int | None, dealer: int) -> Literal["no_holder", "holder_is_dealer"] | None:
    """BM-3.10: the reason why nobody may lay an extra card; None if the holder of the totem cylinder may."""
    if holder is None:
        return "no_holder"
    return "holder_is_dealer" if holder == dealer else None


def no_hunter_move(holder: int | None, has_hunters: bool) -> Literal["no_holder", "no_hunter_on_grounds"] | None:
    """BM-3.11: the reason why nobody may move a hunter; None if the holder of the horse cylinder may."""
    if holder is None:
        return "no_holder"
    return None if has_hunters else "no_hunter_on_grounds"


# The steps (BM-3.10 to BM-3.16)


def after_turns(scribe: Scribe, chance: Chance) -> None:
    """BM-3.10: the extra card is offered to the holder of the totem cylinder, but never to the dealer (BM-R8)."""
    state = scribe.state
    holder = state.totem_cylinder
    if reason := no_extra_card(holder, dealer_of(state)):
        scribe.write(ev.ExtraCardWithheld(state.hunt, holder, reason, ("BM-3.10", *when(holder, "BM-R8"))))
        after_extra_card(scribe, chance)
    elif holder is not None:
        left = len(seat_of(state, holder).hand)
        scribe.write(ev.ExtraCardOffered(state.hunt, holder, left, ("BM-3.10", *when(left > 1, "BM-R8"))))


def after_extra_card(scribe: Scribe, chance: Chance) -> None:
    """BM-3.11: the hunter move is offered to the holder of the horse cylinder, if it has laid a hunter (BM-R22)."""
    state = scribe.state
    holder = state.horse_cylinder
    has_hunters = holder is not None and bool(hunters_laid(state, holder))
    if reason := no_hunter_move(holder, has_hunters):
        scribe.write(ev.HunterMoveWithheld(state.hunt, holder, reason, ("BM-3.11", *when(holder, "BM-R22"))))
        after_hunter_move(scribe, chance)
    elif holder is not None:
        scribe.write(ev.HunterMoveOffered(state.hunt, holder, ("BM-3.11",)))


def after_hunter_move(scribe: Scribe, chance: Chance) -> None:
    """BM-3.12, BM-5.5: who must pay the force penalty is found at once; it is paid in its turn."""
    return_unplayed(scribe)
    scribe.write(assessment(scribe.state))
    _go_on("hunter_move", scribe, chance)


def _go_on(step: Step, scribe: Scribe, chance: Chance) -> None:
    """Continues with the next step of the hunt."""
    FOLLOWING[step_after(step, scribe.state.hunt)](scribe, chance)


def return_unplayed(scribe: Scribe) -> None:
    """BM-3.12, BM-R21: in turn order; seats without such cards are skipped."""
    state = scribe.state
    to: Literal["reserve", "spent"] = "reserve" if state.options.unplayed_cards == "return" else "spent"
    for seat in state.turn_order:
        own = seat_of(state, seat)
        cards = in_deck_order(own.hand + own.pile)
        if cards:
            scribe.write(ev.UnplayedCardsReturned(hunt=state.hunt, seat=seat, count=len(cards), cards=cards, to=to))


def settle_penalty(scribe: Scribe, chance: Chance) -> None:
    """BM-3.13, BM-5.6: waives what cannot be paid, and goes on when nobody owes anything."""
    while scribe.state.owing:
        seat = scribe.state.owing[0]
        if seat_of(scribe.state, seat).tiles:
            return
        scribe.write(waiver(scribe.state, seat))
    _go_on("penalty", scribe, chance)


def evaluate_grounds(scribe: Scribe, chance: Chance) -> None:
    """BM-3.14: the grounds not evaluated yet, until one has tiles to take."""
    for number in GROUNDS[scribe.state.evaluating :]:
        scribe.write(evaluation(scribe.state, number))
        if scribe.state.awards:
            return
        remove_unclaimed(scribe)
    _go_on("grounds", scribe, chance)


def after_award(scribe: Scribe, chance: Chance) -> None:
    """BM-3.14: when the last award of a ground is taken, what is left goes and the next ground follows."""
    if not scribe.state.awards:
        remove_unclaimed(scribe)
        evaluate_grounds(scribe, chance)


def remove_unclaimed(scribe: Scribe) -> None:
    """BM-5.9: tiles that no award covers are out of the game."""
    state = scribe.state
    tiles = in_tile_order(state.grounds[state.evaluating - 1].tiles)
    if tiles:
        phase = penalty_if_due(state, ())
        scribe.write(ev.TilesRemoved(state.hunt, state.evaluating, tiles, "unclaimed", phase, ("BM-5.9", "BM-R15")))


def end_hunt(scribe: Scribe, chance: Chance) -> None:
    """BM-3.15, BM-3.16: the cards are discarded; then the next hunt, with full decks after hunts 2 and 4."""
    state = scribe.state
    laid = [in_deck_order(sum((ground.sides[place] for ground in state.grounds), ())) for place in range(state.players)]
    scribe.write(ev.HuntEnded(state.hunt, tuple([SeatCards(seat, cards) for seat, cards in enumerate(laid, 1)])))
    if state.hunt == TABLES[state.players].hunts:
        scribe.write(final_scores(scribe.state))
        return
    if decks_are_refreshed(state.hunt):
        scribe.write(ev.DecksRefreshed(state.hunt, len(DECK)))
    begin_hunt(scribe, chance)


FOLLOWING: Mapping[Step, Callable[[Scribe, Chance], None]] = {
    "penalty": settle_penalty,
    "grounds": evaluate_grounds,
    "end": end_hunt,
}


Tile = TypeVar("Tile")


# Tiles: the force penalty and awards (BM-4.8, BM-4.9, BM-5.6)


def payable(tiles: Sequence[Tile], pays_first: Collection[Tile]) -> tuple[Tile, ...]:
    """BM-5.6: the tiles that may be discarded: those that pay first, or any if there are none."""
    return tuple([tile for tile in tiles if tile in pays_first]) or tuple(tiles)


def eligible(tiles: Cards) -> Cards:
    """BM-5.6: the tiles that may be discarded: bison and tipi, or any if there are none."""
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


CYLINDERS: tuple[Cylinder, ...] = ("totem", "horse")


# Cylinders, from plain values (BM-5.8, BM-5.10)


def takes_cylinder(own: int, holders: int | None) -> bool:
    """BM-5.8: whether a seat that took a tile gets the cylinder, given its number of tiles and the holder's."""
    return holders is None or own >= holders


def holder_after_loss(counts: Mapping[int, int], holder: int, gains: Sequence[int]) -> int | None:
    """BM-5.10: the holder of a cylinder after its holder has lost a tile; `gains` lists seats by their last gain.

    The seat with most tiles, if it has more (of several the latest to gain one); else the holder, if it has a tile.
    """
    most = max(counts.values())
    if most > counts[holder]:
        return max([seat for seat in gains if counts[seat] == most], key=gains.index)
    return holder if counts[holder] else None


# Cylinders at a table


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
        elif holder != seat and takes_cylinder(counts[seat - 1], counts[holder - 1]):
            yield _moved(state, cylinder, seat, "matched", ("BM-5.8", "BM-R17"))


def cylinder_lost(state: State, seat: int, tile: str) -> ev.CylinderMoved | None:
    """BM-5.10 with `cylinder_on_loss: "recheck"`: where a cylinder goes whose holder has just discarded `tile`."""
    cylinder = cylinder_for(tile)
    if cylinder is None or state.options.cylinder_on_loss == "keep" or holder_of(state, cylinder) != seat:
        return None
    gains = state.totem_gains if cylinder == "totem" else state.horse_gains
    after = holder_after_loss(dict(enumerate(counts_of(state, cylinder), 1)), seat, gains)
    if after == seat:
        return None
    return _moved(state, cylinder, after, "overtaken" if after else "no_tiles", ("BM-5.10", "BM-R16"))


def _moved(
    state: State, cylinder: Cylinder, to_seat: int | None, reason: CylinderReason, rules: tuple[str, ...]
) -> ev.CylinderMoved:
    counts = tuple([SeatTiles(seat, count) for seat, count in enumerate(counts_of(state, cylinder), 1)])
    return ev.CylinderMoved(state.hunt, cylinder, holder_of(state, cylinder), to_seat, reason, counts, rules)
