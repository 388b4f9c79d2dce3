"""Big Manitou: tribes send hunters and heroes to three hunting grounds and share out the tiles they find there."""

from games.big_manitou.components import TABLES
from games.big_manitou.events import EVENTS
from games.big_manitou.evolve import evolve
from games.big_manitou.imagining import imagine
from games.big_manitou.moves import MOVE_SETS, MOVES, read_move
from games.big_manitou.options import OPTIONS, read_options
from games.big_manitou.play import legal_moves, play, to_act
from games.big_manitou.scoring import scores
from games.big_manitou.sight import View, census, open_view, readers, view
from games.big_manitou.state import State
from games.big_manitou.steps import start

slug = "big-manitou"
title = "Big Manitou"
credits = (  # noqa: A001 - the name that the contract gives it
    "Big Manitou is a game by Günter Burkhardt, published by What's Your Game? and Rio Grande Games (2006). "
    "This is an independent implementation of its rules, made without its authors and publishers."
)
prefix = "BM"
rules_version = 1
players = tuple(TABLES)

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
