"""A thousand games of Manitou by random players: which cards are worth taking on a hunt?

Run it with `python examples/self_play.py`, or cell by cell in a notebook. It needs `wintercount[research]`.
"""

# %% The table: two seats, one environment.
import sys
from collections import defaultdict

import numpy as np

from wintercount.env import env

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1000
table = env("manitou", players=2)
luck = np.random.default_rng(1)


# %% One game: what each seat did, and what it was paid in the end.
def self_play(seed):
    done, paid = defaultdict(list), {}
    table.reset(seed=seed)
    for agent in table.agent_iter():
        observation, reward, over, _, _ = table.last()
        if over:
            paid[agent] = reward
            table.step(None)
            continue
        action = luck.choice(np.flatnonzero(observation["action_mask"]))
        done[agent].append(int(action))
        table.step(action)
    return done, paid


# %% Many games: what was paid on average to those who did something.
earned = defaultdict(list)
for seed in range(GAMES):
    done, paid = self_play(seed)
    for agent, actions in done.items():
        for action in set(actions):
            earned[table.coding.actions[action]].append(paid[agent])

# %% The cards of a party, the most useful first.
chosen = {name: rewards for name, rewards in earned.items() if name.startswith("choose ")}
for name, rewards in sorted(chosen.items(), key=lambda item: -np.mean(item[1])):
    print(f"{name:<20} {np.mean(rewards):+.3f}   {len(rewards):>5} times")
