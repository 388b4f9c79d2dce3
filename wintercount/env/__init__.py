"""The games as environments for learners, with the interfaces of PettingZoo and Gymnasium.

>>> from wintercount.env import env, gym_env
>>> table = env("manitou", players=2)
>>> table.reset(seed=7)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     over = termination or truncation
...     table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))

One seat against AI players:

>>> seat = gym_env("manitou", seat=1, opponents="uniform")
>>> observation, info = seat.reset(seed=7)
>>> over = False
>>> while not over:
...     action = seat.action_space.sample(observation["action_mask"])
...     observation, reward, over, truncated, info = seat.step(action)

The observation and the mask of a seat come from its view alone: in two worlds that the seat cannot tell apart, both are
equal to the byte.
"""

from wintercount.installation_check import check

try:
    check()
    from wintercount.env.choices import AnyOf, Choice, Gathered, OneOf, spelled
    from wintercount.env.coding_lookup import coding_of
    from wintercount.env.environments import env, gym_env, parallel_env
    from wintercount.env.layout import Actions, Coding, Slots
    from wintercount.env.stepwise_game import ActionRefused, Playing
    from wintercount.match import RandomChance
except ModuleNotFoundError as error:
    raise ImportError(f"{error.name} is missing: pip install 'wintercount[research]'", name=error.name) from error

__all__ = [
    "ActionRefused",
    "Actions",
    "AnyOf",
    "Choice",
    "Coding",
    "Gathered",
    "OneOf",
    "Playing",
    "RandomChance",
    "Slots",
    "coding_of",
    "env",
    "gym_env",
    "parallel_env",
    "spelled",
]
