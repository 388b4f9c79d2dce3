"""Empty accounts end: who never had to do with a table and sent nothing for some days; everybody else stays."""

import threading

import pytest
from freezegun import freeze_time

from events.lifecycle import DisputeRules
from events.store import RedisLog
from service.accounts.accounts_and_tokens import Accounts, TokenRequest
from service.accounts.sealing import sealer_for
from service.accounts.webhooks import Webhooks
from service.config import Settings
from service.errors import Refused
from tests.servers import SECRET
from tests.tables import ANN, BEN, CAT, DAN, TEXTS, Visit, catch_up
from wintercount.processes.dispatcher_process import _sweeping, sweeper_of
from worker.unused_accounts import Swept

DAYS = 30
FIRST, LAST, AFTER = "2026-10-01T12:00:00Z", "2026-10-31T12:00:00Z", "2026-11-01T12:00:00Z"
YEARS = "2036-01-01T00:00:00Z"
NEVER = Settings(empty_account_days=0)


@pytest.fixture(params=["alone", "cluster"])
def log(request: pytest.FixtureRequest) -> RedisLog:
    found: RedisLog = request.getfixturevalue("valkey_log" if request.param == "alone" else "cluster_log")
    return found


def accounts_of(log: RedisLog) -> Accounts:
    """As another process has them: nothing is remembered."""
    return Accounts(log.client, sealer_for(log.client, Settings(secret=SECRET)), TEXTS, admin_token="the operator's")


def signed_up(log: RedisLog, name: str = "Eve") -> tuple[str, str]:
    """A new account's id and token."""
    player, _, text, _ = accounts_of(log).create(name, TokenRequest("", "", name, name.ljust(32)), bot=False)
    return player.id, text


def sweep(log: RedisLog) -> Swept:
    return sweeper_of(log, DAYS).sweep()


def is_there(log: RedisLog, text: str) -> bool:
    try:
        accounts_of(log).caller(text)
    except Refused:
        return False
    return True


def keys(log: RedisLog, player: str, token: str) -> list[bytes]:
    """Those that have something of an account in their name."""
    return [key for key in log.client.scan_iter() if player.encode() in key or token.encode() in key]


def test_an_empty_account_ends_with_its_tokens_and_its_webhook(log: RedisLog) -> None:
    """After as many days without a request, and not before; the operator's token is none of them."""
    with freeze_time(FIRST):
        player, text = signed_up(log)
        found = accounts_of(log)
        _, second, _ = found.add_token(found.caller(text), ("play",), TokenRequest("", "", "more", "m" * 32))
        digest = str(found.caller(text).token)
        Webhooks(log.client, sealer_for(log.client, Settings(secret=SECRET))).put(player, "https://bots.example/", "")
        assert sweep(log) == (1, 0, 0)
    with freeze_time(LAST):
        assert sweep(log) == (1, 0, 0)
    with freeze_time(AFTER):
        assert sweep(log) == (1, 0, 1)
        assert (is_there(log, text), is_there(log, second), is_there(log, "the operator's")) == (False, False, True)
        assert keys(log, player, digest) == []
        assert sweep(log) == (0, 0, 0)


def test_an_account_that_is_used_stays(log: RedisLog) -> None:
    with freeze_time(FIRST):
        _, text = signed_up(log)
        sweep(log)
    with freeze_time(LAST):
        assert is_there(log, text)
    with freeze_time(AFTER):
        assert sweep(log) == (1, 0, 0)
        assert is_there(log, text)


def test_a_clock_that_jumped_ends_no_account(log: RedisLog) -> None:
    """Ahead by years for less than a day; when it is right again, accounts end as before, a day later."""
    with freeze_time(FIRST):
        signed_up(log)
        sweep(log)
    for moment in (YEARS, YEARS, FIRST, LAST):
        with freeze_time(moment):
            assert sweep(log) == (1, 0, 0)
    with freeze_time(AFTER):
        assert [sweep(log), sweep(log)] == [(1, 0, 1), (0, 0, 0)]


def test_whoever_had_to_do_with_a_table_stays(valkey_log: RedisLog) -> None:
    """Opened it, sat at it, was kept a seat or was to arbitrate, be it private; before the lobby shows it, too."""
    visit = Visit(valkey_log)
    with freeze_time(FIRST):
        for number, who in enumerate((ANN, BEN, CAT, DAN)):
            put(valkey_log, who.id, number)
        sweep(valkey_log)
        visit.open("tomahawk", "ann ben", visibility="private", arbiter=CAT.id, disputes=DisputeRules(by="arbiter"))
    with freeze_time(LAST):
        sweep(valkey_log)
    with freeze_time(AFTER):
        assert sweep(valkey_log) == (4, 0, 0)
        catch_up(valkey_log)
        assert sweep(valkey_log) == (4, 0, 1)
        left = [accounts_of(valkey_log).player(who.id) is not None for who in (ANN, BEN, CAT, DAN)]
        assert left == [True, True, True, False]


def put(log: RedisLog, player: str, number: int) -> None:
    """An account of that id."""
    made, _, _, _ = accounts_of(log).create("X", TokenRequest("", "", str(number), "f" * 32), bot=False)
    log.client.rename(f"{{accounts}}:player:{made.id}", f"{{accounts}}:player:{player}")


def test_it_may_be_turned_off(valkey_log: RedisLog) -> None:
    assert _sweeping(threading.Event(), NEVER, valkey_log) == []
    assert len(_sweeping(threading.Event(), Settings(), valkey_log)) == 1
