"""What a seat has earned, the end of a hunt and of the game (MA-5.10, MA-6)."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from games.deciding import when
from games.manitou import events as ev
from games.manitou.components import HUNTS, PENALTY, VALUE
from games.manitou.state import PointsPile, State
from games.ranking import Rank, ranking, ranks


class Scores(msgspec.Struct, frozen=True):
    """The score so far: final when the game is over."""

    scores: tuple[ev.Score, ...]
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


SECOND_KEY: dict[str, Callable[[ev.Earning], int]] = {  # ruling MA-R21
    "shared": lambda _: 0,
    "buffalo": lambda row: row.buffalo,
    "prisoners": lambda row: row.prisoners,
}


def earning(seat: int, pile: PointsPile) -> ev.Earning:
    """MA-6.2: the points of a points pile, by kind."""
    buffalo = sum([VALUE[card] for card in pile.buffalo])
    prisoners = len(pile.prisoners)
    penalties = PENALTY * (len(pile.hide_thieves) + pile.paper_penalties)
    return ev.Earning(seat, buffalo, prisoners, penalties, buffalo + prisoners + penalties)


def earnings(state: State) -> tuple[ev.Earning, ...]:
    """Returns the earnings of each seat so far."""
    return tuple([earning(seat, pile) for seat, pile in enumerate(state.points, 1)])


def scores(state: State) -> Scores:
    """MA-6.3: the score and the ranks, ties as `victory_tie` has it (ruling MA-R21)."""
    return _scores(state.points, state.options.victory_tie)


@lru_cache(maxsize=4096)  # every view shows the scores, and they change seldom
def _scores(points: tuple[PointsPile, ...], victory_tie: str) -> Scores:
    earned = [earning(seat, pile) for seat, pile in enumerate(points, 1)]
    second = SECOND_KEY[victory_tie]
    rank_of = ranks({row.seat: (row.total, second(row)) for row in earned})
    places = ranking(rank_of)
    rows = [ev.Score(r.seat, r.buffalo, r.prisoners, r.penalties, r.total, rank_of[r.seat]) for r in earned]
    return Scores(tuple(rows), places, places[0].seats)


def game_ended(state: State) -> ev.GameEnded:
    """The end of the game: scores, ranks and winners (MA-6.1 to MA-6.3)."""
    final = scores(state)
    tied = len({row.total for row in final.scores}) < len(final.scores)
    rules = ("MA-6.1", "MA-6.2", "MA-6.3", *when(tied, "MA-R21"))
    return ev.GameEnded(final.scores, final.ranking, final.winners, rules)


def hunt_ended(state: State, before: Sequence[ev.Earning]) -> ev.HuntEnded:
    """MA-5.10: what the hunt brought each seat, given what it had `before`."""
    now = earnings(state)
    gained = [
        ev.Earning(
            new.seat,
            new.buffalo - old.buffalo,
            new.prisoners - old.prisoners,
            new.penalties - old.penalties,
            new.total - old.total,
        )
        for new, old in zip(now, before, strict=True)
    ]
    return ev.HuntEnded(
        hunt=state.hunt,
        earned=tuple(gained),
        totals=tuple([ev.SeatTotal(row.seat, row.total) for row in now]),
        cards_owned=cards_owned(state),
        next_dealer=None if state.hunt == HUNTS else dealer_of(state.hunt + 1, state.players),
    )


def dealer_of(hunt: int, players: int) -> int:
    """MA-3.2: seat 1 deals the first hunt, then the next seat clockwise."""
    return (hunt - 1) % players + 1


def cards_owned(state: State) -> tuple[ev.SeatCount, ...]:
    """MA-5.10: between hunts all that a seat owns is in its reserve."""
    return tuple([ev.SeatCount(seat, len(camp.reserve)) for seat, camp in enumerate(state.camps, 1)])
