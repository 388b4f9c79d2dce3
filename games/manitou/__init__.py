"""Manitou: parties of hunters and heroes on three grounds, in three hunts (MA)."""

from games.kernel import Game
from games.manitou import evolve, imagine, moves, outcomes, play, scoring, setup, sight
from games.package import data_of

game = Game(
    slug="manitou",
    title="Manitou",
    credits=(
        "Manitou by Günter Burkhardt, published by Goldsieber, 1997. "
        "This is an independent implementation of the rules."
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
