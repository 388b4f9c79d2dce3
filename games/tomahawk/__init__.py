"""Tomahawk: two tribes fight for hunting grounds (docs/rules/tomahawk.md).

An independent implementation of the rules; the names and the game belong to their authors and publisher.
"""

from games.tomahawk.events import EVENTS
from games.tomahawk.evolve import evolve
from games.tomahawk.imagine import imagine
from games.tomahawk.moves import MOVE_SETS, MOVES, read_move
from games.tomahawk.options import OPTIONS, read_options
from games.tomahawk.play import legal_moves, play, start, to_act
from games.tomahawk.scoring import scores
from games.tomahawk.sight import View, open_view, readers, view
from games.tomahawk.state import State, census

slug = "tomahawk"
title = "Tomahawk"
credits = (  # noqa: A001  # the name that kernel.Game asks for
    "Tomahawk, a game by Bruno Faidutti and Bruno Cathala, published by Matagot (2006). "
    "This is an independent implementation of its rules."
)
prefix = "TO"
rules_version = 1
players: tuple[int, ...] = (2,)

__all__ = [
    "EVENTS",
    "MOVES",
    "MOVE_SETS",
    "OPTIONS",
    "State",
    "View",
    "census",
    "credits",
    "evolve",
    "imagine",
    "legal_moves",
    "open_view",
    "play",
    "players",
    "prefix",
    "read_move",
    "read_options",
    "readers",
    "rules_version",
    "scores",
    "slug",
    "start",
    "title",
    "to_act",
    "view",
]
