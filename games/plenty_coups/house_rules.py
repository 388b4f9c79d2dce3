"""The house rules of a table (section 8)."""

from functools import partial
from typing import Annotated, Literal

import msgspec

from games.house_rules import options_for, options_of
from games.plenty_coups.components import PLAYERS

Peace = Literal["neither_attacked", "not_each_other", "neither_attacked_nor_allied"]


class Options(msgspec.Struct, frozen=True, gc=False):
    """One value for each ruling that a table may choose; the default first."""

    display_refresh: Annotated[Literal["refill", "sweep"], "PC-R3", ["DisplayCleared"]] = "refill"
    raid_return: Annotated[Literal["first", "any"], "PC-R8", ["RaidReturned"]] = "first"
    bonus_counts: Annotated[
        Literal["always", "defence_only", "not_for_coup"],
        "PC-R10",
        ["RaidLaunched", "RaidDrivenOff", "RaidRepelled", "CoupMarked", "PrestigeGained"],
    ] = "always"
    empty_herd_coup: Annotated[bool, "PC-R13", ["RaidReturned", "CoupMarked"]] = True
    prestige_limit: Annotated[
        Literal["markers", "none", "markers_any_coup"], "PC-R14", ["PrestigeGained", "RaidRepelled"]
    ] = "markers"
    voluntary_pass: Annotated[Literal["winter", "always"], "PC-R5"] = "winter"  # noqa: S105 - to pass a turn is no password
    winter_draw: Annotated[Literal["display", "deck"], "PC-R18"] = "display"
    winter_hunt: Annotated[Literal["allowed", "forbidden"], "PC-R20"] = "allowed"
    donation_peace: Annotated[Peace, "PC-R23", ["HorsesDonated"]] = "neither_attacked"
    neutral_ally_may_propose: Annotated[Literal["no", "to_unallied", "to_any"], "PC-R29"] = "no"
    prove_worth: Annotated[Literal["optional", "forced"], "PC-R33"] = "optional"
    allied_ranking: Annotated[Literal["joint", "individual"], "PC-R38"] = "joint"
    shared_hand: Annotated[Literal["open", "controller"], "PC-R43"] = "open"
    pile_renewal: Annotated[Literal["when_needed", "at_once"], "PC-R16"] = "when_needed"
    disdain_draw: Annotated[Literal["always", "before_winter"], "PC-R35", ["CardsDrawn", "DeckReshuffled"]] = "always"
    free_exchange: Annotated[Literal["until_turn_ends", "while_actions_left"], "PC-R36"] = "until_turn_ends"
    shared_alliance: Annotated[
        Literal["forbidden", "allowed", "neutral"], "PC-R44", ["AllianceProposed", "NeutralAllianceFormed"]
    ] = "forbidden"
    shared_dealings: Annotated[Literal["other_player", "any"], "PC-R52"] = "other_player"


OPTIONS = options_of(Options)
read_options = partial(options_for, Options, PLAYERS, "Plenty Coups is for 2 to 6 players")
