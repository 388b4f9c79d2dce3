"""What the store keeps sealed, the keys of it, and what stores of before are brought to."""

import base64
import hashlib
import hmac
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from events.store import META, connect
from service.accounts.accounts_and_tokens import REPEATS_S, Accounts, TokenRequest
from service.accounts.key_store import FileKeys
from service.accounts.sealing import KeyFile, Sealer, SecretUnusable, Unsealable, new_key, sealer_for
from service.accounts.webhooks import Webhooks
from service.config import Settings
from tests.servers import data_directory, running
from tests.service.api.plain_texts import plain_in
from tests.tables import TEXTS
from wintercount.operations.rotation import give_up, reseal_all, rotate
from wintercount.processes import embedded

NOW = "2026-11-21T09:00:00.000Z"
ONE, OTHER = new_key(), new_key()
ASKED = TokenRequest("", NOW, "r" * 32, "f" * 32)
URL = "https://bots.example/turn"

Store = Any


def accounts(client: Store, secret: str = ONE) -> Accounts:
    return Accounts(client, sealer_for(client, Settings(secret=secret)), TEXTS)


def webhooks(client: Store, secret: str = ONE) -> Webhooks:
    return Webhooks(client, sealer_for(client, Settings(secret=secret)))


def everything(client: Store) -> bytes:
    """All that a store holds, keys and values."""
    found = [client.dump(key) for key in client.scan_iter()]
    return b"\n".join([*client.scan_iter(), *found])


def test_a_token_cannot_be_worked_out_from_the_store(valkey: Store) -> None:
    """Its text is random: neither it nor a secret of which it was made is there."""
    _, token, text, _ = accounts(valkey).create("Ann", ASKED, bot=False)
    assert text.encode() not in everything(valkey)
    kept = [
        *valkey.hgetall(META).values(),
        *(valkey.get(key) for key in valkey.scan_iter() if valkey.type(key) == b"string"),
    ]
    made = {base64.urlsafe_b64encode(hmac.digest(value, f"token|{ASKED.request}".encode(), "sha256")) for value in kept}
    assert text.removeprefix("wc_").encode() + b"=" not in made
    assert valkey.hget(META, "secret") is None
    assert token.digest == hashlib.sha256(text.encode()).hexdigest()


def test_a_repeat_is_told_the_first_answer_for_a_day(valkey: Store) -> None:
    """Afterwards the same request is a new one: an Idempotency-Key is no lasting credential."""
    found = accounts(valkey)
    first = found.create("Ann", ASKED, bot=False)
    (answer,) = valkey.scan_iter("{accounts}:answer:*")
    assert REPEATS_S - 60 < valkey.ttl(answer) <= REPEATS_S == 86_400
    valkey.expire(answer, 0)
    other = found.create("Ann", ASKED, bot=False)
    assert (other[0].id != first[0].id, other[2] != first[2]) == (True, True)
    assert found.caller(first[2]).id == first[0].id


def test_what_is_sealed_opens_for_its_own_purpose_alone() -> None:
    """Somebody who can write to the store cannot pass one record off as another."""
    sealer = Sealer(lambda: [ONE])
    sealed = sealer.seal("answer 1", b"wc_x")
    assert sealer.open("answer 1", sealed) == b"wc_x"
    for other, of in ((sealer, "answer 2"), (Sealer(lambda: [OTHER]), "answer 1")):
        with pytest.raises(Unsealable):
            other.open(of, sealed)


def test_a_store_sealed_under_another_key_is_refused(valkey: Store, tmp_path: Path) -> None:
    """Two machines that each made a key of their own would not understand each other."""
    sealer_for(valkey, Settings(secret=ONE))
    with pytest.raises(SecretUnusable, match="sealed under another key"):
        sealer_for(valkey, Settings(secret=OTHER))
    with pytest.raises(SecretUnusable, match="its key is not here"):
        sealer_for(valkey, Settings(data=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []
    sealer_for(valkey, Settings(secret=f"{OTHER},{ONE}"))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "dispatch"])
def test_a_process_without_the_key_does_not_start(valkey: Store, valkey_url: str, command: str) -> None:
    sealer_for(valkey, Settings(secret=ONE))
    environment = os.environ | {"WINTERCOUNT_REDIS_URL": valkey_url, "WINTERCOUNT_SECRET": OTHER}
    words = [sys.executable, "-m", "wintercount", command]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "sealed under another key" in done.stderr) == (1, True)
    assert OTHER not in done.stderr + done.stdout


@pytest.mark.parametrize(
    "text", ["", " , ", "short", "ä" * 44, "{key:.43}", "{key}{key}", "{key}?", "!{key}", "{key}\0"]
)
def test_keys_that_are_none_are_refused(valkey: Store, tmp_path: Path, text: str) -> None:
    """Two that were put behind each other without a line between them are none: one of them would be forgotten."""
    (tmp_path / "secret").write_text(text.format(key=OTHER))
    with pytest.raises(SecretUnusable, match="32 bytes in Base64"):
        sealer_for(valkey, Settings(data=str(tmp_path)))


def test_a_rotated_key_opens_what_the_old_one_sealed(valkey: Store, tmp_path: Path) -> None:
    """While a process runs: it looks the keys up. The key before the last one opens nothing any more."""
    settings = Settings(data=str(tmp_path))
    sealer = sealer_for(valkey, settings)
    found, hooks = Accounts(valkey, sealer, TEXTS), Webhooks(valkey, sealer)
    made = found.create("Rob", ASKED, bot=True)
    webhook, _ = hooks.put(made[0].id, URL, NOW)
    key = hooks.key_of(webhook)
    assert plain_in(valkey, [URL]) == {URL: set()}
    (first,) = KeyFile(settings.key_file).read()
    (answer,) = valkey.scan_iter("{accounts}:answer:*")

    for _ in range(2):
        assert rotate(valkey, settings) == 3
    keys = KeyFile(settings.key_file).read()
    assert (len(keys), first in keys) == (2, False)
    again = hooks.of(made[0].id)
    assert again is not None
    assert (hooks.key_of(again), hooks.url_of(again)) == (key, URL)
    assert found.create("Rob", ASKED, bot=True) == (*made[:3], True)
    assert REPEATS_S - 60 < valkey.ttl(answer) <= REPEATS_S
    sealer_for(valkey, settings)
    with pytest.raises(SecretUnusable):
        sealer_for(valkey, Settings(secret=first))
    assert settings.key_file.stat().st_mode & 0o777 == 0o600


def test_rotation_that_was_cut_off_loses_nothing(valkey: Store, tmp_path: Path) -> None:
    """The new key stands in the file before anything is sealed under it."""
    settings = Settings(data=str(tmp_path))
    sealer_for(valkey, settings)
    found = Webhooks(valkey, sealer_for(valkey, settings))
    webhook, _ = found.put("p_rob", URL, NOW)
    key, file = found.key_of(webhook), KeyFile(settings.key_file)
    file.write([new_key(), *file.read()])
    assert found.key_of(webhook) == key
    reseal_all(valkey, Sealer(file.read), FileKeys(tmp_path / "keys.sqlite"))
    rotate(valkey, settings)
    kept = found.of("p_rob")
    assert kept is not None
    assert found.key_of(kept) == key


def test_a_lost_key_is_given_up(valkey: Store, tmp_path: Path) -> None:
    """The service starts again; tokens are not lost, webhooks have to be named anew."""
    settings = Settings(secret=OTHER, data=str(tmp_path))
    found = accounts(valkey)
    player, _, text, _ = found.create("Rob", ASKED, bot=True)
    webhooks(valkey).put(player.id, URL, NOW)
    assert give_up(valkey, settings) == 3
    assert accounts(valkey, OTHER).caller(text).id == player.id
    assert webhooks(valkey, OTHER).of(player.id) is None
    assert give_up(valkey, settings) == 0


def test_the_data_directory_is_its_owners_alone() -> None:
    """What lay there before as well; also where the umask of the operator would let others in."""
    with data_directory() as directory:
        data = directory / "data"
        (data / "appendonlydir").mkdir(parents=True, mode=0o755)
        (data / "valkey.log").touch(mode=0o644)
        former = os.umask(0o022)
        try:
            with embedded.hold(data) as lock, running(embedded.start(data, lock)):
                sealer_for(connect(embedded.url_of(data)), Settings(data=str(data)))
                found = {path.name: path.lstat().st_mode & 0o777 for path in (data, *data.rglob("*"))}
        finally:
            os.umask(former)
    assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}
    assert {"data", "lock", "secret", "valkey.log", "valkey.sock", "appendonlydir"} <= set(found)
    assert found["data"] == 0o700
