"""Plenty Coups: the tribes of the Plains raid, ally with and disdain one another (PC)."""

from games.package import Modules, game_of
from games.plenty_coups import evolve, imagine, outcomes, play, scoring, setup, sight

game = game_of(
    __name__,
    Modules(setup, play, outcomes, evolve, scoring, sight, imagine),
    slug="plenty-coups",
    title="Plenty Coups",
    credits=(
        "Plenty Coups is a game by E. Fille and E. Bourdelais (prototype v.09, September 2015). "
        "This is an independent implementation of its rules."
    ),
)
