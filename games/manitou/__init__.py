"""Manitou: parties of hunters and heroes on three grounds, in three hunts (MA)."""

from games.manitou import evolve, imagine, outcomes, play, scoring, setup, sight
from games.package import Modules, game_of

game = game_of(
    __name__,
    Modules(setup, play, outcomes, evolve, scoring, sight, imagine),
    slug="manitou",
    title="Manitou",
    credits=(
        "Manitou by Günter Burkhardt, published by Goldsieber, 1997. "
        "This is an independent implementation of the rules."
    ),
)
