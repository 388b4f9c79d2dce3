"""Big Manitou: tribes send hunters and heroes to three hunting grounds and share out the tiles they find there."""

from games.big_manitou import evolve, imagine, outcomes, play, scoring, setup, sight
from games.package import Modules, game_of

game = game_of(
    __name__,
    Modules(setup, play, outcomes, evolve, scoring, sight, imagine),
    slug="big-manitou",
    title="Big Manitou",
    credits=(
        "Big Manitou is a game by Günter Burkhardt, published by What's Your Game? and Rio Grande Games (2006). "
        "This is an independent implementation of its rules, made without its authors and publishers."
    ),
)
