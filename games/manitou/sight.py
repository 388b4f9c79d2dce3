"""Who sees what (MA-7): views, the readers of secret fields, and the census of the box."""

from functools import lru_cache

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from games.kernel import Event
from games.manitou import events as ev
from games.manitou.components import CARDS, STRENGTH, TRIBES, Tribe, in_deck_order, in_herd_order
from games.manitou.events import Cards
from games.manitou.house_rules import Options
from games.manitou.play import to_act
from games.manitou.scoring import Scores, scores
from games.manitou.state import Camp, Ground, Phase, PointsPile, State
from games.manitou_family_parties import LaidCard, SeatCard, Secret, SideView

HIDDEN = ("reserve", "party", "pile", "hand")  # MA-7.1


class GroundView(msgspec.Struct, frozen=True, gc=False):
    """A ground; its face-up heroes in the order laid."""

    ground: int
    buffalo: Cards
    sides: tuple[SideView, ...]
    heroes: tuple[SeatCard, ...]


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A seat (MA-7.2); cards hidden from the viewer are unset, but counted.

    The viewer's own pile is sorted; its order, top card first, is shown only when everything is open (MA-7.5).
    """

    seat: int
    tribe: Tribe
    party_size: int
    party_chosen: bool
    unseen_cards: Cards  # in its reserve, party, pile and hand together
    reserve_count: int
    party_count: int  # chosen and not shuffled yet
    pile_count: int
    hand_count: int
    prisoners: tuple[SeatCard, ...]
    buffalo: Cards
    hide_thieves: Cards
    paper_penalties: int
    reserve: Secret = UNSET
    party: Secret = UNSET
    pile: Secret = UNSET
    hand: Secret = UNSET


class HerdPile(msgspec.Struct, frozen=True, gc=False):
    """What is left of a face-down pile of buffalo: which cards (MA-7.1), and their order when the game is over."""

    count: int
    cards: Cards
    order: Secret = UNSET


class View(msgspec.Struct, frozen=True, gc=False):
    """All that one seat, or a spectator, may know of the table; everything when the game is over (MA-7.5)."""

    game: str
    players: int
    options: Options
    seat: int | None
    phase: Phase
    to_act: tuple[int, ...]
    over: bool
    hunt: int
    dealer: int | None
    turn_order: tuple[int, ...]
    turn: int | None  # 1 to 7 while somebody is to play
    turns_taken: int  # in this hunt, by all seats together
    grounds: tuple[GroundView, ...]
    small_pile: HerdPile
    large_pile: HerdPile
    hide_thieves: Cards  # left in the supply
    removed: Cards
    seats: tuple[SeatView, ...]
    scores: Scores


def view(state: State, seat: int | None, *, everything: bool = False) -> View:
    """What `seat` (None: a spectator) may see of the table, or everything: always when it is over (MA-7.1, MA-7.5)."""
    everything = everything or state.phase == "over"
    acting = to_act(state)
    return View(
        game="manitou",
        players=state.players,
        options=state.options,
        seat=seat,
        phase=state.phase,
        to_act=acting,
        over=state.phase == "over",
        hunt=state.hunt,
        dealer=state.dealer,
        turn_order=state.turn_order,
        turn=state.turns_taken // state.players + 1 if state.phase == "play" and acting else None,
        turns_taken=state.turns_taken,
        grounds=tuple([ground_view(number, ground) for number, ground in enumerate(state.grounds, 1)]),
        small_pile=herd_pile(state.small, everything=everything),
        large_pile=herd_pile(state.large, everything=everything),
        hide_thieves=state.hide_thieves,
        removed=state.removed,
        seats=tuple([_seat_view(state, other, seat, everything=everything) for other in range(1, state.players + 1)]),
        scores=scores(state),
    )


@lru_cache(maxsize=256)  # a move changes one ground, and everybody sees it alike
def ground_view(number: int, ground: Ground) -> GroundView:
    """A ground, which is public in all (ruling MA-R22)."""
    heroes = heroes_of(ground)
    sides = [
        SideView(seat, tuple([LaidCard(card, card in STRENGTH or SeatCard(seat, card) in heroes) for card in side]))
        for seat, side in enumerate(ground.sides, 1)
    ]
    return GroundView(number, ground.buffalo, tuple(sides), heroes)


def heroes_of(ground: Ground) -> tuple[SeatCard, ...]:
    """The heroes face up on a ground, in the order laid."""
    up = ground.face_up
    return () if up is None else tuple([SeatCard(up.seat, card) for card in up.cards])


def herd_pile(pile: Cards, *, everything: bool) -> HerdPile:
    """A pile of buffalo; its order only where everything is open."""
    return HerdPile(len(pile), in_herd_order(pile), pile if everything else UNSET)


def out_of_sight(camp: Camp) -> Cards:
    """The cards of a seat that lie in no place that all can see, sorted."""
    held = {*camp.reserve, *camp.party, *camp.pile, *camp.hand}
    return tuple([card for card in CARDS if card in held])


def _seat_view(state: State, seat: int, viewer: int | None, *, everything: bool) -> SeatView:
    """A seat, with the cards in their places for a viewer who may know them."""
    camp = state.camps[seat - 1]
    open_to_all = _open_to_all(seat, state.options.tribes[seat - 1], camp, state.points[seat - 1])
    if not (everything or seat == viewer):
        return open_to_all
    shown = {name: getattr(camp, name) for name in HIDDEN}
    if not everything:
        shown["pile"] = in_deck_order(camp.pile)  # its order is secret
    return replace(open_to_all, **shown)


@lru_cache(maxsize=256)  # a move changes few seats
def _open_to_all(seat: int, tribe: Tribe, camp: Camp, points: PointsPile) -> SeatView:
    """What everybody may know of a seat."""
    return SeatView(
        seat=seat,
        tribe=tribe,
        party_size=camp.party_size,
        party_chosen=camp.party_chosen,
        unseen_cards=out_of_sight(camp),
        reserve_count=len(camp.reserve),
        party_count=len(camp.party),
        pile_count=len(camp.pile),
        hand_count=len(camp.hand),
        prisoners=points.prisoners,
        buffalo=points.buffalo,
        hide_thieves=points.hide_thieves,
        paper_penalties=points.paper_penalties,
    )


def readers(_: State | None, event: Event) -> dict[str, list[int]]:
    """The secret fields of an event and the seats that may read them (MA-7.4)."""
    if isinstance(event, ev.PartyChosen | ev.CardsDrawn | ev.UnplayedCardsReturned):
        return {"cards": [event.seat]}
    if isinstance(event, ev.PartyShuffled):
        return {"order": []}
    if isinstance(event, ev.BuffaloPilesShuffled):
        return {"small_order": [], "large_order": []}
    return {}


def census(state: State) -> Cards:
    """Every card of the box (MA-1.7) once, wherever it is; cards of a set by their tribe, `red/hunter-7`."""
    return tuple(sorted([*_tribe_cards(state), *_captured(state), *_buffalo_and_hide_thieves(state)]))


def _tribe_cards(state: State) -> list[str]:
    """The cards that are still their owners', the sets that nobody plays, and the card of each tribe."""
    tribes = state.options.tribes
    seats = zip(tribes, state.camps, zip(*[ground.sides for ground in state.grounds], strict=True), strict=True)
    sets = [f"{tribe}/{card}" for tribe, camp, sides in seats for card in sum(sides, out_of_sight(camp))]
    unused = [f"{tribe}/{card}" for tribe in TRIBES if tribe not in tribes for card in CARDS]
    return [*sets, *unused, *[f"{tribe}/tribe" for tribe in TRIBES]]


def _captured(state: State) -> list[str]:
    """The prisoners in all points piles."""
    return [f"{state.options.tribes[row.seat - 1]}/{row.card}" for pile in state.points for row in pile.prisoners]


def _buffalo_and_hide_thieves(state: State) -> list[str]:
    """The cards that belong to no tribe: at stake, taken, in supply or back in the box."""
    stakes = [card for ground in state.grounds for card in ground.buffalo]
    won = [card for pile in state.points for card in pile.buffalo + pile.hide_thieves]
    return [*stakes, *won, *state.small, *state.large, *state.removed, *state.hide_thieves]
