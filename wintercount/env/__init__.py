"""The games as environments for learners, by the interfaces of PettingZoo.

>>> from wintercount.env import env
>>> table = env("manitou", players=2)
>>> table.reset(seed=7)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     over = termination or truncation
...     table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))

What a seat observes comes from its view alone, and so do the actions that its mask allows: in two worlds that it cannot
tell apart, both are the same to the byte.
"""

from wintercount.packages import check

try:
    check()
    from wintercount.env.choices import AnyOf, Choice, Gathered, OneOf, spelled
    from wintercount.env.finding import coding_of
    from wintercount.env.layout import Actions, Coding, Slots
    from wintercount.env.making import env, parallel_env
    from wintercount.env.playing import ActionRefused, Playing, chance_from
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
    "Slots",
    "chance_from",
    "coding_of",
    "env",
    "parallel_env",
    "spelled",
]
