"""The house rules of a table (BM-1.7)."""

from functools import partial
from typing import Annotated, Literal

import msgspec

from games.big_manitou.components import PLAYERS, TileSet
from games.house_rules import SHAPES_SETUP, options_for, options_of


class Options(msgspec.Struct, frozen=True, gc=False):
    """The house rules in force; the first value of each is the default."""

    party_selection: Annotated[Literal["chosen", "random", "blind"], "BM-R5", SHAPES_SETUP] = "chosen"
    tile_set: Annotated[TileSet, "BM-R1", SHAPES_SETUP] = "balanced"
    unplayed_cards: Annotated[Literal["return", "spent"], "BM-R21"] = "return"
    pair_attack_weaker: Annotated[Literal["loses", "illegal"], "BM-R6", ["TrialOfStrengthResolved"]] = "loses"
    penalty_strength: Annotated[Literal["printed", "with_tomahawks"], "BM-R9", ["ForcePenaltyAssessed"]] = "printed"
    hero_without_hunters: Annotated[Literal["takes_none", "takes_one"], "BM-R12", ["GroundEvaluated"]] = "takes_none"
    runner_up_share: Annotated[Literal["one", "rest", "four_tile_grounds_only"], "BM-R14", ["GroundEvaluated"]] = "one"
    cylinder_on_loss: Annotated[Literal["keep", "recheck"], "BM-R16", ["CylinderMoved"]] = "keep"
    tomahawk_tie: Annotated[Literal["none", "all"], "BM-R19"] = "none"
    tiebreak_tiles: Annotated[Literal["held", "taken"], "BM-R20"] = "held"


OPTIONS = options_of(Options)
read_options = partial(options_for, Options, PLAYERS, "Big Manitou is for 2 to 5 players")  # BM-1.7, BM-2.1
