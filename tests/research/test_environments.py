"""PettingZoo's own tests, and what a game pays."""

import pickle
import random
from copy import deepcopy
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from games import GAMES
from games.kernel import OptionsRefused
from games.ranking import Rank
from tests.long import tables_of_each_game
from wintercount.env import ActionRefused, env, parallel_env
from wintercount.env.rewards import by_rank

TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]
by_table = pytest.mark.parametrize(("slug", "players"), tables_of_each_game(TABLES))
by_game = pytest.mark.parametrize("slug", GAMES)

# Of dictionaries these tests say that they are no arrays, but for environments that they know by name.
dictionaries = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)


def taken(rng: random.Random, observation: dict[str, Any]) -> int:
    return int(rng.choice(observation["action_mask"].nonzero()[0]))


@by_table
@dictionaries
def test_of_pettingzoo_for_environments(slug: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Its `api_test`, for every game and number of seats."""
    api_test(env(slug, players, render_mode="ansi"), num_cycles=120)
    assert "Passed API test" in capsys.readouterr().out


@by_table
def test_of_pettingzoo_for_seeds(slug: str, players: int) -> None:
    """Its `seed_test`: the same seed, the same game."""
    seed_test(lambda: env(slug, players), num_cycles=60)


@by_table
def test_of_pettingzoo_for_parallel_environments(slug: str, players: int) -> None:
    """The environment passes PettingZoo's own `parallel_api_test`."""
    parallel_api_test(parallel_env(slug, players), num_cycles=60)


@by_table
def test_a_game_is_played_to_its_end(slug: str, players: int) -> None:
    """Nothing is paid before the end, nobody is cut off, the rewards are those of the final ranks and add up to 0."""
    table, rng = env(slug, players), random.Random(2)
    table.reset(seed=8)
    paid = {}
    for agent in table.agent_iter(10_000):
        observation, reward, terminated, truncated, info = table.last()
        assert (truncated, info) == (False, {})
        if terminated:
            paid[agent] = reward
            table.step(None)
        else:
            assert reward == 0
            table.step(taken(rng, observation))
    scores = GAMES[slug].scores(table.playing.state)
    assert paid == {f"seat_{seat}": reward for seat, reward in by_rank(scores).items()}
    assert sum(paid.values()) == pytest.approx(0)
    assert max(paid, key=paid.__getitem__) in {f"seat_{seat}" for seat in scores.winners}
    assert table.agents == []


@by_game
def test_side_by_side_is_one_after_the_other(slug: str) -> None:
    """A parallel environment plays the same game as the other, with the same actions and rewards."""
    table, rng = parallel_env(slug), random.Random(5)
    told, _ = table.reset(seed=3)
    acted: dict[str, list[int]] = {agent: [] for agent in table.agents}
    while table.agents:
        actions = {agent: taken(rng, told[agent]) for agent in table.agents}
        for agent, action in actions.items():
            acted[agent] += [action] if action != table.wait else []
        told, rewards, terminations, truncations, _ = table.step(actions)
    assert (set(terminations.values()), set(truncations.values())) == ({True}, {False})
    assert sum(rewards.values()) == pytest.approx(0)
    assert (sum(map(len, acted.values()))) > 30


def test_rewards_by_points() -> None:
    """The points of the score sheet."""
    table, rng = env("manitou", rewards="points"), random.Random(1)
    table.reset(seed=1)
    while table.playing.to_act:
        table.step(taken(rng, table.last()[0]))
    assert table.rewards == {
        f"seat_{row.seat}": row.total for row in GAMES["manitou"].scores(table.playing.state).scores
    }


def test_rewards_by_rank() -> None:
    """Of five seats: a winner, two that share the second rank, two that share the last."""

    class Scores:
        ranking = (Rank(1, (3,)), Rank(2, (1, 5)), Rank(4, (2, 4)))

    assert by_rank(Scores) == {3: 1.0, 1: 0.25, 5: 0.25, 2: -0.75, 4: -0.75}


def test_what_is_refused() -> None:
    """House rules, numbers of players and rewards that there are not; actions that are missing, or not one's own."""
    with pytest.raises(OptionsRefused, match="2, 3 or 4 players, not 5"):
        env("manitou", players=5)
    with pytest.raises(OptionsRefused, match="gravity"):
        env("manitou", options={"gravity": "none"})
    with pytest.raises(OptionsRefused, match="rank or points"):
        env("manitou", rewards="fame")
    table = env("manitou")
    table.reset(seed=1)
    with pytest.raises(ActionRefused, match="seat_1 has to act"):
        table.step(None)
    both = parallel_env("tomahawk")
    both.reset(seed=1)
    state = both.table.playing.state
    with pytest.raises(ActionRefused, match="seat_2 has to act"):
        both.step({"seat_1": 0})
    with pytest.raises(ActionRefused, match="not open to seat 2"):
        both.step({"seat_1": both.table.playing.open(1)[0], "seat_2": both.wait})
    assert (both.table.playing.state, both.table.playing.taken(1)) == (state, ())


def test_what_is_seen_is_told_in_words() -> None:
    """Only the slots that are not 0, and nothing without being asked for."""
    table = env("manitou", render_mode="ansi")
    table.reset(seed=1)
    assert "phase/party: 1" in str(table.render()).splitlines()
    assert env("manitou").render() is None
    table.close()


def test_house_rules_are_those_of_the_environment() -> None:
    """The dealer chooses eight cards under the one rule, seven under the other."""
    for size in (7, 8):
        table = env("manitou", options={"dealer_party": size})
        table.reset(seed=1, options={"dealer_party": 3})
        assert table.playing.view(1).seats[0].party_size == size


@by_game
def test_an_environment_is_written_down_and_copied(slug: str) -> None:
    """Amid a game: what is read again, or copied, shows the same; what is read again goes on alike."""
    table, rng = env(slug), random.Random(4)
    table.reset(seed=2)
    for _ in range(30):
        table.step(taken(rng, table.last()[0]))
    assert shown(deepcopy(table)) == shown(table)
    other = pickle.loads(pickle.dumps(table))  # noqa: S301 - our own
    for _ in range(20):
        assert shown(other) == shown(table)
        action = taken(rng, table.last()[0])
        other.step(action)
        table.step(action)


def shown(table: Any) -> list[bytes]:
    return [numbers.tobytes() for numbers in table.last()[0].values()]
