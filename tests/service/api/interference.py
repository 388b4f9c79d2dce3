"""Whether two worlds that differ in what an observer may not know answer him alike: every door of a table is asked."""

import logging
import random
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import count
from typing import Any
from unittest.mock import patch

import msgspec
import prometheus_client
import pytest
from flask import Flask

from events.log import VersionRange, partition_of
from events.store import RedisLog
from games import GAMES
from games.kernel import MoveSet
from projections import lobby_rows
from projections.history import TableHistory
from service.accounts.callers import NOBODY, Caller
from service.api.common import Services
from service.api.table_requests import asked_in, played
from service.command_handler import Outcome
from service.feed_cursors import FeedPosition, mark_of
from service.streams.frames import Frames, Inbox, TableSubscription, without_names
from service.tables import forks
from service.tables import table_documents as presentation
from service.tables.authorisation import viewer_of
from tests.service.api.plain_texts import holds, plain_in
from tests.service.api.twins import Pair, Twin, TwinHouse
from tests.service.api.world import Somebody, World
from wintercount.processes.pool import InlineExecutor
from wintercount.processes.services import create_app
from wintercount.testing.random_games import chance_of
from worker import webhook_delivery as webhooks
from worker.play_turn import play_turns

TOOK = re.compile(r" \d+\.\d ms$", re.MULTILINE)
NAMED = {"X-Request-Id": "asked-in-both-worlds"}  # which would be made up else
MOVES = {"big-manitou": 30, "manitou": 26, "tomahawk": 9, "plenty-coups": 30}
NAMES = (f"Wanbli {number:06}" for number in count())  # each is one person's alone, and in no other text
TELL_NO_NAMES = ("archive", "log", "metrics", "letter")  # the ends of what is told without names
Answer = tuple[int, list[tuple[str, str]], bytes]
Answers = dict[str, Answer]
Request = tuple[str, str, Any, dict[str, str]]


class Seen:
    """A table in a service, as observers see it."""

    def __init__(self, services: Services, table: str, players: list[Somebody]) -> None:
        self.services, self.table, self.players = services, table, players
        self.history = services.handler.history(table)

    @cached_property
    def app(self) -> Flask:
        """What answers, made when somebody asks."""
        return create_app(self.services)

    def answers(self, seat: int | None, *, audit: bool = False, at: Iterable[int] | None = None) -> Answers:
        """Status, headers and bytes of all that an observer can ask, and what else he or an operator is told.

        `at` are the versions that are looked at, by default all.
        """
        somebody, found = self.observer(seat), {}
        asked = [*self.asked(seat, at), *(audits(self) if audit else ())]
        with logged() as lines:
            for method, path, body, headers in asked:
                request = {"headers": NAMED | headers} | ({} if body is None else {"json": body})
                answer = somebody.send(method, path, **request)
                found[f"{method} {path} {body} {headers}"] = told(
                    answer.status_code, sorted(answer.headers), answer.get_data
                )
            found |= self.frames(seat) | self.lobby() | self.letters(seat) | self.branch(seat) | self.export(seat)
            found |= self.played(seat)
        found |= self.feed(somebody)
        found["log"] = (200, [], "\n".join(lines).encode())
        found["metrics"] = (200, [], "\n".join(measured()).encode())
        return found

    def asked(self, seat: int | None, at: Iterable[int] | None) -> Iterator[Request]:
        """All that an observer asks."""
        return requests(self, seat, at)

    def observer(self, seat: int | None) -> Somebody:
        """Who looks on from a seat."""
        if seat is None:
            return Somebody(self.app)
        player = self.players[seat - 1]
        return Somebody(self.app, player.player, player.token)

    def frames(self, seat: int | None) -> Answers:
        """The events of the table as a stream sends them."""
        subscription = TableSubscription(self.table, self.caller(seat), 0, "en")
        found = {"stream": told(200, [], lambda: Frames().after(self.history, subscription, 0))}
        if seat:
            accounts = self.services.accounts
            caller = accounts.stream_caller(accounts.stream_token(subscription.caller))
            of_page = subscription._replace(caller=caller)
            found["page"] = told(200, [], lambda: without_names(Frames().after(self.history, of_page, 0)))
        return found

    def feed(self, somebody: Somebody) -> Answers:
        """What the feed tells of the table, in each form."""
        path = f"/v1/feed?limit=200&language=en&player={self.players[0].player}&cursor={self.place_before()}"
        forms = ("application/json", "application/x-ndjson")
        answers = {form: somebody.send("GET", path, headers=NAMED | {"Accept": form}) for form in forms}
        return {
            f"feed as {form}": told(one.status_code, sorted(one.headers), one.get_data) for form, one in answers.items()
        }

    def place_before(self) -> str:
        """The cursor of the place before the table's first batch: of other partitions, nothing is behind it."""
        handler = self.services.handler
        positions = handler.log.feed_ends()
        partition = partition_of(self.table, handler.log.partitions)
        first = next(pointer for pointer in handler.log.feed(partition, 0, 10**6) if pointer.table == self.table)
        positions[partition] = first.position - 1
        held = handler.log.pointers(positions)
        hashes = (held[one].hash if one in held else b"" for one in positions)
        return handler.cursors.written(FeedPosition(tuple(positions.values()), mark_of(hashes)))

    def caller(self, seat: int | None) -> Caller:
        """Who looks on from a seat, as the service knows him."""
        return self.services.accounts.caller(str(self.players[seat - 1].token)) if seat else NOBODY

    def letters(self, seat: int | None) -> Answers:
        """What an inbox streams to the seat, and the letter that a bot there would get."""
        table = self.history.table
        decision = table.decision_of(seat) if seat else None
        if seat is None or decision is None:
            return {}
        letter = webhooks.message_of(table, seat, decision.recorded_id) or b""
        return {
            "inbox": (200, [], Inbox(str(self.players[seat - 1].player)).news({self.history.table.id: self.history})),
            "letter": (200, [], letter),
        }

    def played(self, seat: int | None) -> Answers:
        """What the seat is told where the newest batch came of its own move."""
        if seat is None:
            return {}
        asked = asked_in({"QUERY_STRING": ""}, self.table, self.caller(seat), b"")
        outcome = Outcome(self.history, VersionRange(*self.history.events[-1].envelope.batch))
        reply = played(asked, outcome, self.services.handler.presenter())
        return {"played": (reply.status, reply.headers, reply.body)}

    def branch(self, seat: int | None) -> Answers:
        """What a branch of the table starts from, sealed parts included."""
        with patch.object(secrets, "randbits", lambda bits: bits):
            return {"branch": told(200, [], lambda: msgspec.json.encode(branch_of(self.history, self.caller(seat))))}

    def export(self, seat: int | None) -> Answers:
        """What a personal data export says of the table."""
        if seat is None:
            return {}
        player, people = str(self.players[seat - 1].player), self.services.handler.presenter()
        row = presentation.table_export(self.history, player, people)
        return {"export": told(200, [], lambda: msgspec.json.encode(row))}

    def lobby(self) -> Answers:
        """The table's row in the lobby, from which the inbox is made too."""
        return {"lobby": (200, [], msgspec.json.encode(lobby_rows.row_of(self.history.table)))}


def told(status: int, headers: list[tuple[str, str]], body: Callable[[], bytes]) -> Answer:
    """An answer whose body is made while it is sent; that it fails tells something too."""
    try:
        return status, headers, body()
    except (TypeError, ValueError, LookupError) as fault:
        return 500, headers, type(fault).__name__.encode()


@contextmanager
def logged() -> Iterator[list[str]]:
    """The lines that are logged meanwhile, without the milliseconds that a request took."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(TOOK.sub("", handler.format(record)))  # type: ignore[method-assign]
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def measured() -> list[str]:
    """The names and labels of all figures, without their values."""
    lines = prometheus_client.generate_latest().decode().splitlines()
    return sorted({line.rpartition(" ")[0] for line in lines if line.startswith("wintercount")})


def a_table(world: World, game: str, seed: int, *, ai: bool = False, moves: int | None = None) -> Seen:
    """A table in the middle of a game; with `ai` the last seat is held by one."""
    seats = min(3, max(GAMES[game].players))
    found = after_moves(world, game, seats, seed, ai=ai, moves=moves or random.Random(seed).randint(4, MOVES[game]))
    assert found.history.table.status == "running"
    return found


def after_moves(world: World, game: str, seats: int, seed: int, *, ai: bool, moves: int) -> Seen:
    """A table after so many moves, or the end of its game."""
    players = [world.somebody(next(NAMES)) for _ in range(1, seats + 1 - ai)]
    offers = [{"kind": "me"}, *({"kind": "player", "player": other.player} for other in players[1:])]
    opening = {"game": game, "aids": True, "seats": offers + [{"kind": "ai", "level": "uniform"}] * ai}
    table = str(players[0].post("/v1/tables", opening).json["id"])
    for number, other in enumerate(players[1:], 2):
        assert other.post(f"/v1/tables/{table}/seats/{number}").status_code == 200
    for number in range(moves):
        if not play_turns(world.services.handler, table, 1).played:
            world.play(table, *players, moves=1, seed=seed * 1000 + number)
    return Seen(world.services, table, players)


def twin_of(seen: Seen, seat: int | None, seed: int) -> Seen:
    """The same table, but that all its secrets are others."""
    handler = TwinHouse(seen.services.handler, seen.table, Twin(seen.history, seat, seed))
    return Seen(seen.services._replace(handler=handler, expensive=InlineExecutor(handler)), seen.table, seen.players)


def leaks(one: Answers, other: Answers) -> list[str]:
    """The requests whose answers differ; in the first world, which is a real one, none may fail."""
    assert one.keys() == other.keys()
    failed = [request for request, (status, _, _) in one.items() if status >= 500]
    assert not failed, failed
    return [request for request, answer in one.items() if answer != other[request]]


def requests(seen: Seen, seat: int | None, versions: Iterable[int] | None = None) -> Iterator[Request]:
    """All that an observer may ask about a table: method, path, body and headers."""
    path, version = f"/v1/tables/{seen.table}", seen.history.table.version
    for at in versions or range(1, version + 2):
        yield "GET", f"{path}?at={at}", None, {}
        yield "GET", f"{path}/rulings/{at}", None, {}
        yield "GET", f"{path}/moves/{at}/explanation", None, {}
    yield "GET", f"{path}?at_time={seen.history.table.at}", None, {}
    for other in range(1, len(seen.players) + 2):
        yield "GET", f"{path}?seat={other}", None, {}
    for form in ("application/json", "application/x-ndjson"):
        for language in ("", "?language=en", "?language=fr", "?limit=7&after=5"):
            yield "GET", f"{path}/events{language}", None, {"Accept": form}
    for language in ("en", "fr"):
        yield "GET", f"{path}/rulings", None, {"Accept-Language": language}
    yield "GET", f"{path}/archive", None, {}
    yield "GET", f"{path}/notation", None, {}
    yield "GET", f"{path}/disputes", None, {}
    yield "GET", f"{path}/invitations", None, {}
    yield "GET", f"{path}/lesson", None, {}
    if isinstance(seen.services.handler.log, RedisLog):  # what it lists are rows of the lobby
        yield "GET", f"{path}/forks", None, {}
    yield "GET", f"{path}/comparison?with={seen.table}", None, {}
    yield "GET", f"{path}/beliefs?worlds=20", None, {}
    yield "GET", f"{path}/analysis", None, {}
    yield "POST", f"{path}/analysis", {"kind": "quick"}, {}
    yield "GET", f"{path}/diff?from=1&to={version}", None, {}
    yield "GET", f"{path}/blame?path=/view", None, {}
    yield "GET", f"{path}/find?path=/view/over&value=true", None, {}
    yield "GET", f"{path}/moves", None, {}
    yield "GET", f"/v1/transcripts/{seen.table}", None, {}
    yield "GET", path, None, {"If-None-Match": '"1-00000000-spectator"'}
    yield from writes(seen, seat)


def writes(seen: Seen, seat: int | None) -> Iterator[Request]:
    """What changes nothing: moves to be checked, and everything that is refused."""
    path = f"/v1/tables/{seen.table}"
    for body in bodies(seen, seat):
        yield "POST", f"{path}/moves/check", body, {}
    for body in refused(seen, seat):
        yield "POST", f"{path}/moves", body, {}
    for end, body in REFUSED.items():
        yield "POST", f"{path}/{end}", body, {}
    yield "DELETE", f"{path}/seats/{len(seen.history.table.seats)}", None, {}
    if seat:
        late = {"game": seen.history.table.opened.game, "seat": seat, "move": {"type": "pass_turn"}}
        yield "POST", f"{path}/moves", late, {"If-Match": '"1-00000000-1"'}


REFUSED: dict[str, Any] = {  # what a table in the middle of a game refuses to everybody: that it says why to all alike
    "seats/1": {},
    "seats/2/wait": {},
    "seats/2/handover": {},
    "disputes": {"seat": 1, "version": 1, "rule": "x", "claim": "no", "remedy": {"correction": 1}},
    "disputes/d9/comments": {"text": "no"},
    "disputes/d9/votes": {"seat": 1, "overturn": True},
    "disputes/d9/looks": {"seat": 1},
    "disputes/d9/resolution": {"outcome": "upheld", "text": "no"},
    "seats/9/resign": {},
    "offers": {"kind": "draw", "seat": 9},
    "offers/o9/answer": {"seat": 9, "agrees": True},
    "forks": {"version": 9999},
}


def audits(seen: Seen) -> Iterator[Request]:
    """What decides the whole game again, and so can only be asked where nothing but the secrets is made up."""
    yield "GET", f"/v1/tables/{seen.table}/audit", None, {}
    yield "POST", f"/v1/tables/{seen.table}/readjudications", {"options": {}}, {}


def bodies(seen: Seen, seat: int | None) -> Iterator[dict[str, Any]]:
    """Moves of every seat: those that the observer's own seat might make, and others."""
    table = seen.history.table
    for other in range(len(seen.players) + 2):
        yield {"game": table.opened.game, "seat": other, "move": {"type": "pass_turn"}}
        yield {"game": table.opened.game, "seat": other, "move": {"type": "no such move"}}
    for move in table.game.legal_moves(table.state, seat) if seat else ():
        chosen = move.sample(chance_of(1)) if isinstance(move, MoveSet) else move
        yield {"game": table.opened.game, "seat": seat, "move": msgspec.to_builtins(chosen)}


def refused(seen: Seen, seat: int | None) -> Iterator[dict[str, Any]]:
    """Moves that are refused, with all that a refusal tells."""
    for body in bodies(seen, None):
        yield body | {"decision": "1-1"}
        if body["seat"] != seat:
            yield body


class Watched(Seen):
    """The same, where nobody's place is that of an arbiter: what a spectator asks, he asks, and more."""

    def __init__(self, seen: Seen, arbiter: Somebody, more: Iterable[Request] = ()) -> None:
        super().__init__(seen.services, seen.table, seen.players)
        self._arbiter, self._more, self.history = arbiter, tuple(more), seen.history

    def observer(self, seat: int | None) -> Somebody:
        """Who looks on from a seat, or over the table."""
        if seat is None:
            return Somebody(self.app, self._arbiter.player, self._arbiter.token)
        return super().observer(seat)

    def asked(self, seat: int | None, at: Iterable[int] | None) -> Iterator[Request]:
        """All that an observer asks."""
        yield from super().asked(seat, at)
        yield from self._more


def observers(seen: Seen) -> list[int | None]:
    return [None, *range(1, len(seen.players) + 1)]


def branch_of(parent: TableHistory, asking: Caller) -> dict[str, Any]:
    """What a branch from the newest version starts from, without the hash that it names."""
    now = parent.table
    return forks.origin(parent, now, viewer_of(now, asking), now.options) | {"parent_head": None}


RANDOM = re.compile(rb"[0-9a-f]{64}")  # hashes and commitments
CURSOR = re.compile(rb"[A-Za-z0-9_-]{459}")  # made of such hashes, and encrypted
FRAME = re.compile(rb"^(id: \d+)-[0-9a-f]{8}$", re.MULTILINE)  # the id of a frame has the beginning of a hash
DECISION = re.compile(rb"\b(\d+-\d)-[0-9a-f]{8}\b")  # and so has the name of a decision
TAG = re.compile(r"(\d+-)[0-9a-f]{8}(-)")
OF_THE_BODY = re.compile(r'^(W/)?"[0-9a-f]{40}"$')  # an ETag that is worked out from the body alone


def without_hashes(answers: Answers) -> Answers:
    """Hashes and commitments of different secrets differ; nobody can tell anything else from them.

    So does the ETag of a body that holds some.
    """
    return {request: _without_hashes(answer) for request, answer in answers.items()}


def _without_hashes(answer: Any) -> Any:
    status, headers, body = answer
    bare = DECISION.sub(rb"\1", FRAME.sub(rb"\1", CURSOR.sub(b"", RANDOM.sub(b"", body))))
    told = [(name, TAG.sub(r"\1\2", value)) for name, value in headers]
    if bare != body:
        told = [(name, OF_THE_BODY.sub("", value) if name == "ETag" else value) for name, value in told]
    return status, told, bare


def found(world: World, game: str) -> Iterator[str]:
    """What tells two worlds apart, in each of the ways in which they are compared; nothing if no secret is told.

    The few versions that are looked at are the newest: what leaks at one leaks there.
    """
    seen = a_table(world, game, 7, ai=True, moves=5)
    newest = newest_of(seen)
    for seat in observers(seen):
        answers = seen.answers(seat, at=newest)
        yield from leaks(answers, twin_of(seen, seat, 7).answers(seat, at=newest))
        yield from named_in(answers, seen)
    yield from named_in_store(seen)
    for ai in (True, False):
        with pytest.MonkeyPatch.context() as monkeypatch:
            yield from told_apart(Pair(world, monkeypatch, game, 7, ai=ai))


def named_in(answers: Answers, seen: Seen) -> list[str]:
    """What tells in plain what somebody at the table is called, and should not: an archive, the log, a figure."""
    names = [name_of(seen, player) for player in seen.players]
    told = {request: body for request, (_, _, body) in answers.items() if tells_no_name(request)}
    return [request for request, body in told.items() if any(holds(body, name) for name in names)]


def tells_no_name(request: str) -> bool:
    """Whether the answer to a request is one that holds no name in plain."""
    return any(f"/{end} " in request or end == request for end in TELL_NO_NAMES)


def named_in_store(seen: Seen) -> list[str]:
    """The keys of the log's store that hold a name in plain."""
    client = seen.services.handler.log.client  # type: ignore[attr-defined]
    found = plain_in(client, [name_of(seen, player) for player in seen.players])
    return [key for keys in found.values() for key in keys]


def name_of(seen: Seen, player: Somebody) -> str:
    """What somebody is called."""
    account = seen.services.accounts.player(str(player.player))
    assert account
    return seen.services.handler.presenter().own(account)


def newest_of(seen: Seen) -> range:
    """The last versions of a table, and the one that it has not."""
    version = seen.history.table.version
    return range(version - 3, version + 2)


def told_apart(pair: Pair) -> Iterator[str]:
    """What tells others of a secret choice of one seat, in all that they ask, and in answers to what they played."""
    one, other = (Seen(side.services, side.id, pair.players) for side in pair.sides)
    newest = newest_of(one)
    for seat in {*observers(one)} - {pair.secretive}:
        answers = (without_hashes(side.answers(seat, audit=True, at=newest)) for side in (one, other))
        yield from leaks(*answers)
    yield from leaks(*(without_hashes(side.played) for side in pair.sides))
