"""Who sees what (TO-7): views, built from what a seat may know, and the readers of each event."""

from collections.abc import Container, Iterable, Set
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from games.kernel import Event
from games.tomahawk import events as ev
from games.tomahawk.components import (
    CARDS,
    DEALT,
    FIELD,
    PILES,
    SEATS,
    SPECIES,
    TRIBE_CARDS,
    TRIBES,
    TURNS_OF,
    UNDEALT,
    UNUSED,
    Components,
    Picto,
    PileNumber,
    Species,
    Terrain,
)
from games.tomahawk.events import Card
from games.tomahawk.house_rules import Options
from games.tomahawk.moves import Kept
from games.tomahawk.scoring import Scores, scores
from games.tomahawk.state import Dance, Phase, Side, Slot, State, Won, side_of

HIDDEN = ("hand", "draw_pile", "cemetery", "card", "face", "set_aside")  # TO-7.1 to TO-7.8


class TerritoryView(msgspec.Struct, frozen=True, gc=False):
    """A territory; face down it shows its turns only (TO-7.7)."""

    territory: str
    turns: int
    face: str | UnsetType = UNSET
    terrain: Terrain | UnsetType = UNSET
    species: Species | UnsetType = UNSET
    animals: int | UnsetType = UNSET
    picto: Picto | UnsetType = UNSET


class SlotCard(msgspec.Struct, frozen=True, gc=False):
    """A warrior in a slot: what it shows, if the reader knows it, and its value after effects once it is face up."""

    seat: int
    card: Card | UnsetType = UNSET
    value: int | UnsetType = UNSET


class SlotView(msgspec.Struct, frozen=True, gc=False):
    """Two warriors face to face."""

    slot: int
    turn: int
    face_up: bool
    cards: tuple[SlotCard, SlotCard]


class LaidCard(msgspec.Struct, frozen=True, gc=False):
    """A card that lies face down at a pile and waits for the one that it will face."""

    seat: int
    card: Card | UnsetType = UNSET


class PileView(msgspec.Struct, frozen=True, gc=False):
    """A pile: the territory in play, its slots, the cards laid this turn, and the territories below."""

    pile: PileNumber
    territory: TerritoryView | None
    slots: tuple[SlotView, ...]
    laid: tuple[LaidCard, ...]
    below: tuple[TerritoryView, ...]


class ForcedView(msgspec.Struct, frozen=True, gc=False):
    """A forced card: whose, where and for which turn (TO-7.6)."""

    seat: int
    pile: int
    for_turn: int
    card: Card | UnsetType = UNSET


class SeatView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One seat: public figures, and what only itself may know until the game is over."""

    seat: int
    tribe: str
    decided: bool
    hand_count: int
    hand: tuple[Card, ...] | UnsetType = UNSET
    pile_left: int
    cemetery_count: int
    cemetery: tuple[Card, ...] | UnsetType = UNSET
    draw_pile: tuple[Card, ...] | UnsetType = UNSET  # its top card first
    won: tuple[Won, ...]
    faces: tuple[Card, ...] | UnsetType = UNSET
    dealt: tuple[Card, ...] | UnsetType = UNSET
    kept: tuple[Kept, ...] | UnsetType = UNSET
    returned: str | UnsetType | None = UNSET


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The table as one seat, or a spectator (`seat` null), may see it."""

    game: str = "tomahawk"
    players: int = 2
    options: Options
    components: Components
    seat: int | None
    phase: Phase
    turn: int
    to_act: tuple[int, ...]
    over: bool
    seats: tuple[SeatView, ...]
    piles: tuple[PileView, ...]
    unused: tuple[TerritoryView, ...]
    discarded: tuple[TerritoryView, ...]
    most_wanted: str | None
    forced: ForcedView | None
    dance: Dance | None
    supply: int
    set_aside: Card | UnsetType = UNSET
    scores: Scores


def view(state: State, seat: int | None, *, everything: bool = False) -> View:
    """What `seat` (None: a spectator) may know of the table (TO-7.1 to TO-7.9), or everything (TO-7.11)."""
    everything = everything or state.phase == "over"
    known = set(CARDS) if everything else {card for other in SEATS for card in _known_cards(state, seat, other)}
    return View(
        options=state.options,
        components=state.components,
        seat=seat,
        phase=state.phase,
        turn=state.turn,
        to_act=state.to_act,
        over=state.phase == "over",
        seats=tuple([_seat_view(state, other, seat, everything=everything) for other in SEATS]),
        piles=tuple([_pile_view(state, number, known, everything) for number in PILES]),
        unused=tuple([_territory(state, t, everything or t == state.most_wanted) for t in UNUSED.values()]),
        discarded=tuple([_territory(state, t, True) for t in state.discarded]),
        most_wanted=state.most_wanted,
        forced=_forced_view(state, known),
        dance=state.dance,
        supply=state.supply,
        set_aside=getattr(state.cards, UNDEALT) if everything else UNSET,
        scores=scores(state),
    )


def _known_cards(state: State, seat: int | None, owner: int) -> Iterable[str]:
    """The face-down cards of `owner` at the piles that `seat` knows (TO-7.4 to TO-7.6)."""
    if seat == owner:
        for pile in state.piles:
            yield from filter(None, (pile.laid[owner - 1], *[slot.cards[owner - 1] for slot in pile.slots]))
    elif seat is not None:
        yield from side_of(state, seat).seen
        if state.forced is not None and state.options.dusk_dance_card == "taker_sees":
            yield state.forced.card


def _seat_view(state: State, seat: int, viewer: int | None, *, everything: bool) -> SeatView:
    side = side_of(state, seat)
    own = _secrets(state, seat, side) if everything or seat == viewer else {}
    if everything:
        own |= {"draw_pile": _shown(state, side.draw_pile), "cemetery": _shown(state, side.cemetery)}
    return SeatView(
        seat=seat,
        tribe=TRIBES[seat],
        decided=bool(state.to_act) and seat not in state.to_act,
        hand_count=len(side.hand),
        pile_left=len(side.draw_pile),
        cemetery_count=len(side.cemetery),
        won=side.won,
        **own,
    )


def _secrets(state: State, seat: int, side: Side) -> dict[str, Any]:
    """TO-7.1, TO-7.2: what a seat knows of itself, as far as set-up has come."""
    dealt = _shown(state, DEALT[seat])
    kept = {row.card for row in side.kept}
    return {
        "hand": _shown(state, side.hand),
        "faces": _shown(state, TRIBE_CARDS[seat]),
        "dealt": dealt,
        "kept": side.kept,
        "returned": next((row.card for row in dealt if row.card not in kept), None) if kept else None,
    }


def _shown(state: State, cards: Iterable[str]) -> tuple[Card, ...]:
    """The cards that have a face already."""
    return tuple([row for card in cards if (row := getattr(state.cards, card)) is not UNSET])


def _pile_view(state: State, number: PileNumber, known: Set[str], everything: bool) -> PileView:
    pile = state.piles[number - 1]
    return PileView(
        pile=number,
        territory=_territory(state, pile.territory, True) if pile.territory else None,
        slots=tuple([_slot_view(state, slot, lies, known) for slot, lies in enumerate(pile.slots, 1)]),
        laid=tuple([LaidCard(seat, _card(state, card, known)) for seat, card in enumerate(pile.laid, 1) if card]),
        below=tuple([_territory(state, territory, everything) for territory in pile.below]),
    )


def _slot_view(state: State, slot: int, lies: Slot, known: Set[str]) -> SlotView:
    values: tuple[int | UnsetType, int | UnsetType] = lies.values or (UNSET, UNSET)
    seen = lies.cards if lies.values else known
    rows = zip(SEATS, lies.cards, values, strict=True)
    first, second = [SlotCard(seat, _card(state, card, seen), value) for seat, card, value in rows]
    return SlotView(slot, lies.turn, lies.values is not None, (first, second))


def _card(state: State, card: str, known: Container[str]) -> Any:
    """What a card shows, to a reader who knows it."""
    return getattr(state.cards, card) if card in known else UNSET


def _territory(state: State, territory: str, open_: bool) -> TerritoryView:
    face = getattr(state.faces, FIELD[territory])  # unset before the piles are built (TO-2.7)
    if not open_ or face is UNSET:
        return TerritoryView(territory, TURNS_OF[territory])
    return TerritoryView(
        territory, face.turns, face.face, face.terrain, SPECIES[face.terrain], face.animals, face.picto
    )


def _forced_view(state: State, known: Set[str]) -> ForcedView | None:
    forced = state.forced
    if forced is None:
        return None
    return ForcedView(forced.seat, forced.pile, forced.for_turn, _card(state, forced.card, known))


# What is where


def census(state: State) -> tuple[str, ...]:
    """Every card and territory of the box, wherever it is, sorted, and the number of scalp tokens."""
    places = [*state.box, *state.discarded, *UNUSED.values()]
    for side in state.sides:
        places += [*side.reserve, *side.draw_pile, *side.hand, *side.cemetery, *(won.territory for won in side.won)]
    for pile in state.piles:
        places += [*pile.below, *filter(None, (pile.territory, *pile.laid))]
        places += [card for slot in pile.slots for card in slot.cards]
    # Without a limit players may hold more tokens than the box has: they are counters (TO-R9).
    taken = min(state.components.scalp_tokens, sum(side.scalps for side in state.sides))
    return (*sorted(places), f"scalp-tokens: {state.supply + taken}")


# Which fields of an event are secret when it is written, and who may read them (TO-7.10)

OWNER, BOTH, NOBODY = "owner", "both", "nobody"
SECRETS: dict[type[Event], tuple[tuple[str, str], ...]] = {
    ev.TribeFacesAssigned: (("cards", OWNER),),
    ev.SpecialsDealt: (("cards", OWNER),),
    ev.SpecialSetAside: (("special", NOBODY),),
    ev.SpecialsChosen: (("kept", OWNER), ("returned", OWNER)),
    ev.ArmyShuffled: (("order", NOBODY),),
    ev.CardsDrawn: (("cards", OWNER),),
    ev.TerritoryPilesBuilt: (("faces", NOBODY),),
    ev.CardsCommitted: (("cards", OWNER),),
    ev.NextCardForced: (("forced_card", OWNER),),
    ev.ForestCardsSeen: (("cards", BOTH),),
}


def readers(state: State | None, event: Event) -> dict[str, list[int]]:
    """TO-7.10: the secret fields of `event`, each with the seats that may read it; {} if nothing is secret."""
    secrets = SECRETS.get(type(event), ())
    if isinstance(event, ev.NextCardForced) and state is not None and state.options.dusk_dance_card == "taker_sees":
        secrets = (("forced_card", BOTH),)
    who = {OWNER: [getattr(event, "seat", 0)], BOTH: list(SEATS), NOBODY: []}
    return {field: who[reader] for field, reader in secrets}
