"""The keys of persons: one contract over a file and over a Redis, and how processes use them."""

import contextlib
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests

from events.store import connect
from service.accounts import key_store
from service.accounts.key_store import (
    ERASED,
    MARK,
    PREFIX,
    STORE,
    FileKeys,
    KeyStore,
    KeysUnavailable,
    PersonKeys,
    RedisKeys,
    keys_of,
    name_of,
    wrap,
)
from service.accounts.sealing import Sealer, SecretUnusable, new_key, sealer_for
from service.config import Settings
from service.errors import Refused
from tests.servers import data_directory, running, wait_while
from tests.service.web import process_of
from wintercount.operations.rotation import give_up, rotate
from wintercount.processes import embedded

ONE, OTHER = new_key(), new_key()
SEALER = Sealer(lambda: [ONE])

Store = Any


@pytest.fixture(params=["sqlite", "redis"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], KeyStore]:
    """Opens the same key store, as each process does."""
    if request.param == "sqlite":
        return lambda: FileKeys(tmp_path / "keys.sqlite")
    url = request.getfixturevalue("valkey_url")
    request.getfixturevalue("valkey")
    return lambda: RedisKeys(connect(url))


@pytest.fixture
def store(opened: Callable[[], KeyStore]) -> KeyStore:
    """An empty key store."""
    return opened()


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the time is for those who remember keys."""
    told = [1000.0]
    monkeypatch.setattr(key_store.time, "monotonic", lambda: told[0])  # type: ignore[attr-defined]
    return told


def test_keys_are_read_many_at_once(store: KeyStore) -> None:
    """Those who have none are left out."""
    for name in ("p_ann", "p_ben"):
        store.put(name, name.encode())
    assert store.read(["p_cat", "p_ben", "p_ann"]) == {"p_ann": b"p_ann", "p_ben": b"p_ben"}
    assert sorted(store.everyone()) == [("p_ann", b"p_ann"), ("p_ben", b"p_ben")]


def test_a_key_is_replaced_if_it_is_still_what_it_was(store: KeyStore) -> None:
    """So a repeat changes nothing, and of two who replace it one does."""
    store.put("p_ann", b"one")
    assert [store.replace([("p_ann", b"one", b"two")]), store.replace([("p_ann", b"one", b"three")])] == [1, 0]
    assert store.replace([("p_ben", b"one", b"two")]) == 0
    assert store.read(["p_ann", "p_ben"]) == {"p_ann": b"two"}


def test_an_erased_key_is_not_made_again(store: KeyStore) -> None:
    """Who writes a moment after the erasure is refused, whichever process is asked."""
    made = PersonKeys(store, SEALER).find_or_create("p_ann")
    store.erase("p_ann")
    assert store.put("p_ann", wrap(SEALER, "p_ann", made)) == ERASED
    assert PersonKeys(store, SEALER).find(["p_ann"]) == {}
    with pytest.raises(Refused, match="erased"):
        PersonKeys(store, SEALER).find_or_create("p_ann")


def test_keys_lie_wrapped(store: KeyStore) -> None:
    """For one person each: somebody who can write to the key store cannot give one person's key to another."""
    found = PersonKeys(store, SEALER)
    key = found.find_or_create("p_ann")
    wrapped = store.read(["p_ann"])["p_ann"]
    assert key not in wrapped
    store.put("p_ben", wrapped)
    assert PersonKeys(store, SEALER).find(["p_ann", "p_ben"]) == {"p_ann": key}


def test_a_key_is_forgotten_within_five_seconds(store: KeyStore, now: list[float]) -> None:
    """Where it was erased by another process; meanwhile the key store is not asked again."""
    found = PersonKeys(store, SEALER)
    key = found.find_or_create("p_ann")
    assert found.find(["p_ann"]) == {"p_ann": key}
    store.erase("p_ann")
    now[0] += 4.9
    assert found.find(["p_ann"]) == {"p_ann": key}
    now[0] += 0.2
    assert found.find(["p_ann"]) == {}


def test_the_file_is_nobody_elses(tmp_path: Path) -> None:
    """Nor is a journal that lies beside it for a moment; what is replaced is overwritten."""
    path = tmp_path / "keys.sqlite"
    store = FileKeys(path)
    secret = b"to be forgotten" * 20
    store.put("p_ann", secret)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert secret in path.read_bytes()
    store.erase("p_ann")
    assert b"to be forgotten" not in path.read_bytes()
    assert [found.name for found in tmp_path.iterdir()] == ["keys.sqlite"]


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "keys.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(KeysUnavailable, match=r"keys\.sqlite"):
        FileKeys(tmp_path / "keys.sqlite")
    with pytest.raises(SecretUnusable, match="WINTERCOUNT_KEYS_URL"):
        FileKeys(tmp_path / "keys.sqlite" / "deeper" / "keys.sqlite")


def test_a_redis_that_does_not_answer_is_told(tmp_path: Path) -> None:
    store = RedisKeys(connect(f"unix://{tmp_path}/nobody.sock"))
    for ask in (lambda: store.read(["p_ann"]), lambda: store.put("p_ann", b"x"), lambda: list(store.everyone())):
        with pytest.raises(KeysUnavailable):
            ask()


def settings(folder: Path, **more: Any) -> Settings:
    return Settings(data=str(folder), **more)


def test_a_log_belongs_to_one_key_store(valkey: Store, tmp_path: Path) -> None:
    """A web server on another machine that would begin a key store of its own does not start, and says what to do."""
    sealer = sealer_for(valkey, settings(tmp_path))
    key = keys_of(valkey, settings(tmp_path), sealer).find_or_create("p_ann")
    assert keys_of(valkey, settings(tmp_path), sealer).find(["p_ann"]) == {"p_ann": key}
    elsewhere = settings(tmp_path / "elsewhere", secret_file=str(tmp_path / "secret"))
    with pytest.raises(SecretUnusable, match="WINTERCOUNT_KEYS_URL"):
        keys_of(valkey, elsewhere, sealer)


def test_a_key_store_that_was_emptied_gives_nobody_another_key(store: KeyStore) -> None:
    """It has its name no more: nothing is read or written until its copy is back, and then all is as before."""
    name = name_of(store)
    found = PersonKeys(store, SEALER, name)
    key = found.find_or_create("p_ann")
    kept = store.read([STORE, "p_ann"])
    for person, wrapped in kept.items():
        store.replace([(person, wrapped, b"gone")])
    later = PersonKeys(store, SEALER, name)
    for ask in (
        later.find_or_create,
        later.erase,
        lambda person: later.find([person]),
        lambda person: later.erased([person]),
    ):
        for person in ("p_ann", "p_ben"):
            with pytest.raises(KeysUnavailable, match="newest copy"):
                ask(person)
    assert store.read(["p_ann", "p_ben"]) == {"p_ann": b"gone"}
    for person, wrapped in kept.items():
        store.replace([(person, b"gone", wrapped)])
    assert later.find(["p_ann"]) == {"p_ann": key} == {"p_ann": later.find_or_create("p_ann")}


def test_keys_do_not_lie_with_the_log(valkey: Store, valkey_url: str, tmp_path: Path) -> None:
    """A setting that says so is refused, however it writes the address."""
    for keys_url in (valkey_url, f"{valkey_url}?db=0"):
        found = settings(tmp_path, redis_url=valkey_url, keys_url=keys_url)
        with pytest.raises(SecretUnusable, match="protect nothing"):
            keys_of(valkey, found, SEALER)


def test_a_rotation_wraps_the_keys_anew(valkey: Store, tmp_path: Path) -> None:
    """Twice, and the key that they lay under first opens none of them; an erased one stays erased."""
    found = settings(tmp_path)
    sealer = sealer_for(valkey, found)
    first = Path(found.key_file).read_text().split()
    people = keys_of(valkey, found, sealer)
    made = {name: people.find_or_create(name) for name in ("p_ann", "p_ben")}
    people.store.put("p_cat", ERASED)
    assert [rotate(valkey, found), rotate(valkey, found)] == [3, 3]  # the seal, and two keys
    again = keys_of(valkey, found, sealer_for(valkey, found))
    assert again.find([*made, "p_cat"]) == made
    assert PersonKeys(again.store, Sealer(lambda: first)).find(made) == {}
    assert again.store.read(["p_cat"]) == {"p_cat": ERASED}


def test_a_lost_secret_is_given_up(valkey: Store, tmp_path: Path) -> None:
    """Whose key nothing opens is given another: what was written is lost, and what will be is read."""
    found = settings(tmp_path)
    lost = keys_of(valkey, found, sealer_for(valkey, found)).find_or_create("p_ann")
    Path(found.key_file).unlink()
    with pytest.raises(SecretUnusable):
        sealer_for(valkey, found)
    assert give_up(valkey, found) == 2  # the seal, and Ann's key
    again = keys_of(valkey, found, sealer_for(valkey, found))
    assert again.find_or_create("p_ann") == again.find(["p_ann"])["p_ann"] != lost


def test_a_lost_key_store_is_given_up(valkey: Store, tmp_path: Path) -> None:
    """The log goes on with the new one."""
    found = settings(tmp_path)
    lost = keys_of(valkey, found, sealer_for(valkey, found)).find_or_create("p_ann")
    (tmp_path / "keys.sqlite").unlink()
    with pytest.raises(SecretUnusable, match="--lost"):
        keys_of(valkey, found, sealer_for(valkey, found))
    assert give_up(valkey, found) == 0
    assert keys_of(valkey, found, sealer_for(valkey, found)).find_or_create("p_ann") != lost
    assert valkey.get(MARK)


@pytest.mark.slow
def test_a_web_server_waits_for_its_key_store(valkey: Store, valkey_url: str) -> None:
    """It is not ready before that answers, and needs no restart."""
    with (
        data_directory() as directory,
        process_of(valkey_url, KEYS_URL=embedded.url_of(directory)) as (address, process),
    ):
        wait_while(lambda: process.poll() is None, lambda: code_of(f"{address}/readyz"))
        assert code_of(f"{address}/readyz") == 503
        assert code_of(f"{address}/healthz") == 200
        with running(embedded.start(directory)):
            wait_while(lambda: process.poll() is None, lambda: code_of(f"{address}/readyz") == 200)
            account = requests.post(f"{address}/v1/players", json={"name": "Ann"}, timeout=20).json()
            token = {"Authorization": f"Bearer {account['token']['secret']}"}
            body = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}
            opened = requests.post(f"{address}/v1/tables", json=body, headers=token, timeout=20).json()
            assert opened["seats"][0]["name"] == "Ann"
            kept = RedisKeys(connect(embedded.url_of(directory))).read([account["id"]])
    assert list(kept) == [account["id"]]
    assert valkey.exists(PREFIX + account["id"]) == 0


def code_of(url: str) -> int:
    """The status of an answer; 0 before anything answers."""
    with contextlib.suppress(requests.RequestException):
        return requests.get(url, timeout=20).status_code
    return 0
