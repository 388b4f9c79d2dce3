"""Big Manitou: tribes send hunters and heroes to three hunting grounds and share out the tiles they find there."""

from games.big_manitou import evolve, imagine, moves, outcomes, play, scoring, setup, sight
from games.kernel import Game
from games.package import data_of

game = Game(
    slug="big-manitou",
    title="Big Manitou",
    credits=(
        "Big Manitou is a game by Günter Burkhardt, published by What's Your Game? and Rio Grande Games (2006). "
        "This is an independent implementation of its rules, made without its authors and publishers."
    ),
    start=setup.start,
    to_act=play.to_act,
    legal_moves=play.legal_moves,
    read_move=moves.read_move,
    play=play.play,
    outcomes=outcomes.outcomes,
    evolve=evolve.evolve,
    scores=scoring.scores,
    view=sight.view,
    readers=sight.readers,
    census=sight.census,
    imagine=imagine.imagine,
    **data_of(__name__),
)
