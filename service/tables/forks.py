"""Branches: new tables that play on from a version of another table, with other luck, house rules or players.

While the parent runs, a branch must reveal nothing. Whatever its opener may not see at the parent is dealt anew, and an
opener who sits at the parent branches in private, against AI seats alone. An arbiter branches as a spectator does.
"""

import secrets
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from events.envelopes import Recorded, event_as_read
from events.lifecycle import DisputeRules, SeatOffer, TimeControl
from events.verifiable_luck import Imagined
from games.house_rules import reshaped
from projections.history import TableHistory, effective_events, past_row, past_rows, readable
from projections.lobby_rows import forked_from
from projections.table import Table
from service.accounts.callers import Caller, Player
from service.command_handler import CommandContext, CommandHandler, Outcome
from service.errors import Refused, refuse_first
from service.tables.authorisation import Viewer, may_see, viewer_of
from service.tables.opening import Opening, house_rules, open_table
from service.tables.table_documents import event_row, present_origin
from service.tables.time_travel import settled_at
from service.transcripts import is_transcript

MOST_FORKS = 100  # that one question follows back

Line = list[tuple[TableHistory, int]]  # a table and its ancestors, oldest first, each with the version where it ends


class Forking(msgspec.Struct, frozen=True):
    """A request to branch from `version`.

    `options` are the house rules to change. `chance` is `anew`, or `continued` once the parent is over: the same draws
    wherever the populations are the same. By default the opener keeps their seat, AI players take the others, and the
    branch is as public as it may be.
    """

    version: int
    options: dict[str, Any] = {}
    chance: str = "anew"
    seats: tuple[SeatOffer, ...] | None = None
    visibility: str | None = None
    clock: TimeControl | None = None
    arbiter: str | None = None
    disputes: DisputeRules | None = None
    contribution: str | None = None


def fork(
    handler: CommandHandler, parent: TableHistory, sent: CommandContext, forking: Forking, name: bytes | None = None
) -> Outcome:
    """Opens a branch of a table that the caller may see; raises `Refused`. `name` is as for `open_table`."""
    then = _then(parent, forking.version)

    def begun(options: Mapping[str, Any]) -> dict[str, Any]:
        luck = _luck(parent.table, then, forking)
        return luck | origin(parent, then, viewer_of(parent.table, sent.caller), options)

    return open_table(handler, sent, _opening(parent.table, then, sent.player, forking), name, begun)


def seats_of_branch(parent: TableHistory, sent: CommandContext, forking: Forking) -> tuple[SeatOffer, ...]:
    """Returns the requested seats, or the default; raises `Refused`."""
    then = _then(parent, forking.version)
    return forking.seats or _same_seats(then, parent.table.seat_of(sent.caller.id), sent.player)


def _then(parent: TableHistory, version: int) -> Table:
    """Returns the parent at the version, or before the move that led to its event; raises `Refused`."""
    then = settled_at(parent, version)
    if then.state is None:
        raise Refused("fork_refused", f"at version {version} the game has not begun")
    if then.over:
        raise Refused("fork_refused", f"at version {then.version} the game is over; fork from an earlier one")
    return then


def _opening(table: Table, then: Table, player: Player, forking: Forking) -> Opening:
    """Returns the branch as a table to open; raises `Refused` if it would reveal secrets of the parent."""
    seated = table.seat_of(player.id)
    in_private = not table.over and seated is not None
    hidden = in_private or table.opened.visibility == "private"
    seats = forking.seats or _same_seats(then, seated, player)
    visibility = forking.visibility or ("private" if hidden else "public")
    refuse_first(
        "fork_refused",
        (hidden and visibility == "public", "this branch would reveal what the parent keeps secret: make it private"),
        (
            in_private and any(one.kind != "ai" and (one.seat, one.player) != (seated, player.id) for one in seats),
            "while the game runs you branch in private: with your own seat and AI",
        ),
        (in_private and forking.arbiter is not None, "an arbiter would see what the parent keeps secret: name none"),
        (len(seats) != then.opened.players, f"the branch needs {then.opened.players} seats, as the table has"),
    )
    return Opening(
        then.opened.game,
        seats,
        _options(then, forking.options),
        visibility,
        forking.clock,
        forking.arbiter,
        forking.disputes,
        forking.contribution,
        rated=False,
        aids=then.opened.aids,
    )


def _same_seats(then: Table, seated: int | None, player: Player) -> tuple[SeatOffer, ...]:
    """Returns the opener in their own seat, and AI in all others: those that sit there, greedy ones for people."""
    return tuple(
        SeatOffer(seat.seat, "player", player.id)
        if seat.seat == seated
        else SeatOffer(seat.seat, "ai", level=seat.ai.level if seat.ai else "greedy")
        for seat in then.seats
    )


def _options(then: Table, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the house rules of the branch; raises `Refused` for a change of those that shaped the set-up."""
    options = house_rules(then.game, then.options | dict(changes), then.opened.players)
    if name := reshaped(then.game, then.options, options):
        raise Refused("option_refused", f"`{name}` shaped the set-up, which the branch keeps", option=name)
    return options


def _luck(table: Table, then: Table, forking: Forking) -> dict[str, Any]:
    """Returns the luck of the branch: its own, or the parent's from where it stood."""
    if forking.chance == "anew":
        return {"chance": "anew", "parent_seed": None, "contributions": [], "draws": {}}
    refuse_first(
        "fork_refused",
        (table.transcribed, "a transcript has no seed to continue with: take chance `anew`"),
        (not table.over, "the parent's luck is a secret until its game is over: take chance `anew`"),
        (forking.contribution is not None, "continued luck takes no contribution"),
    )
    seed, contributions = then.luck_source
    return {"chance": "continued", "parent_seed": seed, "contributions": contributions, "draws": then.draws}


def origin(parent: TableHistory, then: Table, viewer: Viewer, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parent of the branch, the state that it continues from, and the past that led there."""
    state = then.state if viewer.over else _world(parent, then, viewer.seat)
    read = then.game.read_options(options, then.opened.players)
    return {
        "parent": then.id,
        "parent_version": then.version,
        "parent_head": then.head.hash.hex(),
        "dealt_anew": not viewer.over,
        "state": msgspec.to_builtins(msgspec.structs.replace(state, options=read)),
        "past": past_of(parent, then.version, None if viewer.over else viewer),
    }


def _world(parent: TableHistory, then: Table, seat: int | None) -> Any:
    """Returns the game with what the seat may not see dealt anew."""
    feed = parent.feed(seat, until=then.version)
    return then.game.imagine(then.game.view(then.state, seat), feed, Imagined(secrets.randbits(256)))


def past_of(parent: TableHistory, version: int, viewer: Viewer | None) -> list[dict[str, Any]]:
    """Returns the game's effective events up to a version, as the viewer may read them; without a viewer in full."""

    def payload(event: Recorded) -> dict[str, Any] | None:
        return event_as_read(event, viewer.seat, over=viewer.over)["payload"] if viewer else None

    before = [
        row | {"payload": readable(row["payload"], row["readers"], viewer.seat)} if viewer else dict(row)
        for row in past_rows(parent.table)
    ]
    kinds = parent.table.game.kinds
    effective = effective_events(parent.events[:version])
    return before + [past_row(event, payload(event)) for event in effective if event.envelope.type in kinds]


# Comparison


class LineEvent(NamedTuple):
    """An event of the game on a line of ancestors, and how the caller may read it there."""

    event: Recorded
    viewer: Viewer

    def content(self) -> tuple[str, dict[str, Any]]:
        """Returns what happened, whichever table recorded it."""
        row = event_as_read(self.event, self.viewer.seat, over=self.viewer.over)
        return row["type"], row["payload"]


def comparison(
    handler: CommandHandler, one: TableHistory, other: TableHistory, caller: Caller, language: str
) -> dict[str, Any]:
    """Returns where two branches part and how each went on; raises `Refused` if they have no common ancestor.

    The first difference is the first event after the common version that the caller reads differently in the two.
    """
    lines = [_line(handler, history, caller) for history in (one, other)]
    common = _common(*lines)
    if common is None:
        raise Refused("unrelated_tables", "the tables have no common ancestor that you may see")
    table, version = common
    since = [_since(line, table, version, caller) for line in lines]
    pairs = enumerate(zip_longest(*since), 1)
    differing = ((n, (a, b)) for n, (a, b) in pairs if not (a and b and a.content() == b.content()))
    number, pair = next(differing, (None, (None, None)))
    rows = [found and event_row(found.event, one.table, found.viewer, language) for found in pair]
    return {
        "common": {"table": table, "version": version},
        "branches": [_branch(history.table, len(events)) for history, events in zip((one, other), since, strict=True)],
        "first_difference": None if number is None else {"number": number, "events": rows},
    }


def _line(handler: CommandHandler, history: TableHistory, caller: Caller) -> Line:
    """Returns the table and its ancestors, as far as the caller may see them."""
    line = [(history, history.table.version)]
    while (fork := line[0][0].table.fork) and len(line) < MOST_FORKS:
        parent = _parent(handler, fork.parent, caller)
        if parent is None or not may_see(parent.table, caller):
            break
        line.insert(0, (parent, fork.parent_version))
    return line


def _parent(handler: CommandHandler, table: str, caller: Caller) -> TableHistory | None:
    if not is_transcript(table):
        return handler.cache.load(table)
    try:
        return handler.transcripts.history(table, caller)
    except Refused:  # deleted, or another player's
        return None


def _common(one: Line, other: Line) -> tuple[str, int] | None:
    """Returns the last table and version that both lines have."""
    found = None
    for (history, until), (with_history, with_until) in zip(one, other, strict=False):
        if history.table.id != with_history.table.id:
            break
        found = history.table.id, min(until, with_until)
    return found


def _since(line: Line, table: str, version: int, caller: Caller) -> list[LineEvent]:
    """Returns the game's events on a line after a version of one of its tables."""
    names = [history.table.id for history, _ in line]
    found: list[LineEvent] = []
    for history, until in line[names.index(table) :]:
        kinds, viewer = history.table.game.kinds, viewer_of(history.table, caller)
        after = version if history.table.id == table else 0
        events = effective_events(history.events[:until])
        found += [LineEvent(e, viewer) for e in events if e.version > after and e.envelope.type in kinds]
    return found


def _branch(table: Table, events: int) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.opened.game,
        "forked_from": present_origin(forked_from(table)),
        "version": table.version,
        "status": table.status,
        "options": dict(table.options),
        "events": events,
        "scores": msgspec.to_builtins(table.scores),
    }
