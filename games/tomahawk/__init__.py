"""Tomahawk: two tribes fight for hunting grounds (games/tomahawk/rules.md).

An independent implementation of the rules; the names and the game belong to their authors and publisher.
"""

from games.kernel import Event, Game
from games.tomahawk.components import PREFIX
from games.tomahawk.events import EVENTS
from games.tomahawk.evolve import evolve
from games.tomahawk.features import FEATURES
from games.tomahawk.imagine import imagine
from games.tomahawk.moves import MOVE_SETS, MOVES, AnyMove, read_move
from games.tomahawk.options import OPTIONS, read_options
from games.tomahawk.play import legal_moves, play, to_act
from games.tomahawk.scoring import scores
from games.tomahawk.setup import start
from games.tomahawk.sight import HIDDEN, View, census, open_view, readers, view
from games.tomahawk.state import State

# Every game names its parts, by the names that all games have.
# pylint: disable=duplicate-code
game = Game[State, AnyMove, Event, View](
    package=__name__,
    slug="tomahawk",
    title="Tomahawk",
    credits=(
        "Tomahawk, a game by Bruno Faidutti and Bruno Cathala, published by Matagot (2006). "
        "This is an independent implementation of its rules."
    ),
    prefix=PREFIX,
    rules_version=1,
    players=(2,),
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
    census=census,
    features=FEATURES,
)
