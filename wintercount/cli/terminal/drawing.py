"""Draws a table as text: its seats, its clocks, and the fields of its view that are not empty."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from events.times import millis
from wintercount.cli.terminal.words import Words

DAY_S = 86_400


def clocks(table: Mapping[str, Any], holders: Mapping[int, str], words: Words) -> str:
    """Returns how long each person has left: 'time left: seat 1 (you) 4:32'; empty at a table without a clock."""
    if table.get("clock") is None:
        return ""
    now_ms = round(time.time() * 1000)
    left = ", ".join(f"{holders[seat]} {length(ms)}" for seat, ms in _left(table, now_ms))
    return words.say("time_left", left=left) if left else ""


def _left(table: Mapping[str, Any], now_ms: int) -> Iterator[tuple[int, int]]:
    for row in table["seats"]:
        clock = row.get("clock")
        if clock and clock["deadline"]:
            yield row["seat"], max(0, millis(clock["deadline"]) - now_ms)
        elif clock and clock["bank_ms"] is not None:
            yield row["seat"], clock["bank_ms"]


def length(ms: int) -> str:
    """Returns a duration as clocks show it: 4:05, 1:02:03, or from a day on 2 d 04:05."""
    minutes, second = divmod(-(-ms // 1000), 60)
    hours, minute = divmod(minutes, 60)
    day, hour = divmod(hours, 24)
    if day:
        return f"{day} d {hour:02d}:{minute:02d}"
    return f"{hour}:{minute:02d}:{second:02d}" if hour else f"{minute}:{second:02d}"


Named = Callable[[str], str]

# Shown elsewhere, or printed on the components.
OMITTED = {"game", "players", "options", "seat", "to_act", "over", "scores", "unseen_cards", "faces", "components"}
PLACES = ("seat", "ground", "pile", "territory")  # what a row is about; the first counts
LONGEST = 24  # cards in a list; of a longer one only the number is shown


def drawn(table: Mapping[str, Any], words: Words) -> Panel:
    """Draws a table as the caller sees it, from the answer of `getTable`."""
    view, named = table["view"] or {}, words.namer(table["game"])
    parts = {name: value for name, value in view.items() if name not in OMITTED and not is_empty(value)}
    lists = {name: value for name, value in parts.items() if _is_rows(value)}
    line = _line({name: value for name, value in parts.items() if name not in lists}, named, words)
    holders = _holders(table, words)
    there = Text("\n".join(filter(None, (", ".join(holders.values()), clocks(table, holders, words)))), style="bold")
    rows = [_section(name, value, named, holders, words) for name, value in lists.items()]
    title = words.say("title", game=words.title(table["game"]), version=table["version"])
    return Panel(Group(there, Text(line), *rows), title=title, title_align="left")


def points_table(table: Mapping[str, Any], words: Words) -> Table:
    """Draws the points of each seat and their parts, the best seat first."""
    shown = Table(title=words.say("points"), title_justify="left", show_header=False, box=None, padding=(0, 1))
    holders = _holders(table, words)
    for row in sorted(table["scores"]["scores"], key=lambda row: row["rank"]):
        parts = {name: value for name, value in row.items() if name not in ("seat", "rank")}
        label = Text(f"{row['rank']}. {holders[row['seat']]}", style="bold")
        shown.add_row(label, Text(_line(parts, words.field, words)))
    return shown


def _holders(table: Mapping[str, Any], words: Words) -> dict[int, str]:
    """Returns the name of each seat: 'seat 2 (greedy)'."""
    return {
        row["seat"]: words.say("holder", seat=row["seat"], name=holder(row, table, words)) for row in table["seats"]
    }


def holder(row: Mapping[str, Any], table: Mapping[str, Any], words: Words) -> str:
    """Returns who holds a seat: you, an AI by its level, or a player by name."""
    if row["seat"] == table["seat"]:
        return words.say("you")
    return str(row["level"]) if row.get("level") else str(row.get("name") or row.get("player") or words.say("free"))


def is_empty(value: Any) -> bool:
    """Whether a value is not worth showing."""
    return value in (None, "", 0, False, [], {})


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _section(
    name: str, rows: Sequence[Mapping[str, Any]], named: Named, holders: Mapping[int, str], words: Words
) -> Table:
    shown = Table(title=words.field(name), title_justify="left", show_header=False, box=None, padding=(0, 1))
    for row in rows:
        place = _place(row)
        rest = {key: value for key, value in row.items() if key != place and key not in OMITTED and not is_empty(value)}
        label = holders.get(row["seat"], "") if place == "seat" else _label(row, place, words)
        shown.add_row(Text(label, style="bold"), Text(_line(rest, named, words)))
    return shown


def _label(row: Mapping[str, Any], place: str | None, words: Words) -> str:
    return f"{words.field(place)} {row[place]}" if place else ""


def _line(row: Mapping[str, Any], named: Named, words: Words) -> str:
    """Returns the fields of a row on one line."""
    return "; ".join(_fields(row, named, words))


def _fields(row: Mapping[str, Any], named: Named, words: Words) -> Iterator[str]:
    for name, value in row.items():
        text = words.phase(value) if name == "phase" else cell(value, named, words)
        yield words.say("labelled", label=_word(name, value, words), text=text)


def _word(name: str, value: Any, words: Words) -> str:
    """Returns the name of a field; a `pile` of cards is a draw pile, one that is a number holds territories."""
    return words.field("draw_pile" if name == "pile" and isinstance(value, list) else name)


def cell(value: Any, named: Named, words: Words) -> str:
    """Returns a value on one line."""
    if isinstance(value, bool):
        return words.say("yes" if value else "no")
    if isinstance(value, str):
        return named(value)
    if isinstance(value, list):
        listed = ", ".join(cell(one, named, words) for one in value) or "–"
        return listed if len(value) <= LONGEST else f"({len(value)})"
    if isinstance(value, dict):
        return _described(value, named, words)
    return "–" if value is None else str(value)


def faces_in(value: Any, named: Named, words: Words) -> dict[str, str]:
    """Returns the faces of the cards that a view describes, by their ids."""
    if isinstance(value, list):
        return {card: face for one in value for card, face in faces_in(one, named, words).items()}
    if not isinstance(value, dict):
        return {}
    below = {card: face for one in value.values() for card, face in faces_in(one, named, words).items()}
    return below | ({value["card"]: _described(value, named, words)} if _is_card(value) else {})


def _is_card(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("card"), str) and not any(isinstance(value, list | dict) for value in row.values())


def _card(row: Mapping[str, Any], named: Named, words: Words) -> str:
    """Returns a card with its face, in brackets if it lies face down."""
    printed = [
        f"{words.field(name)} {cell(row[name], named, words)}"
        for name in row
        if name not in ("card", "name", "face_up", "seat")
    ]
    title = f"{named(row['name'])} {row['card']}" if "name" in row else named(row["card"])
    text = f"{title} ({', '.join(printed)})" if printed else title
    return text if row.get("face_up", True) else f"[{text}]"


def _described(row: Mapping[str, Any], named: Named, words: Words) -> str:
    """Returns a card as it lies, or the contents of a place."""
    if _is_card(row) and "seat" not in row:
        return _card(row, named, words)
    place = _place(row)
    rest = {name: value for name, value in row.items() if name != place and not is_empty(value)}
    text = [
        cell(value, named, words) if len(rest) == 1 else f"{_word(name, value, words)} {cell(value, named, words)}"
        for name, value in rest.items()
    ]
    listed = ", ".join(text) or "–"
    return words.say("labelled", label=_label(row, place, words), text=listed) if place else listed


def _place(row: Mapping[str, Any]) -> str | None:
    """Returns the field that names the place of a row."""
    return next((name for name in PLACES if isinstance(row.get(name), int | str)), None)
