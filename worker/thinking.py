"""AI players think in a process of their own, which is killed when a player takes too long or crashes."""

import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from events.failures import place_of
from games import GAMES
from worker.helper_process import Aside, Lost
from worker.players import Chosen, choose

LIMIT_S = 20.0  # for one choice

log = logging.getLogger(__name__)


class Question(NamedTuple):
    """All that a player gets: its name and version, the game, its seat's view and feed, a seed and a budget."""

    player: tuple[str, int]
    game: str
    view: Any
    feed: Sequence[Any]
    seed: str
    budget: int


class CutOff(Exception):
    """A player was replaced: it `crashed`, `failed` with an error, took `overtime` or chose `nonsense`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def think_here(asked: Question) -> Chosen:
    """The player's choice, computed in this process; raises `CutOff` for a player that fails."""
    try:
        chosen = choose(asked.player, GAMES[asked.game], *asked[2:])
    except Exception as error:  # noqa: BLE001 - whatever a player raises
        log.error("player %s failed: %s", asked.player, place_of(error))
        raise CutOff("failed") from None
    return chosen


class Thinker(Aside):
    """Asks players in a process of its own and kills it with a player that takes too long.

    `think` is the module whose `thought` thinks.
    """

    def __init__(
        self, limit_s: float = LIMIT_S, beat: Callable[[], Any] = lambda: None, think: str = "worker.thinking"
    ) -> None:
        super().__init__(f"{think}:thought", limit_s, beat)

    def __call__(self, asked: Question) -> Chosen:
        """The player's choice; raises `CutOff`, and then its process has ended."""
        try:
            answer = self.ask(asked)
        except Lost as lost:
            raise CutOff(lost.why) from None
        if isinstance(answer, CutOff):
            raise answer
        if not isinstance(answer, Chosen):
            raise CutOff("nonsense")
        return answer


def thought(asked: Question) -> Chosen | CutOff:
    """The player's choice, or why there is none."""
    try:
        return think_here(asked)
    except CutOff as cut_off:
        return cut_off
