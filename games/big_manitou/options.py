"""The house rules of a table (BM-1.7)."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_type_hints

import msgspec

from games.big_manitou.components import TABLES, TileSet
from games.from_json import options_from
from games.kernel import Option, OptionsRefused


class Options(msgspec.Struct, frozen=True, gc=False):
    """The house rules in force; the first value of each is the default."""

    party_selection: Literal["chosen", "random"] = "chosen"
    tile_set: TileSet = "balanced"
    unplayed_cards: Literal["return", "spent"] = "return"
    pair_attack_weaker: Literal["loses", "illegal"] = "loses"
    penalty_strength: Literal["printed", "with_tomahawks"] = "printed"
    hero_without_hunters: Literal["takes_none", "takes_one"] = "takes_none"
    runner_up_share: Literal["one", "rest", "four_tile_grounds_only"] = "one"
    cylinder_on_loss: Literal["keep", "recheck"] = "keep"
    tomahawk_tie: Literal["none", "all"] = "none"
    tiebreak_tiles: Literal["held", "taken"] = "held"


RULINGS = {
    "party_selection": "BM-R5",
    "tile_set": "BM-R1",
    "unplayed_cards": "BM-R21",
    "pair_attack_weaker": "BM-R6",
    "penalty_strength": "BM-R9",
    "hero_without_hunters": "BM-R12",
    "runner_up_share": "BM-R14",
    "cylinder_on_loss": "BM-R16",
    "tomahawk_tie": "BM-R19",
    "tiebreak_tiles": "BM-R20",
}

_VALUES = {name: get_args(hint) for name, hint in get_type_hints(Options).items()}
_SHAPES_SETUP = {"tile_set"}
OPTIONS = tuple(Option(name, _VALUES[name], ruling, name in _SHAPES_SETUP) for name, ruling in RULINGS.items())


def read_options(raw: Mapping[str, Any], players: int) -> Options:
    """The options that `raw` asks for, defaults filled in; raises `OptionsRefused` (BM-1.7, BM-2.1)."""
    if type(players) is not int or players not in TABLES:
        raise OptionsRefused("players", f"Big Manitou is for 2 to 5 players, not {players}")
    return options_from(raw, Options)
