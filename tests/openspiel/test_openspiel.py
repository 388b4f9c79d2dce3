"""OpenSpiel's own test of random play, and that its games are those of the environments."""

import random

import pyspiel
import pytest

import wintercount.openspiel
from games import GAMES
from games.kernel import OptionsRefused
from wintercount.env import ActionRefused

NAMES = {slug: f"wintercount_{slug.replace('-', '_')}" for slug in GAMES}
by_game = pytest.mark.parametrize("slug", GAMES)


@by_game
def test_of_openspiel(slug: str) -> None:
    """Its `random_sim_test`: actions, chance, observations, returns, written down and read again."""
    game = pyspiel.load_game(NAMES[slug])
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@by_game
def test_every_number_of_players(slug: str) -> None:
    """A game is played to its end, its returns add up to 0, and what is seen is what the environment tells."""
    for players in GAMES[slug].players:
        game, rng = pyspiel.load_game(NAMES[slug], {"players": players}), random.Random(players)
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
                continue
            player = state.current_player()
            assert state.legal_actions() == sorted(state.playing.open(player + 1))
            state.apply_action(rng.choice(state.legal_actions()))
        assert sum(state.returns()) == pytest.approx(0)
        assert list(state.observation_tensor(0)) == list(state.playing.observation(1))


def test_house_rules_are_a_parameter() -> None:
    """As JSON; those that there are not are refused, and so are players."""
    state = pyspiel.load_game("wintercount_manitou", {"options": '{"dealer_party": 8}'}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    assert state.playing.view(1).options.dealer_party == 8
    with pytest.raises((OptionsRefused, pyspiel.SpielError, RuntimeError)):
        pyspiel.load_game("wintercount_manitou", {"options": '{"gravity": "none"}'})


def test_a_clone_goes_its_own_way() -> None:
    """What is done in one leaves the other as it was, in the middle of a draw too."""
    state = pyspiel.load_game("wintercount_manitou").new_initial_state()
    assert state.is_chance_node()
    for _ in range(30):
        other = state.clone()
        before = str(state)
        other.apply_action(other.legal_actions()[0])
        assert str(state) == before
        state.apply_action(state.legal_actions()[-1])


def test_names_are_told() -> None:
    """Of actions and draws."""
    state = pyspiel.load_game("wintercount_manitou").new_initial_state()
    assert state.action_to_string(state.current_player(), 0) == "draw 0"
    while state.is_chance_node():
        state.apply_action(0)
    assert state.action_to_string(0, 0) == "choose hunter-1"
    assert set(wintercount.openspiel.TYPES) == set(GAMES)
    assert issubclass(ActionRefused, ValueError)
