"""Every game's folder has the same modules: a reader of one game finds everything in another."""

from importlib import import_module
from pathlib import Path

import pytest

from games import GAMES
from games.kernel import AnyGame
from rulings.words import LANGUAGES

ROOMS = {
    "components",
    "options",
    "moves",
    "events",
    "state",
    "evolve",
    "setup",
    "play",
    "outcomes",
    "scoring",
    "sight",
    "imagine",
    "features",
}
DOCUMENTS = {"rules.md"}
FOLDERS = {"rulings": {".json"}, "words": {".toml"}}  # and what lies in them

by_game = pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.package.startswith("games.")])


def folder_of(game: AnyGame) -> Path:
    """Where a game lies."""
    return Path(str(import_module(game.package).__file__)).parent


def misplaced(folder: Path) -> set[str]:
    """What a game's folder lacks, and what lies in it that belongs into a room."""
    found = {path.name for path in folder.iterdir()} - {"__pycache__"}
    rooms = {name if (folder / name).is_dir() else f"{name}.py" for name in ROOMS}
    return found ^ (rooms | DOCUMENTS | set(FOLDERS) | {"__init__.py"})


@by_game
def test_a_game_has_the_rooms_of_every_game_and_nothing_else(slug: str) -> None:
    """A room is a module, or a package of that name."""
    assert misplaced(folder_of(GAMES[slug])) == set()


@by_game
def test_rulings_and_words_lie_in_their_folders(slug: str) -> None:
    """Cases as JSON, and the words of every language."""
    folder = folder_of(GAMES[slug])
    for name, suffixes in FOLDERS.items():
        assert {path.suffix for path in (folder / name).iterdir()} == suffixes
    assert {path.stem for path in (folder / "words").iterdir()} == set(LANGUAGES)
