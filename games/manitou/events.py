"""The events (MA-5.12), one struct per type; the rows that their payloads contain come first."""

from typing import Literal

from msgspec import UNSET

from games.kernel import Event
from games.manitou.components import Herd
from games.manitou.house_rules import Options
from games.manitou_family_parties import HuntEvent, PartySize, SeatCard, SeatCards, SeatEvent, Secret
from games.manitou_family_trials import Attacker, Defender, Relation
from games.ranking import Rank
from games.rows import Row

Cards = tuple[str, ...]


Reason = Literal["no_hunter", "tie_for_first", "tie_for_second", "nobody_second"]


class HerdCount(Row, frozen=True, gc=False):
    """How many buffalo cards of a value a herd has."""

    herd: Herd
    value: int
    count: int


class SeatCount(Row, frozen=True, gc=False):
    """A number of cards of a seat."""

    seat: int
    count: int


class SeatTotal(Row, frozen=True, gc=False):
    """A sum of a seat."""

    seat: int
    total: int


class Buffalo(Row, frozen=True, gc=False):
    """A buffalo card."""

    card: str
    value: int


class GroundStock(Row, frozen=True, gc=False):
    """The buffalo laid out on a ground."""

    ground: int
    buffalo: tuple[Buffalo, ...]


class Force(Row, frozen=True, gc=False):
    """All hunters of a seat and their strength."""

    seat: int
    cards: Cards
    total: int


class Penalty(Row, frozen=True, gc=False):
    """A hide thief, or the note in its place."""

    seat: int
    card: str | None
    points: int


class Hunter(Row, frozen=True, gc=False):
    """A hunter on a ground."""

    card: str
    strength: int


class Contender(Row, frozen=True, gc=False):
    """A seat with hunters on a ground."""

    seat: int
    cards: tuple[Hunter, ...]
    total: int


class Award(Row, frozen=True, gc=False):
    """A buffalo card taken."""

    step: Literal["majority", "runner_up", "alone"]
    seat: int
    card: str
    value: int


class Removal(Row, frozen=True, gc=False):
    """A buffalo card returned to the box (MA-5.8)."""

    card: str
    value: int
    reason: Reason


class Earning(Row, frozen=True, gc=False):
    """What a seat has earned, by kind."""

    seat: int
    buffalo: int
    prisoners: int
    penalties: int
    total: int


class Score(Earning, frozen=True, gc=False):
    """What a seat has earned, and its place."""

    rank: int


class GameStarted(Event, frozen=True, gc=False):
    """MA-2.1: the options with all values; how many cards the herds and the supply have."""

    players: int
    options: Options
    hunts: int
    buffalo_counts: tuple[HerdCount, ...]
    hide_thieves: int


class BuffaloPilesShuffled(Event, frozen=True, gc=False):
    """MA-2.4: the two face-down piles, top card first."""

    small_count: int
    large_count: int
    small_order: Secret = UNSET
    large_order: Secret = UNSET


class HuntStarted(HuntEvent, frozen=True, gc=False):
    """A hunt begins with its dealer, turn order and sizes of parties (MA-3.2, MA-3.3)."""

    dealer: int
    turn_order: tuple[int, ...]
    party_sizes: tuple[PartySize, ...]
    cards_owned: tuple[SeatCount, ...]


class GroundsStocked(HuntEvent, frozen=True, gc=False):
    """MA-2.6: the buffalo of the hunt, in the order laid out."""

    grounds: tuple[GroundStock, ...]
    small_left: int
    large_left: int


class PartyChosen(SeatEvent, frozen=True, gc=False):
    """A seat has chosen its party; the cards, sorted, are for it alone (MA-4.2)."""

    count: int
    cards: Secret = UNSET


class PartyShuffled(SeatEvent, frozen=True, gc=False):
    """MA-3.4: the pile, the card drawn first in front."""

    order: Secret = UNSET


class CardsDrawn(SeatEvent, frozen=True, gc=False, kw_only=True):
    """MA-3.4, MA-3.6; `phase` is the one after it."""

    count: int
    cards: Secret = UNSET
    pile_left: int
    phase: Literal["party", "play"]


class CardPlayed(SeatEvent, frozen=True, gc=False):
    """MA-4.3, MA-5.1; `trial`: whether it meets a face-up hero of another seat."""

    turn: int
    card: str
    ground: int
    trial: bool


class TrialOfStrengthResolved(HuntEvent, frozen=True, gc=False):
    """A hero has met another seat's: which of them are turned down (MA-5.3, MA-5.4)."""

    ground: int
    contest: Literal["single", "pair"]
    attacker: Attacker
    defender: Defender
    attacked_of_pair: str | None
    sacrifice_needs: str | None
    relation: Relation
    turned_down: tuple[SeatCard, ...]
    face_up_after: SeatCards | None
    rules: Cards


class TurnPassed(SeatEvent, frozen=True, gc=False):
    """A seat passes, because it can lay no card anywhere (MA-4.4)."""

    turn: int
    hand_count: int
    rules: Cards


class UnplayedCardsReturned(SeatEvent, frozen=True, gc=False):
    """A seat's remaining hand and pile return to its reserve; only the owner may read the cards (MA-5.5)."""

    count: int
    cards: Secret = UNSET


class ForcePenaltyAssessed(HuntEvent, frozen=True, gc=False):
    """The seats with the highest total take hide thieves (MA-5.6)."""

    totals: tuple[Force, ...]
    highest: int
    penalised: tuple[int, ...]
    penalties: tuple[Penalty, ...]
    hide_thieves_left: int
    rules: Cards


class GroundEvaluated(HuntEvent, frozen=True, gc=False):
    """Who takes the buffalo of a ground (MA-5.7)."""

    ground: int
    buffalo: tuple[Buffalo, ...]
    seats_present: tuple[int, ...]
    totals: tuple[Contender, ...]
    tied_out: tuple[int, ...]
    majority: int | None
    runner_up: int | None
    awards: tuple[Award, ...]
    removed: tuple[Removal, ...]
    rules: Cards


class GroundCleared(HuntEvent, frozen=True, gc=False):
    """Prisoners are taken; all other cards of a ground return to their owners (MA-5.9)."""

    ground: int
    hero: SeatCards | None
    prisoners: tuple[SeatCards, ...]
    returned: tuple[SeatCards, ...]
    points: int
    rules: Cards


class HuntEnded(HuntEvent, frozen=True, gc=False):
    """The result of a hunt (MA-5.10)."""

    earned: tuple[Earning, ...]
    totals: tuple[SeatTotal, ...]
    cards_owned: tuple[SeatCount, ...]
    next_dealer: int | None


class GameEnded(Event, frozen=True, gc=False):
    """The final scores and who has won (MA-6.3)."""

    scores: tuple[Score, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: Cards
