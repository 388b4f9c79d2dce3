"""Plenty Coups: the tribes of the Plains raid, ally with and disdain one another (docs/rules/plenty-coups.md)."""

from games.plenty_coups.components import PLAYERS
from games.plenty_coups.events import EVENTS
from games.plenty_coups.evolution import evolve
from games.plenty_coups.imagine import imagine
from games.plenty_coups.moves import MOVE_SETS, MOVES, read_move
from games.plenty_coups.options import OPTIONS, read_options
from games.plenty_coups.play import legal_moves, play, start
from games.plenty_coups.scoring import scores
from games.plenty_coups.sight import SLUG, View, census, open_view, readers, view
from games.plenty_coups.state import State, to_act

slug = SLUG
title = "Plenty Coups"
credits = (  # noqa: A001 - the name that every game gives it
    "Plenty Coups is a game by E. Fille and E. Bourdelais (prototype v.09, September 2015). "
    "This is an independent implementation of its rules."
)
prefix = "PC"
rules_version = 2
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
