"""The house rules of a table (section 8)."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from games.from_json import options_from
from games.kernel import Option, OptionsRefused
from games.plenty_coups.components import PLAYERS


class Options(msgspec.Struct, frozen=True, gc=False):
    """One value for each ruling that a table may choose; the default first."""

    display_refresh: Literal["refill", "sweep"] = "refill"
    raid_return: Literal["first", "any"] = "first"
    bonus_counts: Literal["always", "defence_only", "not_for_coup"] = "always"
    empty_herd_coup: bool = True
    prestige_limit: Literal["markers", "none"] = "markers"
    voluntary_pass: Literal["winter", "always"] = "winter"  # noqa: S105 - to pass a turn is no password
    winter_draw: Literal["display", "deck"] = "display"
    winter_hunt: Literal["allowed", "forbidden"] = "allowed"
    donation_peace: Literal["neither_attacked", "not_each_other", "neither_attacked_nor_allied"] = "neither_attacked"
    neutral_ally_may_propose: Literal["no", "to_unallied", "to_any"] = "no"
    prove_worth: Literal["optional", "forced"] = "optional"
    allied_ranking: Literal["joint", "individual"] = "joint"
    shared_hand: Literal["open", "controller"] = "open"
    pile_renewal: Literal["when_needed", "at_once"] = "when_needed"
    disdain_draw: Literal["always", "before_winter"] = "always"
    free_exchange: Literal["until_turn_ends", "while_actions_left"] = "until_turn_ends"
    shared_alliance: Literal["forbidden", "allowed"] = "forbidden"
    shared_dealings: Literal["other_player", "any"] = "other_player"


OPTIONS: tuple[Option, ...] = (
    Option("display_refresh", ("refill", "sweep"), "PC-R3"),
    Option("raid_return", ("first", "any"), "PC-R8"),
    Option("bonus_counts", ("always", "defence_only", "not_for_coup"), "PC-R10"),
    Option("empty_herd_coup", (True, False), "PC-R13"),
    Option("prestige_limit", ("markers", "none"), "PC-R14"),
    Option("voluntary_pass", ("winter", "always"), "PC-R5"),
    Option("winter_draw", ("display", "deck"), "PC-R18"),
    Option("winter_hunt", ("allowed", "forbidden"), "PC-R20"),
    Option("donation_peace", ("neither_attacked", "not_each_other", "neither_attacked_nor_allied"), "PC-R23"),
    Option("neutral_ally_may_propose", ("no", "to_unallied", "to_any"), "PC-R29"),
    Option("prove_worth", ("optional", "forced"), "PC-R33"),
    Option("allied_ranking", ("joint", "individual"), "PC-R38"),
    Option("shared_hand", ("open", "controller"), "PC-R43"),
    Option("pile_renewal", ("when_needed", "at_once"), "PC-R16"),
    Option("disdain_draw", ("always", "before_winter"), "PC-R35"),
    Option("free_exchange", ("until_turn_ends", "while_actions_left"), "PC-R36"),
    Option("shared_alliance", ("forbidden", "allowed"), "PC-R44"),
    Option("shared_dealings", ("other_player", "any"), "PC-R52"),
)


def read_options(raw: Mapping[str, Any], players: int) -> Options:
    """The options with defaults filled in; raises `OptionsRefused` for what the game does not know."""
    if type(players) is not int or players not in PLAYERS:
        raise OptionsRefused("players", f"Plenty Coups is for 2 to 6 players, not {players}")
    return options_from(raw, Options)
