"""Lessons: for a game a prepared deal, and what to do and why at each step; data, a file a game.

A lesson is played at a real table by the real rules. Its seed is public; the AI seats choose by it alone. So whoever
makes the moves of the steps meets just what the lesson says, and whoever makes another has left it.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True):
    """What to know before a decision, by language and paragraph by paragraph, and the move that the lesson makes.

    `show` names the pieces that it speaks of, as the page's help does.
    """

    say: dict[str, tuple[str, ...]]
    move: dict[str, Any]
    show: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True):
    """A lesson: the learner has seat 1, AI players of the `levels` the others. `end` follows the last step."""

    title: dict[str, str]
    seed: str
    levels: tuple[str, ...]
    steps: tuple[Step, ...]
    end: dict[str, tuple[str, ...]]
    options: dict[str, Any] = {}


@cache
def lesson(slug: str) -> Lesson | None:
    """The lesson of a game; None if there is none."""
    found = files(__name__).joinpath(f"{slug}.json")
    return msgspec.json.decode(found.read_bytes(), type=Lesson) if found.is_file() else None
