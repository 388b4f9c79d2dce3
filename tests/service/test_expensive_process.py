"""Expensive reads are answered by another process as they would be here, and neither its end nor its silence hurts."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from redis.exceptions import RedisError

from events.log import Diverged
from events.store import connect
from rulings.notation import document_of, write
from service.accounts.callers import NOBODY, Caller
from service.accounts.key_stores import KeysUnavailable
from service.api.common import note
from service.commands import CommandHandler
from service.errors import Refused
from service.limits import costs
from service.limits.costs import COSTS_MS, EVENTS_A_MS, TABLE
from service.runtime import expensive_process
from service.runtime.app import create_app
from service.runtime.expensive_process import ExpensiveProcess, ExpensiveProcesses, Found, Here
from service.shared_metrics import SHARED_IN
from service.streams.feed import BATCHES
from service.tables.expensive import ANSWERS, Question
from service.transcripts.reading import Transcripts
from tests import corpus, damage
from tests.servers import SECRET, data_beside
from tests.service.api.test_archives import data_of, send
from tests.service.api.test_limits import left
from tests.service.api.world import Somebody, World, accepted, embedded_store

NAME = "tomahawk-2-greedy"
EVENTS = len(corpus.history_of(NAME).events)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with embedded_store() as url, closing(World(url)) as found:
        yield found


@pytest.fixture(scope="module")
def table(world: World) -> str:
    """A finished table."""
    return str(accepted(send(world.operator, data_of(NAME)), 201)["table"])


@pytest.fixture(scope="module", autouse=True)
def _settings(world: World) -> Iterator[None]:
    """What a process of its own goes by."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WINTERCOUNT_SECRET", SECRET)
        environment.setenv("WINTERCOUNT_DATA", str(data_beside(world.url)))
        yield


@pytest.fixture(scope="module")
def elsewhere(world: World) -> Iterator[ExpensiveProcess]:
    with closing(ExpensiveProcess(world.url)) as found:
        yield found


def asked(table: str, name: str, **members: Any) -> Question:
    return Question(name, NOBODY, table, members)


LOADED = {
    "text": write(document_of(corpus.history_of("tomahawk-2-greedy"), None, over=True)),
    "visibility": "private",
    "at": "2026-11-22T12:00:00.000Z",
}


def questions(world: World, table: str) -> list[Question]:
    """One of every kind."""
    ann = world.somebody("Ann")
    branch = accepted(ann.post(f"/v1/tables/{table}/forks", {"version": EVENTS // 2}), 201)["table"]
    return [
        asked(table, "diff", first=1, to=EVENTS),
        asked(table, "blame", path="/scores/scores/0/total"),
        asked(table, "find", path="/status", value="running", first=1),
        asked(table, "audit", sampled=None, version=2, hash="00" * 32),
        asked(table, "archive", after=0),
        asked(table, "notation"),
        Question("readjudication", world.services.accounts.caller(str(ann.token)), table, {"options": {}}),
        asked(table, "comparison", other=branch, language="fr"),
        Question("beliefs", world.services.accounts.caller(str(ann.token)), table, {"seat": 1, "at": 20, "worlds": 20}),
        Question("feed", NOBODY, "", {"limit": 20}),
        Question("transcript", world.services.accounts.caller(str(ann.token)), f"x_{'a' * 20}", LOADED),
    ]


def test_answers_are_the_same_wherever_they_are_found(world: World, table: str, elsewhere: ExpensiveProcess) -> None:
    """Of every kind of question: the same JSON, and of an archive the same bytes."""
    here, found = Here(world.services.handler), questions(world, table)
    assert [question.name for question in found] == list(ANSWERS)
    for question in found:
        read = bytes if question.name in ("archive", "notation") else json.loads
        assert read(elsewhere(question).body) == read(here(question).body), question.name


@pytest.mark.slow
def test_what_is_read_there_is_charged_as_if_it_were_read_here(world: World, table: str) -> None:
    """A table that closed by its length, a text by what it takes to replay it, a line of branches by each of them."""
    ann, noted, charged = world.somebody("Ann"), list[int](), list[int]()
    text = accepted(ann.post("/v1/transcripts", {"text": LOADED["text"]}), 201)["table"]
    branch = {"table": table, "version": EVENTS // 2}
    for _ in range(3):
        forking = {"version": branch["version"]}
        branch = accepted(ann.post(f"/v1/tables/{branch['table']}/forks", forking), 201)
    caller = world.services.accounts.caller(str(ann.token))
    kept = Transcripts(world.services.handler.transcripts.store, charged.append)
    note = charged.append
    here = Here(CommandHandler(world.services.handler.log, transcripts=kept, charge=note, owe=note))
    with closing(ExpensiveProcess(world.url, noted.append)) as elsewhere:
        for question in (
            asked(table, "blame", path="/status"),
            asked(table, "blame", path="/nowhere"),
            Question("blame", caller, text, {"path": "/nowhere"}),
            Question("blame", caller, text, {"path": "/status"}),  # it has been replayed
            asked(table, "comparison", other=branch["table"], language="en"),
        ):
            charged.clear()
            for answering in (here, elsewhere):
                with suppress(Refused):
                    answering(question)
            assert noted.pop() == sum(charged), question
    assert len(charged) == 1 + 1 + 3  # the table, which closed, the branch, and all that it leads back to


def test_whoever_asks_is_charged_for_what_is_read_there(world: World, table: str) -> None:
    """As far as the budget lasts, and the answer tells it."""
    with freeze_time("2026-11-21T12:00:00Z"), closing(ExpensiveProcess(world.url, note)) as elsewhere:
        nobody = Somebody(create_app(world.services._replace(expensive=elsewhere)))
        before, after = (left(nobody.get(f"/v1/tables/{table}/blame?path=/status")) for _ in "ab")
    assert before - after == COSTS_MS["GET", f"{TABLE}/blame"] + EVENTS // EVENTS_A_MS


def test_a_refusal_comes_back_whole(table: str, elsewhere: ExpensiveProcess) -> None:
    """With its code, what is wrong, and its further members."""
    for question, code, members in (
        (asked(table, "find", path="/status", value=1, first=1), "never-so", {}),
        (asked(table, "diff", first=1, to=EVENTS + 1), "no-such-version", {}),
        (asked("t_aaaaaaaaaaaaaaaa", "audit", sampled=None), "no-such-table", {}),
        (asked(table, "diff", seat=9), "no-such-seat", {}),
        (asked(table, "readjudication", options={"moon": "full"}), "option-refused", {"option": "moon"}),
    ):
        with pytest.raises(Refused) as refused:
            elsewhere(question)
        assert (refused.value.code, refused.value.members) == (code, members)
        assert str(refused.value) == f"{code}: {refused.value.detail}"


def test_what_was_played_just_now_is_known_there(world: World, elsewhere: ExpensiveProcess) -> None:
    """The other process reads the log anew for each question, and a private table is as private there."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou", visibility="private")
    caller = world.services.accounts.caller(str(ann.token))
    for moves in (1, 2):
        world.play(table, ann, bob, moves=moves)
        version = accepted(ann.get(f"/v1/tables/{table}"))["version"]
        assert b'"to":%d' % version in elsewhere(Question("diff", caller, table, {})).body
    with pytest.raises(Refused, match="no-such-table"):
        elsewhere(asked(table, "diff"))


@pytest.mark.slow
def test_a_store_that_went_back_is_told_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the other process knew and the store holds no more is damage, said once and by its name; then it is read."""
    with embedded_store() as url, closing(World(url)) as world, closing(ExpensiveProcess(url)) as elsewhere:
        monkeypatch.setenv("WINTERCOUNT_SECRET", SECRET)
        monkeypatch.setenv("WINTERCOUNT_DATA", str(data_beside(url)))
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou")
        copy, held = damage.copy_of(connect(url)), world.services.handler.log.head(table)
        world.play(table, ann, bob, moves=2)
        assert json.loads(elsewhere(asked(table, "diff")).body)["to"] > held.version

        damage.put_back(connect(url), copy)

        with pytest.raises(Diverged, match=f"{table} has diverged: .* version {held.version} with hash") as told:
            elsewhere(asked(table, "diff"))
        assert (told.value.table, told.value.known.version > held.version) == (table, True)
        assert json.loads(elsewhere(asked(table, "diff")).body)["to"] == held.version


def test_who_finds_another_at_work_is_told_so(
    table: str, elsewhere: ExpensiveProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while; and is answered the next time."""
    monkeypatch.setattr(expensive_process, "PATIENCE_S", 0.01)
    with elsewhere._lock, pytest.raises(Refused, match="too-busy"):
        elsewhere(asked(table, "diff"))
    assert elsewhere(asked(table, "diff")).body


def test_worlds_that_are_imagined_keep_no_other_question_waiting(
    world: World, table: str, elsewhere: ExpensiveProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have a process of their own."""
    monkeypatch.setattr(expensive_process, "PATIENCE_S", 0.01)
    found = ExpensiveProcesses(world.url, note)
    monkeypatch.setattr(found, "_others", elsewhere)
    with found._imagining._lock:
        assert found(asked(table, "diff")).body
        with pytest.raises(Refused, match="too-busy"):
            found(asked(table, "beliefs", worlds=20))
        with pytest.raises(Refused, match="too-busy"):
            found(asked(table, "audit", sampled=None, imagines=True))


@pytest.mark.slow
def test_an_answer_that_takes_too_long_is_given_up(table: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process is ended; so is one that falls over, and the next question has a new one."""
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))  # where the process finds what answers here
    with closing(
        ExpensiveProcess(world.url, function="tests.service.test_expensive_process:planted", deadline_s=1.0)
    ) as elsewhere:
        for name in ("hangs", "dies"):
            with pytest.raises(Refused, match="too-busy"):
                elsewhere(asked(table, name))
        with pytest.raises(RedisError, match="gone"):
            elsewhere(asked(table, "store"))
        assert elsewhere(asked(table, "diff")).body


def test_it_leaves_no_figures_among_those_of_web_processes(
    world: World, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody reads them, and each process that is ended would leave its files there until somebody asks for figures."""
    monkeypatch.setenv(SHARED_IN, str(tmp_path))
    with closing(ExpensiveProcess(world.url)) as elsewhere:
        assert elsewhere(asked(table, "diff")).body
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_ours_is_no_answer(table: str, elsewhere: ExpensiveProcess) -> None:
    """What was raised there is named by its kind alone: its text may hold what the table keeps secret."""
    with pytest.raises(RuntimeError) as fault:
        elsewhere(asked(table, "find", path=5, value=1, first=1))
    assert str(fault.value) == "find: TypeError"


def planted(question: tuple[str, Question]) -> Any:
    """What the process does in a test: all that can go wrong, or what it does otherwise."""
    name = question[1].name
    if name == "hangs":
        time.sleep(3600)
    if name == "dies":
        raise SystemExit
    if name == "store":
        return Found(RedisError("gone"))
    return expensive_process.answered(question)


def test_a_key_store_that_is_empty_when_the_process_starts_is_told_as_one_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its copy may be put back any time: it is no fault of ours."""
    with embedded_store() as url, closing(World(url)):
        for name, value in (("SECRET", SECRET), ("DATA", str(tmp_path)), ("REDIS_URL", url)):
            monkeypatch.setenv(f"WINTERCOUNT_{name}", value)
        found = expensive_process.answered((url, Question("audit", NOBODY, "t_none", {})))
    assert isinstance(found.answer, KeysUnavailable)


def test_threads_are_answered_one_after_the_other(table: str, elsewhere: ExpensiveProcess) -> None:
    """Each gets its own answer."""
    found: dict[int, bytes] = {}

    def ask(version: int) -> None:
        found[version] = elsewhere(Question("diff", Caller(), table, {"first": version, "to": version + 1})).body

    threads = [threading.Thread(target=ask, args=(version,)) for version in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(b'"from":%d,' % version in body for version, body in found.items())
    assert len(found) == 8


def test_the_tables_of_a_page_of_the_feed_stay_for_the_next_one() -> None:
    """A page of the stream has a batch of each of 100 tables; unpacked anew for each page they take a second."""
    assert expensive_process.KEPT_TABLES > BATCHES


def test_a_long_table_costs_more_to_look_through(world: World, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the place is found early, late or never: nobody can tell by what is left of his budget."""
    monkeypatch.setattr(costs, "USUAL_EVENTS", 10)
    charged: list[int] = []
    here = Here(CommandHandler(world.services.handler.log, charge=charged.append, owe=charged.append))
    for path, value in (("/status", 1), ("/table", table)):
        with suppress(Refused):
            here(asked(table, "find", path=path, value=value, first=1))
        here(asked(table, "blame", path="/table"))
    long = EVENTS - 10
    assert charged[1::2] == [long * 30 // 100, long * 22 // 100] * 2
