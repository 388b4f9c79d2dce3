"""The environments pass the tests of PettingZoo and Gymnasium, pay what they promise, and can be copied."""

import pickle
import random
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

from games import GAMES
from games.kernel import OptionsRefused
from games.ranking import Rank
from tests.long import tables_of_each_game
from wintercount.env import ActionRefused, env, gym_env, parallel_env
from wintercount.env.coding_lookup import by_rank

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


@by_table
def test_of_gymnasium(slug: str, players: int) -> None:
    """The environment of each seat passes Gymnasium's own `check_env`, without a warning."""
    for seat in (1, players):
        table = gymnasium.make(f"wintercount/{slug}-v1", seat=seat, players=players, opponents="uniform")
        check_env(table.unwrapped)


@by_game
def test_a_seat_plays_against_ai_players(slug: str) -> None:
    """The last seat plays an episode: only the end pays, and the same seed and actions give the same episode."""
    players = GAMES[slug].players[-1]
    levels = ["greedy", *["uniform"] * (players - 2)]

    def episode() -> tuple[list[int], float]:
        rng, actions = random.Random(1), []
        table = gym_env(slug, seat=players, players=players, opponents=levels)
        seen, info = table.reset(seed=4)
        over, reward = False, 0.0
        while not over:
            assert (reward, info) == (0, {})
            assert seen["action_mask"].tobytes() == table.action_masks().tobytes()
            actions.append(taken(rng, seen))
            seen, reward, over, truncated, info = table.step(actions[-1])
            assert not truncated
        assert reward == by_rank(GAMES[slug].scores(table.playing.state))[players]
        with pytest.raises(ActionRefused, match="episode is over"):
            table.step(0)
        return actions, reward

    assert episode() == episode()


def test_an_illegal_action_ends_an_episode() -> None:
    """The reward is that of a sole last, and `info` says why."""
    table = gym_env("manitou")
    seen, _ = table.reset(seed=1)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, reward, terminated, _, info = table.step(illegal)
    assert (reward, terminated) == (-1, True)
    assert f"action {illegal}" in info["illegal"]


def test_seats_and_levels_that_do_not_exist_are_refused() -> None:
    with pytest.raises(OptionsRefused, match="no seat 3"):
        gym_env("manitou", seat=3)
    with pytest.raises(OptionsRefused, match="no AI level 'god'; it has uniform, "):
        gym_env("manitou", opponents="god")
    with pytest.raises(OptionsRefused, match="1 opponents need as many levels, not 2"):
        gym_env("manitou", opponents=["greedy", "greedy"])


# Copies. `Course` steps an environment once with an action that depends on what its agents see, and returns that.

Course = Callable[[Any], Any]


def aec_course(table: Any) -> Any:
    shown = [numbers.tobytes() for numbers in table.last()[0].values()]
    table.step(int(table.last()[0]["action_mask"].nonzero()[0][-1]))
    return shown


def parallel_course(table: Any) -> Any:
    seen = {agent: table.observe(agent) for agent in table.agents}
    table.step({agent: int(row["action_mask"].nonzero()[0][-1]) for agent, row in seen.items()})
    return [numbers.tobytes() for row in seen.values() for numbers in row.values()]


def gym_course(table: Any) -> Any:
    seen, reward, *_ = table.step(int(table.action_masks().nonzero()[0][-1]))
    return [seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward]


KINDS: dict[str, tuple[Callable[..., Any], Course]] = {
    "aec": (env, aec_course),
    "parallel": (parallel_env, parallel_course),
    "gym": (gym_env, gym_course),
}
by_kind = pytest.mark.parametrize("kind", KINDS)


@by_game
@by_kind
@pytest.mark.parametrize("copied", [deepcopy, copy, lambda table: pickle.loads(pickle.dumps(table))])  # noqa: S301 - our own
def test_a_copy_continues_on_its_own(kind: str, slug: str, copied: Callable[[Any], Any]) -> None:
    """In the middle of a game: looking ahead in copies does not change the game, and sees what it would bring."""
    made, course = KINDS[kind]
    table = made(slug)
    table.reset(seed=2)
    for _ in range(9):
        course(table)
    ahead, again = copied(table), copied(copied(table))
    foreseen = [course(ahead) for _ in range(12)]
    assert [course(table) for _ in range(12)] == foreseen
    assert [course(again) for _ in range(12)] == foreseen
    ahead.reset(seed=2)


@by_game
@by_kind
def test_a_seed_is_any_integer(kind: str, slug: str) -> None:
    """One of NumPy gives the same game as one of Python."""
    made, course = KINDS[kind]
    one, other = made(slug), made(slug)
    one.reset(seed=5)
    other.reset(seed=np.int64(5))
    for _ in range(8):
        assert course(one) == course(other)
