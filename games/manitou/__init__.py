"""Manitou: parties of hunters and heroes on three grounds, in three hunts (MA)."""

from games.manitou.events import EVENTS
from games.manitou.imagining import imagine
from games.manitou.moves import MOVE_SETS, MOVES, read_move
from games.manitou.options import OPTIONS, PLAYERS, read_options
from games.manitou.play import legal_moves, play, start, to_act
from games.manitou.scoring import scores
from games.manitou.sight import View, census, open_view, readers, view
from games.manitou.state import State, evolve

slug = "manitou"
title = "Manitou"
credits = (  # noqa: A001 - the name that every game gives it
    "Manitou by Günter Burkhardt, published by Goldsieber, 1997. This is an independent implementation of the rules."
)
prefix = "MA"
rules_version = 1
players: tuple[int, ...] = PLAYERS

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
