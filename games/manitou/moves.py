"""The moves (MA-4.2 to MA-4.4)."""

from functools import partial
from typing import Literal

from games.from_json import move_from
from games.kernel import Move, MoveSet
from games.manitou_family_parties import ChooseParty, PartyChoice


class PlayCard(Move, frozen=True, gc=False):
    """MA-4.3: a card of the hand is laid on a ground."""

    card: str
    ground: Literal[1, 2, 3]


class PassTurn(Move, frozen=True, gc=False):
    """MA-4.4: no card of the hand may be laid anywhere."""


AnyMove = ChooseParty | PlayCard | PassTurn
MOVE_SETS: tuple[type[MoveSet], ...] = (PartyChoice,)
read_move = partial(move_from, union=AnyMove, rule="MA-4.1a")
