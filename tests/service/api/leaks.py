"""Leaks, planted one by one: each makes the service tell a secret at one place; `make leaks` checks that each is seen.

A plant is a row: its name, the attribute that it replaces, and how. All are planted in Manitou.
"""

import dataclasses
import logging
import math
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from events.canonical import canonical
from events.envelopes import Recorded
from games import GAMES
from games.kernel import Game, MoveRefused
from projections.history import TableHistory
from projections.table import Table
from service import metrics
from service.api.common import handler, presenter
from service.command_handler import Request
from service.errors import Refused
from service.tables.authorisation import Viewer
from service.tables.time_travel import Difference
from tests.service.api.interference import found
from tests.service.api.world import World

GAME = "manitou"
ALL = Viewer(None, over=True)

Right = Callable[..., Any]
log = logging.getLogger("planted")


class Plant(NamedTuple):
    """A leak: the attribute `where` (module, object if any, name) and what is made of the right one."""

    name: str
    where: str
    made: Callable[[Right], Any]

    def plant(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Puts it in."""
        owner, attribute = owner_of(self.where)
        leaking = self.made(getattr(owner, attribute))
        if isinstance(owner, Game):
            monkeypatch.setitem(GAMES, owner.slug, dataclasses.replace(owner, **{attribute: leaking}))
        else:
            monkeypatch.setattr(owner, attribute, leaking)


def owner_of(where: str) -> tuple[Any, str]:
    """The module, or the object in it behind a colon, and the name of its attribute."""
    path, _, attribute = where.rpartition(".")
    module, _, name = path.partition(":")
    if module == "games":
        return GAMES[name], attribute
    owner = import_module(module)
    return (getattr(owner, name) if name else owner), attribute


def hands(source: Any) -> str:
    """What all seats hold; `source` is a table, or a history."""
    table: Table = getattr(source, "table", source)
    return "" if table.state is None else "; ".join(",".join(camp.hand) for camp in table.state.camps)


def choice(event: Recorded) -> str:
    """The sealed parts of an event."""
    return canonical({name: seal.value for name, seal in event.sealed.items()}).decode()


def _row(right: Right) -> Right:
    """The row of a table with what all hold."""
    return lambda table, *rest: right(table, *rest) | {"hint": hands(table)}


def _paused(right: Right) -> Right:
    """The list of disputes, which says of a pause what all hold."""

    def found(*asked: Any) -> Any:
        now = right(*asked).table
        return SimpleNamespace(table=SimpleNamespace(version=now.version, paused=hands(now), disputes=now.disputes))

    return found


def _with_hands(right: Right) -> Right:
    """The answer about a history with what all hold."""
    return lambda history, *rest, **more: right(history, *rest, **more) | {"hint": hands(history)}


def _open_rows(right: Right) -> Right:
    """The events as everybody may read them when the game is over."""
    return lambda events, table, _, *rest: right(events, table, ALL, *rest)


def _refused(spoil: Callable[[Refused, Sequence[Any]], object]) -> Callable[[Right], Right]:
    """Spoils a refusal, from the arguments of what was asked."""

    def made(right: Right) -> Right:
        def ask(*args: Any, **more: Any) -> Any:
            try:
                return right(*args, **more)
            except Refused as refusal:
                spoil(refusal, args)
                raise

        return ask

    return made


def _refusing(code: str) -> Callable[[Right], Right]:
    """A refusal of this code that says what all hold: the first argument with a state tells."""

    def spoil(refusal: Refused, args: Sequence[Any]) -> None:
        if refusal.code == code:
            refusal.detail += f" ({next(hands(one) for one in args if isinstance(one, Table) or _lies(one))})"

    return _refused(spoil)


def _lies(one: Any) -> bool:
    return hasattr(one, "table") and hasattr(one, "events")


def _played_at(code: str) -> Callable[[Right], Right]:
    """A refusal to play that says what all hold at the table."""
    return lambda right: lambda *asked: _refusing(code)(right(*asked))


def _clock(right: Right) -> Right:
    """A clock that has used a millisecond more if a seat holds this and not that."""

    def told(table: Table, number: int) -> Any:
        shown = right(table, number)
        return shown and shown | {"used_ms": shown["used_ms"] + crc32(hands(table).encode())}

    return told


def _used(right: Right) -> Right:
    """The time of a decision, and what was chosen."""
    return lambda event, table: (right(event, table) or 0) + crc32(choice(event).encode())


def _ending_early(right: Right) -> Right:
    """A page of the feed that ends early if the hands are such."""

    def told(reading: Any, partition: int, pointers: Any) -> Iterator[Any]:
        for read in right(reading, partition, pointers):
            if crc32(hands(reading.handler.cache.peek(read.pointer.table)).encode()) % 2:
                reading.until = -math.inf
            yield read

    return told


def _noting(note: Callable[[Any], object]) -> Callable[[Right], Right]:
    """Notes what all hold at what is asked about, in the operator's log or in a figure."""

    def made(right: Right) -> Right:
        def told(source: Any, *rest: Any) -> Any:
            note(hands(source))
            return right(source, *rest)

        return told

    return made


def _noting_texts(note: Callable[[Any], object]) -> Callable[[Right], Right]:
    """Notes what somebody is called or wrote."""

    def made(right: Right) -> Right:
        def tell(teller: Any, *asked: Any) -> Any:
            text = right(teller, *asked)
            note(text)
            return text

        return tell

    return made


def _log(what: Any) -> None:
    """A line of the operator's log."""
    log.info("noted %s", what)


def _count(what: Any) -> None:
    """A figure with this label."""
    metrics.answered("threads", "GET", str(what), 200).inc()


def _logging_refusals(right: Right) -> Right:
    return lambda *asked: _refused(lambda _, args: log.warning("refused at %s", hands(args[0])))(right(*asked))


def _checked(right: Right) -> Right:
    def check(table: Table, seat: int, move: Any) -> MoveRefused | None:
        refusal = right(table, seat, move)
        return refusal and MoveRefused(refusal.rule, f"{refusal.detail} {hands(table)}")

    return check


def _with_row(found: Difference, hint: str) -> Difference:
    return found._replace(changes=[*found.changes, {"hint": hint}])


def _found(right: Right) -> Right:
    def find(history: TableHistory, *rest: Any, **more: Any) -> Any:
        try:
            return right(history, *rest, **more)
        except Refused:
            raise Refused("never_so", hands(history)) from None

    return find


def _explained(what: Callable[[Recorded], str]) -> Callable[[Right], Right]:
    """The refusal to explain an AI's move that tells of it."""

    def spoil(refusal: Refused, asked: Sequence[Any]) -> None:
        if refusal.code == "table_not_over":
            history, version = asked[:2]
            refusal.detail += what(history.events[history.events[version - 1].envelope.batch[0] - 1])

    return _refused(spoil)


def _effort(event: Recorded) -> str:
    return str(event.sealed["ai_used"].value) if "ai_used" in event.sealed else ""


def _readable(*names: str) -> Callable[[Right], Right]:
    """Secrets of these names are opened to everybody."""
    return lambda right: lambda event, name, seat: name in names or right(event, name, seat)


def _ai(put: Callable[[Any, Any], Any]) -> Callable[[Right], Right]:
    """An AI's move whose request or cause tells what it took."""

    def made(right: Right) -> Right:
        def play_ai(handler: Any, table: str, asked: Any, made: Any, request: Request) -> Any:
            return right(handler, table, asked, made, put(made, request))

        return play_ai

    return made


def _public_effort(right: Right) -> Right:
    """The cause of an AI's move as it once was: with its iterations, for all to read."""

    def decided(table: Table, seat: int, asked: Any, by: dict[str, Any], sealed: dict[str, Any]) -> Any:
        public = by | ({"ai": by["ai"] | sealed["ai_used"]} if "ai_used" in sealed else {})
        return right(table, seat, asked, public, sealed)

    return decided


def _tag(right: Right) -> Right:
    return lambda table, *rest, **more: right(table, *rest, **more).rstrip('"') + f'-{sum(map(ord, hands(table)))}"'


def _receipt(right: Right) -> Right:
    return lambda table, event: right(table, event) | {"of": choice(event), "hint": hands(table)}


def _row_with_seals(right: Right) -> Right:
    return lambda event, *rest: right(event, *rest) | {"hint": choice(event)}


def _header(name: str) -> Callable[[Right], Right]:
    """An answer about a table with a header that pages of other origins may read."""

    def made(right: Right) -> Right:
        def answer(asked: Any, *rest: Any) -> Any:
            reply = right(asked, *rest)
            return reply._replace(headers=[*reply.headers, (name, hands(handler().history(asked.table)))])

        return answer

    return made


def _minimal(right: Right) -> Right:
    """The answer to a move of which nothing was asked for but that it was played, with what all hold."""

    def answer(asked: Any, outcome: Any, *rest: Any) -> Any:
        reply = right(asked, outcome, *rest)
        told = [("Location", hands(outcome))] if reply.status == 204 else []
        return reply._replace(headers=[*reply.headers, *told])

    return answer


def _comment(right: Right) -> Right:
    """A comment of the notation as everybody may read it when the game is over."""

    def comment(line: Any, event: Recorded) -> Any:
        line._over, over = True, line._over
        told = right(line, event)
        line._over = over
        return told

    return comment


def _plain(_: Right) -> Right:
    """A text recorded as it was written."""
    return lambda texts, place, of, text: text


def _naming(*names: str) -> Callable[[Right], Right]:
    """An answer to a question of one of these names with what those seated are called."""

    def made(right: Right) -> Right:
        def answered(name: str, table: str, *rest: Any, **asked: Any) -> Any:
            answer = right(name, table, *rest, **asked)
            called = presenter().names_at(handler().history(table).table)
            return answer._replace(body=answer.body + canonical(called)) if name in names else answer

        return answered

    return made


def _seat(right: Right) -> Right:
    def view(state: Any, seat: int | None) -> Any:
        return right(state, seat or 1 + max(range(state.players), key=lambda other: len(state.camps[other].hand)))

    return view


def _first(right: Right) -> Right:
    """The caller of the first stream token that was used."""
    found: dict[str, Any] = {}
    return lambda *asked: found.setdefault("caller", right(*asked))


def _over(right: Right) -> Right:
    """An event, or a history, as everybody may read it when the game is over."""
    return lambda one, seat, **_: right(one, seat, over=True)


PLANTS = (
    Plant("a view shows the fullest hand to spectators", "games:manitou.view", _seat),
    Plant("a game calls nothing secret", "games:manitou.readers", lambda _: lambda *_: {}),
    Plant("every seal is opened", "events.envelopes:Recorded.may_read", lambda _: lambda *_: True),
    Plant("the move is opened to everybody", "events.envelopes:Recorded.may_read", _readable("move")),
    Plant("the seed of a choice is opened", "events.envelopes:Recorded.may_read", _readable("ai_seed")),
    Plant("what an AI took is opened", "events.envelopes:Recorded.may_read", _readable("ai_used")),
    Plant("what an AI took is public", "service.tables.playing._decide", _public_effort),
    Plant(
        "the request of an AI names its iterations",
        "service.tables.playing.play_ai",
        _ai(lambda made, request: Request(f"{request.key}|{made.iterations}", "ai")),
    ),
    Plant("a refusal to explain tells the move", "worker.ai_explanations.explain", _explained(choice)),
    Plant("a refusal to explain tells what it took", "worker.ai_explanations.explain", _explained(_effort)),
    Plant("a table tells the hands", "service.api.table_requests.present_table", _row),
    Plant("the table in an answer to a move tells the hands", "service.api.table_requests.present_table", _row),
    Plant("the lobby tells the hands", "projections.lobby_rows.row_of", _row),
    Plant(
        "the inbox tells the hands",
        "service.streams.frames.waiting",
        lambda right: lambda table, player: [row | {"hint": hands(table)} for row in right(table, player)],
    ),
    Plant(
        "a letter tells the hands",
        "worker.webhook_delivery.message_of",
        lambda right: lambda table, *rest: (right(table, *rest) or b"") + hands(table).encode(),
    ),
    Plant("a stream tells the seals", "service.streams.frames.event_row", _row_with_seals),
    Plant(
        "a stream token opens another's stream", "service.accounts.accounts_and_tokens:Accounts.stream_caller", _first
    ),
    Plant("the feed tells all", "service.tables.feed.event_rows", _open_rows),
    Plant(
        "the feed tells what was open at the end only",
        "service.tables.feed.Viewer",
        lambda right: lambda seat, over: right(seat, over=True),
    ),
    Plant("the lines of events tell the seals", "service.api.events.event_row", _row_with_seals),
    Plant("a page of events and an answer to a move tell all", "service.api.table_requests.event_rows", _open_rows),
    Plant(
        "the view in an answer to a move tells the hands",
        "service.api.table_requests.view_of",
        lambda right: lambda table, viewer: {"view": right(table, viewer), "hint": hands(table)},
    ),
    Plant("an archive tells all", "service.tables.archive_transfer.event_lines", _over),
    Plant("the notation of a running table tells all", "service.tables.whole_game_questions.document_of", _over),
    Plant("a comment of the notation tells all", "rulings.notation.from_record:_Line._comment", _comment),
    Plant("the notation tells every move", "rulings.notation.from_record.event_as_read", _over),
    Plant("an entity tag is made of the hands", "service.api.table_requests.etag", _tag),
    Plant(
        "a header for pages of other origins tells the hands", "service.api.tables.read_table", _header("Deprecation")
    ),
    Plant("a header of an answer to a move tells the hands", "service.api.moves.played", _header("Content-Language")),
    Plant("a minimal answer to a move tells the hands", "service.api.moves.played", _minimal),
    Plant("a text is recorded as it was written", "service.accounts.personal_texts:Texts.seal", _plain),
    Plant("the log has what people are called", "service.accounts.shown_names:Presenter.names_of", _noting_texts(_log)),
    Plant(
        "a figure says what people are called", "service.accounts.shown_names:Presenter.names_of", _noting_texts(_count)
    ),
    Plant("an archive tells what people are called", "service.api.audits.expensive_answer", _naming("archive")),
    Plant("the entity tag of an answer to a move is made of the hands", "service.api.table_requests.etag", _tag),
    Plant(
        "a header of decisions tells of the whole",
        "service.api.table_requests.open_decisions",
        lambda right: lambda table, _: [row for seat in range(1, len(table.seats) + 1) for row in right(table, seat)],
    ),
    Plant("a receipt tells the choice", "service.api.table_requests.receipt", _receipt),
    Plant(
        "a difference is that of another seat",
        "service.tables.whole_game_questions.difference",
        lambda right: lambda history, _, *rest: _with_row(right(history, ALL._replace(seat=1), *rest), hands(history)),
    ),
    Plant("blame tells the hands", "service.tables.whole_game_questions.blame", _with_hands),
    Plant("what was never so tells the hands", "service.tables.whole_game_questions.find", _found),
    Plant(
        "a comparison tells the hands",
        "service.tables.whole_game_questions.comparison",
        lambda right: lambda handler, one, *rest: right(handler, one, *rest) | {"hint": hands(one)},
    ),
    Plant(
        "a belief tells the hands",
        "service.tables.whole_game_questions.believed",
        lambda right: lambda handler, history, *rest: right(handler, history, *rest) | {"hint": hands(history)},
    ),
    Plant(
        "an analysis that is not told yet tells the hands",
        "service.analyses:TableAnalyses.check",
        _refusing("table_not_over"),
    ),
    Plant("an audit tells the hands", "service.tables.whole_game_questions.audit", _with_hands),
    Plant("the disputes of a table tell the hands", "service.api.disputes.authorise", _paused),
    Plant("why a move is not allowed tells the hands", "service.api.moves.check", _checked),
    Plant(
        "a seat that is not yours tells the hands", "service.api.table_requests.viewer_of", _refusing("not_your_seat")
    ),
    Plant("a seat that is taken tells the hands", "service.tables.opening._check_empty", _refusing("seat_taken")),
    Plant(
        "a version that is not there tells the hands",
        "service.api.table_requests.table_at",
        _refusing("no_such_version"),
    ),
    Plant("a move of another's seat tells the hands", "service.api.moves.deciding", _played_at("not_your_seat")),
    Plant("a late decision tells the hands", "service.api.moves.deciding", _played_at("decision_closed")),
    Plant("a move for another version tells the hands", "service.api.moves.deciding", _played_at("version_mismatch")),
    Plant(
        "an event that is not a ruling tells the hands",
        "service.api.rulings.ruling_event",
        _refusing("no_such_version"),
    ),
    Plant("a branch begins with the real hands", "service.tables.forks._world", lambda _: lambda *args: args[1].state),
    Plant(
        "a branch has the past of all seats",
        "service.tables.forks.past_of",
        lambda right: lambda parent, version, _: right(parent, version, None),
    ),
    Plant("a person's export tells the hands", "service.tables.table_documents.table_export", _with_hands),
    Plant("the time used on a clock tells the hands", "service.tables.table_documents.seat_clock", _clock),
    Plant("how long a move took tells the choice", "service.tables.table_documents.used_ms_of", _used),
    Plant("where a page of the feed ends tells of the hands", "service.tables.feed._read", _ending_early),
    Plant("the log has the hands when a table is shown", "service.api.table_requests.present_table", _noting(_log)),
    Plant("the log has the hands when a move is refused", "service.api.moves.deciding", _logging_refusals),
    Plant("a figure has a label of the hands", "service.api.table_requests.present_table", _noting(_count)),
)
SHORT = tuple(  # a view, an AI's moves, a refusal, a stream, the feed, a branch, the log
    plant
    for plant in PLANTS
    if plant.name
    in (
        "a view shows the fullest hand to spectators",
        "what an AI took is public",
        "a refusal to explain tells the move",
        "a stream tells the seals",
        "the feed tells all",
        "a branch begins with the real hands",
        "the log has the hands when a move is refused",
    )
)


def is_caught(world: World, plant: Plant) -> bool:
    """Whether two worlds are told apart with this leak; False also if it cannot be planted any more."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        try:
            plant.plant(monkeypatch)
            return next(found(world, GAME), None) is not None
        except (AssertionError, AttributeError, TypeError):
            return False
