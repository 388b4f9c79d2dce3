"""The games for OpenSpiel: importing this registers `wintercount_manitou` and the like.

>>> import pyspiel, wintercount.openspiel
>>> game = pyspiel.load_game("wintercount_manitou(players=3)")

Actions and observations are those of `wintercount.env`. Luck is explicit: each card drawn is a chance node of its own,
with the place of the card among those left as its outcome. House rules are given as JSON in the parameter `options`.
"""

import json
from collections.abc import Sequence
from typing import Any

from wintercount.installation_check import check

try:
    check()
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    raise ImportError(f"{error.name} is missing: pip install 'wintercount[openspiel]'", name=error.name) from error

from games import GAMES
from games.kernel import AnyGame, T
from wintercount.env.coding_lookup import by_rank, coding_of
from wintercount.env.stepwise_game import Playing

MOST_DRAWN_FROM = 64  # the tiles of a bag, the cards of a deck
LONGEST = 20_000  # actions and draws; no game comes near


class DrawNeeded(Exception):
    """The next draw is not decided yet; `outcomes` is the number of its outcomes."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


class Decision:
    """Chance that draws given outcomes, each a place among what is left; raises `DrawNeeded` when they run out."""

    def __init__(self, drawn: Sequence[int]) -> None:
        self.left = list(drawn)

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG002 - as chance is called
        left = list(population)
        return tuple(left.pop(self._place(len(left))) for _ in range(count))

    def _place(self, outcomes: int) -> int:
        if outcomes == 1:
            return 0
        if not self.left:
            raise DrawNeeded(outcomes)
        return self.left.pop(0)


class TableGame(pyspiel.Game):
    """A game with its number of players and house rules."""

    def __init__(self, slug: str, params: Any = None) -> None:
        given = params or {}
        self.rules: AnyGame = GAMES[slug]
        players = given.get("players", min(self.rules.players))
        self.house_rules = self.rules.read_options(json.loads(given.get("options") or "{}"), players)
        self.coding = coding_of(slug, players)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.coding.actions),
            max_chance_outcomes=MOST_DRAWN_FROM,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(TYPES[slug], info, given)

    def new_initial_state(self) -> "TableState":
        """Returns the game before anything is drawn."""
        return TableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "TableObserver":
        """Returns an observer of what seats see now."""
        if params:
            raise ValueError(f"an observation takes no parameters such as {params}")
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            raise ValueError("observations are what a seat sees now; there are none with perfect recall")
        return TableObserver(self)


class TableState(pyspiel.State):
    """A moment of a game: a seat has to act, a card has to be drawn, or the game is over.

    It does not keep the game object, of which OpenSpiel keeps only the C++ part.
    """

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self.slug, self.players, self.house_rules = game.rules.slug, game.coding.players, game.house_rules
        self.playing: Playing | None = None
        self.asked: tuple[int, int] | None = None  # the seat and action for which cards are drawn; None at the start
        self.drawn: list[int] = []
        self.outcomes = 0
        self._go_on()

    def _go_on(self) -> None:
        """Takes the action, or starts the game, with the outcomes drawn so far; waits if more have to be drawn."""
        self.outcomes = 0
        chance = Decision(self.drawn)
        try:
            if self.playing is None:
                coding = coding_of(self.slug, self.players)
                self.playing = Playing.begun(GAMES[self.slug], coding, self.house_rules, chance)
            elif self.asked is not None:
                self.playing.chance = chance
                self.playing.act(*self.asked)
        except DrawNeeded as wanted:
            self.outcomes = wanted.outcomes
            return
        self.asked, self.drawn = None, []

    def current_player(self) -> int:
        """Returns the seat to act, from 0, or chance if a card has to be drawn."""
        if self.outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        acting = self.playing.to_act if self.playing else ()
        return acting[0] - 1 if acting else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.playing.open(player + 1)) if self.playing and player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the outcomes of the draw, each equally likely."""
        return [(place, 1 / self.outcomes) for place in range(self.outcomes)]

    def _apply_action(self, action: int) -> None:
        if self.outcomes:
            self.drawn.append(action)
        else:
            self.asked = (self.current_player() + 1, action)
        self._go_on()

    def _action_to_string(self, player: int, action: int) -> str:
        return (
            f"draw {action}"
            if player == pyspiel.PlayerId.CHANCE
            else coding_of(self.slug, self.players).actions[action]
        )

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.outcomes and self.playing is not None and not self.playing.to_act

    def returns(self) -> list[float]:
        """Returns the rewards by rank when the game is over; zeros before."""
        if self.playing is None or not self.is_terminal():
            return [0.0] * self.players
        paid = by_rank(GAMES[self.slug].scores(self.playing.state))
        return [paid[seat] for seat in sorted(paid)]

    def __str__(self) -> str:
        return " ".join(map(str, self.history()))


class TableObserver:
    """What a seat sees, as in `wintercount.env`."""

    def __init__(self, game: TableGame) -> None:
        self.slots = game.coding.slots
        self.tensor = np.zeros(len(self.slots), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TableState, player: int) -> None:
        """Sets `tensor` to what the player sees; zeros before the game has started."""
        self.tensor[:] = state.playing.observation(player + 1) if state.playing else 0

    def string_from(self, state: TableState, player: int) -> str:
        """Returns the slots that are not 0."""
        if state.playing is None:
            return ""
        seen = state.playing.observation(player + 1)
        return "\n".join(f"{name}: {value:g}" for name, value in zip(self.slots, seen, strict=True) if value)


def game_type(game: AnyGame) -> Any:
    """Returns the description of a game for OpenSpiel."""
    return pyspiel.GameType(
        short_name=f"wintercount_{game.slug.replace('-', '_')}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.players),
        min_num_players=min(game.players),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": min(game.players), "options": ""},
    )


TYPES = {slug: game_type(game) for slug, game in GAMES.items()}


def registered(slug: str) -> type[TableGame]:
    """Registers the class of a game with OpenSpiel, which calls it with the parameters."""

    def begin(self: TableGame, params: Any = None) -> None:
        TableGame.__init__(self, slug, params)

    made = type(f"{TYPES[slug].short_name}_game", (TableGame,), {"__init__": begin})
    pyspiel.register_game(TYPES[slug], made)
    return made


CLASSES = {slug: registered(slug) for slug in TYPES}
