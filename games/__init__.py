"""The hosted games by slug."""

from games.hosted import hosted_games
from games.kernel import AnyGame
from games.msgspec_threads import learn_structs

GAMES: dict[str, AnyGame] = {game.slug: game for game in hosted_games(__path__)}

learn_structs()
