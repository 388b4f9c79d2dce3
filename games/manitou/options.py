"""The house rules of Manitou and its two editions (MA-2.1)."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from games.from_json import options_from
from games.kernel import Option, OptionsRefused
from games.manitou.components import PLAYERS, TRIBES, Tribe


class Options(msgspec.Struct, frozen=True):
    """All options with their values; the defaults are those of the edition `goldsieber`."""

    edition: Literal["goldsieber", "online"] = "goldsieber"
    large_herd_low: Literal[9, 8] = 9
    small_herd_omit: Literal[4, 2, 5, "none"] = 4
    hide_thief_cards: Literal[7, 10] = 7
    dealer_party: Literal[7, 8] = 7
    hero_limit: Literal["face_up", "all"] = "face_up"
    attacked_of_pair: Literal["last_played", "first_played"] = "last_played"
    sacrifice_needs: Literal["equal_or_stronger", "stronger"] = "equal_or_stronger"
    pair_attack_weaker: Literal["loses", "illegal"] = "loses"
    alone: Literal["only_hunters", "only_cards", "never"] = "only_hunters"
    victory_tie: Literal["shared", "buffalo", "prisoners"] = "shared"
    tribes: tuple[Tribe, ...] = TRIBES


OPTIONS: tuple[Option, ...] = (
    Option("edition", ("goldsieber", "online"), "MA-R30", shapes_setup=True),
    Option("large_herd_low", (9, 8), "MA-R1", shapes_setup=True),
    Option("small_herd_omit", (4, 2, 5, "none"), "MA-R2", shapes_setup=True),
    Option("hide_thief_cards", (7, 10), "MA-R4", shapes_setup=True),
    Option("dealer_party", (7, 8), "MA-R7", shapes_setup=True),  # 8 is the default of the edition `online`
    Option("hero_limit", ("face_up", "all"), "MA-R9"),
    Option("attacked_of_pair", ("last_played", "first_played"), "MA-R10"),
    Option("sacrifice_needs", ("equal_or_stronger", "stronger"), "MA-R11"),
    Option("pair_attack_weaker", ("loses", "illegal"), "MA-R12"),
    Option("alone", ("only_hunters", "only_cards", "never"), "MA-R17"),
    Option("victory_tie", ("shared", "buffalo", "prisoners"), "MA-R21"),
    Option("tribes", (), "MA-R31", shapes_setup=True),  # no list of values: one colour of MA-1.2 a seat, all different
)


def read_options(raw: Mapping[str, Any], players: int) -> Options:
    """The options of a table for `players` seats; raises `OptionsRefused` for what the box does not allow (MA-2.1)."""
    if type(players) is not int or players not in PLAYERS:
        raise OptionsRefused("players", f"Manitou is for 2, 3 or 4 players, not {players}")
    defaults = {
        "dealer_party": 8 if raw.get("edition") == "online" else 7,  # ruling MA-R7
        "tribes": list(TRIBES[:players]),  # ruling MA-R31
    }
    options = options_from({**defaults, **raw}, Options)
    if len(options.tribes) != players or len(set(options.tribes)) != players:
        raise OptionsRefused("tribes", f"tribes must be {players} different colours, one for each seat")
    return options
