"""Tomahawk: two tribes fight for hunting grounds (TO)."""

from games.package import Modules, game_of
from games.tomahawk import evolve, imagine, outcomes, play, scoring, setup, sight

game = game_of(
    __name__,
    Modules(setup, play, outcomes, evolve, scoring, sight, imagine),
    slug="tomahawk",
    title="Tomahawk",
    credits=(
        "Tomahawk, a game by Bruno Faidutti and Bruno Cathala, published by Matagot (2006). "
        "This is an independent implementation of its rules."
    ),
)
