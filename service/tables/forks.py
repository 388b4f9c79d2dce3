"""Branches: a new table that plays on from a version of another, with other luck, other house rules or other players.

While the parent runs, a branch tells its player nothing: what the player may not see at the parent is dealt anew. And
it tells others nothing of what its player sees there: whoever sits at the parent branches in private, against AI seats
alone. An arbiter branches as a spectator does, whatever was looked at.
"""

import secrets
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec

from events.lifecycle import DisputeRules, SeatOffer, TimeControl
from events.luck import Imagined
from events.recorded import Recorded, event_as_read
from games.house_rules import reshaped
from projections.history import TableHistory, effective_events, past_row, past_rows, readable
from projections.lobby import forked_from
from projections.table import Table
from service.accounts.callers import Caller, Player
from service.commands import CallerContext, CommandHandler, Outcome
from service.errors import Refused, refuse_first
from service.tables.event_rows import event_row
from service.tables.opening import (
    Opening,
    check_offers,
    first_batch,
    house_rules,
    opened_as,
    table_id,
)
from service.tables.viewing import Viewer, may_see, present_origin, settled, viewer_of
from service.transcripts import is_transcript

MOST_FORKS = 100  # of forks, that one question follows back


class Told(NamedTuple):
    """An event of the game on a line of ancestors, as the caller may read it there."""

    table: str
    event: Recorded
    viewer: Viewer

    def new_event(self) -> tuple[str, dict[str, Any]]:
        """What happened, wherever it was recorded."""
        row = event_as_read(self.event, self.viewer.seat, over=self.viewer.over)
        return row["type"], row["payload"]


def comparison(
    handler: CommandHandler, one: TableHistory, other: TableHistory, caller: Caller, language: str
) -> dict[str, Any]:
    """Where two tables of one game part and what came of each; raises `Refused` if neither stems from the other's line.

    The first difference is the first event after the common version that the caller reads differently in the two.
    """
    lines = [lineage(handler, history, caller) for history in (one, other)]
    common = _common(lines[0], lines[1])
    if common is None:
        raise Refused("unrelated_tables", "neither is a branch of the other, nor are both of one that you may see")
    table, version = common
    told = [_since(line, table, version, caller) for line in lines]
    pairs = enumerate(zip_longest(*told), 1)
    differs = ((number, pair) for number, pair in pairs if not _same(*pair))
    number, pair = next(differs, (None, (None, None)))
    rows = [event and event_row(event.event, one.table, event.viewer, language) for event in pair]
    return {
        "common": {"table": table, "version": version},
        "branches": [_branch(history.table, len(events)) for history, events in zip((one, other), told, strict=True)],
        "first_difference": None if number is None else {"number": number, "events": rows},
    }


def _same(one: Told | None, other: Told | None) -> bool:
    """Whether both say the same."""
    return one is not None and other is not None and one.new_event() == other.new_event()


def lineage(handler: CommandHandler, history: TableHistory, caller: Caller) -> list[tuple[TableHistory, int]]:
    """The table and its ancestors, the oldest first, each with the version up to which it counts."""
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
    except Refused:  # it is deleted, or for somebody else
        return None


def _common(one: list[tuple[TableHistory, int]], other: list[tuple[TableHistory, int]]) -> tuple[str, int] | None:
    """The last table and version that both lines have."""
    found = None
    for (history, until), (with_history, with_until) in zip(one, other, strict=False):
        if history.table.id != with_history.table.id:
            break
        found = history.table.id, min(until, with_until)
    return found


def _since(line: list[tuple[TableHistory, int]], table: str, version: int, caller: Caller) -> list[Told]:
    """The game's events on a line after a version of one of its tables."""
    names = [history.table.id for history, _ in line]
    told: list[Told] = []
    for history, until in line[names.index(table) :]:
        kinds, viewer = history.table.game.kinds, viewer_of(history.table, caller)
        after = version if history.table.id == table else 0
        effective = effective_events(history.events[:until])
        own = (event for event in effective if event.version > after and event.envelope.type in kinds)
        told += [Told(history.table.id, event, viewer) for event in own]
    return told


def _branch(table: Table, events: int) -> dict[str, Any]:
    """How a branch went on; `events` are the game's since the branches parted."""
    return {
        "table": table.id,
        "game": table.opened.game,
        "forked_from": present_origin(forked_from(table)),
        "version": table.version,
        "status": table.status,
        "options": dict(table.options),
        "events": events,
        "scores": None if table.state is None else msgspec.to_builtins(table.game.scores(table.state)),
    }


class Forking(msgspec.Struct, frozen=True):
    """A request for a branch: from which version on, and what should differ.

    `options` are the house rules to change. `chance` is `anew` or, once the parent is over, `continued`: the same
    draws wherever their populations are the same. Without `seats` the forking player keeps the own seat and AI play
    the others; without `visibility` the branch is as open as it may be.
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


class Eyewitness(NamedTuple):
    """Who branches, and as which viewer; `all_seeing` if nothing of the parent is hidden any more."""

    viewer: Viewer
    seated: int | None

    @property
    def all_seeing(self) -> bool:
        """Whether the branch begins with the parent's exact state."""
        return self.viewer.over


def fork(
    handler: CommandHandler, parent: TableHistory, asked: CallerContext, forking: Forking, name: bytes | None = None
) -> Outcome:
    """Opens a branch of a table that the caller may see; raises `Refused`. `name` is as for `open_table`."""
    then = _then(parent, forking.version)
    witness = witness_of(parent.table, asked.caller)
    opening = _opening(parent.table, then, witness, asked.player, forking)
    check_offers(then.game, opening, asked.player)
    forked = opened_as(then.game, asked.player, opening)
    forked |= _luck(parent.table, then, forking) | origin(parent, then, witness, forked["options"])
    return handler.open(table_id(name), first_batch(then.game, forked, opening, asked.player), asked.request)


def seats_of_branch(parent: TableHistory, asked: CallerContext, forking: Forking) -> tuple[SeatOffer, ...]:
    """The requested seats, or those that the branch takes over; raises `Refused`."""
    seated = parent.table.seat_of(asked.caller.id)
    return forking.seats or _same_seats(_then(parent, forking.version), seated, asked.player)


def _then(parent: TableHistory, version: int) -> Table:
    """The parent where a player has to decide: at the version, or before the move that led to its event."""
    then = settled(parent, version)
    if then.state is None:
        raise Refused("fork_refused", f"at version {then.version} the game has not begun")
    if then.over:
        raise Refused("fork_refused", f"at version {then.version} the game is over; fork from an earlier one")
    return then


def witness_of(table: Table, caller: Caller) -> Eyewitness:
    """What the caller may see of the parent."""
    return Eyewitness(viewer_of(table, caller), table.seat_of(caller.id))


def _opening(table: Table, then: Table, witness: Eyewitness, player: Player, forking: Forking) -> Opening:
    """The branch as a table to open; raises `Refused` for what would reveal a running game's secrets."""
    in_private = not table.over and witness.seated is not None
    hidden = in_private or table.opened.visibility == "private"
    seats = forking.seats or _same_seats(then, witness.seated, player)
    visibility = forking.visibility or ("private" if hidden else "public")
    strange = any(_is_strange(offer, witness.seated, player) for offer in seats)
    refuse_first(
        "fork_refused",
        (hidden and visibility == "public", "this branch would tell what the parent keeps secret: make it private"),
        (in_private and strange, "while the game runs you branch in private: with your own seat and AI"),
        (in_private and forking.arbiter is not None, "an arbiter would see what the parent keeps secret: name none"),
        (len(seats) != then.opened.players, f"the table has {then.opened.players} seats, and so has its branch"),
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
    """The forking player in the own seat, AI in all others: those that sit there, greedy ones for people."""
    return tuple(
        SeatOffer(seat.seat, "player", player.id)
        if seat.seat == seated
        else SeatOffer(seat.seat, "ai", level=seat.ai.level if seat.ai else "greedy")
        for seat in then.seats
    )


def _is_strange(offer: SeatOffer, seated: int | None, player: Player) -> bool:
    """Whether somebody might sit there who may not see what that seat knows."""
    return offer.kind != "ai" and not (offer.seat == seated and offer.player == player.id)


def _options(then: Table, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The house rules of the branch; raises `Refused` for a change of those that shaped the set-up."""
    opened = then.opened
    options = house_rules(then.game, then.options | dict(changes), opened.players)
    if name := reshaped(then.game, then.options, options):
        raise Refused("option_refused", f"`{name}` shaped the set-up, which a branch goes on from", option=name)
    return options


def _luck(table: Table, then: Table, forking: Forking) -> dict[str, Any]:
    """The luck of the branch: its own, or the parent's from where it stood."""
    if forking.chance == "anew":
        return {"chance": "anew", "parent_seed": None, "contributions": [], "draws": {}}
    if table.transcribed:
        raise Refused("fork_refused", "a text tells what was drawn, and no seed to go on with: take chance `anew`")
    if not table.over:
        raise Refused("fork_refused", "the parent's luck is a secret until its game is over: take chance `anew`")
    if forking.contribution is not None:
        raise Refused("fork_refused", "continued luck takes no contribution: it is settled")
    seed, contributions = then.luck_source
    return {"chance": "continued", "parent_seed": seed, "contributions": contributions, "draws": then.draws}


def origin(parent: TableHistory, then: Table, witness: Eyewitness, options: Mapping[str, Any]) -> dict[str, Any]:
    """Where the branch comes from, the state that it continues from, and the past that led there."""
    read = then.game.read_options(options, then.opened.players)
    return {
        "parent": then.id,
        "parent_version": then.version,
        "parent_head": then.head.hash.hex(),
        "dealt_anew": not witness.all_seeing,
        "state": msgspec.to_builtins(msgspec.structs.replace(_world(parent, then, witness), options=read)),
        "past": past_of(parent, then.version, None if witness.all_seeing else witness.viewer),
    }


def _world(parent: TableHistory, then: Table, witness: Eyewitness) -> Any:
    """The game as it was, or with what the witness may not see dealt anew."""
    if witness.all_seeing:
        return then.state
    seat = witness.viewer.seat
    feed = parent.feed(seat, until=then.version)
    return then.game.imagine(then.game.view(then.state, seat), feed, Imagined(secrets.randbits(256)))


def past_of(parent: TableHistory, version: int, viewer: Viewer | None) -> list[dict[str, Any]]:
    """The game's effective events up to a version, as the viewer may read them; without a viewer in full."""
    kinds = parent.table.game.kinds
    before = [row | {"payload": _read(row, viewer)} for row in past_rows(parent.table)]
    effective = effective_events(parent.events[:version])
    own = [past_row(event, _payload(event, viewer)) for event in effective if event.envelope.type in kinds]
    return before + own


def _payload(event: Recorded, viewer: Viewer | None) -> dict[str, Any] | None:
    """What the viewer may read of an event; None without a viewer, who reads all."""
    if viewer is None:
        return None
    payload: dict[str, Any] = event_as_read(event, viewer.seat, over=viewer.over)["payload"]
    return payload


def _read(row: Mapping[str, Any], viewer: Viewer | None) -> dict[str, Any]:
    payload: dict[str, Any] = row["payload"]
    return payload if viewer is None else readable(payload, row["readers"], viewer.seat)
