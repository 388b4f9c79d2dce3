"""Who sees what (BM-7): views are built up from what a seat may know, never cut down from the whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from games.big_manitou import events as ev
from games.big_manitou.components import DECK, GROUNDS, HEROES, TABLES, TILES, in_deck_order
from games.big_manitou.laying import bar_to_laying
from games.big_manitou.options import Options
from games.big_manitou.play import to_act
from games.big_manitou.scoring import scores
from games.big_manitou.state import Cards, Ground, Phase, Seat, State, dealer_of, is_face_up, known
from games.hands import Holding
from games.kernel import Chance
from games.parties import PartySize, SeatCard, without

HIDDEN = ("reserve", "party", "hand", "pile", "spent")  # BM-7.3 to BM-7.5


class LaidCard(msgspec.Struct, frozen=True, gc=False):
    """A card on a ground; a hero turned down is not face up."""

    card: str
    face_up: bool


class SideView(msgspec.Struct, frozen=True, gc=False):
    """A seat's cards on a ground, in the order laid."""

    seat: int
    cards: tuple[LaidCard, ...]


class GroundView(msgspec.Struct, frozen=True, gc=False):
    """A ground; its face-up heroes in the order laid."""

    ground: int
    tiles: Cards
    sides: tuple[SideView, ...]
    heroes: tuple[SeatCard, ...]


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A seat; what the viewer may not know is unset, and its number given. Its own pile is shown sorted (BM-7.4)."""

    seat: int
    party_chosen: bool
    reserve_count: int
    party_count: int
    hand_count: int
    pile_count: int
    spent_count: int
    discards: Cards
    tiles: Cards
    tiles_taken: int
    reserve: Cards | UnsetType = UNSET
    party: Cards | UnsetType = UNSET
    hand: Cards | UnsetType = UNSET
    pile: Cards | UnsetType = UNSET
    spent: Cards | UnsetType = UNSET


class View(msgspec.Struct, frozen=True, gc=False):
    """The table as one seat, or a spectator (`seat` null), may see it."""

    game: str
    players: int
    options: Options
    seat: int | None
    phase: Phase | None
    to_act: tuple[int, ...]
    over: bool
    hunt: int
    hunts: int
    dealer: int | None
    turn_order: tuple[int, ...]
    party_sizes: tuple[PartySize, ...]
    turns: int
    grounds: tuple[GroundView, ...]
    seats: tuple[SeatView, ...]
    bag_left: int
    removed: Cards
    totem_cylinder: int | None
    horse_cylinder: int | None
    totem_gains: tuple[int, ...]
    horse_gains: tuple[int, ...]
    owing: tuple[int, ...]
    evaluating: int
    bonuses: tuple[int, ...]
    awards: tuple[ev.Award, ...]
    scores: tuple[ev.SeatScore, ...]


def view(state: State, seat: int | None) -> View:
    """What `seat` may know; everything when the game is over (BM-7)."""
    over = state.phase == "over"
    table = TABLES[state.players]
    return View(
        game="big-manitou",
        players=state.players,
        options=state.options,
        seat=seat,
        phase=state.phase,
        to_act=to_act(state),
        over=over,
        hunt=state.hunt,
        hunts=table.hunts,
        dealer=dealer_of(state) if state.turn_order else None,
        turn_order=state.turn_order,
        party_sizes=tuple([PartySize(s, n) for s, n in zip(state.turn_order, table.party_sizes, strict=False)]),
        turns=state.turns,
        grounds=tuple([_ground_view(number, ground) for number, ground in enumerate(state.grounds, 1)]),
        seats=tuple([_seat_view(state, other, entitled=over or other == seat) for other in _seats(state.players)]),
        bag_left=len(state.bag),
        removed=state.removed,
        totem_cylinder=state.totem_cylinder,
        horse_cylinder=state.horse_cylinder,
        totem_gains=state.totem_gains,
        horse_gains=state.horse_gains,
        owing=state.owing,
        evaluating=state.evaluating,
        bonuses=state.bonuses,
        awards=state.awards,
        scores=scores(state).scores,
    )


def _seats(players: int) -> range:
    return range(1, players + 1)


def _ground_view(number: int, ground: Ground) -> GroundView:
    """BM-7.1: open to all."""
    sides = [
        SideView(seat, tuple([LaidCard(card, is_face_up(ground, seat, card)) for card in cards]))
        for seat, cards in enumerate(ground.sides, 1)
    ]
    return GroundView(number, ground.tiles, tuple(sides), ground.heroes)


def _seat_view(state: State, seat: int, *, entitled: bool) -> SeatView:
    """BM-7.3 to BM-7.5."""
    own = state.seats[seat - 1]
    shown = {field: in_deck_order(getattr(own, field)) for field in HIDDEN} if entitled else {}
    return SeatView(
        seat=seat,
        party_chosen=bool(own.party or own.hand or own.pile or state.turns),
        reserve_count=len(own.reserve),
        party_count=len(own.party),
        hand_count=len(own.hand),
        pile_count=len(own.pile),
        spent_count=len(own.spent),
        discards=own.discards,
        tiles=own.tiles,
        tiles_taken=own.tiles_taken,
        **shown,
    )


READERS: Mapping[type, Callable[[Any], dict[str, list[int]]]] = {
    ev.PartyChosen: lambda event: {"cards": [event.seat]},
    ev.PartyDrawn: lambda event: {"cards": [event.seat]},
    ev.PartyShuffled: lambda _: {"order": []},
    ev.CardsDrawn: lambda event: {"cards": [event.seat]},
    ev.UnplayedCardsReturned: lambda event: {"cards": [event.seat]},
}


def readers(_: State, event: Any) -> dict[str, list[int]]:
    """BM-7.6: the secret fields of an event, each with the seats that may read it before the game is over."""
    found = READERS.get(type(event))
    return found(event) if found else {}


def imagine(seen: View, feed: Sequence[Any], chance: Chance) -> State:
    """A state that the viewer cannot tell from the true one, each arrangement of the hidden cards equally likely."""
    holdings = _holdings(seen, feed)
    return State(
        players=seen.players,
        options=seen.options,
        bag=_bag(seen),
        seats=tuple([_imagined_seat(seen, row, holdings.get(row.seat, ()), chance) for row in seen.seats]),
        grounds=tuple([_ground(row) for row in seen.grounds]),
        removed=seen.removed,
        hunt=seen.hunt,
        turn_order=seen.turn_order,
        phase=seen.phase,
        turns=seen.turns,
        totem_cylinder=seen.totem_cylinder,
        horse_cylinder=seen.horse_cylinder,
        totem_gains=seen.totem_gains,
        horse_gains=seen.horse_gains,
        owing=seen.owing,
        evaluating=seen.evaluating,
        bonuses=seen.bonuses,
        awards=seen.awards,
    )


def _bag(seen: View) -> Cards:
    """BM-7.2: the tiles in the bag can be worked out from those seen."""
    out = [row.tiles for row in seen.grounds] + [row.tiles for row in seen.seats] + [seen.removed]
    return without(TILES[seen.options.tile_set], {tile for tiles in out for tile in tiles})


def _ground(row: GroundView) -> Ground:
    return Ground(row.tiles, tuple([tuple([laid.card for laid in side.cards]) for side in row.sides]), row.heroes)


def _imagined_seat(seen: View, row: SeatView, holdings: Sequence["Watched"], chance: Chance) -> Seat:
    """The cards as the viewer knows them, or else dealt; the order of a pile is always luck."""
    if row.reserve is UNSET:
        dealt = _deal(seen, row, holdings, chance)
    else:
        dealt = {field: known(getattr(row, field)) for field in HIDDEN}
        dealt["pile"] = _mixed(chance, dealt["pile"])
    return Seat(discards=row.discards, tiles=row.tiles, tiles_taken=row.tiles_taken, **dealt)


def _deal(seen: View, row: SeatView, holdings: Sequence["Watched"], chance: Chance) -> dict[str, Cards]:
    """The cards of a seat that the viewer has not seen, as likely here as there but for what its passes tell."""
    laid = [card.card for ground in seen.grounds for card in ground.sides[row.seat - 1].cards]
    unseen = without(DECK, {*row.discards, *laid})
    held = _held(holdings, unseen, chance)
    rest = iter(_mixed(chance, without(unseen, {card for cards in held.values() for card in cards})))
    dealt = {}
    for field in HIDDEN:
        cards = held.get(field, ())
        dealt[field] = (*cards, *islice(rest, getattr(row, f"{field}_count") - len(cards)))
    return {field: cards if field == "pile" else in_deck_order(cards) for field, cards in dealt.items()}


def _mixed(chance: Chance, cards: Cards) -> Cards:
    return chance("imagine", cards, len(cards)) if cards else ()


def _held(holdings: Sequence["Watched"], unseen: Cards, chance: Chance) -> dict[str, Cards]:
    """Hands that explain the passes seen, by where they are now; any such hands are equally likely."""
    if not holdings:
        return {}
    worlds = [
        hands
        for hands in product(*(holding.hands(unseen) for holding in holdings))
        if len(set().union(*hands)) == sum(map(len, hands))
    ]
    (hands,) = chance("imagine", worlds, 1)
    held: dict[str, Cards] = {}
    for holding, hand in zip(holdings, hands, strict=True):
        held[holding.place] = held.get(holding.place, ()) + hand
    return held


class Watched(Holding):
    """A holding, and where the cards are that were in hand: still there, or set aside as spent (BM-3.12)."""

    place = "hand"


def _holdings(seen: View, feed: Sequence[Any]) -> dict[int, list[Watched]]:
    """For each seat, the hands that it passed with and whose cards it may still have."""
    if not any(type(event) is ev.TurnPassed for event in feed):
        return {}
    watch = Watch(seen.options, seen.players)
    for event in feed:
        watch.see(event)
    return {seat: [h for h in [*watch.spent[seat], watch.now[seat]] if h.passes] for seat in watch.now}


class Watch:
    """Follows the plays and passes of a game, and where heroes are face up."""

    def __init__(self, options: Options, players: int) -> None:
        self.options, self.players = options, players
        self.refresh(None)
        self.clear(None)

    def see(self, event: Any) -> None:
        """The next event of the feed."""
        follow = FOLLOW.get(type(event))
        if follow:
            follow(self, event)

    def refresh(self, _: Any) -> None:
        """BM-3.16: nothing is set aside any more."""
        self.spent: dict[int, list[Watched]] = {seat: [] for seat in _seats(self.players)}

    def clear(self, _: Any) -> None:
        """BM-3.4: a new hunt."""
        self.now = {seat: Watched() for seat in _seats(self.players)}
        self.heroes: dict[int, tuple[SeatCard, ...]] = dict.fromkeys(GROUNDS, ())

    def draw(self, event: ev.CardsDrawn) -> None:
        self.now[event.seat].draw(event.count)

    def play(self, event: ev.CardPlayed) -> None:
        self.now[event.seat].play(event.card)
        if event.card in HEROES:
            self.heroes[event.ground] += (SeatCard(event.seat, event.card),)

    def turn_down(self, event: ev.TrialOfStrengthResolved) -> None:
        self.heroes[event.ground] = without(self.heroes[event.ground], event.turned_down)

    def pass_turn(self, event: ev.TurnPassed) -> None:
        self.now[event.seat].pass_turn(tuple(self.stuck(event.seat)))

    def stuck(self, seat: int) -> Iterator[str]:
        """BM-4.4: the cards that a seat can lay on no ground."""
        return (
            card
            for card in HEROES
            if all(bar_to_laying(self.options, heroes, seat, card) for heroes in self.heroes.values())
        )

    def put_away(self, event: ev.UnplayedCardsReturned) -> None:
        """BM-3.12: cards in the reserve are as good as any others; those set aside are not."""
        holding, self.now[event.seat] = self.now[event.seat], Watched()
        if event.to == "spent":
            holding.place = "spent"
            self.spent[event.seat].append(holding)


FOLLOW: Mapping[type, Callable[[Watch, Any], None]] = {
    ev.HuntStarted: Watch.clear,
    ev.CardsDrawn: Watch.draw,
    ev.CardPlayed: Watch.play,
    ev.TrialOfStrengthResolved: Watch.turn_down,
    ev.TurnPassed: Watch.pass_turn,
    ev.UnplayedCardsReturned: Watch.put_away,
    ev.DecksRefreshed: Watch.refresh,
}


def census(state: State) -> tuple[str, ...]:
    """Every card, tile and cylinder in play, sorted, wherever it is: the same at every moment of a game (BM-1)."""
    cards = [f"{seat}:{card}" for seat in _seats(state.players) for card in _cards_of(state, seat)]
    owned = [tile for seat in state.seats for tile in seat.tiles]
    lying = [tile for ground in state.grounds for tile in ground.tiles]
    return tuple(sorted([*cards, *state.bag, *owned, *lying, *state.removed, "totem cylinder", "horse cylinder"]))


def _cards_of(state: State, seat: int) -> list[str]:
    """All cards of a seat, wherever they are."""
    own = state.seats[seat - 1]
    heaps = [own.reserve, own.party, own.hand, own.pile, own.spent, own.discards]
    return [card for heap in (*heaps, *(ground.sides[seat - 1] for ground in state.grounds)) for card in heap]
