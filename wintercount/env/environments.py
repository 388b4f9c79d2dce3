"""The games as environments of PettingZoo and Gymnasium.

A copy of an environment, by `copy` or `deepcopy`, continues on its own and draws the same luck as the original.
"""

import copy
import operator
import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv

from games import GAMES
from games.kernel import AnyGame, OptionsRefused
from service.levels import LEVELS
from wintercount.env.coding_lookup import REWARDS, check_rewards, found
from wintercount.env.layout import HIGHEST, LOWEST, Coding
from wintercount.env.stepwise_game import ActionRefused, Mask, Playing
from wintercount.match import RandomChance
from worker.ai_process import budget, efforts
from worker.players import choose

ILLEGAL = -1.0  # the reward of an illegal action in a Gymnasium environment
METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1, "is_parallelizable": False}

AgentDict = dict[str, dict[str, Any]]
Options = Mapping[str, Any] | None


def env(
    game: str | AnyGame,
    players: int | None = None,
    options: Options = None,
    rewards: str = "rank",
    render_mode: str | None = None,
) -> "TableEnv":
    """Returns a game as a PettingZoo AEC environment, by default for the smallest number of players.

    `options` are the house rules that differ from the defaults. `rewards` are paid at the end: `rank`, from -1 for the
    last to 1 for the first, or `points`. Raises `LookupError` for an unknown game, and `OptionsRefused`.
    """
    check_rewards(rewards)
    return TableEnv(*found(game, players, options), rewards, render_mode)


def parallel_env(
    game: str | AnyGame,
    players: int | None = None,
    options: Options = None,
    rewards: str = "rank",
    render_mode: str | None = None,
) -> "TableParallelEnv":
    """Returns a game as a PettingZoo parallel environment: seats that do not have to act wait."""
    return TableParallelEnv(env(game, players, options, rewards, render_mode))


def gym_env(  # noqa: PLR0913 - all by name but the game
    game: str | AnyGame,
    *,
    seat: int = 1,
    opponents: str | Sequence[str] = "greedy",
    players: int | None = None,
    options: Options = None,
    rewards: str = "rank",
    render_mode: str | None = None,
) -> "SeatEnv":
    """Returns a game as a Gymnasium environment for one seat; AI players hold the others.

    `opponents` is their level, or one level for each of them in the order of the seats. Raises as `env` does.
    """
    table = env(game, players, options, rewards, render_mode)
    others = [other for other in table.seat_of.values() if other != seat]
    levels = [opponents] * len(others) if isinstance(opponents, str) else list(opponents)
    if seat not in table.seat_of.values():
        raise OptionsRefused("seat", f"{table.game.title} has no seat {seat} for {table.coding.players} players")
    if len(levels) != len(others):
        raise OptionsRefused("opponents", f"{len(others)} opponents need as many levels, not {len(levels)}")
    played = efforts(table.game.slug)
    if unknown := [level for level in levels if level not in played]:
        raise OptionsRefused(
            "opponents", f"{table.game.title} has no AI level {unknown[0]!r}; it has {', '.join(played)}"
        )
    return SeatEnv(table, seat, dict(zip(others, levels, strict=True)))


class OfAgents:
    """What both environments of PettingZoo have: the spaces of their agents, and copies that go on alone."""

    observation_spaces: dict[str, Any]
    action_spaces: dict[str, Any]

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def observation_space(self, agent: str) -> Any:
        """Returns the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns the space of an agent's actions."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Does nothing."""


class TableEnv(OfAgents, AECEnv[str, dict[str, Any], int]):
    """A game as an AEC environment: the agents `seat_1`, `seat_2` … act when they have to; rewards come at the end.

    When seats choose in secret at the same time, they act one after the other, and none sees what another chose. An
    observation is `{"observation": …, "action_mask": …}`, both from what the seat may know.
    """

    metadata = METADATA

    def __init__(self, game: AnyGame, coding: Coding, options: Any, rewards: str, render_mode: str | None) -> None:
        super().__init__()
        self.game, self.coding, self.options = game, coding, options
        self.metadata = {**METADATA, "name": f"{game.slug}_v1"}
        self.render_mode = render_mode
        self.payoff = REWARDS[rewards]
        self._rng = random.Random()  # noqa: S311 - games are dealt, no secrets made
        self.possible_agents = [f"seat_{seat}" for seat in range(1, coding.players + 1)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents, 1)}
        self.observation_spaces = {agent: observation_space(coding) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(coding.actions)) for agent in self.possible_agents}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - none here
        """Starts a game; the same seed gives the same luck. House rules are chosen with the environment."""
        if seed is not None:
            self._rng.seed(operator.index(seed))
        self.playing = Playing.begun(self.game, self.coding, self.options, RandomChance(self._rng))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: AgentDict = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.playing.to_act[0] - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent sees now; its mask is empty if it does not have to act."""
        return observation_of(self.playing, self.seat_of[agent])

    def action_mask(self, agent: str) -> Mask:
        """Returns the mask alone, for agents that choose without an observation."""
        return self.playing.mask(self.seat_of[agent])

    def step(self, action: int | None) -> None:
        """Takes an action of the selected agent; raises `ActionRefused`, and nothing has changed, if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ActionRefused(f"{agent} has to act: an action is a number that its mask allows")
        self.playing.act(self.seat_of[agent], action)
        if self.playing.to_act:
            self.agent_selection = self.possible_agents[self.playing.to_act[0] - 1]
        else:
            self.end()

    def end(self) -> None:
        """Ends the episode: every agent gets its reward."""
        payoff = self.payoff(self.game.scores(self.playing.state))
        self.rewards = {agent: payoff[seat] for agent, seat in self.seat_of.items()}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """Returns the slots that are not 0 for the selected agent; None without `render_mode="ansi"`."""
        return text_of(self.playing, self.seat_of[self.agent_selection]) if self.render_mode else None


class TableParallelEnv(OfAgents, ParallelEnv[str, dict[str, Any], int]):
    """A game in which every seat acts at each step; one that does not have to act waits, by the last action."""

    metadata = METADATA

    def __init__(self, table: TableEnv) -> None:
        self.table = table
        self.metadata = {**table.metadata, "name": f"{table.metadata['name']}_parallel"}
        self.render_mode = table.render_mode
        self.wait = len(table.coding.actions)
        self.possible_agents = table.possible_agents
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(table.coding, extra=1) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.wait + 1) for agent in self.possible_agents}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[AgentDict, AgentDict]:
        """Starts a game and returns what each agent sees; the same seed gives the same luck."""
        self.table.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), self.table.infos

    def _observations(self) -> AgentDict:
        return {agent: self.observe(agent) for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent sees now; if it does not have to act, its mask allows only to wait."""
        playing, seat = self.table.playing, self.table.seat_of[agent]
        mask = playing.mask(seat, extra=1)
        mask[self.wait] = seat not in playing.to_act
        return {"observation": playing.observation(seat), "action_mask": mask}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[AgentDict, dict[str, float], dict[str, bool], dict[str, bool], AgentDict]:
        """Takes an action of every agent; raises `ActionRefused`, and nothing has changed, unless all are legal."""
        table, playing = self.table, self.table.playing
        acting = [agent for agent in self.agents if table.seat_of[agent] in playing.to_act]
        self._check(actions, acting)
        for agent in acting:
            playing.act(table.seat_of[agent], actions[agent])
        if not playing.to_act:
            table.end()
        seen = self._observations()
        if not playing.to_act:
            self.agents = []
        return seen, dict(table.rewards), dict(table.terminations), dict(table.truncations), table.infos

    def _check(self, actions: Mapping[str, int], acting: list[str]) -> None:
        """Raises `ActionRefused` if an action is missing or illegal."""
        for agent in acting:
            if agent not in actions:
                raise ActionRefused(f"{agent} has to act")
            self.table.playing.check(self.table.seat_of[agent], int(actions[agent]))
        for agent, action in actions.items():
            if agent not in acting and int(action) != self.wait:
                raise ActionRefused(f"{agent} does not have to act now: its action is {self.wait}, to wait")

    def render(self) -> str | None:
        """Returns what the next agent sees, as text; None without `render_mode="ansi"`."""
        return self.table.render()


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A game as a Gymnasium environment for one seat, against AI players.

    An illegal action ends the episode with the reward -1 and says why in `info["illegal"]`. AI players choose by the
    luck of the environment, so the same seed and actions give the same episode.
    """

    metadata = METADATA

    def __init__(self, table: TableEnv, seat: int, opponents: Mapping[int, str]) -> None:
        self._table, self.seat, self.opponents = table, seat, dict(opponents)
        self.metadata, self.render_mode = table.metadata, table.render_mode
        self.observation_space = observation_space(table.coding)
        self.action_space = Discrete(len(table.coding.actions))

    def __copy__(self) -> "SeatEnv":
        return copy.deepcopy(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a game and returns what the seat sees when it first has to act; the same seed gives the same luck."""
        super().reset(seed=None if seed is None else operator.index(seed), options=options)
        self._rng = random.Random(int(self.np_random.integers(1 << 63)))  # noqa: S311 - games are dealt, no secrets made
        table = self._table
        self.playing = Playing.begun(table.game, table.coding, table.options, RandomChance(self._rng), recorded=True)
        self._ended = False
        self._play_opponents()
        return observation_of(self.playing, self.seat), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Takes an action of the seat; opponents play until it has to act again. Raises `ActionRefused` at the end."""
        if self._ended:
            raise ActionRefused("the episode is over: call reset()")
        reward, info = 0.0, {}
        try:
            self.playing.act(self.seat, action)
        except ActionRefused as refusal:
            self._ended, reward, info = True, ILLEGAL, {"illegal": str(refusal)}
        else:
            self._play_opponents()
            if not self.playing.to_act:
                self._ended = True
                reward = self._table.payoff(self._table.game.scores(self.playing.state))[self.seat]
        return observation_of(self.playing, self.seat), reward, self._ended, False, info

    def _play_opponents(self) -> None:
        """Plays the moves of AI players until the seat has to act or the game is over."""
        playing = self.playing
        while playing.to_act and self.seat not in playing.to_act:
            seat = playing.to_act[0]
            level, slug = LEVELS[self.opponents[seat]], playing.game.slug
            asked = (playing.view(seat), playing.feed(seat), self._rng.randbytes(16).hex(), budget(level.level, slug))
            playing.play(seat, choose((level.player, level.version), playing.game, *asked).move)

    def action_masks(self) -> Mask:
        """Returns the mask of the seat, under the name that sb3-contrib calls."""
        return self.playing.mask(self.seat)

    def render(self) -> str | None:
        """Returns the slots that are not 0 for the seat; None without `render_mode="ansi"`."""
        return text_of(self.playing, self.seat) if self.render_mode else None


def observation_space(coding: Coding, extra: int = 0) -> Dict:
    """Returns the space of the observations of a game; `extra` actions are added to the mask."""
    numbers = Box(LOWEST, HIGHEST, (len(coding.slots),), np.float32)
    return Dict({"observation": numbers, "action_mask": Box(0, 1, (len(coding.actions) + extra,), np.int8)})


def observation_of(playing: Playing, seat: int) -> dict[str, Any]:
    """Returns what a seat sees and the mask of its actions."""
    return {"observation": playing.observation(seat), "action_mask": playing.mask(seat)}


def text_of(playing: Playing, seat: int) -> str:
    """Returns the slots of a seat's observation that are not 0, one a line."""
    slots = zip(playing.coding.slots, playing.observation(seat), strict=True)
    return "\n".join(f"{name}: {value:g}" for name, value in slots if value)


for slug in GAMES:  # gymnasium.make("wintercount/manitou-v1", seat=2)
    gymnasium.register(f"wintercount/{slug}-v1", partial(gym_env, slug))
