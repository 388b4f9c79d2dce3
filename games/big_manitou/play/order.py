"""The order of a hunt's steps, and who gets a step that only some get (BM-3.8 to BM-3.15)."""

from typing import Literal

from games.big_manitou.components import TURNS

Step = Literal["turns", "extra_card", "hunter_move", "penalty", "grounds", "end"]

STEPS: tuple[Step, ...] = ("turns", "extra_card", "hunter_move", "penalty", "grounds", "end")
STEPS_OF_FIRST_HUNT: tuple[Step, ...] = ("turns", "extra_card", "hunter_move", "grounds", "penalty", "end")


def step_after(step: Step, hunt: int) -> Step:
    """BM-3.13: what follows a step; only in the first hunt is the force penalty paid after the awards."""
    steps = STEPS_OF_FIRST_HUNT if hunt == 1 else STEPS
    return steps[steps.index(step) + 1]


def turns_are_over(turns: int, players: int) -> bool:
    """BM-3.8: whether every seat has had its turns, given how many all of them together had."""
    return turns >= TURNS * players


def decks_are_refreshed(hunt: int) -> bool:
    """BM-3.16: whether everybody has a full deck again after a hunt."""
    return hunt % 2 == 0


def no_extra_card(holder: int | None, dealer: int) -> Literal["no_holder", "holder_is_dealer"] | None:
    """BM-3.10: why nobody may lay an extra card, given who holds the totem cylinder; null if the holder may."""
    if holder is None:
        return "no_holder"
    return "holder_is_dealer" if holder == dealer else None


def no_hunter_move(holder: int | None, has_hunters: bool) -> Literal["no_holder", "no_hunter_on_grounds"] | None:
    """BM-3.11: why nobody may move a hunter, given who holds the horse cylinder; null if the holder may."""
    if holder is None:
        return "no_holder"
    return None if has_hunters else "no_hunter_on_grounds"
