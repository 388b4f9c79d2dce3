"""The house rules of a table (section 8)."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from games.kernel import Option, OptionsRefused
from games.plenty_coups.components import PLAYERS
from games.reading import options_from


class Options(msgspec.Struct, frozen=True, gc=False):
    """One value for each ruling that a table may choose; the default first."""

    display_refresh: Literal["refill", "sweep"] = "refill"
    raid_return: Literal["first", "any"] = "first"
    bonus_counts: Literal["always", "defence_only"] = "always"
    empty_herd_coup: bool = True
    prestige_limit: Literal["markers", "none"] = "markers"
    voluntary_pass: Literal["winter", "always"] = "winter"  # noqa: S105 - to pass a turn is no password
    winter_draw: Literal["display", "deck"] = "display"
    winter_hunt: Literal["allowed", "forbidden"] = "allowed"
    donation_peace: Literal["neither_attacked", "not_each_other"] = "neither_attacked"
    neutral_ally_may_propose: bool = False
    prove_worth: Literal["optional", "forced"] = "optional"
    allied_ranking: Literal["joint", "individual"] = "joint"
    shared_hand: Literal["open", "controller"] = "open"


OPTIONS: tuple[Option, ...] = (
    Option("display_refresh", ("refill", "sweep"), "PC-R3"),
    Option("raid_return", ("first", "any"), "PC-R8"),
    Option("bonus_counts", ("always", "defence_only"), "PC-R10"),
    Option("empty_herd_coup", (True, False), "PC-R13"),
    Option("prestige_limit", ("markers", "none"), "PC-R14"),
    Option("voluntary_pass", ("winter", "always"), "PC-R5"),
    Option("winter_draw", ("display", "deck"), "PC-R18"),
    Option("winter_hunt", ("allowed", "forbidden"), "PC-R20"),
    Option("donation_peace", ("neither_attacked", "not_each_other"), "PC-R23"),
    Option("neutral_ally_may_propose", (False, True), "PC-R29"),
    Option("prove_worth", ("optional", "forced"), "PC-R33"),
    Option("allied_ranking", ("joint", "individual"), "PC-R38"),
    Option("shared_hand", ("open", "controller"), "PC-R43"),
)


def read_options(raw: Mapping[str, Any], players: int) -> Options:
    """The options with defaults filled in; raises `OptionsRefused` for what the game does not know."""
    if type(players) is not int or players not in PLAYERS:
        raise OptionsRefused("players", f"Plenty Coups is for 2 to 6 players, not {players}")
    return options_from(raw, Options)
