"""What nobody at a table has seen yet, laid in another order: cards to be drawn, territories to be turned up."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from games.tomahawk.components import FIELD, TURNS_OF, UNUSED
from games.tomahawk.state import Faces

Cards = tuple[Any, ...]
Reorder = Callable[[Cards], Cards]


def rearranged(slug: str, state: Any, reorder: Reorder) -> Any:
    """A state with each unseen pile as `reorder` lays it; raises `KeyError` for a game that is not told of here."""
    return PILES[slug](state, reorder)


def unseen(slug: str, state: Any) -> int:
    """How many cards and territories nobody has seen yet."""
    counts: list[int] = []

    def counted(cards: Cards) -> Cards:
        counts.append(len(cards))
        return cards

    rearranged(slug, state, counted)
    return sum(counts)


def can_rearrange(slug: str) -> bool:
    """Whether the unseen piles of a game are known."""
    return slug in PILES


def _big_manitou(state: Any, reorder: Reorder) -> Any:
    return replace(state, seats=tuple([replace(seat, pile=reorder(seat.pile)) for seat in state.seats]))


def _manitou(state: Any, reorder: Reorder) -> Any:
    camps = tuple([replace(camp, pile=reorder(camp.pile)) for camp in state.camps])
    return replace(state, camps=camps, small=reorder(state.small), large=reorder(state.large))


def _plenty_coups(state: Any, reorder: Reorder) -> Any:
    return replace(state, pile=reorder(state.pile))


def _tomahawk(state: Any, reorder: Reorder) -> Any:
    sides = tuple([replace(side, draw_pile=reorder(side.draw_pile)) for side in state.sides])
    return replace(state, sides=sides, faces=replace(state.faces, **_territories(state, reorder)))


def _territories(state: Any, reorder: Reorder) -> dict[str, Any]:
    """The faces of the territories that lie face down; those of a length change places (TO-2.7)."""
    hidden = [name for pile in state.piles for name in pile.below] + list(UNUSED.values())
    hidden = [name for name in hidden if name != state.most_wanted and state.faces != Faces()]
    faces: dict[str, Any] = {}
    for turns in set(TURNS_OF.values()):
        fields = [FIELD[name] for name in hidden if TURNS_OF[name] == turns]
        faces.update(zip(fields, reorder(tuple([getattr(state.faces, field) for field in fields])), strict=True))
    return faces


PILES: Mapping[str, Callable[[Any, Reorder], Any]] = {
    "big-manitou": _big_manitou,
    "manitou": _manitou,
    "plenty-coups": _plenty_coups,
    "tomahawk": _tomahawk,
}
