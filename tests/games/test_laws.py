"""The laws over every game, number of players and house rule; and over games with a planted defect, which they find."""

import dataclasses
import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.kernel import MoveRefused, OptionsRefused, Transition
from tests.games import laws
from tests.games.laws import LAWS, OF_PLAY, Played
from tests.games.random_play import fingerprints, spread_options
from tests.long import long_but_for, named

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
    "big-manitou": {"tile_set"},
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


@pytest.mark.slow
def test_a_game_is_the_same_in_every_process() -> None:
    """Neither the order of sets nor anything else of the process enters a game."""
    command = [sys.executable, "-m", "tests.games.random_play", "7"]
    elsewhere = [
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout.split()
        for seed in ("1", "2")
    ]
    assert elsewhere[0] == elsewhere[1] == fingerprints(7)


# --- planted defects: each law can fail ----------------------------------------------------------------------------


def broken(**changes: Any) -> Played:
    """A game with some of its functions replaced by faulty ones; each is given the sound one first."""
    sound = next(iter(GAMES.values()))
    faults: dict[str, Any] = {name: partial(faulty, getattr(sound, name)) for name, faulty in changes.items()}
    game = dataclasses.replace(sound, **faults)
    return Played(game, max(sound.players), {}, seed=3)


def forgets_the_last_event(play: Any, state: Any, seat: int, move: Any, chance: Any) -> Transition[Any]:
    turn = play(state, seat, move, chance)
    return Transition(turn.events[:-1], turn.state, turn.before[:-1])


def tells_the_last_state_of_all(play: Any, state: Any, seat: int, move: Any, chance: Any) -> Transition[Any]:
    turn: Transition[Any] = play(state, seat, move, chance)
    return turn._replace(before=(turn.state,) * len(turn.events))


def cites_an_unknown_rule(play: Any, state: Any, seat: int, move: Any, chance: Any) -> Transition[Any]:
    turn = play(state, seat, move, chance)
    cited = [{"rules": ("XX-1.1",)} if getattr(event, "rules", ()) else {} for event in turn.events]
    changed = (msgspec.structs.replace(event, **rules) for event, rules in zip(turn.events, cited, strict=True))
    return Transition(tuple(changed), turn.state, turn.before)


def reads_another_move(read_move: Any, raw: Any) -> Any:
    return None


def lets_others_off(to_act: Any, state: Any) -> tuple[int, ...]:
    """Of an odd number of seats that must act the first is let off."""
    seats = tuple(to_act(state))
    return seats[1:] if len(seats) % 2 and len(seats) > 1 else seats


def loses_a_card(census: Any, state: Any) -> Any:
    whole = census(state)
    return whole if len(msgspec.json.encode(state)) % 2 else whole[1:]


def lists_too_little(legal_moves: Any, state: Any, seat: int) -> Any:
    return legal_moves(state, seat)[:1]


def lists_too_much(legal_moves: Any, state: Any, seat: int) -> list[Any]:
    listed = legal_moves(state, seat)
    return [*listed, *listed[:1]]


def lists_for_everybody(legal_moves: Any, state: Any, seat: int) -> Any:
    return legal_moves(state, seat) or [{"type": "wait"}]


def accepts_what_is_wrong(play: Any, state: Any, seat: int, move: Any, chance: Any) -> Any:
    try:
        return play(state, seat, move, chance)
    except MoveRefused:
        return Transition(("nothing happened",), state, (state,))


def refuses_by_an_unknown_rule(play: Any, state: Any, seat: int, move: Any, chance: Any) -> Any:
    try:
        return play(state, seat, move, chance)
    except MoveRefused as refused:
        raise MoveRefused(f"{refused.rule}z", refused.detail) from None


def shows_everything(view: Any, state: Any, seat: int | None) -> Any:
    """A view that gives away the whole state."""
    return msgspec.structs.replace(view(state, seat), game=msgspec.json.encode(state).decode())


def shows_what_spectators_see(view: Any, state: Any, seat: int | None) -> Any:
    return view(state, None)


def shows_each_seat_another_game(view: Any, state: Any, seat: int | None) -> Any:
    return msgspec.structs.replace(view(state, seat), game=f"that of seat {seat}")


def opens_nothing(_: Any, state: Any) -> Any:
    return next(iter(GAMES.values())).view(state, None)


def imagines_another_table(imagine: Any, view: Any, feed: Any, chance: Any) -> Any:
    """A world of the number of players and the house rules that were asked for, and of nothing that happened."""
    game = next(iter(GAMES.values()))
    return game.start(view.players, game.read_options({}, view.players), chance).state


def needs_its_own_past(imagine: Any, view: Any, feed: Any, chance: Any) -> Any:
    """A world of other cards for a seat that did not read what it drew itself."""
    drawn = [event for event in feed if type(event).__name__ == "CardsDrawn" and event.seat == view.seat]
    unread = any(event.cards is msgspec.UNSET for event in drawn)
    return imagines_another_table(imagine, view, feed, chance) if unread else imagine(view, feed, chance)


def keeps_to_the_first_rules(imagine: Any, view: Any, feed: Any, chance: Any) -> Any:
    return imagine(msgspec.structs.replace(view, options=feed[0].options), feed, chance)


def lets_nobody_read(readers: Any, state: Any, event: Any) -> dict[str, list[int]]:
    return {name: [9] for name in readers(state, event)}


def names_other_fields(readers: Any, state: Any, event: Any) -> dict[str, list[int]]:
    return {f"{name}_too": seats for name, seats in readers(state, event).items()}


def scores_without_winners(scores: Any, state: Any) -> Any:
    return {**msgspec.to_builtins(scores(state)), "winners": []}


@pytest.mark.parametrize(
    ("law", "changes"),
    [
        (laws.replay_equals_play, {"play": forgets_the_last_event}),
        (laws.replay_equals_play, {"play": tells_the_last_state_of_all}),
        (laws.starts_and_ends, {"play": forgets_the_last_event}),
        (laws.owed_until_answered, {"to_act": lets_others_off}),
        (laws.encodings_round_trip, {"read_move": reads_another_move}),
        (laws.adjudications_cite_their_rules, {"play": cites_an_unknown_rule}),
        (laws.nothing_is_lost, {"census": loses_a_card}),
        (laws.listed_is_accepted, {"legal_moves": lists_too_much}),
        (laws.the_rest_is_refused, {"legal_moves": lists_too_little}),
        (laws.the_rest_is_refused, {"play": accepts_what_is_wrong}),
        (laws.the_rest_is_refused, {"play": refuses_by_an_unknown_rule}),
        (laws.only_seats_that_must_act_may, {"legal_moves": lists_for_everybody}),
        (laws.views_say_whose_they_are, {"view": shows_what_spectators_see}),
        (laws.imagined_worlds_look_the_same, {"view": shows_everything}),
        (laws.imagined_worlds_look_the_same, {"imagine": imagines_another_table}),
        (laws.worlds_can_be_imagined_within_a_move, {"imagine": imagines_another_table}),
        (laws.worlds_can_be_imagined_within_a_move, {"view": shows_everything}),
        (laws.open_views_hide_nothing, {"open_view": opens_nothing}),
        (laws.forked_tables_look_the_same, {"imagine": imagines_another_table}),
        (laws.forked_tables_look_the_same, {"imagine": needs_its_own_past}),
        (laws.house_rules_may_change_midway, {"imagine": keeps_to_the_first_rules}),
        (laws.house_rules_may_change_midway, {"census": loses_a_card}),
        (laws.imagined_worlds_answer_the_same, {"imagine": imagines_another_table}),
        (laws.imagined_worlds_can_be_played, {"census": loses_a_card}),
        (laws.what_is_not_read_is_not_seen, {"view": shows_everything}),
        (laws.readers_name_fields_and_seats, {"readers": lets_nobody_read}),
        (laws.readers_name_fields_and_seats, {"readers": names_other_fields}),
        (laws.scores_have_one_shape, {"scores": scores_without_winners}),
        (laws.the_end_says_the_score, {"scores": scores_without_winners}),
        (laws.the_end_hides_nothing, {"imagine": imagines_another_table}),
        (laws.the_end_hides_nothing, {"view": shows_each_seat_another_game}),
    ],
)
def test_a_law_finds_what_breaks_it(law: Callable[[Played], None], changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        law(broken(**changes))


@cache
def sound() -> Played:
    """The game in which nothing was replaced, played once for all laws."""
    return broken()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_game_without_a_defect_keeps_the_law(law: Callable[[Played], None]) -> None:
    """So that what is found above is the defect."""
    law(sound())
