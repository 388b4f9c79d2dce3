"""Every game's folder has the same rooms: whoever knows one game finds everything in another."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

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
    "scoring",
    "sight",
    "imagine",
    "features",
}
DOCUMENTS = {"rules.md"}
FOLDERS = {"rulings": {".json"}, "words": {".toml"}}  # and what lies in them
OFFERS = {  # what a room gives the game under the same name
    "options": {"read_options"},
    "moves": {"read_move"},
    "evolve": {"evolve"},
    "setup": {"start"},
    "play": {"legal_moves", "play"},
    "scoring": {"scores"},
    "sight": {"view", "open_view", "readers"},
    "imagine": {"imagine"},
}

by_game = pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.package.startswith("games.")])


def folder_of(game: AnyGame) -> Path:
    """Where a game lies."""
    return Path(str(import_module(game.package).__file__)).parent


def room(game: AnyGame, name: str) -> ModuleType:
    """A room of a game; a module or a package."""
    return import_module(f"{game.package}.{name}")


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
def test_what_a_game_does_is_found_in_the_room_of_its_name(slug: str) -> None:
    """`evolve` in `evolve`, `start` in `setup`, and so on; the tables of types likewise."""
    game = GAMES[slug]
    for name, functions in OFFERS.items():
        offered = vars(room(game, name))
        assert {function for function in functions if offered.get(function) is not getattr(game, function)} == set()
    assert {kind.__module__ for kind in game.events} == {f"{game.package}.events"}
    assert (game.moves, game.move_sets) == (room(game, "moves").AnyMove.__args__, room(game, "moves").MOVE_SETS)
    assert game.options == room(game, "options").OPTIONS
    assert game.features == room(game, "features").FEATURES
    assert game.prefix == room(game, "components").PREFIX
    assert (room(game, "state").State, room(game, "sight").View) == (game.state_type, game.view_type)


@by_game
def test_rulings_and_words_lie_in_their_folders(slug: str) -> None:
    """Cases as JSON, and the words of every language."""
    folder = folder_of(GAMES[slug])
    for name, suffixes in FOLDERS.items():
        assert {path.suffix for path in (folder / name).iterdir()} == suffixes
    assert {path.stem for path in (folder / "words").iterdir()} == set(LANGUAGES)
