"""House rules of a table (TO-1.8), each with the ruling it stems from."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from games.from_json import options_from
from games.kernel import Option, OptionsRefused


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The house rules of one table, defaults filled in."""

    components: Literal["balanced-1"] = "balanced-1"
    most_wanted: bool = False
    most_wanted_tie: Literal["nobody", "both"] = "nobody"
    most_wanted_count: Literal["counted", "printed"] = "counted"
    tie_break: Literal["shared", "most_scalps", "most_territories"] = "shared"
    dusk_dance_timing: Literal["at_once", "next_turn"] = "at_once"
    dusk_dance_card: Literal["blind", "taker_sees"] = "blind"
    picto_scope: Literal["whole_territory", "each_player"] = "whole_territory"
    scalp_supply: Literal["unlimited", "limited"] = "unlimited"
    mountain_look: Literal["automatic", "ask"] = "automatic"
    great_spirit_totals: Literal["after_picto", "before_picto"] = "after_picto"
    great_spirit_at_puma: Literal["no_power", "keeps_power"] = "no_power"
    sequoia_benefits: Literal["any_winner", "owner_only"] = "any_winner"
    pair_with_gathering: Literal["bonus_flat", "bonus_doubled"] = "bonus_flat"


OPTIONS: tuple[Option, ...] = (
    Option("components", ("balanced-1",), "TO-R1", shapes_setup=True),
    Option("most_wanted", (False, True), "TO-R29", shapes_setup=True),
    Option("most_wanted_tie", ("nobody", "both"), "TO-R29"),
    Option("most_wanted_count", ("counted", "printed"), "TO-R29"),
    Option("tie_break", ("shared", "most_scalps", "most_territories"), "TO-R28"),
    Option("dusk_dance_timing", ("at_once", "next_turn"), "TO-R13"),
    Option("dusk_dance_card", ("blind", "taker_sees"), "TO-R14"),
    Option("picto_scope", ("whole_territory", "each_player"), "TO-R22"),
    Option("scalp_supply", ("unlimited", "limited"), "TO-R9"),
    Option("mountain_look", ("automatic", "ask"), "TO-R24"),
    Option("great_spirit_totals", ("after_picto", "before_picto"), "TO-R19"),
    Option("great_spirit_at_puma", ("no_power", "keeps_power"), "TO-R20"),
    Option("sequoia_benefits", ("any_winner", "owner_only"), "TO-R21"),
    Option("pair_with_gathering", ("bonus_flat", "bonus_doubled"), "TO-R18"),
)


def read_options(raw: Mapping[str, Any], players: int) -> Options:
    """The house rules that `raw` asks for; raises `OptionsRefused` for what the game does not know (TO-1.8, TO-2.1)."""
    if type(players) is not int or players != 2:
        raise OptionsRefused("players", f"Tomahawk is a game for 2 players, not {players}")
    return options_from(raw, Options)
