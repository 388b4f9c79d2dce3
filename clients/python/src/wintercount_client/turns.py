"""A decision that is open to an account, and the legal moves that answer it."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import comb, perm
from typing import Any, TypeAlias, overload

from wintercount_client import models, operations
from wintercount_client.calls import Call

Move: TypeAlias = Mapping[str, Any]


class LegalMoves(Sequence[Move]):
    """The legal moves of a decision, each ready to be played.

    The server sends one entry for many moves of a kind: any `choose` cards `from` a list, or one card on each of some
    `piles`. This sequence unfolds such an entry one move at a time.
    """

    def __init__(self, entries: Sequence[Any]) -> None:
        self.entries = entries
        self._ends = [0, *accumulate(map(_size, entries))]

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        entry = next(place for place, end in enumerate(self._ends[1:]) if number < end)
        return _unfold(self.entries[entry], number - self._ends[entry])


def _size(entry: Move) -> int:
    """How many moves an entry stands for."""
    if "choose" not in entry:
        return 1
    count = perm if "piles" in entry else comb
    return count(len(entry["from"]), entry["choose"])


def _unfold(entry: Move, number: int) -> Move:
    """Returns one of the moves that an entry stands for, by its number in lexicographic order."""
    if "choose" not in entry:
        return entry
    cards, wanted, chosen = list(entry["from"]), entry["choose"], []
    if "piles" in entry:
        for left in range(wanted - 1, -1, -1):
            place, number = divmod(number, perm(len(cards) - 1, left))
            chosen.append(cards.pop(place))
        placed = [{"pile": pile, "card": card} for pile, card in zip(entry["piles"], chosen, strict=True)]
        return {"type": entry["type"], "cards": placed}
    while len(chosen) < wanted:
        card = cards.pop(0)
        with_it = comb(len(cards), wanted - len(chosen) - 1)
        if number < with_it:
            chosen.append(card)
        else:
            number -= with_it
    return {"type": entry["type"], "cards": chosen}


class OpenDecision:
    """A decision that is open to the account: its id, seat, deadline (RFC 3339, or None) and legal moves."""

    def __init__(self, table: str, decision: models.OpenDecision) -> None:
        self.id: str = decision["id"]
        self.seat: int = decision["seat"]
        self.deadline: str | None = decision["deadline"]
        self.moves = LegalMoves(decision["moves"])
        self._table = table

    def answer(self, move: Move) -> Call[models.Played]:
        """Returns the request that plays a move; its key is the decision's, so that it is played once."""
        body: Any = {"decision": self.id, "move": move}
        return operations.play_move(self._table, body, idempotency_key=f"{self._table}-{self.id}")


def opening(
    game: models.GameName, ai: str | None, players: int, seats: Sequence[Any] | None, options: Mapping[str, Any]
) -> Call[models.Table]:
    """Returns the request that opens a table: a seat is `me`, `open`, an AI level or an object as the API has it."""
    named = seats or ["me", *[ai or "open"] * (players - 1)]
    body: Any = {"game": game, "seats": [_seat(seat) for seat in named], **options}
    return operations.open_table(body)


def _seat(seat: Any) -> Any:
    if not isinstance(seat, str):
        return seat
    return {"kind": seat} if seat in ("me", "open") else {"kind": "ai", "level": seat}
