"""The house rules of Manitou and its two editions (MA-2.1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from games.house_rules import SHAPES_SETUP, check_players, options_from, options_of
from games.kernel import OptionsRefused
from games.manitou.components import PLAYERS, TRIBES, Tribe


class Options(msgspec.Struct, frozen=True):
    """All options with their values; the defaults are those of the edition `goldsieber`; see `ONLINE`."""

    edition: Annotated[Literal["goldsieber", "online"], "MA-R30", SHAPES_SETUP] = "goldsieber"
    large_herd_low: Annotated[Literal[9, 8], "MA-R1", SHAPES_SETUP] = 9
    small_herd_omit: Annotated[Literal[4, 2, 5, "none"], "MA-R2", SHAPES_SETUP] = 4
    hide_thief_cards: Annotated[Literal[7, 10], "MA-R4", SHAPES_SETUP] = 7
    dealer_party: Annotated[Literal[7, 8], "MA-R7", SHAPES_SETUP] = 7
    hero_limit: Annotated[Literal["face_up", "all"], "MA-R9"] = "face_up"
    attacked_of_pair: Annotated[Literal["last_played", "first_played"], "MA-R10", ["TrialOfStrengthResolved"]] = (
        "last_played"
    )
    sacrifice_needs: Annotated[Literal["equal_or_stronger", "stronger"], "MA-R11", ["TrialOfStrengthResolved"]] = (
        "equal_or_stronger"
    )
    pair_attack_weaker: Annotated[Literal["loses", "illegal"], "MA-R12", ["TrialOfStrengthResolved"]] = "loses"
    alone: Annotated[Literal["only_hunters", "only_cards", "never"], "MA-R17", ["GroundEvaluated"]] = "only_hunters"
    victory_tie: Annotated[Literal["shared", "buffalo", "prisoners"], "MA-R21"] = "shared"
    tribes: Annotated[tuple[Tribe, ...], "MA-R31", SHAPES_SETUP] = TRIBES  # of the seats, all different (MA-1.2)


OPTIONS = options_of(Options)
# The defaults of the edition `online` that differ (MA-2.1).
ONLINE = {"dealer_party": 8, "sacrifice_needs": "stronger", "alone": "never"}


def read_options(raw: Mapping[str, Any], players: int) -> Options:
    """The options of a table for `players` seats; raises `OptionsRefused` for what the box does not allow (MA-2.1)."""
    check_players(players, PLAYERS, "Manitou is for 2, 3 or 4 players")
    of_edition = ONLINE if raw.get("edition") == "online" else {}
    options = options_from({"tribes": list(TRIBES[:players]), **of_edition, **raw}, Options)  # ruling MA-R31
    if len(options.tribes) != players or len(set(options.tribes)) != players:
        raise OptionsRefused("tribes", f"tribes must be {players} different colours, one for each seat")
    return options
