"""The games as PettingZoo environments in which all agents act at each step, as apt where seats choose at once."""

from collections.abc import Mapping
from typing import Any

from gymnasium.spaces import Discrete
from pettingzoo import ParallelEnv

from wintercount.env.aec import TableEnv, observation_space
from wintercount.env.playing import ActionRefused

Told = dict[str, dict[str, Any]]


class TableParallelEnv(ParallelEnv[str, dict[str, Any], int]):
    """A game in which every seat acts at each step: one that need not act waits, by the action after the game's own."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 - as ParallelEnv has it

    def __init__(self, table: TableEnv) -> None:
        self.table = table
        self.metadata = {**table.metadata, "name": f"{table.metadata['name']}_parallel"}
        self.render_mode = table.render_mode
        self.wait = len(table.coding.actions)
        self.possible_agents = table.possible_agents
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(table.coding, extra=1) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.wait + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of its observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of its actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Told, Told]:
        """Begins a game, and gives what each agent sees; the same seed gives the same luck."""
        self.table.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), self.table.infos

    def _observations(self) -> Told:
        return {agent: self.observe(agent) for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now; if it need not act, its mask allows to wait and nothing else."""
        playing, seat = self.table.playing, self.table.seat_of[agent]
        mask = playing.mask(seat, extra=1)
        mask[self.wait] = seat not in playing.to_act
        return {"observation": playing.observation(seat), "action_mask": mask}

    def step(self, actions: Mapping[str, int]) -> tuple[Told, dict[str, float], dict[str, bool], dict[str, bool], Told]:
        """Every agent acts; raises `ActionRefused`, and nothing has changed, unless all actions are open."""
        playing = self.table.playing
        acting = [agent for agent in self.agents if self.table.seat_of[agent] in playing.to_act]
        self._check(actions, acting)
        for agent in acting:
            playing.act(self.table.seat_of[agent], actions[agent])
        if not playing.to_act:
            self.table.end()
        told = self._observations()
        if not playing.to_act:
            self.agents = []
        table = self.table
        return told, dict(table.rewards), dict(table.terminations), dict(table.truncations), table.infos

    def _check(self, actions: Mapping[str, int], acting: list[str]) -> None:
        """Refuses actions that are missing or not open before any of them is taken."""
        for agent in acting:
            seat = self.table.seat_of[agent]
            if agent not in actions:
                raise ActionRefused(f"{agent} has to act")
            self.table.playing.check(seat, int(actions[agent]))
        for agent, action in actions.items():
            if agent not in acting and int(action) != self.wait:
                raise ActionRefused(f"{agent} does not have to act now: its action is {self.wait}, to wait")

    def render(self) -> str | None:
        """What the next agent sees, as text; None without `render_mode="ansi"`."""
        return self.table.render()

    def close(self) -> None:
        """Nothing is open."""
