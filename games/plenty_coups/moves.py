"""The moves as JSON objects (section 4)."""

from functools import partial

from games.from_json import move_from
from games.kernel import Move, MoveSet
from games.plenty_coups.components import Card, Tribe


class ChooseTribe(Move, frozen=True, gc=False):
    """PC-2.2: a tribe for oneself."""

    tribe: Tribe


class TakeCards(Move, frozen=True, gc=False):
    """PC-3.5: cards from the display."""

    cards: tuple[Card, ...]


class ReturnRaid(Move, frozen=True, gc=False):
    """PC-3.6: a due raid comes home, with or without a coup."""

    target: Tribe
    coup: bool


class Raid(Move, frozen=True, gc=False):
    """PC-4.35: one warrior before a camp, or two for a double attack."""

    target: Tribe
    cards: tuple[Card, ...]


class Defend(Move, frozen=True, gc=False):
    """PC-4.45: one weapon against the raid on one's camp, or two for a double defence."""

    cards: tuple[Card, ...]


class MarkDefenceCoup(Move, frozen=True, gc=False):
    """PC-4.50: a coup-stick after repelling a raid."""


class Breed(Move, frozen=True, gc=False):
    """PC-4.30: a horse card for a horse of the plain."""


class DonateHorses(Move, frozen=True, gc=False):
    """PC-4.100: two horses for a tribe with no larger herd."""

    to: Tribe
    discard: Card


class Hunt(Move, frozen=True, gc=False):
    """PC-4.110: discard a card, draw two, then discard as many."""

    discard: Card


class DiscardAfterHunt(Move, frozen=True, gc=False):
    """PC-4.112: the cards that go after the hunt's draw."""

    cards: tuple[Card, ...]


class ExchangeGifts(Move, frozen=True, gc=False):
    """PC-4.55: discard a card and offer another face down."""

    to: Tribe
    give: Card
    discard: Card


class ExchangeGiftsFree(Move, frozen=True, gc=False):
    """PC-4.60: the free exchange with one's seated ally."""

    give: Card


class AnswerGift(Move, frozen=True, gc=False):
    """PC-5.8: the card given in return for the one offered."""

    give: Card


class ProposeAlliance(Move, frozen=True, gc=False):
    """PC-4.70: a warrior of the tribe one woos."""

    to: Tribe
    card: Card


class AcceptAlliance(Move, frozen=True, gc=False, rename={"from_": "from"}):
    """PC-4.80: a warrior of the tribe that proposed."""

    from_: Tribe
    card: Card


class AllyNeutral(Move, frozen=True, gc=False):
    """PC-4.85: a warrior of a neutral tribe behind one's camp."""

    card: Card


class Disdain(Move, frozen=True, gc=False):
    """PC-4.90: a coup-stick on a tribe's camp."""

    target: Tribe


class ProveWorth(Move, frozen=True, gc=False):
    """PC-4.95: the card that answers disdain."""

    card: Card


class EndureDisdain(Move, frozen=True, gc=False):
    """PC-4.96: no answer to disdain."""


class PassTurn(Move, frozen=True, gc=False):
    """PC-4.120: gives up all actions left."""


class DiscardExcess(Move, frozen=True, gc=False):
    """PC-4.130: down to a hand of three."""

    cards: tuple[Card, ...]


AnyMove = (
    ChooseTribe
    | TakeCards
    | ReturnRaid
    | Raid
    | Defend
    | MarkDefenceCoup
    | Breed
    | DonateHorses
    | Hunt
    | ExchangeGifts
    | ExchangeGiftsFree
    | ProposeAlliance
    | AcceptAlliance
    | AllyNeutral
    | Disdain
    | PassTurn
    | AnswerGift
    | ProveWorth
    | EndureDisdain
    | DiscardAfterHunt
    | DiscardExcess
)
MOVE_SETS: tuple[type[MoveSet], ...] = ()  # every list of this game is short enough to be listed in full
read_move = partial(move_from, union=AnyMove, rule="PC-4.1a")
