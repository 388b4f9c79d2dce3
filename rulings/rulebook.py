"""The rules and rulings of each game by id, read from its document, `games/<game>/rules.md`.

A rule stands where its id is in bold or opens a table row; a lettered check may also stand within the paragraph of its
rule.
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
    """What was decided where the source is silent; `default` and `alternatives` are Markdown."""

    id: str
    question: str
    default: str
    alternatives: str


class Row(NamedTuple):
    """A table row as its cells, with the headers that they stand under."""

    headers: tuple[str, ...]
    cells: tuple[str, ...]
    section: str


@cache
def document(slug: str) -> str:
    """The rules document of a game, in Markdown, empty if it brings none; raises `KeyError` for an unknown game."""
    source = files(GAMES[slug].package) / DOCUMENT
    return source.read_text(encoding="utf-8") if source.is_file() else ""


@cache
def rules(slug: str) -> dict[str, Rule]:
    """All rules of a game by id, in the order of their numbers; where an id stands twice the first place counts."""
    found: dict[str, Rule] = {}
    for one in [*_paragraph_rules(document(slug)), *_row_rules(slug)]:
        found.setdefault(one.id, one)
    for parent in list(found.values()):
        for one in _inline_checks(parent):
            found.setdefault(one.id, one)
    return dict(sorted(found.items(), key=lambda item: _reading_order(item[0])))


def _reading_order(rule_id: str) -> tuple[int, list[int], str]:
    """Rules by their numbers, then rulings, then examples: `BM-4.10` after `BM-4.9b`."""
    kind = "RE".find(rule_id[3]) + 1
    return kind, [int(number) for number in re.findall(r"\d+", rule_id)], rule_id[-1]


@cache
def rulings(slug: str) -> dict[str, Ruling]:
    """All rulings of a game by id: the question, what holds by default and why, and what a table may choose instead."""
    rows = [row for row in table_rows(slug) if re.fullmatch(r"[A-Z]{2}-R\d+", _id_of(row)) and row.headers[0] == "id"]
    return {
        _id_of(row): Ruling(_id_of(row), *(cell if cell != "none" else "" for cell in row.cells[1:4])) for row in rows
    }


def rule(slug: str, rule_id: str) -> Rule:
    """The rule with this id; raises `KeyError` if the document has none."""
    return rules(slug)[rule_id]


def examples(slug: str) -> dict[str, Rule]:
    """The worked examples of a game by id."""
    return {rule_id: one for rule_id, one in rules(slug).items() if rule_id.partition("-")[2].startswith("E")}


@cache
def table_rows(slug: str) -> tuple[Row, ...]:
    """Every row of every table of the document."""
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
    """The rule id that opens a row, or nothing: `**PC-R3** ◇` is `PC-R3`."""
    match = re.match(rf"\**({ID})\b\**", row.cells[0])
    return match[1] if match else ""


def _row_rules(slug: str) -> Iterator[Rule]:
    """Rules that are rows: of two cells the id and the text; of more the id, the title and the labelled rest."""
    for row in table_rows(slug):
        if not _id_of(row):
            continue
        if len(row.cells) == 2:
            yield Rule(_id_of(row), "", row.cells[1], row.section)
            continue
        labelled = [f"*{header}*: {cell}" for header, cell in zip(row.headers[2:], row.cells[2:], strict=True) if cell]
        yield Rule(_id_of(row), row.cells[1], "\n\n".join(labelled), row.section)


def _paragraph_rules(text: str) -> Iterator[Rule]:
    """Rules whose id is in bold, and the lettered bullets below them, each with what follows until the next rule."""
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
    """What follows a rule's id: its bullet if it stands in one, else all up to the next rule or heading."""
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
    """Where in a line another rule begins that is no part of this one."""
    return next((match.start() for match in BOLD.finditer(line) if not match["id"].startswith(rule_id)), None)


def _is_heading(line: str) -> bool:
    return line.startswith("#") or line == "---"


def _inline_checks(parent: Rule) -> Iterator[Rule]:
    """Lettered checks within the paragraph of their rule: `Refusals: BM-4.2a the number of cards is not …; …`."""
    for match in INLINE_CHECK.finditer(parent.text):
        if re.fullmatch(re.escape(parent.id) + "[a-z]", match["id"]):
            yield Rule(match["id"], "", " ".join(match["text"].split()), parent.section)
