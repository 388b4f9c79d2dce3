"""The games hosted, by slug. To add one, copy the smallest and add its line here."""

from games import big_manitou, manitou, plenty_coups, tomahawk
from games.kernel import Game

GAMES: dict[str, Game] = {
    "big-manitou": big_manitou,
    "manitou": manitou,
    "tomahawk": tomahawk,
    "plenty-coups": plenty_coups,
}
