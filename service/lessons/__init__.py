"""Lessons: one data file for each game, with a prepared deal and what to do and why at each step.

A lesson is played at a real table by the real rules. The seed of the table is public, and the AI seats choose by it
alone, so a learner who makes the moves of the steps meets exactly what the lesson says.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True):
    """The paragraphs to read before a decision, by language, and the lesson's move."""

    say: dict[str, tuple[str, ...]]
    move: dict[str, Any]


class Lesson(msgspec.Struct, frozen=True):
    """A lesson: the learner has seat 1, AI players of the `levels` have the others. `end` follows the last step."""

    title: dict[str, str]
    seed: str
    levels: tuple[str, ...]
    steps: tuple[Step, ...]
    end: dict[str, tuple[str, ...]]
    options: dict[str, Any] = {}


@cache
def lesson(slug: str) -> Lesson | None:
    """Returns the lesson of a game; None if there is none."""
    found = files(__name__).joinpath(f"{slug}.json")
    return msgspec.json.decode(found.read_bytes(), type=Lesson) if found.is_file() else None
