"""A census counts the whole box: of a part that it leaves out, no law would notice that it was lost."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from benchmarks.matches import Deal, Table
from games import GAMES

TRIBE_OR_NUMBERS = re.compile(r"^\w+/|[\d-]+$")  # `red/hunter-7` is a hunter, and so is `hunter-10`
BOXES = {  # of three players, or of two: how many of each kind
    "big-manitou": {  # BM-1.2, BM-1.3
        "hunter": 30, "chief": 6, "matriarch": 6, "sorcerer": 3, "rainmaker": 3, "scout": 3,
        "bison": 21, "tipi": 21, "horse": 6, "totem": 6, "tomahawk": 6,
    },
    "manitou": {  # MA-1.2, MA-1.3, MA-1.5, MA-1.6
        "hunter": 44, "chief": 8, "matriarch": 8, "medicine_man": 8, "rainmaker": 8, "scout": 8, "tribe": 4,
        "buffalo": 15, "hide-thief": 7,
    },
    "tomahawk": {  # TO-1.2 to TO-1.5: tribes, specials, territories of the piles and unused ones, tokens
        "a": 24, "b": 24, "x": 7, "p": 12, "u": 3, "scalp-tokens: 24": 1,
    },
    "plenty-coups": {  # PC-1.2, and the 36 and 6 times 4 markers of PC-1.6 and PC-1.5
        **dict.fromkeys([f"warrior-{tribe}" for tribe in ("black", "yellow", "green", "red", "blue", "white")], 4),
        "weapon": 12, "horse": 10, "coup-stick": 8, "36": 1, "4": 6,
    },
}  # fmt: skip


def kinds(census: Any) -> Iterator[str]:
    """The kind of each thing that a census names; numbers, and what has a colon, stay as they are."""
    if isinstance(census, str):
        yield census if ":" in census else TRIBE_OR_NUMBERS.sub("", census)
    elif isinstance(census, int):
        yield str(census)
    else:
        for part in census:
            yield from kinds(part)


@pytest.mark.parametrize(("slug", "box"), BOXES.items(), ids=list(BOXES))
def test_a_census_holds_the_whole_box(slug: str, box: Mapping[str, int]) -> None:
    game = GAMES[slug]
    table = Table(game, 2 if slug == "tomahawk" else 3, {}, Deal("census"))
    assert Counter(kinds(game.census(table.state))) == box
