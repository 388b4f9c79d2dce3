"""A table as text: who sits where, and every field of a view that says something, whatever the game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from service.runtime.terminal.words import namer, plain

Named = Callable[[str], str]

# Said elsewhere, or to be seen in the box.
OMITTED = {"game", "players", "options", "seat", "to_act", "over", "scores", "unseen_cards", "faces", "components"}
PLACES = ("seat", "ground", "pile", "territory")  # what a row is about, in this order
LONGEST = 24  # cards in a list; of a longer one only their number is told


def drawn(table: Mapping[str, Any]) -> Panel:
    """A table as the caller sees it, from the answer of `getTable`."""
    view, named = table["view"] or {}, namer(table["game"])
    parts = {name: value for name, value in view.items() if name not in OMITTED and says(value)}
    lists = {name: value for name, value in parts.items() if _is_rows(value)}
    line = "; ".join(_fields({name: value for name, value in parts.items() if name not in lists}, named))
    there = Text(", ".join(_holders(table).values()), style="bold")
    rows = [_section(name, value, named, _holders(table)) for name, value in lists.items()]
    title = f"{named(table['game'])} – event {table['version']}"
    return Panel(Group(there, Text(line), *rows), title=title, title_align="left")


def standing(table: Mapping[str, Any]) -> Table:
    """The points of each seat, the best first."""
    scores = sorted(table["scores"]["scores"], key=lambda row: row["rank"])
    names = [name for name in scores[0] if name not in ("seat", "rank")]
    shown = Table("rank", "seat", *(plain(name) for name in names), title="Points", title_justify="left")
    for row in scores:
        shown.add_row(str(row["rank"]), _holders(table)[row["seat"]], *(_figure(row[name]) for name in names))
    return shown


def _figure(value: Any) -> str:
    return str(value) if isinstance(value, int | float) else cell(value, plain)


def _holders(table: Mapping[str, Any]) -> dict[int, str]:
    """What each seat is called: 'seat 2 (greedy)'."""
    return {row["seat"]: f"seat {row['seat']} ({holder(row, table)})" for row in table["seats"]}


def holder(row: Mapping[str, Any], table: Mapping[str, Any]) -> str:
    """Who holds a seat: you, an AI by its level, or a player by name."""
    if row["seat"] == table["seat"]:
        return "you"
    return str(row["ai"]["level"]) if row.get("ai") else str(row.get("name") or row.get("player") or "free")


def says(value: Any) -> bool:
    """Whether a value says something: not what is empty, nothing, no or none."""
    return value not in (None, "", 0, False, [], {})


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _section(name: str, rows: Sequence[Mapping[str, Any]], named: Named, holders: Mapping[int, str]) -> Table:
    shown = Table(title=plain(name), title_justify="left", show_header=False, box=None, padding=(0, 1))
    for row in rows:
        place = _place(row)
        rest = {key: value for key, value in row.items() if key != place and key not in OMITTED and says(value)}
        label = holders.get(row["seat"], "") if place == "seat" else f"{plain(place)} {row[place]}" if place else ""
        shown.add_row(Text(label, style="bold"), Text("; ".join(_fields(rest, named))))
    return shown


def _fields(row: Mapping[str, Any], named: Named) -> Iterator[str]:
    return (f"{plain(name)}: {cell(value, named)}" for name, value in row.items())


def cell(value: Any, named: Named) -> str:
    """A value on one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return named(value)
    if isinstance(value, list):
        return ", ".join(cell(one, named) for one in value) if len(value) <= LONGEST else f"({len(value)})"
    if isinstance(value, dict):
        return _described(value, named)
    return "–" if value is None else str(value)


def faces_in(value: Any, named: Named) -> dict[str, str]:
    """What is printed on the cards that are described anywhere in a view, by their ids."""
    if isinstance(value, list):
        return {card: face for one in value for card, face in faces_in(one, named).items()}
    if not isinstance(value, dict):
        return {}
    below = {card: face for one in value.values() for card, face in faces_in(one, named).items()}
    return below | ({value["card"]: _described(value, named)} if _is_card(value) else {})


def _is_card(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("card"), str) and not any(isinstance(value, list | dict) for value in row.values())


def _card(row: Mapping[str, Any], named: Named) -> str:
    """A card with what is printed on it, in brackets if it lies face down."""
    printed = [
        f"{plain(name)} {cell(row[name], named)}" for name in row if name not in ("card", "name", "face_up", "seat")
    ]
    title = f"{named(row['name'])} {row['card']}" if "name" in row else named(row["card"])
    told = f"{title} ({', '.join(printed)})" if printed else title
    return told if row.get("face_up", True) else f"[{told}]"


def _described(row: Mapping[str, Any], named: Named) -> str:
    """A card as it lies, or what a place holds."""
    if _is_card(row) and "seat" not in row:
        return _card(row, named)
    place = _place(row)
    rest = {name: value for name, value in row.items() if name != place and says(value)}
    told = [
        cell(value, named) if len(rest) == 1 else f"{plain(name)} {cell(value, named)}" for name, value in rest.items()
    ]
    label = f"{plain(place)} {row[place]}: " if place else ""
    return f"{label}{', '.join(told) or '–'}"


def _place(row: Mapping[str, Any]) -> str | None:
    """The field that says what a row is about."""
    return next((name for name in PLACES if isinstance(row.get(name), int | str)), None)
