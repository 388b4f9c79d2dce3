"""House rules of a table (TO-1.8), each with the ruling it stems from."""

from functools import partial
from typing import Annotated, Literal

import msgspec

from games.house_rules import SHAPES_SETUP, options_for, options_of
from games.tomahawk.components import PLAYERS


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The house rules of one table, defaults filled in."""

    components: Annotated[Literal["balanced-1"], "TO-R1", SHAPES_SETUP] = "balanced-1"
    most_wanted: Annotated[bool, "TO-R29", SHAPES_SETUP] = False
    most_wanted_tie: Annotated[Literal["nobody", "both"], "TO-R29"] = "nobody"
    most_wanted_count: Annotated[Literal["counted", "printed"], "TO-R29"] = "counted"
    tie_break: Annotated[Literal["shared", "most_scalps", "most_territories"], "TO-R28"] = "shared"
    dusk_dance_timing: Annotated[
        Literal["at_once", "next_turn"], "TO-R13", ["CharacterEffectApplied", "NextCardForced"]
    ] = "at_once"
    dusk_dance_card: Annotated[Literal["blind", "taker_sees"], "TO-R14", ["NextCardForced"]] = "blind"
    picto_scope: Annotated[Literal["whole_territory", "each_player"], "TO-R22", ["TerritoryJudged"]] = "whole_territory"
    scalp_supply: Annotated[Literal["unlimited", "limited"], "TO-R9", ["ScalpDuelJudged"]] = "unlimited"
    mountain_look: Annotated[Literal["automatic", "ask"], "TO-R24", ["ForestCardsSeen", "WarriorsDiscarded"]] = (
        "automatic"
    )
    great_spirit_totals: Annotated[Literal["after_picto", "before_picto"], "TO-R19", ["TerritoryJudged"]] = (
        "after_picto"
    )
    great_spirit_at_puma: Annotated[Literal["no_power", "keeps_power"], "TO-R20", ["TerritoryJudged"]] = "no_power"
    sequoia_benefits: Annotated[Literal["any_winner", "owner_only"], "TO-R21", ["TerritoryJudged", "TerritoryWon"]] = (
        "any_winner"
    )
    pair_with_gathering: Annotated[Literal["bonus_flat", "bonus_doubled"], "TO-R18", ["TerritoryJudged"]] = "bonus_flat"


OPTIONS = options_of(Options)
read_options = partial(options_for, Options, PLAYERS, "Tomahawk is a game for 2 players")  # TO-1.8, TO-2.1
