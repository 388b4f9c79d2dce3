"""The steps of a hunt that need no decision, one after another until somebody must act (BM-3)."""

from typing import Literal

from games import kernel
from games.big_manitou import events as ev
from games.big_manitou.components import DECK, GROUNDS, TABLES, TILE_KINDS, in_deck_order, in_tile_order
from games.big_manitou.evolve import evolve
from games.big_manitou.options import Options
from games.big_manitou.scoring import assessment, evaluation, final_scores
from games.big_manitou.state import State, dealer_of, hunters_laid, party_size, seat_of
from games.big_manitou.tiles import penalty_rules
from games.kernel import Chance, Transition
from games.parties import HAND_SIZE, PartySize, shuffled, turn_order


class Scribe(kernel.Scribe[State]):
    """The scribe of Big Manitou."""

    __slots__ = ()
    evolve = staticmethod(evolve)


def start(players: int, options: Options, chance: Chance) -> Transition[State]:
    """A new game, up to the first decisions (BM-2)."""
    scribe = Scribe(None)
    scribe.write(
        ev.GameStarted(
            players=players,
            options=options,
            hunts=TABLES[players].hunts,
            tile_counts=tuple([ev.TileCount(k.kind, k.value, k.counts[options.tile_set]) for k in TILE_KINDS]),
        )
    )
    begin_hunt(scribe, chance)
    return scribe.transition()


def begin_hunt(scribe: Scribe, chance: Chance) -> None:
    """BM-3.3 to BM-3.5; in the random variant the parties are drawn at once (BM-3.6)."""
    hunt, players = scribe.state.hunt + 1, scribe.state.players
    dealer = (hunt - 1) % players + 1
    order = turn_order(dealer, players)
    sizes = zip(order, TABLES[players].party_sizes, strict=True)
    scribe.write(ev.HuntStarted(hunt, dealer, order, tuple([PartySize(seat, size) for seat, size in sizes])))
    stock_grounds(scribe, chance)
    if scribe.state.options.party_selection == "random":
        draw_parties(scribe, chance)
        deal(scribe, chance)


def stock_grounds(scribe: Scribe, chance: Chance) -> None:
    """BM-3.4: the tiles drawn first lie on ground 1."""
    state = scribe.state
    sizes = TABLES[state.players].ground_sizes
    drawn = chance("stock_grounds", state.bag, sum(sizes))
    ends = [sum(sizes[:number]) for number in GROUNDS]
    grounds = [
        ev.StockedGround(number, drawn[end - size : end])
        for number, end, size in zip(GROUNDS, ends, sizes, strict=True)
    ]
    scribe.write(ev.GroundsStocked(state.hunt, tuple(grounds), len(state.bag) - len(drawn)))


def draw_parties(scribe: Scribe, chance: Chance) -> None:
    """BM-3.6, BM-R5: in turn order, each from its reserve."""
    hunt = scribe.state.hunt
    for seat in scribe.state.turn_order:
        size = party_size(scribe.state, seat)
        cards = chance("draw_party", seat_of(scribe.state, seat).reserve, size)
        scribe.write(ev.PartyDrawn(hunt, seat, size, in_deck_order(cards)))


def deal(scribe: Scribe, chance: Chance) -> None:
    """BM-3.7: in turn order, each party is shuffled and its first three cards drawn."""
    for seat in scribe.state.turn_order:
        order = shuffled(chance, seat_of(scribe.state, seat).party)
        scribe.write(ev.PartyShuffled(scribe.state.hunt, seat, order))
        draw(scribe, seat, HAND_SIZE)


def draw(scribe: Scribe, seat: int, count: int) -> None:
    """BM-3.7, BM-3.9: the top cards of the pile; no event when there is none left."""
    pile = seat_of(scribe.state, seat).pile
    if pile:
        cards = pile[:count]
        scribe.write(
            ev.CardsDrawn(
                hunt=scribe.state.hunt, seat=seat, count=len(cards), cards=cards, pile_left=len(pile) - len(cards)
            )
        )


def after_turns(scribe: Scribe, chance: Chance) -> None:
    """BM-3.10: the extra card is offered to the holder of the totem cylinder, but never to the dealer (BM-R8)."""
    state = scribe.state
    holder = state.totem_cylinder
    if holder is None:
        scribe.write(ev.ExtraCardWithheld(state.hunt, None, "no_holder", ("BM-3.10",)))
    elif holder == dealer_of(state):
        scribe.write(ev.ExtraCardWithheld(state.hunt, holder, "holder_is_dealer", ("BM-3.10", "BM-R8")))
    else:
        left = len(seat_of(state, holder).hand)
        rules = ("BM-3.10", "BM-R8") if left > 1 else ("BM-3.10",)
        scribe.write(ev.ExtraCardOffered(state.hunt, holder, left, rules))
        return
    after_extra_card(scribe, chance)


def after_extra_card(scribe: Scribe, chance: Chance) -> None:
    """BM-3.11: the hunter move is offered to the holder of the horse cylinder, if it has laid a hunter (BM-R22)."""
    state = scribe.state
    holder = state.horse_cylinder
    if holder is None:
        scribe.write(ev.HunterMoveWithheld(state.hunt, None, "no_holder", ("BM-3.11",)))
    elif not hunters_laid(state, holder):
        scribe.write(ev.HunterMoveWithheld(state.hunt, holder, "no_hunter_on_grounds", ("BM-3.11", "BM-R22")))
    else:
        scribe.write(ev.HunterMoveOffered(state.hunt, holder, ("BM-3.11",)))
        return
    after_hunter_move(scribe, chance)


def after_hunter_move(scribe: Scribe, chance: Chance) -> None:
    """BM-3.12, BM-3.13: from the second hunt on the force penalty is paid before the grounds are evaluated."""
    return_unplayed(scribe)
    scribe.write(assessment(scribe.state))
    if scribe.state.hunt == 1:
        evaluate_grounds(scribe, chance)
    else:
        settle_penalty(scribe, chance)


def return_unplayed(scribe: Scribe) -> None:
    """BM-3.12, BM-R21: in turn order, seats without such cards passed over."""
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
        scribe.write(ev.ForcePenaltyWaived(scribe.state.hunt, seat, "no_tiles", penalty_rules(scribe.state)))
    if scribe.state.hunt == 1:
        end_hunt(scribe, chance)
    else:
        evaluate_grounds(scribe, chance)


def evaluate_grounds(scribe: Scribe, chance: Chance) -> None:
    """BM-3.14: the grounds not evaluated yet, until one has tiles to take."""
    for number in GROUNDS[scribe.state.evaluating :]:
        scribe.write(evaluation(scribe.state, number))
        if scribe.state.awards:
            return
        remove_unclaimed(scribe)
    if scribe.state.hunt == 1:
        settle_penalty(scribe, chance)
    else:
        end_hunt(scribe, chance)


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
        scribe.write(ev.TilesRemoved(state.hunt, state.evaluating, tiles, "unclaimed", ("BM-5.9", "BM-R15")))


def end_hunt(scribe: Scribe, chance: Chance) -> None:
    """BM-3.15, BM-3.16: the cards are discarded; then the next hunt, with full decks after hunts 2 and 4."""
    state = scribe.state
    laid = [in_deck_order(sum((ground.sides[place] for ground in state.grounds), ())) for place in range(state.players)]
    scribe.write(ev.HuntEnded(state.hunt, tuple([ev.SeatCards(seat, cards) for seat, cards in enumerate(laid, 1)])))
    if state.hunt == TABLES[state.players].hunts:
        scribe.write(final_scores(scribe.state))
        return
    if state.hunt % 2 == 0:
        scribe.write(ev.DecksRefreshed(state.hunt, len(DECK)))
    begin_hunt(scribe, chance)
