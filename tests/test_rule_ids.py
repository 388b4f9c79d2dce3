"""Code and rules documents name the same rules: ids, refusals, adjudications and house rules, in both directions."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import games
from games import GAMES
from games.kernel import AnyGame
from rulings import rulebook
from wintercount.testing.laws import declared_rules

FOLDER = Path(games.__file__).parent
MENTIONED = re.compile(rulebook.ID)
by_game = pytest.mark.parametrize("slug", GAMES)


def sources(folder: Path) -> dict[Path, str]:
    """The source files of a folder and all below it."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


def code_of(slug: str) -> str:
    """The source of a game, and of what it shares with others, with `f"{PREFIX}-4.1a"` written out."""
    own = "\n".join(sources(FOLDER / slug.replace("-", "_")).values())
    shared = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
    return re.sub(r"\{\w*prefix\w*\}", GAMES[slug].prefix, f"{own}\n{shared}", flags=re.IGNORECASE)


def refusals(slug: str) -> set[str]:
    """The ids of section 4 that refuse a move: lettered ones, those after `Refusal`, and checks in bullets."""
    found = set()
    for rule in rulebook.rules(slug).values():
        if not rule.section.startswith("4. "):
            continue
        if rule.id[-1].isalpha() or f"Refusal {rule.id}" in rule.text:
            found.add(rule.id)
    return found | bullet_checks(slug)


def bullet_checks(slug: str) -> set[str]:
    """The ids in the bullets of section 4, each of which states what must hold for a move."""
    section = next(part for part in rulebook.document(slug).split("\n## ") if part.startswith("4. "))
    bullets = re.findall(r"^- .*(?:\n  .*)*", section, flags=re.MULTILINE)
    return {match["id"] for bullet in bullets for match in rulebook.BOLD.finditer(bullet)}


@by_game
def test_every_id_in_the_code_of_a_game_is_a_rule_of_its_document(slug: str) -> None:
    folder = FOLDER / slug.replace("-", "_")
    for path, text in sources(folder).items():
        unknown = set(MENTIONED.findall(text)) - set(rulebook.rules(slug))
        assert not unknown, f"{path.relative_to(FOLDER)} cites {sorted(unknown)}"


def test_every_id_in_shared_code_is_a_rule_of_some_document() -> None:
    known = {rule_id for slug in GAMES for rule_id in rulebook.rules(slug)}
    for path in sorted(FOLDER.glob("*.py")):
        assert set(MENTIONED.findall(path.read_text(encoding="utf-8"))) <= known, path.name


@by_game
def test_every_refusal_of_the_document_is_in_the_code(slug: str) -> None:
    missing = refusals(slug) - set(MENTIONED.findall(code_of(slug)))
    assert not missing, sorted(missing)


@by_game
def test_every_rule_that_an_adjudication_may_cite_is_in_the_code(slug: str) -> None:
    missing = declared_rules(slug) - set(MENTIONED.findall(code_of(slug)))
    assert not missing, sorted(missing)


@by_game
def test_the_house_rules_are_those_of_the_document(slug: str) -> None:
    written = house_rules(slug)
    assert [option.name for option in GAMES[slug].options] == list(written)
    for option in GAMES[slug].options:
        values, ids = written[option.name]
        assert option.ruling in rulebook.rulings(slug)
        assert option.ruling in ids, option
        assert list(map(json.dumps, option.values)) == list(map(json.dumps, values)), option


def house_rules(slug: str) -> dict[str, tuple[list[Any], str]]:
    """The table of options: for each its values, default first, and the cell with its rulings."""
    rows = [row for row in rulebook.table_rows(slug) if row.headers[0] == "option"]
    return {row.cells[0].strip("`"): (listed_values(row.cells[1]), expanded(row.cells[-1])) for row in rows}


def listed_values(cell: str) -> list[Any]:
    """The values that a cell lists; none where it describes them in words."""
    values = []
    for part in re.sub(r"\([^)]*\)", "", cell).split(","):
        try:
            values.append(json.loads(part.strip().strip("`")))
        except json.JSONDecodeError:
            return []
    return values


def expanded(cell: str) -> str:
    """`TO-R1 to TO-R3` with the ids between."""
    for first, last in re.findall(r"[A-Z]{2}-R(\d+) to [A-Z]{2}-R(\d+)", cell):
        cell += "".join(f" {cell[:2]}-R{number}" for number in range(int(first) + 1, int(last)))
    return cell


@by_game
def test_every_house_rule_is_offered_by_a_ruling(slug: str) -> None:
    texts = {ruling.id: f"{ruling.default} {ruling.alternatives}" for ruling in rulebook.rulings(slug).values()}
    for option in GAMES[slug].options:
        assert f"`{option.name}" in rulebook.document(slug)
        assert option.name in texts[option.ruling] or not option.values or option.name == "edition", option


@by_game
def test_a_game_says_who_made_it_and_what_it_is(slug: str) -> None:
    game: AnyGame = GAMES[slug]
    assert game.slug == slug
    assert next(iter(rulebook.rules(slug))).startswith(f"{game.prefix}-")
    assert rulebook.document(slug).startswith(f"# {game.title} (`{slug}`")
    assert "independent implementation" in game.credits
    assert game.rules_version >= 1


@by_game
def test_every_worked_example_has_its_test(slug: str) -> None:
    tests = Path(__file__).parent / "games" / slug.replace("-", "_")
    written = "\n".join(sources(tests).values())
    missing = [rule_id for rule_id in rulebook.examples(slug) if not re.search(rf"{rule_id}\b", written)]
    assert not missing, missing
