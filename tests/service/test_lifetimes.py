"""What is kept of accounts for a while ends in time, though the store's clock ran ahead when it was kept."""

import threading
from typing import Any

import pytest
from redis.exceptions import RedisError

from service.accounts import lifetimes
from service.accounts.accounts import REPEATS_S, Accounts, key_of
from service.accounts.lifetimes import LONGEST_S, shorten, shorten_until
from service.accounts.sealing import sealer_for
from service.config import Settings
from tests.servers import SECRET
from tests.tables import TEXTS

YEARS_S = 10 * 365 * 86_400
AT = "2026-11-21T09:00:00.000Z"


@pytest.fixture(params=["alone", "cluster"])
def client(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue("valkey" if request.param == "alone" else "cluster")


def ends_in_s(client: Any, key: str) -> int:
    """In how many seconds a record ends; -1 if it stays."""
    return int(client.ttl(key))


@pytest.mark.parametrize("kind", LONGEST_S)
def test_what_would_stay_for_years_ends_as_if_it_was_kept_now(client: Any, kind: str) -> None:
    """The store's clock was ten years ahead, and is right again."""
    client.set(key_of(kind, "late"), "x", ex=YEARS_S)
    client.set(key_of(kind, "right"), "x", ex=LONGEST_S[kind] - 100)
    client.set(key_of(kind, "staying"), "x")

    assert shorten(client) == 1
    assert shorten(client) == 0
    ends = [ends_in_s(client, key_of(kind, name)) for name in ("late", "right", "staying")]
    assert LONGEST_S[kind] - 60 <= ends[0] <= LONGEST_S[kind]
    assert LONGEST_S[kind] - 160 <= ends[1] <= LONGEST_S[kind] - 100
    assert ends[2] == -1


def test_a_key_of_a_request_is_no_lasting_credential(valkey: Any) -> None:
    """The answer that holds a token's text is there for a day, and the account stays."""
    accounts = Accounts(valkey, sealer_for(valkey, Settings(secret=SECRET)), TEXTS)
    player, token, _ = accounts.create("Ann", bot=False, at=AT, request="r" * 32, fingerprint="f" * 32)
    kept = key_of("answer", "r" * 32)
    assert valkey.expire(kept, YEARS_S)

    shorten(valkey)
    assert 0 < ends_in_s(valkey, kept) <= REPEATS_S
    assert [ends_in_s(valkey, key_of(*one)) for one in (("player", player.id), ("token", token.digest))] == [-1, -1]


def test_a_store_that_does_not_answer_is_looked_at_again(
    valkey: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And the operator is told of what had to be shortened."""
    stop, answers = threading.Event(), iter([False, True])

    def look(_: Any) -> int:
        if not next(answers):
            raise RedisError("not now")
        stop.set()
        return 2

    monkeypatch.setattr(lifetimes, "PAUSE_S", 0.0)
    monkeypatch.setattr(lifetimes, "shorten", look)
    shorten_until(stop, valkey)

    assert [record.getMessage() for record in caplog.records] == [
        "how long records of accounts stay is looked at again later: not now",
        "2 records of accounts would have stayed for too long: the store's clock ran ahead",
    ]
