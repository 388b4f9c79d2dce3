"""Exchanging gifts: an offer face down and its answer (PC-4.55 to 4.65)."""

from functools import lru_cache
from itertools import permutations
from operator import attrgetter

from games.plenty_coups.events import GiftOffered, GiftsExchanged
from games.plenty_coups.moves import AnswerGift, ExchangeGifts, ExchangeGiftsFree
from games.plenty_coups.play.bars import Bar, against, at_war, played_along, unbarred
from games.plenty_coups.play.scribe import Check, Kind, Scribe, checked, meets, one
from games.plenty_coups.state import Camp, State, seated_ally


def _empty_handed(state: State, _: Camp) -> list[str]:
    return [camp.tribe for camp in state.camps if not camp.hand]


EXCHANGE_BARS = (
    Bar("PC-4.55", at_war, "a raid stands between your tribe and {to}"),
    Bar("PC-4.56", _empty_handed, "{to} holds no card to answer with"),
    Bar("PC-4.57", played_along, "you would answer for {to} yourself"),
)


def _offer(scribe: Scribe, to: str, give: str, discard: str | None) -> None:
    """PC-5.8: without a discard the exchange is the free one of allies."""
    scribe.write(GiftOffered(scribe.seat, scribe.camp.tribe, to, discard is None, discard, scribe.cost, give))


def _exchange(scribe: Scribe, move: ExchangeGifts) -> None:
    _offer(scribe, move.to, move.give, move.discard)


@lru_cache(maxsize=8192)
def _exchanges_with(to: str, hand: tuple[str, ...]) -> tuple[ExchangeGifts, ...]:
    return tuple([ExchangeGifts(to, give, discard) for give, discard in dict.fromkeys(permutations(hand, 2))])


def _exchanges(state: State, camp: Camp) -> list[ExchangeGifts]:
    tribes = unbarred(EXCHANGE_BARS, state, camp) if state.actions and len(camp.hand) > 1 else []
    return [move for to in tribes for move in _exchanges_with(to, camp.hand)]


def _has_seated_ally(state: State, camp: Camp, _: object) -> bool:
    return seated_ally(state, camp) is not None


def _not_exchanged_yet(state: State, _: Camp, __: object) -> bool:
    return not state.free_made


def _holds_a_card(_: State, camp: Camp, __: object) -> bool:
    return bool(camp.hand)


def _ally_holds_a_card(state: State, camp: Camp, _: object) -> bool:
    ally = seated_ally(state, camp)
    return ally is not None and bool(ally.hand)


def _may_exchange_now(state: State, _: Camp, __: object) -> bool:
    return state.actions > 0 or state.options.free_exchange != "while_actions_left"


def _other_player_answers(state: State, camp: Camp, _: object) -> bool:
    return camp.ally not in played_along(state, camp)


FREE = (
    Check("PC-4.60", _has_seated_ally, "your tribe has no seated ally"),
    Check("PC-4.61", _not_exchanged_yet, "the free exchange of this turn is made"),
    Check("PC-4.62", _holds_a_card, "your hand is empty"),
    Check("PC-4.63", _ally_holds_a_card, "your ally's hand is empty"),
    Check("PC-4.64", _may_exchange_now, "no action is left"),
    Check("PC-4.65", _other_player_answers, "you would answer for your ally yourself"),
)


def may_exchange_free(state: State, camp: Camp) -> bool:
    """PC-3.9 (c): whether a free exchange is possible."""
    return meets(FREE, state, camp, None)


def _exchange_free(scribe: Scribe, move: ExchangeGiftsFree) -> None:
    _offer(scribe, checked(scribe.camp.ally), move.give, None)


def _free_exchanges(state: State, camp: Camp) -> list[ExchangeGiftsFree]:
    return [ExchangeGiftsFree(card) for card in dict.fromkeys(camp.hand)] if may_exchange_free(state, camp) else []


def _answer(scribe: Scribe, move: AnswerGift) -> None:
    offer = checked(scribe.state.offer)
    scribe.write(GiftsExchanged(scribe.seat, scribe.camp.tribe, offer.tribe, move.give, offer.give))


def _answers(_: State, camp: Camp) -> list[AnswerGift]:
    return [AnswerGift(card) for card in dict.fromkeys(camp.hand)]


KINDS = {
    ExchangeGifts: Kind(
        _exchange,
        _exchanges,
        against(EXCHANGE_BARS, attrgetter("to")),
        cost=one,
        cards=lambda move: (move.give, move.discard),
        other=attrgetter("to"),
    ),
    ExchangeGiftsFree: Kind(_exchange_free, _free_exchanges, FREE, cards=lambda move: (move.give,)),
    AnswerGift: Kind(_answer, _answers, cards=lambda move: (move.give,)),
}
