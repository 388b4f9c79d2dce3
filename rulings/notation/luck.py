"""Writes the luck of a finished table down: each move is played again, and what it drew is noted."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from events.log import LogDamaged
from events.luck import Luck
from games.kernel import MoveRefused, Transition
from games.reading import options_of
from games.schemas import kept_state
from projections.table import Table, more
from rulings.notation.document import Amended, Document, Drawn, Item, Played, Variation

T = TypeVar("T")
replace = msgspec.structs.replace


def with_luck(table: Table, document: Document) -> Document:
    """The document with all draws; raises `LogDamaged` if the moves do not lead to the table's state."""
    return _Noting(table).document(document)


class _Noted(Luck):
    """The table's own luck, which notes what it draws."""

    def __init__(self, table: Table, before: Mapping[str, int]) -> None:
        super().__init__(*table.luck_source, before)
        self.draws: list[Drawn] = []

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        found = super().__call__(kind, population, count)
        self.draws.append(Drawn(kind, tuple(map(msgspec.to_builtins, found))))
        return found


class _Moment(NamedTuple):
    """The game, how many draws of each kind led to it, and the house rules as they were named."""

    state: Any
    counts: dict[str, int]
    options: dict[str, Any]


class _Noting:
    def __init__(self, table: Table) -> None:
        self._table, self._game = table, table.game

    def document(self, document: Document) -> Document:
        """The document with all draws."""
        raw = self._table.opened.options
        setup, moment = self._begun(raw)
        try:
            items, last = self._line(document.items, moment)
        except MoveRefused as refusal:
            raise LogDamaged(f"{self._table.id}: a recorded move is refused: {refusal}") from None
        if last.state != self._table.state:
            raise LogDamaged(f"{self._table.id}: its moves do not lead to its recorded end")
        return replace(document, setup=setup, items=items)

    def _begun(self, raw: dict[str, Any]) -> tuple[tuple[Drawn, ...], _Moment]:
        fork = self._table.fork
        if fork is None:
            luck = _Noted(self._table, {})
            turn: Transition[Any] = self._game.start(self._table.opened.players, self._options(raw), luck)
            return tuple(luck.draws), _Moment(turn.state, luck.drawn, raw)
        state = replace(kept_state(self._game, fork.state or {}), options=self._options(raw))
        return (), _Moment(state, fork.draws, raw)

    def _options(self, raw: Mapping[str, Any]) -> Any:
        return options_of(self._game, raw, self._table.opened.players, self._table.opened.rules_version)

    def _line(self, items: Sequence[Item], moment: _Moment) -> tuple[tuple[Item, ...], _Moment]:
        written: list[Item] = []
        for item in items:
            if isinstance(item, Variation):
                written.append(Variation(self._line(item.items, moment)[0]))
            elif isinstance(item, Played):
                played, moment = self._played(item, moment)
                written.append(played)
            else:
                moment = self._amended(item, moment) if isinstance(item, Amended) else moment
                written.append(item)
        return tuple(written), moment

    def _amended(self, item: Amended, moment: _Moment) -> _Moment:
        raw = moment.options | item.options
        return _Moment(replace(moment.state, options=self._options(raw)), moment.counts, raw)

    def _played(self, item: Played, moment: _Moment) -> tuple[Played, _Moment]:
        luck = _Noted(self._table, moment.counts)
        turn = self._game.play(moment.state, item.seat, item.move, luck)
        after = _Moment(turn.state, more(moment.counts, luck.drawn), moment.options)
        return replace(item, draws=tuple(luck.draws)), after
