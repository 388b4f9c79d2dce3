"""Makes a document from a recorded table, as a seat or a spectator may read it."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from events.envelopes import Recorded, event_as_read
from events.lifecycle import CLOCK_FIELDS, TEXTS, Text
from events.log import LogDamaged
from games.kernel import MoveRefused
from projections.history import TableHistory
from projections.table import Seat, Table
from rulings.notation.document import FORMAT, Amended, Comment, Corrected, Document, Drawn, Item, Played, Tag, Variation
from rulings.replay import Batch, Decider, Draw, ReplayState, batches
from rulings.sentences import TABLE, name_of, sentence

REMARKS = ("SeatHandedOver", "SeatResigned", "DisputeOpened", "DisputeResolved", "RulingCorrected")  # become comments
DEEPEST = 20  # nesting of undone play
LEFT_OUT = Comment("The play that was undone here is left out.")
ItemT = TypeVar("ItemT", bound=Item)

Names = Mapping[str, str]
UNNAMED: Names = {}
ReadText = Callable[[str, str, Text | None], str | None]
"""Returns a text that a person wrote, decrypted; gets the table and the event's type."""


def hide_text(_: str, __: str, text: Text | None) -> str | None:
    """Returns a placeholder for an encrypted text."""
    if text is None or isinstance(text, str):
        return text
    return name_of(TABLE, "removed_text", "en")


def document_of(
    history: TableHistory, seat: int | None, *, over: bool, names: Names = UNNAMED, read_text: ReadText = hide_text
) -> Document:
    """Returns the table as `seat` (None: a spectator) may read it; everything if the game is `over`.

    `names` maps ids of players to names, and `read_text` decrypts what people wrote. Raises `LogDamaged` if the moves
    of a finished game do not lead to its recorded end.
    """
    items = _Line(history, seat, read_text, over=over).items()
    bare = Document((*_tags(history.table, names), *_reader(history.table, seat, over=over)), (), items)
    return _with_luck(history.table, bare) if over else bare


def _tags(table: Table, names: Names) -> Iterator[Tag]:
    opened, fork = table.opened, table.fork
    yield Tag("Format", (FORMAT,))
    yield Tag("Game", (opened.game,))
    yield Tag("Rules", (opened.rules_version,))
    yield Tag("Players", (opened.players,))
    yield Tag("Options", named=dict(sorted(opened.options.items())))
    if opened.clock:
        fields = sorted(CLOCK_FIELDS[opened.clock.kind])
        yield Tag("Clock", (opened.clock.kind,), {name: getattr(opened.clock, name) for name in fields})
    yield Tag("Table", (table.id,))
    yield Tag("Opened", (table.opened_at,))
    yield from (
        Tag("Seat", (seat.seat,), _holder(seat, names.get(str(seat.player)) or name_of(TABLE, "somebody", "en")))
        for seat in table.seats
        if seat.taken
    )
    if fork:
        yield Tag("Branch", (fork.parent,), {"version": fork.parent_version})


def _holder(seat: Seat, name: str) -> dict[str, Any]:
    if seat.ai:
        return {"ai": seat.ai.player, "level": seat.ai.level}
    return {"name": name, "bot": True} if seat.bot else {"name": name}


def _reader(table: Table, seat: int | None, *, over: bool) -> Iterator[Tag]:
    """Yields the winners; while the game runs, the version and the reader instead."""
    if not over:
        yield Tag("Version", (table.version,))
        yield Tag("Reader", ("spectator",) if seat is None else (seat,))
        return
    if table.fork:
        yield Tag("State", (table.fork.state,))
    if winners := getattr(table.scores, "winners", ()):
        yield Tag("Winners", tuple(winners))


class _Entry(NamedTuple, Generic[ItemT]):
    """An item, and the version at which it was recorded."""

    version: int
    item: ItemT


def _cut(entries: list[_Entry[ItemT]], to: int) -> list[_Entry[ItemT]]:
    """Removes and returns the entries after a version; entries are ordered by version."""
    place = bisect_right(entries, to, key=lambda entry: entry.version)
    removed = entries[place:]
    del entries[place:]
    return removed


class _Line:
    """Builds the main line, with undone play as variations; numbers the moves at the end."""

    def __init__(self, history: TableHistory, seat: int | None, read_text: ReadText, *, over: bool) -> None:
        self._history, self._seat, self._read_text, self._over = history, seat, read_text, over
        self._game = history.table.game
        self._entries: list[_Entry[Item]] = []
        self._amendments: list[_Entry[Amended]] = []  # those among the entries
        self._amended: dict[str, Any] = {}

    def items(self) -> tuple[Item, ...]:
        """Returns the numbered items."""
        for batch in batches(self._history):
            for event in batch.events:
                self._remark(event)
            for number, item in enumerate(self._moves(batch)):
                self._entries.append(_Entry(batch.last, item))
                if number == 0 and item.move is None and batch.played:  # the reader saw its first event
                    self._entries.append(_Entry(batch.last, self._comment(batch.played[0])))
        return tuple(number_moves([entry.item for entry in self._entries], 1))

    def _remark(self, event: Recorded) -> None:
        if event.envelope.type == "PlayTakenBack":
            self._undo(event)
        elif event.envelope.type in REMARKS or event.payload.get("reason", "game_over") != "game_over":
            self._entries.append(_Entry(event.version, self._comment(event)))

    def _comment(self, event: Recorded) -> Comment:
        read = event_as_read(event, self._seat, over=self._over)["payload"]
        type_ = event.envelope.type
        if field := TEXTS.get(type_):
            kept: Text | None = msgspec.convert(read[field], Text | None)
            read = read | {field: self._read_text(event.envelope.table, type_, kept)}
        words = sentence(self._history.table.opened.game, type_, read, "en")
        return Comment(" ".join(words.replace("{", "(").replace("}", ")").split()))

    def _moves(self, batch: Batch) -> Iterator[Played]:
        cause = batch.events[0]
        opened = cause.opened_for(self._seat, over=self._over)
        if "move" in cause.envelope.secrets:
            move = opened["move"].value if "move" in opened else None
            yield self._played(cause.envelope.by["seat"], move, cause.envelope.draws)
        if batch.taken_back:
            known = {row["seat"]: row["move"] for row in opened["again"].value} if "again" in opened else {}
            for number, seat in enumerate(list(known) or batch.taken_back.envelope.payload["again"]):
                corrected = _corrected(one.payload for one in batch.corrections if one.payload["move"] == number)
                yield msgspec.structs.replace(self._played(seat, known.get(seat), {}), corrected=corrected)

    def _played(self, seat: int, move: Any, draws: dict[str, int]) -> Played:
        hidden = tuple(Drawn(kind, None) for kind, count in sorted(draws.items()) for _ in range(count))
        return Played(0, seat, None if move is None else self._game.read_move(move), () if self._over else hidden)

    def _undo(self, event: Recorded) -> None:
        """Makes a variation of all after the version that play returns to."""
        payload = event.envelope.payload
        undone = [entry.item for entry in _cut(self._entries, payload["to"])]
        _cut(self._amendments, payload["to"])
        self._amended |= payload["options"]
        self._entries += [_Entry(event.version, item) for item in self._as_variation(undone, event)]
        if needed := self._not_yet_amended():
            self._entries.append(_Entry(event.version, Amended(needed)))
            self._amendments.append(_Entry(event.version, Amended(needed)))

    def _as_variation(self, undone: Sequence[Item], event: Recorded) -> Iterator[Item]:
        """Yields the undone play as a variation, then the reason as a comment."""
        # Variations and comments before the first move belong to the moment that play returns to.
        leading = list(takewhile(lambda item: isinstance(item, Variation | Comment), undone))
        yield from leading
        if rest := tuple(undone[len(leading) :]):
            yield Variation(rest) if _depth(rest) < DEEPEST else LEFT_OUT
        yield self._comment(event)

    def _not_yet_amended(self) -> dict[str, Any]:
        """Returns the amendments that the main line does not contain yet."""
        there: dict[str, Any] = {}
        for entry in self._amendments:
            there |= entry.item.options
        return {name: value for name, value in self._amended.items() if name not in there or there[name] != value}


def _corrected(payloads: Iterable[Mapping[str, Any]]) -> tuple[Corrected, ...]:
    return tuple(
        Corrected(one["event"], one["ruling"], one["corrected"])
        for one in payloads
        if one["corrected"] != one["decided"]
    )


def _depth(items: Sequence[Item]) -> int:
    return 1 + max((_depth(item.items) for item in items if isinstance(item, Variation)), default=0)


def number_moves(items: Sequence[Item], number: int) -> Iterator[Item]:
    """Yields the items with their moves numbered from `number` on; a variation continues from its place."""
    for item in items:
        if isinstance(item, Variation):
            yield Variation(tuple(number_moves(item.items, number)))
        elif isinstance(item, Played):
            yield msgspec.structs.replace(item, number=number)
            number += 1
        else:
            yield item


def _with_luck(table: Table, document: Document) -> Document:
    """Returns the document with all draws, by replaying each move.

    Raises `LogDamaged` if the moves do not lead to the table's state.
    """
    decider, named = Decider(table), table.opened.options
    begun = decider.begin(decider.options(named))
    try:
        items, last = _played_again(decider, document.items, begun.world, named)
    except MoveRefused as refusal:
        raise LogDamaged(f"{table.id}: a recorded move is refused: {refusal}") from None
    if last.state != table.state:
        raise LogDamaged(f"{table.id}: its moves do not lead to its recorded end")
    return msgspec.structs.replace(document, setup=_drawn(begun.draws), items=items)


def _played_again(
    decider: Decider, items: Sequence[Item], world: ReplayState, named: dict[str, Any]
) -> tuple[tuple[Item, ...], ReplayState]:
    """Returns the items of a line with their draws, and the state after them; `named` are the house rules."""
    written: list[Item] = []
    for item in items:
        if isinstance(item, Variation):
            written.append(Variation(_played_again(decider, item.items, world, named)[0]))
        elif isinstance(item, Played):
            decided = decider.play(world, item.seat, item.move, item.rulings(decider.game))
            written.append(msgspec.structs.replace(item, draws=_drawn(decided.draws)))
            world = decided.world
        else:
            if isinstance(item, Amended):
                named = named | item.options
                world = world.under(decider.options(named))
            written.append(item)
    return tuple(written), world


def _drawn(draws: Iterable[Draw]) -> tuple[Drawn, ...]:
    return tuple(Drawn(draw.kind, tuple(map(msgspec.to_builtins, draw.outcome))) for draw in draws)
