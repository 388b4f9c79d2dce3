"""The register of rulings: executable cases of what each ruling decides, in each reading that it leaves to tables.

A case is a file, `games/<game>/rulings/<rule>….json`: given a moment of a game, when a seat moves, then this, by house
rules. They are read once a process.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from games import GAMES
from rulings.rulebook import rules


class CaseBroken(ValueError):
    """A case that cannot be played, because it names something that the game does not have."""


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's move, as it is sent."""

    seat: int
    move: Any


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A moment of a game: how it began, the places of the state that differ by now, and the moves from there on.

    What is drawn lies in its order, except that `luck` names, for each kind of draw, what comes first in one after the
    other. Where a state is given it is about the draws behind it.
    """

    players: int
    options: dict[str, Any] = {}
    luck: dict[str, list[list[Any]]] = {}
    state: dict[str, Any] = {}
    moves: tuple[Act, ...] = ()


class Happened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event, with the fields that matter and, if it matters, who may read which."""

    type: str
    payload: dict[str, Any] = {}
    readers: dict[str, list[int]] | None = None


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a seat (null: a spectator) sees afterwards at a place of the view; without a value the place is missing."""

    seat: int | None
    place: str
    value: Any | msgspec.UnsetType = msgspec.UNSET


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What follows under the house rules `options`, in words; and as the rule that refuses the move, or as events.

    Of the types that `events` names these are all that happen, in their order; of those in `without` none does.
    """

    says: str
    options: dict[str, Any] = {}
    refused: str | None = None
    events: tuple[Happened, ...] = ()
    without: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()


class Disputed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dispute that a case comes from: the version of the ruling, and how, and by whom, it was resolved."""

    version: int
    outcome: str
    by: str


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What a rule, most often a ruling, decides. Without a move (`when`) it shows how the game begins."""

    rule: str
    title: str
    dispute: Disputed | None = None
    given: Given
    when: Act | None = None
    then: tuple[Outcome, ...]


def case_files(slug: str) -> list[Traversable]:
    """The files of a game's cases, `<rule>….json` in the folder `rulings` of its package; none if it brings none."""
    folder = files(GAMES[slug].package) / "rulings"
    return sorted(folder.iterdir(), key=lambda path: path.name) if folder.is_dir() else []


@cache
def cases(slug: str) -> dict[str, Case]:
    """The cases of a game by the names of their files, in the order of the rules and rulings."""
    found = {path.name.removesuffix(".json"): read(path.read_bytes()) for path in case_files(slug)}
    order = list(rules(slug))
    return dict(sorted(found.items(), key=lambda item: (order.index(item[1].rule), item[0])))


def read(data: bytes) -> Case:
    """The case that a file holds; raises `CaseBroken`."""
    try:
        return msgspec.json.decode(data, type=Case)
    except msgspec.DecodeError as error:
        raise CaseBroken(str(error)) from None
