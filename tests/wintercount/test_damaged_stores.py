"""A store that is damaged or cannot be read in part: every command says so in a sentence, and none fails."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from events.log import PARTITIONS
from events.store import META, RedisLog, connect
from projections.archived_tables import SEGMENTS
from projections.store import current
from tests.commands import on_store, wintercount
from tests.servers import data_beside
from tests.service.api.world import World, embedded_store
from tests.tables import Visit

NOBODY = "redis://127.0.0.1:1"  # where nobody listens


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """A store in which somebody has an account, and somebody has opened a table."""
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        world.somebody()
        Visit(RedisLog(connect(url), PARTITIONS)).open("manitou", "ann ai")
        yield url


def invoke(url: str, *words: str, **settings: str) -> Result:
    """A command on a store, with its keys."""
    return wintercount(*words, **on_store(url) | settings)


def told_in_a_sentence(told: Result) -> bool:
    """Whether the command has refused, rather than failed."""
    return isinstance(told.exception, SystemExit) and told.exit_code == 1


@pytest.mark.parametrize(
    "words",
    [
        "verify t_none",
        "rebuild --processes 1",
        "archive --after-days 0 --processes 1",
        "impact --all",
        "forget --again",
        "moderate list",
        "dump --month 2020-01",
    ],
)
def test_a_damaged_number_of_partitions_is_told_by_each_command(store: str, words: str, tmp_path: Path) -> None:
    """With what to set right."""
    client = connect(store)
    client.hset(META, "partitions", b"\xb64")
    told = invoke(store, *words.split(), DUMPS=str(tmp_path))
    client.hset(META, "partitions", PARTITIONS)

    assert told_in_a_sentence(told), told.exception
    assert f"HSET {META} partitions N" in told.output


@pytest.mark.parametrize("words", ["rotate-secret --keep", "forget --again", "moderate list"])
def test_a_key_store_that_does_not_answer_is_told_by_each_command(store: str, words: str) -> None:
    """And not as if it were the store."""
    told = invoke(store, *words.split(), KEYS_URL=NOBODY)

    assert told_in_a_sentence(told), told.exception
    assert "Error: the key store does not answer: " in told.output


@pytest.mark.parametrize("what", ["place", "segment", "number"])
def test_the_doctor_looks_at_the_rest_of_a_damaged_store(store: str, what: str) -> None:
    """What it cannot read is a fault, and every other check is made."""
    client = connect(store)
    log = RedisLog(client, PARTITIONS)
    match what:
        case "place":
            client.set(current(log, "lobby").key(3, "checkpoint"), b"4\xb9 7")
        case "segment":
            client.zadd(SEGMENTS, {"": 1})
        case "number":
            client.hset(META, "generation:lobby", b"\xb1")
    told = invoke(store, "doctor", ARCHIVE=str(data_beside(store) / "archive"))
    client.delete(SEGMENTS, current(log, "lobby").key(3, "checkpoint") if what == "place" else "none")
    client.hdel(META, "generation:lobby")

    assert told_in_a_sentence(told), told.exception
    lines = [line for line in told.output.splitlines() if line.startswith("fault")]
    assert any({"place": "behind", "segment": "archive", "number": "ValueError"}[what] in line for line in lines)
    assert "nothing answers at" in lines[-1]
