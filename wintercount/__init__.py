"""Wintercount as a library: play the games, read archives, and decide recorded games again, without any server.

A game of random moves:

>>> from wintercount import Match, games
>>> match = Match(games["manitou"], players=2, seed=7)
>>> while match.to_act:
...     seat = match.to_act[0]
...     events = match.play(seat, match.random_move(seat))
>>> match.state.phase, len(match.scores.ranking) > 0
('over', True)

What a seat sees, and the events as it reads them:

>>> match = Match(games["manitou"], players=2, seed=7)
>>> match.to_act
(1, 2)
>>> view, feed = match.view(1), match.feed(1)

A finished table, from the file of `GET /v1/tables/{table}/archive`:

>>> from wintercount import read_archive, redecide
>>> archive = read_archive("tests/corpus/big-manitou-2-uniform.ndjson.gz")
>>> archive.game.title, archive.players
('Big Manitou', 2)
>>> view = archive.view(seat=2, version=57)

The same moves under another house rule: at which event does the first difference occur?

>>> redecide(archive).same
True
>>> report = redecide(archive, {"pair_attack_weaker": "illegal"})
>>> report.stop.version, report.stop.seat, report.stop.rule
(84, 1, 'BM-4.5c')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games import GAMES as games  # noqa: N811 - the public name
    from games.kernel import Game, MoveRefused, OptionsRefused
    from rulings.archive_format import ArchiveRefused
    from rulings.replay import Report
    from service import __version__
    from wintercount.archive import Archive, read_archive, redecide
    from wintercount.match import Match

__all__ = [
    "Archive",
    "ArchiveRefused",
    "Game",
    "Match",
    "MoveRefused",
    "OptionsRefused",
    "Report",
    "__version__",
    "games",
    "read_archive",
    "redecide",
]

HOMES = {
    "Archive": "wintercount.archive",
    "ArchiveRefused": "rulings.archive_format",
    "Game": "games.kernel",
    "Match": "wintercount.match",
    "MoveRefused": "games.kernel",
    "OptionsRefused": "games.kernel",
    "Report": "rulings.replay",
    "__version__": "service",
    "games": "games",
    "read_archive": "wintercount.archive",
    "redecide": "wintercount.archive",
}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used, after checking that the packages are ours."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wintercount.installation_check import check

    check()
    found = getattr(import_module(HOMES[name]), "GAMES" if name == "games" else name)
    globals()[name] = found
    return found
