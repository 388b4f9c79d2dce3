"""Questions are answered by a pool of processes as they would be here, and neither its end nor its silence hurts."""

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError

from rulings.notation import document_of, write
from service.accounts.callers import NOBODY
from service.errors import FieldError, Refused
from service.tables.whole_game_questions import ANSWERS, Question
from tests import corpus
from tests.servers import SECRET, data_beside, wait_until
from tests.service.api.test_archives import data_of, send
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused
from wintercount.processes.pool import InlineExecutor, Pool, answered
from wintercount.processes.services import create_app

NAME = "tomahawk-2-greedy"
EVENTS = len(corpus.history_of(NAME).events)
MOON = {"option": "moon", "errors": [FieldError("body", "/options/moon", "there is no option 'moon'")]}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with embedded_store() as url, closing(World(url)) as found:
        yield found


@pytest.fixture(scope="module")
def table(world: World) -> str:
    """A finished table."""
    return str(accepted(send(world.operator, data_of(NAME)), 201)["id"])


@pytest.fixture(scope="module", autouse=True)
def _settings(world: World) -> Iterator[None]:
    """What a process of its own goes by."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WINTERCOUNT_SECRET", SECRET)
        environment.setenv("WINTERCOUNT_DATA", str(data_beside(world.url)))
        yield


@pytest.fixture(scope="module")
def elsewhere(world: World) -> Iterator[Pool]:
    with closing(Pool(world.url, 8)) as found:
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
    branch = accepted(ann.post(f"/v1/tables/{table}/forks", {"version": EVENTS // 2}), 201)["id"]
    return [
        asked(table, "diff", first=1, to=EVENTS),
        asked(table, "blame", path="/scores/scores/0/total"),
        asked(table, "find", path="/status", value="running", first=1),
        asked(table, "audit", version=2, hash="00" * 32),
        asked(table, "archive", after=0),
        asked(table, "notation"),
        Question("readjudication", world.services.accounts.caller(str(ann.token)), table, {"options": {}}),
        asked(table, "comparison", other=branch, language="fr"),
        Question("beliefs", world.services.accounts.caller(str(ann.token)), table, {"seat": 1, "at": 20, "worlds": 20}),
        Question("feed", NOBODY, "", {"limit": 20}),
        Question("transcript", world.services.accounts.caller(str(ann.token)), f"x_{'a' * 20}", LOADED),
    ]


def test_answers_are_the_same_wherever_they_are_found(world: World, table: str, elsewhere: Pool) -> None:
    """Of every kind of question: the same JSON, and of an archive the same bytes."""
    here, found = InlineExecutor(world.services.handler), questions(world, table)
    assert {question.name for question in found} == ANSWERS.keys() - {"explanation"}
    for question in found:
        read = bytes if question.name in ("archive", "notation") else json.loads
        assert read(elsewhere(question).body) == read(here(question).body), question.name


def test_a_refusal_comes_back_whole(table: str, elsewhere: Pool) -> None:
    """With its code, what is wrong, and its further members."""
    for question, code, members in (
        (asked(table, "find", path="/status", value=1, first=1), "never_so", {}),
        (asked(table, "diff", first=1, to=EVENTS + 1), "no_such_version", {}),
        (asked("t_aaaaaaaaaaaaaaaa", "audit"), "no_such_table", {}),
        (asked(table, "diff", seat=9), "no_such_seat", {}),
        (asked(table, "readjudication", options={"moon": "full"}), "option_refused", MOON),
    ):
        with pytest.raises(Refused) as refused:
            elsewhere(question)
        assert (refused.value.code, refused.value.members) == (code, members)
        assert str(refused.value) == f"{code}: {refused.value.detail}"


def test_a_question_that_finds_no_place_is_refused_while_moves_are_taken(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the time after which to come again. Then it is answered."""
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    monkeypatch.setenv("HANGING", str(data_beside(world.url) / "hanging"))
    Path(os.environ["HANGING"]).touch()
    with closing(Pool(world.url, 1, 1, function="tests.wintercount.test_pool:planted")) as small:
        app = create_app(world.services._replace(expensive=small))
        ann, bob = (Somebody(app, one.player, one.token) for one in (world.somebody("Ann"), world.somebody("Bob")))
        table = world.open(ann, bob, game="manitou")
        asks = partial(wait_until, lambda: ann.get(f"/v1/tables/{table}/diff").status_code == 200)
        first = threading.Thread(target=asks)
        first.start()
        wait_until(lambda: bob.get(f"/v1/tables/{table}/audit").status_code == 503)
        answer = bob.get(f"/v1/tables/{table}/audit")
        assert refused(answer, 503, "too_busy")
        assert answer.headers["Retry-After"] == "1"
        world.play(table, ann, bob, moves=2)
        Path(os.environ["HANGING"]).unlink()
        first.join()
        assert accepted(bob.get(f"/v1/tables/{table}/audit"))["holds"]


@pytest.mark.slow
def test_an_answer_that_takes_too_long_is_given_up(table: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process is ended; so is one that falls over, and the next question has a new one."""
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))  # where the process finds what answers here
    with closing(Pool(world.url, 1, 1, function="tests.wintercount.test_pool:planted", deadline_s=1.0)) as elsewhere:
        for name in ("hangs", "dies"):
            with pytest.raises(Refused, match="too_busy"):
                elsewhere(asked(table, name))
        with pytest.raises(RedisError, match="gone"):
            elsewhere(asked(table, "store"))
        assert elsewhere(asked(table, "diff")).body


def test_a_fault_of_ours_is_no_answer(table: str, elsewhere: Pool) -> None:
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
        return RedisError("gone")
    if name == "diff" and "HANGING" in os.environ:
        while Path(os.environ["HANGING"]).exists():
            time.sleep(0.01)
    return answered(question)
