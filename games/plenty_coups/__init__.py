"""Plenty Coups: the tribes of the Plains raid, ally with and disdain one another (PC)."""

from games.kernel import Game
from games.package import data_of
from games.plenty_coups import evolve, imagine, moves, outcomes, play, scoring, setup, sight

game = Game(
    slug="plenty-coups",
    title="Plenty Coups",
    credits=(
        "Plenty Coups is a game by E. Fille and E. Bourdelais (prototype v.09, September 2015). "
        "This is an independent implementation of its rules."
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
