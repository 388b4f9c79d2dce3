"""The games as PettingZoo environments: one agent acts after the other."""

import random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from games.kernel import AnyGame
from wintercount.env.layout import Coding
from wintercount.env.playing import ActionRefused, Mask, Playing, chance_from
from wintercount.env.rewards import REWARDS

LOWEST, HIGHEST = -128, 1023  # of any number of an observation


class TableEnv(AECEnv[str, dict[str, Any], int]):
    """A game as an AEC environment: `seat_1` and so on act when they have to; the reward comes with the end.

    Where seats choose in secret at once, they are asked one after the other, and none is told what another chose. An
    observation is `{"observation": …, "action_mask": …}`, both from what the seat may know.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as AECEnv has it

    def __init__(self, game: AnyGame, coding: Coding, options: Any, rewards: str, render_mode: str | None) -> None:
        super().__init__()
        self.game, self.coding, self.options = game, coding, options
        self.metadata = {**self.metadata, "name": f"{game.slug}_v1"}
        self.render_mode = render_mode
        self._payoff = REWARDS[rewards]
        self._rng = random.Random()  # noqa: S311 - games are dealt, no secrets made
        self.possible_agents = [f"seat_{seat}" for seat in range(1, coding.players + 1)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents, 1)}
        self.observation_spaces = {agent: observation_space(coding) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(coding.actions)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of its observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of its actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - none here
        """Begins a game; the same seed gives the same luck. House rules are chosen with the environment."""
        if seed is not None:
            self._rng.seed(seed)
        self.playing = Playing.begun(self.game, self.coding, self.options, chance_from(self._rng))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.playing.to_act[0] - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now; its mask is empty if it need not act."""
        seat = self.seat_of[agent]
        return {"observation": self.playing.observation(seat), "action_mask": self.playing.mask(seat)}

    def action_mask(self, agent: str) -> Mask:
        """The mask of that observation alone, for who chooses without looking at the table."""
        return self.playing.mask(self.seat_of[agent])

    def step(self, action: int | None) -> None:
        """The selected agent takes an action; raises `ActionRefused`, and nothing has changed, for one not open."""
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
        """The game is over: every agent gets its reward, and nothing more can be done."""
        payoff = self._payoff(self.game.scores(self.playing.state))
        self.rewards = {agent: payoff[seat] for agent, seat in self.seat_of.items()}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """What the selected agent sees, slot by slot, those that are not 0; None without `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        seen = self.playing.observation(self.seat_of[self.agent_selection])
        return "\n".join(f"{name}: {value:g}" for name, value in zip(self.coding.slots, seen, strict=True) if value)

    def close(self) -> None:
        """Nothing is open."""


def observation_space(coding: Coding, extra: int = 0) -> Dict:
    """The space of the observations of a game; `extra` actions are added to the mask."""
    seen = Box(LOWEST, HIGHEST, (len(coding.slots),), np.float32)
    return Dict({"observation": seen, "action_mask": Box(0, 1, (len(coding.actions) + extra,), np.int8)})
