"""The tree tells the architecture: what may import what, which folders are games, how long a function may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest
from radon.complexity import cc_visit_ast

import games
from games import GAMES

ROOT = Path(games.__file__).parent.parent
IMPURE = {
    "asyncio", "concurrent", "ctypes", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "queue",
    "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile",
    "threading", "time", "urllib", "uuid",
}  # fmt: skip
LONGEST_FUNCTION = 40  # lines
NINE_OF_TEN = 12  # lines, docstrings not counted, that at least so many functions keep to
LONGEST_MODULE = 500  # lines
MOST_PATHS = 10  # through a function, by radon's count, which sees conditions within expressions too
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


def test_imports_point_downwards() -> None:
    """The contracts of `pyproject.toml`, held by `lint-imports`, which would turn off all loggers of this process."""
    command = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


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
    folders = {
        path.name for path in (ROOT / "games").iterdir() if (path / "play.py").exists() or (path / "play").is_dir()
    }
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


def modules(*packages: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules of some packages: where they are and what they hold."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), parsed(path)


def test_functions_keep_to_a_few_lines() -> None:
    lengths = sorted(
        length(node)
        for _, module in modules(*PACKAGES)
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert lengths[len(lengths) * 9 // 10] <= NINE_OF_TEN


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring."""
    return lines_of(function) - (lines_of(function.body[0]) if ast.get_docstring(function) else 0)


def lines_of(node: ast.stmt) -> int:
    """The lines from the first to the last of a statement."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_modules_are_not_too_long() -> None:
    for where, _ in modules(*PACKAGES):
        assert (ROOT / where).read_text(encoding="utf-8").count("\n") <= LONGEST_MODULE, where


@pytest.mark.parametrize("package", PACKAGES)
def test_few_paths_lead_through_a_function(package: str) -> None:
    many = {
        f"{where}: {block.name}"
        for where, module in modules(package)
        for found in cc_visit_ast(module)
        for block in [found, *getattr(found, "methods", ()), *getattr(found, "closures", ())]
        if not hasattr(block, "methods") and block.complexity > MOST_PATHS
    }
    assert not many
