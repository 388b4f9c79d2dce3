"""The client in Python plays whole games, goes on after a cut, and plays once whatever is lost."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import httpx
import pytest

from examples import typed_bot
from games import GAMES
from tests.clients.async_bot import play_game
from tests.long import long_but_for
from tests.servers import wait_until
from wintercount_client import Client, LegalMoves, NoAnswer, Problem, StreamEnded, operations
from wintercount_client import client as synchronous
from wintercount_client.models import FeedBatch

games = pytest.mark.parametrize("game", long_but_for({"tomahawk"}.__contains__, GAMES))
Opening = Callable[..., Client]


class Losing(httpx.HTTPTransport):
    """A connection that breaks once, behind a number of frames of a stream or before the answer to a move."""

    def __init__(self, *, move: bool = False, frames: int = 0) -> None:
        super().__init__()
        self.move, self.frames = move, frames
        self.sent: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends on, and loses what is to be lost."""
        self.sent.append(request)
        answer = super().handle_request(request)
        if self.move and request.method == "POST" and request.url.path.endswith("/moves"):
            self.move = False
            answer.read()
            raise httpx.ReadError("cut")
        if self.frames and request.headers["Accept"] == "text/event-stream":
            frames, self.frames = self.frames, 0
            return httpx.Response(answer.status_code, headers=answer.headers, stream=Cut(answer, frames))
        return answer


class Cut(httpx.SyncByteStream):
    """A stream that breaks behind so many frames."""

    def __init__(self, answer: httpx.Response, frames: int) -> None:
        self.answer, self.frames = answer, frames

    def __iter__(self) -> Iterator[bytes]:
        for line in self.answer.iter_lines():
            yield f"{line}\n".encode()
            self.frames -= not line
            if not self.frames:
                raise httpx.ReadError("cut")

    def close(self) -> None:
        self.answer.close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was to be waited each time; nobody waits."""
    found: list[float] = []
    monkeypatch.setattr(synchronous, "sleep", found.append)
    return found


@pytest.fixture
def opened() -> Iterator[Opening]:
    """What makes clients, which are closed afterwards."""
    with contextlib.ExitStack() as stack:

        def client(url: str, token: str | None = None, transport: httpx.BaseTransport | None = None) -> Client:
            http = None if transport is None else httpx.Client(transport=transport)
            return stack.enter_context(Client(url, token, http=http))

        yield client


def refusing(opened: Opening, *answers: httpx.Response) -> tuple[Client, list[httpx.Request]]:
    """A client whose server answers in this order, and what it is asked."""
    asked: list[httpx.Request] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return left.pop(0)

    return opened("http://server", "wc_token", httpx.MockTransport(answer)), asked


def problem(status: int, code: str, **more: Any) -> httpx.Response:
    """A refusal."""
    headers = {"Retry-After": str(more["retry_after"])} if "retry_after" in more else {}
    return httpx.Response(status, json={"code": code, "detail": "no", "status": status} | more, headers=headers)


@pytest.mark.slow
@games
def test_a_typed_bot_plays_a_whole_game(
    address: str, game: Any, capsys: pytest.CaptureFixture[str], opened: Opening
) -> None:
    """The example, in each game, against an AI player."""
    typed_bot.main(address, game)
    table, ending = capsys.readouterr().out.splitlines()
    assert ending.startswith("The game")
    events = list(opened(address).tables.get(table).events())
    assert [event["type"] for event in events][-3:] == ["GameEnded", "SeedRevealed", "TableClosed"]
    assert {event["game"] for event in events} == {game}


@games
def test_an_asynchronous_bot_plays_a_whole_game(address: str, game: Any) -> None:
    """The same with `AsyncClient`."""
    events = asyncio.run(play_game(address, game))
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["type"] == "TableClosed"


def test_a_stream_goes_on_after_the_last_event(address: str, waits: list[float], opened: Opening) -> None:
    """Cut after five frames: it is asked for again from there, and nothing is missing or repeated."""
    with Client(address) as ann:
        table = ann.tables.open("manitou", seats=["uniform", "uniform"])
        list(table.events(follow=True))
        line = Losing(frames=6)  # the first sets how soon to come back
        watching = opened(address, None, line).tables.get(table.id)
        told = [event["version"] for event in watching.events(follow=True)]
        closed = table.state()["version"]
    assert told == list(range(1, closed + 1))
    asked = [request.headers["Last-Event-ID"] for request in line.sent if "Last-Event-ID" in request.headers]
    assert [place.partition("-")[0] for place in asked] == ["0", "5"]  # behind the version stands how its hash begins
    assert len(waits) == 1


def test_a_lost_answer_is_asked_for_again_and_the_move_played_once(
    address: str, waits: list[float], opened: Opening
) -> None:
    """Both requests have one key; the second gets the first answer."""
    line = Losing(move=True)
    with contextlib.closing(opened(address, None, line)) as ann:
        table = ann.tables.open("manitou")
        bob = opened(address)
        bob.register("Bob")
        bob.tables.get(table.id).sit(2)
        turn = next(table.turns())
        played = turn.play(turn.moves[0])
        chosen = [event for event in table.events() if event["type"] == "PartyChosen" and event["payload"]["seat"] == 1]
    posts = [request for request in line.sent if request.url.path.endswith("/moves") and request.method == "POST"]
    assert len(posts) == 2
    assert json.loads(posts[0].content)["decision"] == json.loads(posts[1].content)["decision"]
    assert {request.headers["Idempotency-Key"] for request in posts} == {
        f"{table.id}-{json.loads(posts[0].content)['decision']}"
    }
    assert len(chosen) == 1
    assert played["receipt"]["version"] == chosen[0]["batch"][1]
    assert len(waits) == 1


def test_a_refusal_names_code_rule_and_detail(address: str) -> None:
    """A move that a rule forbids is not sent again."""
    with Client(address) as ann, Client(address) as bob:
        bob.register("Bob")
        table = ann.tables.open("manitou")
        bob.tables.get(table.id).sit(2)
        with pytest.raises(Problem) as refused:
            next(table.turns()).play({"type": "choose_party", "cards": ["chief-1"]})
    assert (refused.value.status, refused.value.code) == (422, "move_refused")
    assert refused.value.rule is not None
    assert refused.value.detail in str(refused.value)
    assert refused.value.request_id


def test_the_past_as_a_seat_saw_it(address: str) -> None:
    """`table.state(version, seat=…)`; every operation can be sent: here a branch of the table."""
    with Client(address) as ann:
        table = ann.tables.open("manitou", ai="uniform", options={"edition": "online"})
        for turn in table.turns():
            turn.play(turn.moves[-1])
        then = table.state(20, seat=2)
        branch = ann.send(operations.fork_table(table.id, {"version": 20}))
    assert (then["version"], then["seat"], then["options"]["edition"]) == (20, 2, "online")
    assert branch["forked_from"] is not None
    assert branch["forked_from"]["table"] == table.id
    assert branch["forked_from"]["version"] in (19, 20)  # the last moment at which nothing was going on


def test_legal_moves_unfold_entries_for_many() -> None:
    """Each move once: any cards of a list, in any order on piles; everything else is itself."""
    party = {"type": "choose_party", "choose": 2, "from": ["a", "b", "c"]}
    placed = {"type": "play_cards", "choose": 2, "from": ["a", "b", "c"], "piles": [1, 4]}
    moves = LegalMoves([party, {"type": "pass_turn"}, placed])
    assert [move.get("cards") for move in moves[:4]] == [["a", "b"], ["a", "c"], ["b", "c"], None]
    orders = [[(one["pile"], one["card"]) for one in move["cards"]] for move in moves[4:]]
    assert orders == [[(1, one), (4, other)] for one in "abc" for other in "abc" if one != other]
    assert (len(moves), moves[-1]) == (10, moves[9])
    with pytest.raises(IndexError):
        moves[10]


def test_what_is_refused_for_now_is_sent_again(waits: list[float], opened: Opening) -> None:
    """As long as `Retry-After` says; a key is made by itself, and is the same in each repeat."""
    busy = problem(429, "too_many_requests", retry_after=7), problem(503, "store_loading", retry_after=3)
    client, asked = refusing(opened, *busy, httpx.Response(201, json={"id": "t_a", "game": "manitou"}))
    assert client.tables.open("manitou", seats=["me", "greedy", {"kind": "player", "player": "p_b"}]).id == "t_a"
    assert waits == [7, 3]
    assert len({request.headers["Idempotency-Key"] for request in asked}) == 1
    assert b'{"kind":"ai","level":"greedy"},{"kind":"player","player":"p_b"}' in asked[0].content


@pytest.mark.parametrize("answer", [problem(429, "too_many_requests", retry_after=61), problem(403, "not_your_seat")])
def test_what_takes_too_long_or_stays_refused_is_told(
    answer: httpx.Response, waits: list[float], opened: Opening
) -> None:
    client, asked = refusing(opened, answer)
    with pytest.raises(Problem):
        client.send(operations.list_games())
    assert (len(asked), waits) == (1, [])


def test_what_has_no_key_and_changes_something_is_not_repeated(waits: list[float], opened: Opening) -> None:
    """Whether it was done before the answer got lost is not known; a connection that never was did nothing."""

    def lost(request: httpx.Request) -> httpx.Response:
        errors.append(request)
        raise [httpx.ConnectError("down"), httpx.ReadError("cut")][len(errors) - 1]

    errors: list[httpx.Request] = []
    client = opened("http://server", None, httpx.MockTransport(lost))
    with pytest.raises(NoAnswer):
        client.send(operations.create_sign_in_code())
    assert len(errors) == 2
    assert len(waits) == 1


def test_an_address_that_is_none_is_told_at_once(waits: list[float], opened: Opening) -> None:
    with pytest.raises(httpx.UnsupportedProtocol):
        opened("server").send(operations.list_games())
    assert waits == []


def test_a_server_that_stays_away_is_given_up(waits: list[float]) -> None:
    """After `retry_s` seconds of waiting, and not for ever."""
    with Client("http://127.0.0.1:9") as client, pytest.raises(NoAnswer, match="GET /v1/games"):
        client.send(operations.list_games())
    assert 45 < sum(waits) <= 60


FRAMES = (
    b"retry: 1000\n\n: alive\n\nid: 7\nevent: Invented\n"
    b'data: {"game":"manitou","type":"Invented","version":7,"batch":[7,7]}\n\n'
)


@pytest.mark.parametrize(
    ("reason", "error"), [("table_closed", None), ("access_ended", StreamEnded), ("log_damaged", StreamEnded)]
)
def test_a_stream_ends_as_it_says(reason: str, error: type[Exception] | None, opened: Opening) -> None:
    """And an event of a type that this client does not know is told like any other."""
    end = f'event: end\ndata: {{"reason":"{reason}"}}\n\n'.encode()
    stream = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=FRAMES + end)
    client, asked = refusing(opened, httpx.Response(200, json={"id": "t_a", "game": "manitou"}), stream)
    told: list[Any] = []
    with pytest.raises(error) if error else pytest.MonkeyPatch.context():
        told.extend(event for event in client.tables.get("t_a").events(6, follow=True))
    assert [event["type"] for event in told] == ["Invented"]
    assert asked[1].headers["Last-Event-ID"] == "6"
    assert asked[1].headers["Authorization"] == "Bearer wc_token"


def test_waiting_decisions_come_as_they_do(address: str) -> None:
    """The stream of the inbox begins with what waits already, whichever the table."""
    with Client(address) as ann, Client(address) as bob:
        bob.register("Bob")
        table = ann.tables.open("manitou")
        bob.tables.get(table.id).sit(2)
        assert next(ann.decisions())["table"] == table.id


def test_the_lobby_lists_tables(address: str) -> None:
    with Client(address) as ann:
        table = ann.tables.open("manitou")
        wait_until(lambda: table.id in [row["id"] for row in ann.tables.list(status="open")])


def table_played(client: Client) -> str:
    """A public table that two AI players have played to its end."""
    table = client.tables.open("tomahawk", seats=["uniform", "uniform"])
    assert list(table.events(follow=True))[-1]["type"] == "TableClosed"
    return table.id


def told_of(table: str, batches: Iterable[FeedBatch]) -> list[int]:
    return [version for row in batches if row["table"] == table for version in range(row["first"], row["last"] + 1)]


def keys_of(batches: Iterable[FeedBatch]) -> list[tuple[str, int]]:
    """Which batches they are; in which order those of different partitions come depends on where a page begins."""
    return sorted((row["table"], row["first"]) for row in batches)


def test_the_feed_is_read_page_by_page_and_goes_on_from_any_place(address: str) -> None:
    """Every batch once, in the order of its table; behind the cursor of a batch the rest of them; or some of all."""
    with Client(address) as ann:
        table = table_played(ann)
        batches = list(ann.feed())
        versions = told_of(table, batches)
        assert versions == list(range(1, versions[-1] + 1))
        middle = len(batches) // 2
        assert keys_of(ann.feed(batches[middle - 1]["cursor"])) == keys_of(batches[middle:])
        ended = [row for row in ann.feed(game="tomahawk", type="GameEnded", language="en") if row["table"] == table]
    assert [event["type"] for row in ended for event in row["events"]] == ["GameEnded"]
    assert "words" in ended[0]["events"][0]


def test_the_feed_as_a_stream_goes_on_after_the_last_frame(address: str, waits: list[float], opened: Opening) -> None:
    """Cut after four batches: asked for again from there; nothing is missing or repeated."""
    with Client(address) as ann:
        table_played(ann)
        before = list(ann.feed())
        line = Losing(frames=5)  # the first sets how soon to come back
        told = list(islice(opened(address, None, line).feed(follow=True), len(before)))
    assert keys_of(told) == keys_of(before)
    asked = [request.headers.get("Last-Event-ID") for request in line.sent]
    assert asked == [None, told[3]["cursor"]]
    assert len(waits) == 1


def test_a_place_that_is_gone_ends_the_stream_of_the_feed(opened: Opening) -> None:
    """`StreamEnded` says so; before, the place has moved on with a frame that tells no batch."""
    frames = b'id: c1\nevent: lag\ndata: {"lag":3}\n\nevent: end\ndata: {"reason":"cursor_gone"}\n\n'
    stream = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=frames)
    client, asked = refusing(opened, stream)
    with pytest.raises(StreamEnded, match="cursor_gone"):
        next(client.feed("c0", follow=True, game="manitou", type="CardPlayed,GameEnded", player="p_a"))
    assert asked[0].headers["Last-Event-ID"] == "c0"
    assert dict(asked[0].url.params) == {"game": "manitou", "type": "CardPlayed,GameEnded", "player": "p_a"}
