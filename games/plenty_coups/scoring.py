"""Points and ranks (PC-6)."""

from typing import Any

from msgspec import Struct, to_builtins

from games.plenty_coups.components import FREE_HERD
from games.plenty_coups.state import Camp, State, camp_of, markers_turned, seated_ally
from games.ranking import Rank, ranking, ranks

ALLIED_OFF_HERD = 2  # PC-6.5: points off the herd that each ally has to have


class ScoreRow(Struct, frozen=True, gc=False):
    """PC-6.7: the points of one seat."""

    seat: int
    tribe: str
    markers: int
    extra: int
    horses: int
    horseless_penalty: int
    off_herd: int
    herd_points: int
    own_total: int
    ally: str | None
    combined: bool
    tiebreak_off_herd: int
    tiebreak_horses: int
    total: int
    rank: int


class Sheet(Struct, frozen=True, gc=False):
    """The points of one tribe without its ally (PC-6.1 to 6.4)."""

    tribe: str
    markers: int
    extra: int
    horses: int
    horseless_penalty: int
    off_herd: int
    herd_points: int
    own_total: int


class SharedScore(Sheet, frozen=True, gc=False):
    """PC-6.7: the points of the shared tribe, and the rank it would have."""

    ally: str | None
    combined: bool
    tiebreak_off_herd: int
    tiebreak_horses: int
    total: int
    would_rank: int


class Scores(Struct, frozen=True, gc=False):
    """The score sheet; during the game, as if it ended now."""

    scores: tuple[ScoreRow, ...]
    shared_tribe: SharedScore | None
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]


def sheet(state: State, camp: Camp) -> Sheet:
    """PC-6.1 to 6.4: a horseless tribe loses one point, once, if it has one (PC-R37)."""
    markers = markers_turned(state, camp.tribe)
    penalty = int(not camp.horses and markers + camp.extra > 0)
    off_herd, herd = markers + camp.extra - penalty, herd_points(camp.horses)
    return Sheet(camp.tribe, markers, camp.extra, camp.horses, penalty, off_herd, herd, off_herd + herd)


def herd_points(horses: int) -> int:
    """PC-6.2: a point for each horse beyond the free ones."""
    return horses - FREE_HERD if horses > FREE_HERD else 0


class Standing(Struct, frozen=True, gc=False):
    """A tribe's place among the others (PC-6.5, PC-6.6)."""

    ally: str | None
    combined: bool
    tiebreak_off_herd: int
    tiebreak_horses: int
    total: int

    @property
    def key(self) -> tuple[int, int, int]:
        """PC-6.6: points, then off-herd points, then horses."""
        return self.total, self.tiebreak_off_herd, self.tiebreak_horses


def standing(state: State, mine: Sheet) -> Standing:
    """PC-6.5: two seated allies with 2 off-herd points each add their own totals."""
    camp = camp_of(state, mine.tribe)
    ally = seated_ally(state, camp)
    other = None if ally is None else sheet(state, ally)
    if other is None or min(mine.off_herd, other.off_herd) < ALLIED_OFF_HERD:
        return Standing(camp.ally, False, mine.off_herd, mine.horses, mine.own_total)
    total = mine.own_total + other.own_total
    if state.options.allied_ranking == "individual":
        return Standing(camp.ally, True, mine.off_herd, mine.horses, total)
    return Standing(camp.ally, True, mine.off_herd + other.off_herd, mine.horses + other.horses, total)


def scores(state: State) -> Scores:
    """PC-6.7: the score sheet so far; empty before the camps are set up."""
    sheets = {camp.tribe: sheet(state, camp) for camp in state.camps}
    stands = {tribe: standing(state, mine) for tribe, mine in sheets.items()}
    seats = {camp.seat: camp.tribe for camp in state.camps if camp.seat is not None}
    rank_of = ranks({seat: stands[tribe].key for seat, tribe in sorted(seats.items())})
    rows = tuple(
        ScoreRow(seat=seat, rank=rank_of[seat], **_row(sheets[tribe], stands[tribe]))
        for seat, tribe in sorted(seats.items())
    )
    shared = None
    if state.shared is not None:
        key = stands[state.shared].key
        would = 1 + sum(stands[tribe].key > key for tribe in seats.values())
        shared = SharedScore(would_rank=would, **_row(sheets[state.shared], stands[state.shared]))
    places = ranking(rank_of)
    return Scores(rows, shared, places, places[0].seats if places else ())


def _row(mine: Sheet, place: Standing) -> dict[str, Any]:
    row: dict[str, Any] = {**to_builtins(mine), **to_builtins(place)}
    return row
