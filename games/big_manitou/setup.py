"""The start of the game and of every hunt: tiles on the grounds, parties, first hands (BM-2, BM-3.3 to BM-3.7)."""

from typing import Literal

from games.big_manitou import events as ev
from games.big_manitou.components import GROUNDS, TABLES, TILE_KINDS, in_deck_order
from games.big_manitou.events import StockedGround, TileCount
from games.big_manitou.evolve import Scribe
from games.big_manitou.house_rules import Options
from games.big_manitou.state import State, dealer_of, party_size, seat_of
from games.kernel import Chance, Transition
from games.manitou_family_parties import HAND_SIZE, PartySize, shuffled, turn_order


def start(players: int, options: Options, chance: Chance) -> Transition[State]:
    """A new game, up to the first decisions (BM-2)."""
    scribe = Scribe(None)
    scribe.write(
        ev.GameStarted(
            players=players,
            options=options,
            hunts=TABLES[players].hunts,
            tile_counts=tuple([TileCount(k.kind, k.value, k.counts[options.tile_set]) for k in TILE_KINDS]),
        )
    )
    begin_hunt(scribe, chance)
    return scribe.transition()


def begin_hunt(scribe: Scribe, chance: Chance) -> None:
    """BM-3.3 to BM-3.5; in the quick variants the parties are drawn at once (BM-3.6)."""
    hunt, players = scribe.state.hunt + 1, scribe.state.players
    dealer = (hunt - 1) % players + 1
    order = turn_order(dealer, players)
    sizes = zip(order, TABLES[players].party_sizes, strict=True)
    scribe.write(ev.HuntStarted(hunt, dealer, order, tuple([PartySize(seat, size) for seat, size in sizes])))
    stock_grounds(scribe, chance)
    if scribe.state.options.party_selection != "chosen":
        draw_parties(scribe, chance)
        deal(scribe, chance)


def stock_grounds(scribe: Scribe, chance: Chance) -> None:
    """BM-3.4: the tiles drawn first lie on ground 1."""
    state = scribe.state
    sizes = TABLES[state.players].ground_sizes
    drawn = chance("stock_grounds", state.bag, sum(sizes))
    ends = [sum(sizes[:number]) for number in GROUNDS]
    grounds = [
        StockedGround(number, drawn[end - size : end]) for number, end, size in zip(GROUNDS, ends, sizes, strict=True)
    ]
    phase: Literal["party"] | None = "party" if state.options.party_selection == "chosen" else None
    scribe.write(ev.GroundsStocked(state.hunt, tuple(grounds), len(state.bag) - len(drawn), phase))


def draw_parties(scribe: Scribe, chance: Chance) -> None:
    """BM-3.6, BM-R5: in turn order, each from its reserve."""
    hunt = scribe.state.hunt
    for seat in scribe.state.turn_order:
        size = party_size(scribe.state, seat)
        cards = chance("draw_party", seat_of(scribe.state, seat).reserve, size)
        scribe.write(ev.PartyDrawn(hunt, seat, size, in_deck_order(cards)))


def deal(scribe: Scribe, chance: Chance) -> None:
    """BM-3.7: in turn order, each party is shuffled and its first three cards drawn; then the turns begin."""
    for seat in scribe.state.turn_order:
        order = shuffled(chance, seat_of(scribe.state, seat).party)
        scribe.write(ev.PartyShuffled(scribe.state.hunt, seat, order))
        draw(scribe, seat, HAND_SIZE, "play" if seat == dealer_of(scribe.state) else None)


def draw(scribe: Scribe, seat: int, count: int, phase: Literal["play"] | None) -> None:
    """BM-3.7, BM-3.9: the top cards of the pile, and the phase after them; no event when there is none left."""
    pile = seat_of(scribe.state, seat).pile
    if pile:
        hunt, cards, left = scribe.state.hunt, pile[:count], len(pile[count:])
        count = len(cards)
        scribe.write(ev.CardsDrawn(hunt=hunt, seat=seat, count=count, cards=cards, pile_left=left, phase=phase))
