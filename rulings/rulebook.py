"""The rules and rulings of each game by id, parsed from `games/<game>/rules.md`.

A rule begins where its id is in bold or opens a table row. A lettered check may also be inside its rule's paragraph.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from games import GAMES

DOCUMENT = "rules.md"

ID = r"[A-Z]{2}-(?:[RE]\d+|\d+\.\d+[a-z]?)"
BOLD = re.compile(rf"\*\*(?P<id>{ID})(?P<title>[^*]*)\*\*")
LETTERED_BULLET = re.compile(r"- \*\*(?P<letter>[a-z])\*\*")
INLINE_CHECK = re.compile(rf"(?P<id>{ID}) (?P<text>.+?)(?=;|\.\s|\.$)", re.S)
SECTION = re.compile(r"## (?P<title>.+)")


class Rule(msgspec.Struct, frozen=True):
    """A rule of the document: `text` is Markdown; `section` is the heading above it."""

    id: str
    title: str
    text: str
    section: str


class Ruling(msgspec.Struct, frozen=True):
    """A decision where the source is silent; `default` and `alternatives` are Markdown."""

    id: str
    question: str
    default: str
    alternatives: str


class Row(NamedTuple):
    """The cells of a table row, and the headers above them."""

    headers: tuple[str, ...]
    cells: tuple[str, ...]
    section: str


@cache
def document(slug: str) -> str:
    """Returns a game's rules document in Markdown, empty if it has none; raises `KeyError` for an unknown game."""
    source = files(GAMES[slug].package) / DOCUMENT
    return source.read_text(encoding="utf-8") if source.is_file() else ""


@cache
def rules(slug: str) -> dict[str, Rule]:
    """Returns all rules of a game by id, ordered by number; if an id occurs twice, the first place counts."""
    found: dict[str, Rule] = {}
    for one in [*_paragraph_rules(document(slug)), *_row_rules(slug)]:
        found.setdefault(one.id, one)
    for parent in list(found.values()):
        for one in _inline_checks(parent):
            found.setdefault(one.id, one)
    return dict(sorted(found.items(), key=lambda item: _reading_order(item[0])))


def _reading_order(rule_id: str) -> tuple[int, list[int], str]:
    """Sorts rules by their numbers, then rulings, then examples: `BM-4.10` after `BM-4.9b`."""
    kind = "RE".find(rule_id[3]) + 1
    return kind, [int(number) for number in re.findall(r"\d+", rule_id)], rule_id[-1]


@cache
def rulings(slug: str) -> dict[str, Ruling]:
    """Returns all rulings of a game by id."""
    rows = [row for row in table_rows(slug) if re.fullmatch(r"[A-Z]{2}-R\d+", _id_of(row)) and row.headers[0] == "id"]
    return {
        _id_of(row): Ruling(_id_of(row), *(cell if cell != "none" else "" for cell in row.cells[1:4])) for row in rows
    }


def rule(slug: str, rule_id: str) -> Rule:
    """Returns the rule with this id; raises `KeyError`."""
    return rules(slug)[rule_id]


def examples(slug: str) -> dict[str, Rule]:
    """Returns the worked examples of a game by id."""
    return {rule_id: one for rule_id, one in rules(slug).items() if rule_id.partition("-")[2].startswith("E")}


@cache
def table_rows(slug: str) -> tuple[Row, ...]:
    """Returns every row of every table in the document."""
    found: list[Row] = []
    section = ""
    headers: tuple[str, ...] = ()
    for line in document(slug).splitlines():
        heading = SECTION.match(line)
        section = heading["title"] if heading else section
        if not line.startswith("|"):
            headers = ()
            continue
        cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")))
        if not headers:
            headers = cells
        elif not set(line) <= set("|-: "):
            found.append(Row(headers, cells, section))
    return tuple(found)


def _id_of(row: Row) -> str:
    """Returns the rule id that opens a row, or "": `PC-R3` for `**PC-R3** ◇`."""
    match = re.match(rf"\**({ID})\b\**", row.cells[0])
    return match[1] if match else ""


def _row_rules(slug: str) -> Iterator[Rule]:
    """Yields the rules in rows: two cells are id and text; more are id, title and the labelled rest."""
    for row in table_rows(slug):
        if not _id_of(row):
            continue
        if len(row.cells) == 2:
            yield Rule(_id_of(row), "", row.cells[1], row.section)
            continue
        labelled = [f"*{header}*: {cell}" for header, cell in zip(row.headers[2:], row.cells[2:], strict=True) if cell]
        yield Rule(_id_of(row), row.cells[1], "\n\n".join(labelled), row.section)


def _paragraph_rules(text: str) -> Iterator[Rule]:
    """Yields the rules with ids in bold and the lettered bullets below them, each with its text up to the next."""
    section, parent = "", ""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        heading = SECTION.match(line)
        section = heading["title"] if heading else section
        if line.startswith("|"):
            continue
        for match in BOLD.finditer(line):
            parent = match["id"]
            body = _body(lines, number, match.end(), parent)
            yield Rule(parent, match["title"].strip(" ."), body, section)
        letter = LETTERED_BULLET.match(line)
        if letter and parent:
            body = _body(lines, number, letter.end(), parent + letter["letter"])
            yield Rule(parent + letter["letter"], "", body, section)


def _body(lines: list[str], number: int, start: int, rule_id: str) -> str:
    """Returns the text after a rule's id: the rest of its bullet, or all up to the next rule or heading."""
    bullet = lines[number].startswith(("- ", "  "))
    taken: list[str] = []
    for offset, line in enumerate(lines[number:]):
        rest = line[start:] if offset == 0 else line
        if offset and (_is_heading(line) or (bullet and not line.startswith("  "))):
            break
        stop = _next_rule(rest, rule_id)
        if stop is not None and not line.startswith("|"):
            taken.append(rest[:stop].removesuffix("- "))
            break
        taken.append(rest.removeprefix("  ") if bullet else rest)
    return "\n".join(taken).lstrip(" .,:—\n").rstrip(" ;\n")


def _next_rule(line: str, rule_id: str) -> int | None:
    """Returns the position in a line where a rule begins that is not part of this one."""
    return next((match.start() for match in BOLD.finditer(line) if not match["id"].startswith(rule_id)), None)


def _is_heading(line: str) -> bool:
    return line.startswith("#") or line == "---"


def _inline_checks(parent: Rule) -> Iterator[Rule]:
    """Yields the lettered checks inside a rule's paragraph: `Refusals: BM-4.2a the number of cards is not …; …`."""
    for match in INLINE_CHECK.finditer(parent.text):
        if re.fullmatch(re.escape(parent.id) + "[a-z]", match["id"]):
            yield Rule(match["id"], "", " ".join(match["text"].split()), parent.section)
