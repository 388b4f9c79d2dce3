"""Accounts of earlier releases, which held what was chosen in plain: told as before, and encrypted when one starts."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from events.scripts import Client
from events.store import connect
from service.accounts.account_texts import ENCRYPTED
from service.accounts.accounts import key_of
from service.accounts.callers import Caller
from service.accounts.erasing import REWRITTEN, WRITTEN
from service.accounts.key_stores import ERASED, FILE, KeysUnavailable, SqliteKeys
from service.accounts.older_accounts import LOOKED_S, RECORDS, encrypt_all, encrypt_until
from service.accounts.passkeys import Passkey
from service.accounts.personal_texts import Texts
from service.accounts.webhooks import Webhook, Webhooks, keys_of
from tests.servers import data_beside
from tests.service.api.authenticator import Authenticator
from tests.service.api.plain import plain_in
from tests.service.api.test_identities import RECOVERY, by_passkey, passkey_for, signed_in
from tests.service.api.world import Somebody, World, accepted, embedded_store

NAME, LABEL, KEY, WHOM = "Wilhelmina Sunrise", "telephone of hers", "key of hers", "Bea of the Plains"
URL = "https://bots.example/turns/of-will?known-by=b1zon"
CHOSEN = (NAME, LABEL, KEY, WHOM, URL)
WEBHOOK = "/v1/players/me/webhook"


class Older:
    """Wilhelmina, whose account has all that somebody chooses a name for, as an earlier release has kept it."""

    def __init__(self, world: World) -> None:
        self.world, self.client = world, connect(world.url)
        self.will = world.somebody(NAME)
        self.id = str(self.will.player)
        accepted(self.will.post("/v1/players/me/tokens", {"scopes": ["play"], "label": LABEL}), 201)
        self.device = Authenticator()
        passkey = accepted(passkey_for(self.will, self.device), 201)["passkey"]
        accepted(self.will.send("PUT", f"/v1/players/me/passkeys/{passkey}", json={"label": KEY}))
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = accepted(self.will.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["table"]
        self.path = f"/v1/tables/{table}/invitations"
        accepted(self.will.post(self.path, {"name": WHOM}), 201)
        bot = accepted(world.nobody.post("/v1/players", {"name": "Robot", "bot": True}), 201)
        self.bot = Somebody(world.app, bot["player"], bot["token"]["secret"])
        accepted(self.bot.send("PUT", WEBHOOK, json={"url": URL}))
        assert self.in_plain() == set()

    @property
    def texts(self) -> Texts:
        return self.world.services.handler.texts

    @property
    def kept(self) -> tuple[Client, Texts, Webhooks]:
        """Where it is kept, and what encrypts it."""
        return self.client, self.texts, self.world.services.webhooks

    def encrypt_all(self) -> int:
        """What a web server does when it starts."""
        return encrypt_all(*self.kept)

    def told(self) -> list[Any]:
        """What she, and her bot, are told of all of it."""
        paths = ("/v1/players/me", "/v1/players/me/tokens", "/v1/players/me/passkeys", self.path)
        return [accepted(self.will.get(path)) for path in paths] + [accepted(self.bot.get(WEBHOOK))]

    def in_plain(self) -> set[str]:
        """What of it the store holds in plain."""
        return {text for text, keys in plain_in(self.client, CHOSEN).items() if keys}

    def grow_older(self) -> None:
        """Every record becomes what an earlier release has written."""
        for kind, of, text in (("player", self.id, NAME), ("token", "*", LABEL), ("invitation", "*", WHOM)):
            for key in self.client.scan_iter(key_of(kind, of)):
                self.write_plain(kind, key, text)
        [(field, kept)] = self.client.hgetall(key_of("passkeys", self.id)).items()
        older = msgspec.structs.replace(msgspec.json.decode(kept, type=Passkey), label=KEY)
        self.client.hset(key_of("passkeys", self.id), field, msgspec.json.encode(older))
        self.write_plain_webhook()

    def write_plain(self, kind: str, key: bytes, text: str) -> None:
        record = msgspec.json.decode(self.client.get(key), type=RECORDS[kind].type)
        if not isinstance(getattr(record, RECORDS[kind].field), str):
            older = msgspec.structs.replace(record, **{RECORDS[kind].field: text})
            self.client.set(key, msgspec.json.encode(older), keepttl=True)

    def write_plain_webhook(self) -> None:
        key = keys_of(str(self.bot.player))[0]
        webhook = msgspec.json.decode(self.client.get(key), type=Webhook)
        self.client.set(key, msgspec.json.encode(msgspec.structs.replace(webhook, url=URL, address="")))


@pytest.fixture
def older() -> Iterator[Older]:
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        yield Older(world)


def test_what_is_in_plain_is_told_and_then_encrypted(older: Older) -> None:
    """Nobody is told anything else; a repeat finds nothing to do; the file is written anew."""
    before = older.told()
    older.grow_older()
    assert (older.told(), older.in_plain()) == (before, set(CHOSEN))

    assert older.encrypt_all() == len(CHOSEN)

    assert (older.told(), older.in_plain()) == (before, set())
    assert older.client.info("commandstats")["cmdstat_bgrewriteaof"]["calls"] == 1
    assert older.encrypt_all() == 0
    assert older.client.info("commandstats")["cmdstat_bgrewriteaof"]["calls"] == 1
    [invitation] = older.client.scan_iter(key_of("invitation", "*"))
    assert 0 < older.client.pttl(invitation) <= 14 * 24 * 60 * 60 * 1000
    signed_in(older.world, by_passkey(older.world, older.device))


def test_whoever_was_erased_meanwhile_gets_no_new_key(older: Older) -> None:
    older.grow_older()
    store = SqliteKeys(data_beside(older.world.url) / FILE)
    assert store.replace(older.id, store.read([older.id])[older.id], ERASED)
    assert older.encrypt_all() == 1  # the address of her bot, which is another account
    assert older.in_plain() == set(CHOSEN) - {URL}
    assert store.read([older.id]) == {older.id: ERASED}


def test_what_changed_meanwhile_stays(older: Older, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody takes another name between the reading and the writing."""
    older.grow_older()
    kept = Texts.kept

    def overtaken(self: Texts, kind: str, id_: str, of: str, text: str) -> Any:
        if text == NAME:
            accepted(older.will.send("PUT", "/v1/players/me/name", json={"name": "Mina"}))
        return kept(self, kind, id_, of, text)

    monkeypatch.setattr(Texts, "kept", overtaken)
    assert older.encrypt_all() == len(CHOSEN) - 1
    assert older.told()[0]["name"] == "Mina"
    assert older.in_plain() == set()


def test_a_store_that_does_not_answer_is_asked_again(older: Older, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, kept = threading.Event(), Texts.kept
    waited: list[float] = []
    older.grow_older()

    def silent(*_: Any) -> Any:
        raise KeysUnavailable("no answer")

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        monkeypatch.setattr(Texts, "kept", kept)
        return False

    monkeypatch.setattr(Texts, "kept", silent)
    monkeypatch.setattr(stop, "wait", wait)
    encrypt_until(stop, *older.kept)
    assert (len(waited), older.in_plain()) == (1, set())


def test_a_start_that_found_nothing_spares_the_next_ones_the_look(older: Older) -> None:
    """None that has encrypted something leaves the mark: a later look has to find nothing. It ends after a while."""
    older.grow_older()
    encrypt_until(threading.Event(), *older.kept)
    assert not older.client.exists(ENCRYPTED)
    encrypt_until(threading.Event(), *older.kept)
    assert 0 < older.client.ttl(ENCRYPTED) <= LOOKED_S

    looked = scans(older.client)
    encrypt_until(threading.Event(), *older.kept)
    assert scans(older.client) == looked


def test_a_full_store_in_which_nothing_is_in_plain_is_looked_through_once(
    older: Older, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes no mark: that is no reason to look again every minute."""
    stop = threading.Event()
    monkeypatch.setattr(stop, "wait", lambda _: stop.set())
    older.client.config_set("maxmemory", "1mb")
    encrypt_until(stop, *older.kept)
    assert not stop.is_set()
    assert not older.client.exists(ENCRYPTED)


def scans(client: Any) -> int:
    """How often keys were looked through."""
    return int(client.info("commandstats")["cmdstat_scan"]["calls"])


def test_what_another_changes_meanwhile_leaves_no_mark(older: Older, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be an older server, which writes in plain."""
    older.grow_older()
    monkeypatch.setattr("service.accounts.older_accounts.replace", lambda *_: False)
    monkeypatch.setattr("service.accounts.older_accounts.script", lambda *_: lambda **_: 0)
    assert older.encrypt_all() == 0
    assert not older.client.exists(ENCRYPTED)


@pytest.mark.parametrize("kind", ["player", "token"])
def test_whoever_an_older_server_has_written_has_the_next_start_look(older: Older, kind: str) -> None:
    """The mark is taken away when they come to a server of this release."""
    assert older.encrypt_all() == 0
    for key in older.client.scan_iter(key_of(kind, "*")):
        older.write_plain(kind, key, NAME)
    with contextlib.closing(World(older.world.url)) as other:
        assert other.services.accounts.caller(str(older.will.token))
        assert bool(older.client.exists(ENCRYPTED)) == (kind == "token")
        for token in older.world.services.accounts.tokens(older.id):
            other.services.accounts.check(Caller(token=token.digest))
    assert not older.client.exists(ENCRYPTED)
    encrypt_until(threading.Event(), *older.kept)
    assert older.in_plain() == set()


def test_a_webhook_that_an_older_server_has_written_has_the_next_start_look(older: Older) -> None:
    assert older.encrypt_all() == 0
    older.write_plain_webhook()
    assert accepted(older.bot.get(WEBHOOK))["url"] == URL
    assert not older.client.exists(ENCRYPTED)
    encrypt_until(threading.Event(), *older.kept)
    assert older.in_plain() == set()


@pytest.mark.parametrize("ends", ["killed", "busy"])
def test_the_file_is_written_anew_however_the_encrypting_ended(
    older: Older, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """The process was killed, or the server was at it already: with the next erasures it is written anew."""

    def stopped(_: Any) -> bool:
        if ends == "killed":
            raise KeyboardInterrupt
        return False

    older.grow_older()
    monkeypatch.setattr("service.accounts.older_accounts.rewrite_file", stopped)
    with contextlib.suppress(KeyboardInterrupt):
        older.encrypt_all()
    assert older.in_plain() == set()
    assert older.encrypt_all() == 0

    older.world.services.eraser.finish()

    assert older.client.info("commandstats")["cmdstat_bgrewriteaof"]["calls"] == 1
    assert (older.client.scard(WRITTEN), older.client.exists(REWRITTEN)) == (0, 1)


def test_whoever_lost_the_key_store_is_somebody_and_takes_a_name(older: Older) -> None:
    """The account goes on: it is called by a word in place of a name until its person chooses another."""
    store = SqliteKeys(data_beside(older.world.url) / FILE)
    with store._open("IMMEDIATE") as db:
        db.execute("DELETE FROM keys WHERE person = ?", (older.id,))
    with contextlib.closing(World(older.world.url)) as other:
        again = Somebody(other.app, older.id, str(older.will.token))
        assert accepted(again.get("/v1/players/me"))["name"] == "somebody"
        assert accepted(again.get("/v1/players/me", Accept_Language="fr"))["name"] == "quelqu’un"
        assert {one["label"] for one in accepted(again.get("/v1/players/me/tokens"))["tokens"]} == {"first", ""}
        table = accepted(
            again.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}), 201
        )
        assert table["seats"][0]["name"] == "somebody"
        assert accepted(again.send("PUT", "/v1/players/me/name", json={"name": "Mina"}))["name"] == "Mina"
        assert accepted(again.post(RECOVERY), 201)["codes"]
