"""What games may import, which folders are games, and how long a function and a module may be.

What else may import what is held by `lint-imports`, and the paths through a function by ruff: `make check`.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

import games
from games import GAMES

ROOT = Path(games.__file__).parent.parent
IMPURE = {
    "asyncio", "concurrent", "ctypes", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "queue",
    "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile",
    "threading", "time", "urllib", "uuid",
}  # fmt: skip
LONGEST_FUNCTION = 40  # lines
LONGEST_MODULE = 500  # lines
PACKAGES = ("games", "events", "projections", "rulings", "service", "worker", "wintercount")

by_game = pytest.mark.parametrize("slug", GAMES)


def folder_of(slug: str) -> Path:
    return ROOT / "games" / slug.replace("-", "_")


@cache
def parsed(path: Path) -> ast.Module:
    """A module, read once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, by their full names."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions and methods of a module, without those inside others."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child
        elif isinstance(child, ast.ClassDef):
            yield from functions(child)


@by_game
def test_a_game_keeps_to_pure_modules(slug: str) -> None:
    for path in folder_of(slug).rglob("*.py"):
        for name in imports(path):
            top = name.split(".")[0]
            assert top in {"games", "msgspec"} or top in sys.stdlib_module_names - IMPURE, f"{path} imports {name}"


@by_game
def test_a_game_knows_no_other_game(slug: str) -> None:
    """By no import, nor by one of what it imports: shared rules know no game."""
    package = folder_of(slug).name
    graph = grimp.build_graph("games")
    known = {name.split(".")[1] for name in graph.find_upstream_modules(f"games.{package}", as_package=True)}
    assert known & {folder_of(other).name for other in GAMES} == {package} & known


def test_every_folder_of_a_game_is_hosted() -> None:
    folders = {path.name for path in (ROOT / "games").iterdir() if (path / "play.py").exists()}
    assert folders == {folder_of(slug).name for slug in GAMES}


@pytest.mark.parametrize("package", ["games", "projections"])
def test_functions_are_short_and_public_ones_are_explained(package: str) -> None:
    for path in (ROOT / package).rglob("*.py"):
        for function in functions(parsed(path)):
            where = f"{path.relative_to(ROOT)}: {function.name}"
            assert function.end_lineno is not None
            assert function.end_lineno - function.lineno < LONGEST_FUNCTION, where
            is_protocol = isinstance(function.body[0], ast.Expr) and len(function.body) == 1
            assert function.name.startswith("_") or is_protocol or ast.get_docstring(function), where


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_are_not_too_long(package: str) -> None:
    for path in (ROOT / package).rglob("*.py"):
        assert path.read_text(encoding="utf-8").count("\n") <= LONGEST_MODULE, path
