"""Manitou: parties of hunters and heroes on three grounds, in three hunts (MA)."""

from games.kernel import Event, Game
from games.manitou.components import PREFIX
from games.manitou.events import EVENTS
from games.manitou.evolve import evolve
from games.manitou.features import FEATURES
from games.manitou.imagine import imagine
from games.manitou.moves import MOVE_SETS, MOVES, AnyMove, read_move
from games.manitou.options import OPTIONS, PLAYERS, read_options
from games.manitou.play import legal_moves, play, to_act
from games.manitou.scoring import scores
from games.manitou.setup import start
from games.manitou.sight import HIDDEN, View, census, open_view, readers, view
from games.manitou.state import State

# Every game names its parts, by the names that all games have.
# pylint: disable=duplicate-code
game = Game[State, AnyMove, Event, View](
    package=__name__,
    slug="manitou",
    title="Manitou",
    credits=(
        "Manitou by Günter Burkhardt, published by Goldsieber, 1997. "
        "This is an independent implementation of the rules."
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
    census=census,
    features=FEATURES,
)
