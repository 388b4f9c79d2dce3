"""Cards and horses: the display, drawing, breeding, donating, hunting, gifts (PC-4.15, PC-4.30, PC-4.55, PC-4.100)."""

from collections.abc import Collection
from functools import lru_cache
from itertools import permutations
from operator import attrgetter
from typing import Literal

from games.deciding import when
from games.plenty_coups import events as ev
from games.plenty_coups import moves as mv
from games.plenty_coups.components import DISPLAY, GROUPS, HORSE, MARKERS, SWEEPS, WINTER, holds, in_order, without
from games.plenty_coups.scribe import (
    Bar,
    Check,
    Kind,
    Scribe,
    against,
    ally_of,
    at_war,
    checked,
    gain,
    herds_moved,
    meets,
    one,
    played_along,
    sets_of,
    unbarred,
)
from games.plenty_coups.state import Camp, State, is_winter, markers_turned, raid_on, seat_of, seated_ally

Reason = Literal["opening_hand", "disdain", "winter", "hunt", "refill"]


def draw_to_hand(scribe: Scribe, tribe: str, reason: Reason, count: int) -> None:
    """PC-5.2: up to `count` cards from the pile to a hand; no event if there is none to draw."""
    cards = scribe.top(count)
    if cards:
        scribe.write(_drawn(scribe.state, tribe, reason, cards))
        scribe.renew_pile_at_once()


def _drawn(state: State, tribe: str, reason: Reason, cards: tuple[str, ...]) -> ev.CardsDrawn:
    return ev.CardsDrawn(
        seat=seat_of(state, tribe),
        tribe=tribe,
        reason=reason,
        count=len(cards),
        cards=in_order(cards),
        pile_left=len(state.pile) - len(cards),
        phase="hunt_discard" if reason == "hunt" else None,
    )


def group_of_three(display: tuple[str, ...]) -> tuple[str, int]:
    """PC-5.3: the group of which at least 3 cards show, and how many; `("", 0)` if there is none."""
    groups = [GROUPS[card] for card in display]
    for group in groups[:2]:  # three of four cards cannot all come later
        if groups.count(group) >= 3:
            return group, groups.count(group)
    return "", 0


def fill_display(scribe: Scribe) -> None:
    """PC-5.3: to four cards; three alike are swept away, at most ten times (PC-R17)."""
    for sweeps in range(SWEEPS + 1):
        cards = scribe.top(DISPLAY - len(scribe.state.display))
        if cards:
            display = scribe.state.display + cards
            scribe.write(ev.DisplayRefilled(cards, display, len(scribe.state.pile) - len(cards)))
            scribe.renew_pile_at_once()
        group, number = group_of_three(scribe.state.display)
        if not number or sweeps == SWEEPS:
            return
        rules = ("PC-5.3", *when(group.startswith("warrior"), "PC-R17"))
        scribe.write(ev.DisplaySwept(in_order(scribe.state.display), group, number, rules))


def takes_from_display(state: State, round_: int) -> bool:
    """PC-3.11: whether a turn in that round takes from the display."""
    return round_ < WINTER or (round_ == WINTER and state.options.winter_draw == "display")


def make_ready(scribe: Scribe) -> None:
    """PC-3.11: the display for the next turn; PC-R3 says what becomes of the cards left."""
    state = scribe.state
    if state.options.display_refresh == "sweep" and state.display:
        scribe.write(ev.DisplayCleared(in_order(state.display), ("PC-3.11", "PC-R3")))
    fill_display(scribe)


def _are_in_display(state: State, _: Camp, move: mv.TakeCards) -> bool:
    return len(move.cards) == state.take and holds(state.display, move.cards)


TAKE = (Check("PC-4.15", _are_in_display, "not the number of cards to take, all in the display: {cards}"),)


def _take(scribe: Scribe, move: mv.TakeCards) -> None:
    left = without(scribe.state.display, move.cards)
    scribe.write(ev.CardsTaken(scribe.seat, scribe.camp.tribe, in_order(move.cards), left))


def _takings(state: State, _: Camp) -> list[mv.TakeCards]:
    return [mv.TakeCards(cards) for cards in sets_of(in_order(state.display), state.take)]


DONATED = 2  # PC-5.8: horses


# --- breeding ---


BREED = (
    Check("PC-4.30", lambda _, camp, __: HORSE in camp.hand, "no horse card is in hand"),
    Check("PC-4.31", lambda state, _, __: state.plain > 0, "the plain is empty"),
)


def _breed(scribe: Scribe, _: mv.Breed) -> None:
    camp = scribe.camp
    scribe.write(ev.HorseBred(scribe.seat, camp.tribe, camp.horses + 1, scribe.state.plain - 1))


def _breedings(state: State, camp: Camp) -> list[mv.Breed]:
    move = mv.Breed()
    return [move] if state.actions and meets(BREED, state, camp, move) else []


# --- donating ---


def _can_spare_horses(_: State, camp: Camp, __: object) -> bool:
    return camp.horses >= DONATED


def _without_peace(state: State, camp: Camp) -> Collection[str]:
    """PC-R23: who must be at peace with whom, and whether an ally of either is in the way."""
    peace = state.options.donation_peace
    if peace == "not_each_other":
        return at_war(state, camp)
    allied = [other.tribe for other in state.camps if other.ally and peace == "neither_attacked_nor_allied"]
    if raid_on(state, camp.tribe) or camp.tribe in allied:
        return state.tribes
    return allied + [raid.target for raid in state.raids]


def _richer(state: State, camp: Camp) -> list[str]:
    return [other.tribe for other in state.camps if other.horses > camp.horses]


DONATE_BARS = (
    Bar("PC-4.101", ally_of, "{to} is your ally"),
    Bar("PC-4.102", _without_peace, "there is no peace for a gift of horses to {to}"),
    Bar("PC-4.103", _richer, "the herd of {to} is larger than yours"),
)
DONATE = (
    Check("PC-4.100", _can_spare_horses, "your herd has fewer than 2 horses"),
    *against(DONATE_BARS, attrgetter("to")),
)


def _donate(scribe: Scribe, move: mv.DonateHorses) -> None:
    state = scribe.state
    tribe = scribe.camp.tribe
    rules = (
        "PC-4.102",
        *when(raid_on(state, tribe) or raid_on(state, move.to), "PC-R23"),
        "PC-4.103",
        *when(markers_turned(state, tribe) == MARKERS, "PC-R24"),
        "PC-5.8",
    )
    herds = herds_moved(state, tribe, move.to, DONATED)
    scribe.write(ev.HorsesDonated(scribe.seat, tribe, move.to, move.discard, DONATED, *herds, rules))
    gain(scribe, tribe, "donation")


def _donations(state: State, camp: Camp) -> list[mv.DonateHorses]:
    if not state.actions or not _can_spare_horses(state, camp, None):
        return []
    return [mv.DonateHorses(to, card) for to in unbarred(DONATE_BARS, state, camp) for card in dict.fromkeys(camp.hand)]


# --- hunting ---


def _is_hunting_season(state: State, _: Camp, __: object) -> bool:
    return not (is_winter(state) and state.options.winter_hunt == "forbidden")


HUNT = (Check("PC-4.110", _is_hunting_season, "there is no hunting in winter"),)


def _hunt(scribe: Scribe, move: mv.Hunt) -> None:
    """PC-5.8: the card that pays for the hunt may itself come back (PC-R16)."""
    tribe = scribe.camp.tribe
    scribe.write(ev.CardsDiscarded(scribe.seat, tribe, "hunt", 1, (move.discard,), scribe.cost))
    draw_to_hand(scribe, tribe, "hunt", 2)


def _hunts(state: State, camp: Camp) -> list[mv.Hunt]:
    if not state.actions or not _is_hunting_season(state, camp, None):
        return []
    return [mv.Hunt(card) for card in dict.fromkeys(camp.hand)]


def _discards_what_was_drawn(state: State, _: Camp, move: mv.DiscardAfterHunt) -> bool:
    return len(move.cards) == state.hunted


AFTER_HUNT = (Check("PC-4.112", _discards_what_was_drawn, "not as many cards as the hunt drew: {cards}"),)


def _discard_after_hunt(scribe: Scribe, move: mv.DiscardAfterHunt) -> None:
    cards = in_order(move.cards)
    scribe.write(ev.CardsDiscarded(scribe.seat, scribe.camp.tribe, "after_hunt", len(cards), cards, scribe.cost))


def _after_hunts(state: State, camp: Camp) -> list[mv.DiscardAfterHunt]:
    return [mv.DiscardAfterHunt(cards) for cards in sets_of(camp.hand, state.hunted)]


# --- gifts ---


def _empty_handed(state: State, _: Camp) -> list[str]:
    return [camp.tribe for camp in state.camps if not camp.hand]


EXCHANGE_BARS = (
    Bar("PC-4.55", at_war, "a raid stands between your tribe and {to}"),
    Bar("PC-4.56", _empty_handed, "{to} holds no card to answer with"),
    Bar("PC-4.57", played_along, "you would answer for {to} yourself"),
)


def _offer(scribe: Scribe, to: str, give: str, discard: str | None) -> None:
    """PC-5.8: without a discard the exchange is the free one of allies."""
    scribe.write(ev.GiftOffered(scribe.seat, scribe.camp.tribe, to, discard is None, discard, scribe.cost, give))


def _exchange(scribe: Scribe, move: mv.ExchangeGifts) -> None:
    _offer(scribe, move.to, move.give, move.discard)


@lru_cache(maxsize=8192)
def _exchanges_with(to: str, hand: tuple[str, ...]) -> tuple[mv.ExchangeGifts, ...]:
    return tuple([mv.ExchangeGifts(to, give, discard) for give, discard in dict.fromkeys(permutations(hand, 2))])


def _exchanges(state: State, camp: Camp) -> list[mv.ExchangeGifts]:
    tribes = unbarred(EXCHANGE_BARS, state, camp) if state.actions and len(camp.hand) > 1 else []
    return [move for to in tribes for move in _exchanges_with(to, camp.hand)]


def _ally_holds_a_card(state: State, camp: Camp, _: object) -> bool:
    ally = seated_ally(state, camp)
    return ally is not None and bool(ally.hand)


def _may_exchange_now(state: State, _: Camp, __: object) -> bool:
    return state.actions > 0 or state.options.free_exchange != "while_actions_left"


def _other_player_answers(state: State, camp: Camp, _: object) -> bool:
    return camp.ally not in played_along(state, camp)


FREE = (
    Check("PC-4.60", lambda state, camp, _: seated_ally(state, camp) is not None, "your tribe has no seated ally"),
    Check("PC-4.61", lambda state, _, __: not state.free_made, "the free exchange of this turn is made"),
    Check("PC-4.62", lambda _, camp, __: bool(camp.hand), "your hand is empty"),
    Check("PC-4.63", _ally_holds_a_card, "your ally's hand is empty"),
    Check("PC-4.64", _may_exchange_now, "no action is left"),
    Check("PC-4.65", _other_player_answers, "you would answer for your ally yourself"),
)


def may_exchange_free(state: State, camp: Camp) -> bool:
    """PC-3.9 (c): whether a free exchange is possible."""
    return meets(FREE, state, camp, None)


def _exchange_free(scribe: Scribe, move: mv.ExchangeGiftsFree) -> None:
    _offer(scribe, checked(scribe.camp.ally), move.give, None)


def _free_exchanges(state: State, camp: Camp) -> list[mv.ExchangeGiftsFree]:
    return [mv.ExchangeGiftsFree(card) for card in dict.fromkeys(camp.hand)] if may_exchange_free(state, camp) else []


def _answer(scribe: Scribe, move: mv.AnswerGift) -> None:
    offer = checked(scribe.state.offer)
    scribe.write(ev.GiftsExchanged(scribe.seat, scribe.camp.tribe, offer.tribe, move.give, offer.give))


def _answers(_: State, camp: Camp) -> list[mv.AnswerGift]:
    return [mv.AnswerGift(card) for card in dict.fromkeys(camp.hand)]


KINDS = {
    mv.TakeCards: Kind(_take, _takings, TAKE),
    mv.Breed: Kind(_breed, _breedings, BREED, cost=one),
    mv.DonateHorses: Kind(
        _donate, _donations, DONATE, cost=one, cards=lambda move: (move.discard,), other=attrgetter("to")
    ),
    mv.Hunt: Kind(_hunt, _hunts, HUNT, cost=one, cards=lambda move: (move.discard,)),
    mv.DiscardAfterHunt: Kind(_discard_after_hunt, _after_hunts, AFTER_HUNT, cards=attrgetter("cards")),
    mv.ExchangeGifts: Kind(
        _exchange,
        _exchanges,
        against(EXCHANGE_BARS, attrgetter("to")),
        cost=one,
        cards=lambda move: (move.give, move.discard),
        other=attrgetter("to"),
    ),
    mv.ExchangeGiftsFree: Kind(_exchange_free, _free_exchanges, FREE, cards=lambda move: (move.give,)),
    mv.AnswerGift: Kind(_answer, _answers, cards=lambda move: (move.give,)),
}
