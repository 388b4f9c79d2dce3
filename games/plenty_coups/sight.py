"""Who sees what (section 7): the view of a seat, and the readers of an event's secret fields."""

from collections.abc import Callable, Collection
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from games.plenty_coups import events as ev
from games.plenty_coups.components import CAMPS, COUP_STICK, HORSES_IN_BOX, HORSES_PER_CAMP, MARKERS, TRIBES, in_order
from games.plenty_coups.house_rules import Options
from games.plenty_coups.scoring import Scores, scores
from games.plenty_coups.state import (
    Camp,
    Repelled,
    Side,
    State,
    answering,
    keeper,
    off_herd,
    own,
    playing,
    seat_in_turn,
    to_act,
)

HIDDEN = ("hand", "pile", "give")  # PC-7.2, PC-7.3
Cards = tuple[str, ...]


class CampView(Struct, frozen=True):
    """A camp as it is seen; `hand` only by those who may see it. `raid_markers` and `prestige_markers` are in camp."""

    tribe: str
    seat: int | None
    horses: int
    raid_markers: int
    prestige_markers: int
    extra: int
    off_herd: int
    ally: str | None
    ally_card: str | None
    disdained: bool
    hand_count: int
    hand: Cards | UnsetType = UNSET


class RaidView(Struct, frozen=True):
    """A standing raid and whether it is due in the turn going on."""

    tribe: str
    target: str
    cards: Cards
    printed: int
    bonus: int
    attack: int
    marker: Side
    round: int
    due: bool


class ProposalView(Struct, frozen=True):
    """An open proposal."""

    tribe: str
    to: str
    card: str
    value: int


class OfferView(Struct, frozen=True):
    """The gift that waits for its answer; `give` only for the giver's side (PC-7.2)."""

    tribe: str
    to: str
    free: bool
    give: str | UnsetType = UNSET


class View(Struct, frozen=True):
    """The table as one seat may see it, or a spectator (`seat` null); everything once the game is over (PC-7.5)."""

    game: str
    players: int
    options: Options
    seat: int | None
    phase: str
    to_act: tuple[int, ...]
    over: bool
    round: int
    turn: str | None
    turn_seat: int | None
    acting_tribe: str | None
    actions: int
    take: int
    hunted: int
    free_exchange_made: bool
    repelled: Repelled | None
    chosen: Cards
    camps: tuple[CampView, ...]
    shared_tribe: str | None
    neutral_tribes: Cards
    raids: tuple[RaidView, ...]
    proposals: tuple[ProposalView, ...]
    offer: OfferView | None
    plain: int
    display: Cards
    discards: Cards
    pile_count: int
    scores: Scores
    pile: Cards | UnsetType = UNSET


def hand_readers(state: State, tribe: str) -> list[int]:
    """Section 7: the seats that may see the tribe's hand now."""
    if tribe != state.shared:
        return [playing(state, tribe)]
    if state.options.shared_hand == "open":
        return [1, 2]
    seats = {keeper(state)}
    if answering(state) == tribe:
        seats.add(playing(state, tribe))
    return sorted(seats)


# --- events ---


def _nobody(_: State, __: Any) -> dict[str, list[int]]:
    return {"order": []}


def _both_sides(state: State, event: ev.GiftsExchanged) -> dict[str, list[int]]:
    seats = sorted({*hand_readers(state, event.tribe), *hand_readers(state, event.to)})
    return {"given": seats, "received": seats}


_READERS: dict[type, Callable[[State, Any], dict[str, list[int]]]] = {
    ev.DeckShuffled: _nobody,
    ev.DeckReshuffled: _nobody,
    ev.CardsDrawn: lambda state, event: {"cards": hand_readers(state, event.tribe)},
    ev.GiftOffered: lambda state, event: {"give": hand_readers(state, event.tribe)},
    ev.GiftsExchanged: _both_sides,
}


def readers(state: State, event: Any) -> dict[str, list[int]]:
    """PC-7.6: the secret fields of an event and who may read each; `state` is that before the event."""
    table = _READERS.get(type(event))
    return table(state, event) if table else {}


# --- views ---


def view(state: State, seat: int | None, *, everything: bool = False) -> View:
    """What `seat` (null: a spectator) may know of the state, or everything: always once the game is over (PC-7.5)."""
    everything = everything or state.phase == "over"
    seen = [camp.tribe for camp in state.camps if everything or seat in hand_readers(state, camp.tribe)]
    return View(
        game="plenty-coups",
        players=state.players,
        options=state.options,
        seat=seat,
        phase=state.phase,
        to_act=to_act(state),
        over=state.phase == "over",
        round=state.round,
        turn=state.turn,
        turn_seat=None if state.turn is None else seat_in_turn(state, state.turn),
        acting_tribe=None if state.turn is None else own(state),
        actions=state.actions,
        take=state.take,
        hunted=state.hunted,
        free_exchange_made=state.free_made,
        repelled=state.repelled,
        chosen=state.chosen,
        camps=tuple(_camp_view(state, camp, seen) for camp in state.camps),
        shared_tribe=state.shared,
        neutral_tribes=state.neutral,
        raids=_raid_views(state),
        proposals=tuple(ProposalView(p.tribe, p.to, p.card, p.value) for p in state.proposals),
        offer=_offer_view(state, seen),
        plain=state.plain,
        display=state.display,
        discards=in_order(state.discards),
        pile_count=len(state.pile),
        scores=scores(state),
        pile=state.pile if everything else UNSET,
    )


def _camp_view(state: State, camp: Camp, seen: Collection[str]) -> CampView:
    """A camp; its hand if it is among those seen."""
    return CampView(
        camp.tribe,
        camp.seat,
        camp.horses,
        camp.raid_markers,
        camp.prestige_markers,
        camp.extra,
        off_herd(state, camp.tribe),
        camp.ally,
        camp.ally_card,
        camp.disdained,
        len(camp.hand),
        camp.hand if camp.tribe in seen else UNSET,
    )


def _raid_views(state: State) -> tuple[RaidView, ...]:
    return tuple(
        RaidView(
            raid.tribe,
            raid.target,
            raid.cards,
            raid.printed,
            raid.bonus,
            raid.attack,
            raid.marker,
            raid.round,
            raid.tribe == state.turn and raid.round < state.round,
        )
        for raid in state.raids
    )


def _offer_view(state: State, seen: Collection[str]) -> OfferView | None:
    offer = state.offer
    if offer is None:
        return None
    give = offer.give if offer.tribe in seen else UNSET
    return OfferView(offer.tribe, offer.to, offer.free, give)


def census(state: State) -> tuple[tuple[str, ...], int, tuple[int, ...]]:
    """All 54 cards, 36 horses and four markers of each tribe, wherever they lie (PC-1.2, PC-1.5, PC-1.6)."""
    cards = [*state.pile, *state.display, *state.discards, *(p.card for p in state.proposals)]
    for camp in state.camps:
        cards += [*camp.hand, *([camp.ally_card] if camp.ally_card else []), *[COUP_STICK] * camp.disdained]
    for raid in state.raids:
        cards += raid.cards
    if state.offer is not None:
        cards.append(state.offer.give)
    total = HORSES_PER_CAMP * CAMPS[state.players]
    in_box = HORSES_IN_BOX - total
    horses = in_box + state.plain + sum(camp.horses for camp in state.camps)
    return in_order(cards), horses, tuple(_markers(state, tribe) for tribe in TRIBES)


def _markers(state: State, tribe: str) -> int:
    if tribe not in state.tribes:
        return MARKERS
    camp = state.camps[state.tribes.index(tribe)]
    return camp.raid_markers + camp.prestige_markers + sum(raid.tribe == tribe for raid in state.raids)
