"""`wintercount new-game`: writes the package of a game that runs at once, a copy of the one here under another name."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

MODEL = "goofspiel"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
BESIDE = {
    "gitignore.txt": ".gitignore",
    "pyproject.txt": "pyproject.toml",
    "readme.txt": "README.md",
    "tests.txt": "tests/test_goofspiel.py",
}


class NameRefused(ValueError):
    """A name that no package of a game can have, or one that is taken."""


def write(name: str, into: Path) -> Path:
    """Writes the package of a game into a new folder with its name; returns the folder. Raises `NameRefused`."""
    if not NAME.fullmatch(name) or len(name) < 2:
        raise NameRefused(f"{name!r} is not a name such as `goofspiel` or `crazy-eights`")
    folder = into / name
    if folder.exists():
        raise NameRefused(f"{folder} exists already: choose another name")
    here = files(__name__)
    for source, path in BESIDE.items():
        _copy(here / source, folder / _renamed(path, name), name)
    for path, content in _in_package(here / MODEL):
        _copy(content, folder / _module(name) / _renamed(path, name), name)
    return folder


def _in_package(folder: Traversable, above: str = "") -> list[tuple[str, Traversable]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            found += _in_package(entry, f"{above}{entry.name}/")
        elif entry.is_file() and not entry.name.endswith(".pyc"):
            found.append((above + entry.name, entry))
    return found


def _copy(source: Traversable, target: Path, name: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_renamed(source.read_text(encoding="utf-8"), name), encoding="utf-8")


def _renamed(text: str, name: str) -> str:
    """Returns a text about the model as one about the new game: its names, its title, and the ids of its rules."""
    text = re.sub(r"\bGO\b", prefix_of(name), text)
    text = text.replace("Goofspiel", name.replace("-", " ").title())
    text = re.sub(rf'(slug="|\(`|games/|game ){MODEL}\b', lambda found: found[1] + name, text)
    return text.replace(MODEL, _module(name))


def prefix_of(name: str) -> str:
    """Returns the two letters that the ids of the game's rules begin with."""
    letters = re.sub("[^a-z]", "", name)
    return (letters[:1] + (name.partition("-")[2][:1] if "-" in name else letters[1:2]) + "X")[:2].upper()


def _module(name: str) -> str:
    return name.replace("-", "_")
