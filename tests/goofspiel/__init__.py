"""Goofspiel, which `wintercount new-game` writes, as an installed package: no part of the tree knows its name.

`installed` holds what an installer writes down of its package, `brought` that of one with players of the game.
"""

from pathlib import Path

INSTALLED, BROUGHT = (Path(__file__).parent / name for name in ("installed", "brought"))
