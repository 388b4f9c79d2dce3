"""The moves (MA-4.2 to MA-4.4)."""

from typing import Any, Literal

from games.from_json import move_from
from games.kernel import Move, MoveSet
from games.parties import ChooseParty, PartyChoice


class PlayCard(Move, frozen=True, gc=False):
    """MA-4.3: a card of the hand is laid on a ground."""

    card: str
    ground: Literal[1, 2, 3]


class PassTurn(Move, frozen=True, gc=False):
    """MA-4.4: no card of the hand may be laid anywhere."""


AnyMove = ChooseParty | PlayCard | PassTurn
MOVE_SETS: tuple[type[MoveSet], ...] = (PartyChoice,)


def read_move(raw: Any) -> Any:
    """Parses a move from JSON; refuses with MA-4.1a."""
    return move_from(raw, AnyMove, "MA-4.1a")
