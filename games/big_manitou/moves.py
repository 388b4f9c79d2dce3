"""The moves (BM-4)."""

from functools import partial

from games.big_manitou.components import GroundNumber
from games.from_json import move_from
from games.kernel import Move, MoveSet
from games.manitou_family_parties import ChooseParty, PartyChoice


class PlayCard(Move, frozen=True, gc=False):
    """BM-4.3: lay a card of the hand on a ground."""

    card: str
    ground: GroundNumber


class PassTurn(Move, frozen=True, gc=False):
    """BM-4.4: pass, when no card can be laid anywhere."""


class PlayExtraCard(Move, frozen=True, gc=False):
    """BM-4.6: lay the eighth card that the totem cylinder allows."""

    card: str
    ground: GroundNumber


class DeclineExtraCard(Move, frozen=True, gc=False):
    """BM-4.6: lay no eighth card."""


class MoveHunter(Move, frozen=True, gc=False):
    """BM-4.7: move an own hunter to another ground, as the horse cylinder allows."""

    card: str
    to_ground: GroundNumber


class DeclineHunterMove(Move, frozen=True, gc=False):
    """BM-4.7: move no hunter."""


class DiscardTile(Move, frozen=True, gc=False):
    """BM-4.8: pay the force penalty with this tile."""

    tile: str


class TakeTiles(Move, frozen=True, gc=False):
    """BM-4.9: take all the tiles of an award; their order has no meaning."""

    ground: GroundNumber
    tiles: tuple[str, ...]


AnyMove = (
    ChooseParty
    | PlayCard
    | PassTurn
    | PlayExtraCard
    | DeclineExtraCard
    | MoveHunter
    | DeclineHunterMove
    | DiscardTile
    | TakeTiles
)

MOVE_SETS: tuple[type[MoveSet], ...] = (PartyChoice,)
read_move = partial(move_from, union=AnyMove, rule="BM-4.1a")
