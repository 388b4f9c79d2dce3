"""The laws over every game, number of players and house rule; and over games with a planted leak, which they find."""

import dataclasses
import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.kernel import OptionsRefused
from tests.games.fingerprints import fingerprints
from tests.long import long_but_for, named
from wintercount.testing import laws, worlds
from wintercount.testing.laws import LAWS, OF_PLAY
from wintercount.testing.played import Played
from wintercount.testing.random_games import spread_options

Case = tuple[str, int, int]  # a game, a number of players, and which of some sets of house rules


def mixtures(slug: str, players: int) -> list[dict[str, Any]]:
    """Sets of house rules in which every value occurs."""
    return spread_options(GAMES[slug], random.Random(players))


CASES: list[Case] = [
    (slug, players, number)
    for slug, game in GAMES.items()
    for players in game.players
    for number in range(len(mixtures(slug, players)))
]


FEW_SEATS, MANY_SEATS = 2, 4


def is_short(case: tuple[Case, Callable[[Played], None]]) -> bool:
    """Every law in every game under one set of house rules; worlds are imagined for few seats, as many take long."""
    (slug, players, number), law = case
    return number == players % len(mixtures(slug, players)) and (law in OF_PLAY or players <= FEW_SEATS)


@lru_cache(maxsize=2)
def played(slug: str, players: int, number: int) -> Played:
    return Played(GAMES[slug], players, mixtures(slug, players)[number], seed=number)


@pytest.mark.parametrize(
    "kept",
    long_but_for(
        is_short,
        [(case, law) for case in CASES for law in LAWS],
        lambda kept: f"{named(kept[0])}-{kept[1].__name__}",
        is_slow=lambda kept: kept[0][1] > MANY_SEATS,
    ),
)
def test_law(kept: tuple[Case, Callable[[Played], None]]) -> None:
    """What holds in every game, whatever is played."""
    case, law = kept
    law(played(*case))


SHAPES_SETUP = {
    "big-manitou": {"party_selection", "tile_set"},
    "manitou": {"edition", "large_herd_low", "small_herd_omit", "hide_thief_cards", "dealer_party", "tribes"},
    "tomahawk": {"components", "most_wanted"},
    "plenty-coups": set(),
}


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_in_the_box_and_what_each_seat_gets_of_it_shapes_the_set_up(slug: str) -> None:
    """A running table keeps these house rules; all others may change (`house_rules_may_change_midway`)."""
    assert {option.name for option in GAMES[slug].options if option.shapes_setup} == SHAPES_SETUP[slug]


@pytest.mark.parametrize("slug", GAMES)
def test_every_value_of_every_house_rule_is_played(slug: str) -> None:
    game = GAMES[slug]
    for players in game.players:
        spread = mixtures(slug, players)
        for option in game.options:
            assert {options[option.name] for options in spread if option.values} == set(option.values)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("players", [2.0, True, "2", None, 0, -2, 99])
def test_a_number_of_players_that_is_no_integer_or_not_the_game_s_is_refused(slug: str, players: Any) -> None:
    with pytest.raises(OptionsRefused) as refused:
        GAMES[slug].read_options({}, players)
    assert refused.value.option == "players"


@pytest.mark.parametrize("slug", GAMES)
def test_house_rules_and_values_that_a_game_does_not_have_are_refused(slug: str) -> None:
    """BM-1.7, MA-2.1, TO-1.8, PC-2: the refusal names the option; true is not 1. What is not given has its default."""
    game = GAMES[slug]
    defaults = msgspec.to_builtins(game.read_options({}, game.players[0]))
    assert {option.name: option.values[0] for option in game.options if option.values}.items() <= defaults.items()
    faults: list[tuple[str, Any]] = [("no_such_option", 1)]
    for option in game.options:
        texts = [str(value) for value in option.values if not isinstance(value, str)]
        faults += [
            (option.name, value)
            for value in (None, "no-such-value", -1, *texts, 1 if bool in map(type, option.values) else True)
        ]
    for name, value in faults:
        with pytest.raises(OptionsRefused) as refused:
            game.read_options({name: value}, game.players[0])
        assert refused.value.option == name
    for players in (game.players[0] - 1, game.players[-1] + 1):
        with pytest.raises(OptionsRefused):
            game.read_options({}, players)


@pytest.mark.slow
def test_a_game_is_the_same_in_every_process() -> None:
    """Neither the order of sets nor anything else of the process enters a game."""
    command = [sys.executable, "-m", "tests.games.fingerprints", "7"]
    seeded = [{**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    elsewhere = [subprocess.check_output(command, env=environment, text=True).split() for environment in seeded]
    assert elsewhere[0] == elsewhere[1] == fingerprints(7)


# --- planted leaks --------------------------------------------------------------------------------------------------


def broken(**changes: Any) -> Played:
    """A game with some of its functions replaced by faulty ones; each is given the sound one first."""
    sound = next(iter(GAMES.values()))
    faults: dict[str, Any] = {name: partial(faulty, getattr(sound, name)) for name, faulty in changes.items()}
    game = dataclasses.replace(sound, **faults)
    return Played(game, max(sound.players), {}, seed=3)


def shows_everything(view: Any, state: Any, seat: int | None) -> Any:
    """A view that gives away the whole state."""
    return msgspec.structs.replace(view(state, seat), game=msgspec.json.encode(state).decode())


def shows_each_seat_another_game(view: Any, state: Any, seat: int | None) -> Any:
    return msgspec.structs.replace(view(state, seat), game=f"that of seat {seat}")


@pytest.mark.parametrize(
    ("law", "changes"),
    [
        (worlds.imagined_worlds_look_the_same, {"view": shows_everything}),
        (worlds.worlds_can_be_imagined_within_a_move, {"view": shows_everything}),
        (worlds.what_is_not_read_is_not_seen, {"view": shows_everything}),
        (laws.the_end_hides_nothing, {"view": shows_each_seat_another_game}),
    ],
)
def test_a_law_finds_a_leak(law: Callable[[Played], None], changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        law(broken(**changes))
