"""A preview of a remedy is the same in every world that agrees with what was seen, so it reveals nothing."""

from typing import Any

import msgspec
import pytest

from events.envelopes import Recorded
from games import GAMES
from games.kernel import MoveRefused
from projections.event_conversion import new_events_of
from projections.history import TableHistory
from projections.table import Table
from rulings.other_readings import Ruling, first_difference, recorded_events, ruling_at
from service.errors import Refused
from service.tables import disputes
from service.tables.disputes import Contested
from service.tables.table_documents import is_ruling, present_remedy
from tests.disputed_tables import Court, luck
from tests.service.api.twins import Twin
from tests.tables import ANN
from wintercount.testing.random_games import chance_of

SEATS = {"big-manitou": "ann ben cat", "manitou": "ann ben cat", "tomahawk": "ann ben", "plenty-coups": "ann ben cat"}
MOVES = {"big-manitou": 60, "manitou": 60, "tomahawk": 12, "plenty-coups": 90}
# Besides True, the values of `differs` that a preview gives: False, or None where hidden cards decide.
ALSO: dict[str, set[bool | None]] = {
    "big-manitou": {False},
    "manitou": set(),
    "tomahawk": {False},
    "plenty-coups": {False, None},
}
TRIES = 60
GAMES_EACH = 2


class Elsewhere(Twin):
    """The table as whoever made the disputed move might also have seen it: the move led to the same events for all.

    In Tomahawk a move turns up what both had laid, so that only the draw piles are others.
    """

    def __init__(self, ruling: Ruling, seed: int) -> None:
        self._ruling = ruling
        super().__init__(ruling.history, ruling.batch.moves[0].seat, seed)

    def _other_state(self, table: Table) -> Any:
        if table.opened.game == "tomahawk":
            sides = [msgspec.structs.replace(side, draw_pile=side.draw_pile[::-1]) for side in table.state.sides]
            return msgspec.structs.replace(table.state, sides=tuple(sides))
        for number in range(TRIES):
            self._seed = number
            self._states.pop(table.version, None)
            state = super()._other_state(table)
            if table.version != self._ruling.batch.before or self._leads_on(table, state):
                return state
        raise LookupError("no world leads to what was seen")

    def _leads_on(self, table: Table, state: Any) -> bool:
        (made,) = self._ruling.batch.moves
        try:
            turn = table.game.play(state, made.seat, table.game.read_move(made.move), chance_of(self._seed))
        except MoveRefused:
            return False
        number = self._ruling.number + 1
        was, now = recorded_events(self._ruling)[:number], new_events_of(table.game, turn)[:number]
        return first_difference(table.game, was, now) is None


class Deciding:
    """A handler that decides on a history and records nothing."""

    def __init__(self, court: Court, history: TableHistory) -> None:
        self.texts, self.now_ms, self._history = court.handler.texts, court.handler.now_ms, history

    def change(self, _: str, decide: Any, __: Any) -> Any:
        """The decision."""
        return decide(self._history)


def told(court: Court, history: TableHistory, event: Recorded) -> list[Any]:
    """What a preview of all remedies tells, and whether each is refused, with all that the refusal says."""
    handler: Any = Deciding(court, history)
    judged = disputes.preview(handler, history, event.version, None, None)
    found: list[Any] = [present_remedy(history.table, one, "en") for one in judged]
    for one in judged:
        contested = Contested(1, event.version, one.rule, "no", msgspec.to_builtins(one.remedy))
        try:
            disputes.dispute(handler, history.table.id, court.sent(ANN), contested)
        except Refused as refusal:
            found.append((refusal.code, refusal.detail, refusal.members))
        else:
            found.append("opened")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_remedy_tells_no_secret(game: str) -> None:
    """Preview, acceptance and refusal of every remedy of every ruling, as the rulings fall."""
    settled = set[bool | None]()
    for seed in range(GAMES_EACH):
        with luck(seed):
            settled |= compared(game)
    assert settled == {True, *ALSO[game]}


def compared(game: str) -> set[bool | None]:
    """Whether remedies differ, of all rulings of a game, each compared with what would be told elsewhere."""
    court, settled = Court(), set[bool | None]()
    table = court.open_disputable(game, SEATS[game])
    for _ in range(MOVES[game]):
        court.step(table)
        history = court.history(table)
        first, last = history.events[-1].envelope.batch
        for event in history.events[first - 1 : last]:
            ruling = ruling_at(history, event.version) if is_ruling(event) else None
            if ruling and not history.table.over:
                said, twin = told(court, history, event), Elsewhere(ruling, 1)
                settled |= {row["differs"] for row in said if isinstance(row, dict)}
                assert told(court, twin, event) == said, event  # type: ignore[arg-type] # stands for a history
    return settled
