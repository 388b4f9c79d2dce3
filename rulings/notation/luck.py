"""Writes the luck of a finished table down: each move is played again, and what it drew is noted."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from events.log import LogDamaged
from games.kernel import MoveRefused
from projections.table import Table
from rulings.notation.document import Amended, Document, Drawn, Item, Played, Variation
from rulings.replay import Decider, Draw, World

replace = msgspec.structs.replace


def with_luck(table: Table, document: Document) -> Document:
    """The document with all draws; raises `LogDamaged` if the moves do not lead to the table's state."""
    return _Noting(table).document(document)


class _Moment(NamedTuple):
    """The game, and the house rules as they were named."""

    world: World
    options: dict[str, Any]


class _Noting:
    def __init__(self, table: Table) -> None:
        self._table, self._decider = table, Decider(table)

    def document(self, document: Document) -> Document:
        """The document with all draws."""
        named = self._table.opened.options
        begun = self._decider.begin(self._decider.options(named))
        try:
            items, last = self._line(document.items, _Moment(begun.world, named))
        except MoveRefused as refusal:
            raise LogDamaged(f"{self._table.id}: a recorded move is refused: {refusal}") from None
        if last.world.state != self._table.state:
            raise LogDamaged(f"{self._table.id}: its moves do not lead to its recorded end")
        return replace(document, setup=_written(begun.draws), items=items)

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
        named = moment.options | item.options
        return _Moment(moment.world.under(self._decider.options(named)), named)

    def _played(self, item: Played, moment: _Moment) -> tuple[Played, _Moment]:
        decided = self._decider.play(moment.world, item.seat, item.move)
        return replace(item, draws=_written(decided.draws)), _Moment(decided.world, moment.options)


def _written(draws: Iterable[Draw]) -> tuple[Drawn, ...]:
    return tuple(Drawn(draw.kind, tuple(map(msgspec.to_builtins, draw.outcome))) for draw in draws)
