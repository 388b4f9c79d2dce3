"""Tomahawk: two tribes fight for hunting grounds (TO)."""

from games.kernel import Game
from games.package import data_of
from games.tomahawk import evolve, imagine, moves, outcomes, play, scoring, setup, sight

game = Game(
    slug="tomahawk",
    title="Tomahawk",
    credits=(
        "Tomahawk, a game by Bruno Faidutti and Bruno Cathala, published by Matagot (2006). "
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
