"""Big Manitou: tribes send hunters and heroes to three hunting grounds and share out the tiles they find there."""

from games.big_manitou.components import PREFIX, TABLES
from games.big_manitou.events import EVENTS
from games.big_manitou.evolve import evolve
from games.big_manitou.features import FEATURES
from games.big_manitou.imagine import imagine
from games.big_manitou.moves import MOVE_SETS, MOVES, AnyMove, read_move
from games.big_manitou.options import OPTIONS, read_options
from games.big_manitou.play import legal_moves, play, to_act
from games.big_manitou.scoring import scores
from games.big_manitou.setup import start
from games.big_manitou.sight import HIDDEN, View, census, open_view, readers, view
from games.big_manitou.state import State
from games.kernel import Event, Game

# Every game names its parts, by the names that all games have.
# pylint: disable=duplicate-code
game = Game[State, AnyMove, Event, View](
    package=__name__,
    slug="big-manitou",
    title="Big Manitou",
    credits=(
        "Big Manitou is a game by Günter Burkhardt, published by What's Your Game? and Rio Grande Games (2006). "
        "This is an independent implementation of its rules, made without its authors and publishers."
    ),
    prefix=PREFIX,
    rules_version=1,
    players=tuple(TABLES),
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
    hidden=(*HIDDEN, "bag"),
    readers=readers,
    imagine=imagine,
    census=census,
    features=FEATURES,
)
