"""Plenty Coups: the tribes of the Plains raid, ally with and disdain one another (games/plenty_coups/rules.md)."""

from games.kernel import Event, Game
from games.plenty_coups.components import PLAYERS, PREFIX
from games.plenty_coups.events import EVENTS
from games.plenty_coups.evolve import evolve
from games.plenty_coups.features import FEATURES
from games.plenty_coups.imagine import imagine, worlds
from games.plenty_coups.moves import MOVE_SETS, MOVES, AnyMove, read_move
from games.plenty_coups.options import OPTIONS, read_options
from games.plenty_coups.play import legal_moves, play
from games.plenty_coups.scoring import scores
from games.plenty_coups.setup import start
from games.plenty_coups.sight import HIDDEN, SLUG, View, census, open_view, readers, view
from games.plenty_coups.state import State, to_act

# Every game names its parts, by the names that all games have.
# pylint: disable=duplicate-code
game = Game[State, AnyMove, Event, View](
    package=__name__,
    slug=SLUG,
    title="Plenty Coups",
    credits=(
        "Plenty Coups is a game by E. Fille and E. Bourdelais (prototype v.09, September 2015). "
        "This is an independent implementation of its rules."
    ),
    prefix=PREFIX,
    rules_version=1,
    players=PLAYERS,
    options=OPTIONS,
    moves=MOVES,
    move_sets=MOVE_SETS,
    events=EVENTS,
    state_type=State,
    view_type=View,
    read_options=read_options,
    read_move=read_move,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    evolve=evolve,
    scores=scores,
    view=view,
    open_view=open_view,
    hidden=HIDDEN,
    readers=readers,
    imagine=imagine,
    worlds=worlds,
    census=census,
    features=FEATURES,
)
