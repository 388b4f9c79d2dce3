"""A corpus of recorded games, kept as archives: what was decided once has to be decided so for ever.

`python -m tests.corpus.renew` records them anew, the same ones as long as the rules are the same.
"""

import gzip
from functools import cache
from pathlib import Path

import pytest

from projections.history import TableHistory
from rulings import archive_format
from rulings.notation import document_of, write
from tests.long import long_but_for

FOLDER = Path(__file__).parent
NAMES = sorted(path.name.removesuffix(".ndjson.gz") for path in FOLDER.glob("*.ndjson.gz"))
OF_EACH_GAME = ["big-manitou-5-disputed", "manitou-2-taken-back", "plenty-coups-3-overturned", "tomahawk-2-disputed"]
by_name = pytest.mark.parametrize("name", long_but_for(OF_EACH_GAME.__contains__, NAMES))


def path_of(name: str) -> Path:
    """Where the archive of a recorded game is kept."""
    return FOLDER / f"{name}.ndjson.gz"


def text_of(name: str) -> str:
    """A recorded game in notation."""
    return write(document_of(history_of(name), None, over=True))


@cache
def lines_of(name: str) -> tuple[bytes, ...]:
    """The lines of an archive."""
    return tuple(gzip.decompress(path_of(name).read_bytes()).splitlines(keepends=True))


@cache
def history_of(name: str) -> TableHistory:
    """A recorded game."""
    return archive_format.read_history(lines_of(name))
