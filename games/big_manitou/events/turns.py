"""What is done with cards: laid, tried against one another, moved (BM-3.8 to BM-3.11, BM-5.3, BM-5.4)."""

from typing import Literal

from games.big_manitou.events.rows import Attacker, Defender, SeatCards
from games.kernel import Event
from games.parties import SeatCard
from games.trials import Relation


class CardPlayed(Event, frozen=True, gc=False):
    """A card is laid on a ground, in a turn or as the extra card (BM-5.3)."""

    hunt: int
    seat: int
    turn: int
    card: str
    ground: int
    extra: bool
    phase: Literal["play"] | None


class TrialOfStrengthResolved(Event, frozen=True, gc=False):
    """A hero has met another seat's: who of them is turned down (BM-5.4)."""

    hunt: int
    ground: int
    contest: Literal["single", "pair"]
    attacker: Attacker
    defender: Defender
    relation: Relation
    turned_down: tuple[SeatCard, ...]
    face_up_after: SeatCards | None
    rules: tuple[str, ...]


class TurnPassed(Event, frozen=True, gc=False):
    """A turn goes by, as no card can be laid anywhere (BM-4.4)."""

    hunt: int
    seat: int
    turn: int
    hand_count: int
    phase: Literal["play"] | None
    rules: tuple[str, ...]


class ExtraCardOffered(Event, frozen=True, gc=False):
    """The holder of the totem cylinder may lay one more card (BM-3.10)."""

    hunt: int
    seat: int
    cards_left: int
    rules: tuple[str, ...]


class ExtraCardWithheld(Event, frozen=True, gc=False):
    """Nobody may lay an extra card in this hunt (BM-3.10)."""

    hunt: int
    seat: int | None
    reason: Literal["no_holder", "holder_is_dealer"]
    rules: tuple[str, ...]


class ExtraCardDeclined(Event, frozen=True, gc=False):
    """The holder of the totem cylinder lays no extra card (BM-4.6)."""

    hunt: int
    seat: int


class HunterMoveOffered(Event, frozen=True, gc=False):
    """The holder of the horse cylinder may move a hunter (BM-3.11)."""

    hunt: int
    seat: int
    rules: tuple[str, ...]


class HunterMoveWithheld(Event, frozen=True, gc=False):
    """Nobody may move a hunter in this hunt (BM-3.11)."""

    hunt: int
    seat: int | None
    reason: Literal["no_holder", "no_hunter_on_grounds"]
    rules: tuple[str, ...]


class HunterMoved(Event, frozen=True, gc=False):
    """A hunter is moved to another ground (BM-4.7)."""

    hunt: int
    seat: int
    card: str
    from_ground: int
    to_ground: int


class HunterMoveDeclined(Event, frozen=True, gc=False):
    """The holder of the horse cylinder moves no hunter (BM-4.7)."""

    hunt: int
    seat: int
