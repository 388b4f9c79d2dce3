"""A person is erased: what they are called and wrote can be read nowhere, and every record verifies as before."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import Result

from events.log import PARTITIONS
from events.store import RedisLog, connect
from service import erasure
from service.accounts.accounts_and_tokens import ANSWERS, FINGERPRINT, key_of
from service.accounts.key_store import ERASED, FILE, FileKeys
from service.accounts.sealing import sealer_for
from service.erasure import MARKED, Eraser
from tests.commands import on_store, wintercount
from tests.long import quick_first
from tests.servers import data_beside
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused
from wintercount.operations.verifying import Status, stored_verdict

NAME, CLAIM = "Wilhelmina of the Plains", "the ford was never crossed"


class Known:
    """A service in which Wilhelmina has played, disputed, loaded a text, and sat down at a table that has not begun."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.will, self.ben = world.somebody(NAME), world.somebody("Ben")
        self.id = str(self.will.player)
        self.finished = world.open(self.will, self.ben, game="tomahawk")
        world.finish(self.finished)
        path, disputing = world.disputable(self.will, self.ben)
        self.disputed = path.rpartition("/")[2]
        accepted(self.will.post(f"{path}/disputes", disputing | {"claim": CLAIM}), 201)
        seats = [{"kind": "me"}, {"kind": "open"}]
        three = {"game": "manitou", "seats": [*seats, {"kind": "open"}]}
        self.waiting = str(accepted(self.ben.post("/v1/tables", three), 201)["id"])
        self.open = str(accepted(self.will.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["id"])
        text = self.will.get(f"/v1/tables/{self.finished}/notation").text
        self.text = str(accepted(self.will.post("/v1/transcripts", {"text": text}), 201)["id"])
        world.catch_up()

    @property
    def tables(self) -> list[str]:
        """All tables that concern her."""
        return [self.finished, self.disputed, self.open]

    def told(self) -> str:
        """What Ben and a stranger are told, of all tables and lists."""
        paths = ["/v1/standings", "/v1/feed?limit=200&words=en", "/v1/tables?status=finished", "/v1/tables?mine=true"]
        doors = ("", "/events", "/disputes", "/diff?from=1&to=9", "/notation", "/archive", "/audit")
        paths += [f"/v1/tables/{table}{door}" for table in self.tables for door in doors]
        return "\n".join(reader.get(path).text for path in paths for reader in (self.ben, self.world.nobody))

    def erase(self) -> None:
        """She erases herself."""
        assert self.will.delete("/v1/players/me").status_code == 204
        self.world.catch_up()
        self.world.services.eraser.finish()


@pytest.fixture
def known() -> Iterator[Known]:
    """She is known. An erasure is finished by its first repeat."""
    with embedded_store() as url, pytest.MonkeyPatch.context() as patch:
        patch.setattr(erasure, "REMEMBERED_S", -1)
        world = World(url)
        yield Known(world)
        world.close()


def forget(world: World, *words: str) -> Result:
    """The command, with the keys of the service."""
    return wintercount("forget", *words, **on_store(world.url))


def key_kept(known: Known) -> bytes | None:
    """What the key store keeps of her key."""
    return FileKeys(data_beside(known.world.url) / FILE).read([known.id]).get(known.id)


def marked(known: Known) -> bool:
    """Whether her erasure is not finished."""
    return connect(known.world.url).zscore(MARKED, known.id) is not None


def test_nobody_is_told_the_name_any_more(known: Known) -> None:
    """Not by views, events, lists, feeds, texts, archives; others go on to be named."""
    before = known.told()
    assert NAME in before
    assert CLAIM in before

    known.erase()

    after = known.told()
    assert NAME not in after
    assert CLAIM not in after
    assert "somebody" in after
    assert "Ben" in after
    refused(known.ben.get(f"/v1/tables/{known.text}"), 404, "no_such_table")


@pytest.mark.fault
def test_her_results_are_no_longer_shown_as_hers(known: Known) -> None:
    """As with her profile, there are no ratings; she has no place in a leaderboard, and others keep theirs."""
    boards = ("/v1/standings?game=tomahawk", "/v1/ratings?game=tomahawk&seats=2&provisional=true")
    ratings = [f"/v1/players/{known.id}{path}" for path in ("", "/ratings", "/ratings/tomahawk/2")]

    def ranked(board: str) -> set[str]:
        (rows, _) = accepted(known.world.nobody.get(board)).values()
        return {row["player"] for row in rows}

    for path in ratings:
        accepted(known.ben.get(path))
    assert all({known.id, known.ben.player} <= ranked(board) for board in boards)

    known.erase()

    for path in ratings:
        refused(known.ben.get(path), 404, "no_such_player")
    assert [ranked(board) & {known.id, known.ben.player} for board in boards] == [{known.ben.player}] * 2


@pytest.mark.parametrize("at", ["", "?at=9"])
def test_whoever_has_read_the_name_is_told_that_it_is_gone(known: Known, at: str) -> None:
    """A browser that keeps a table and asks whether it is the same gets another one, in each language."""
    path = f"/v1/tables/{known.finished}{at}"
    kept = known.ben.get(path).headers["ETag"]
    assert known.ben.get(path, If_None_Match=kept).status_code == 304

    known.erase()

    told = known.ben.get(path, If_None_Match=kept)
    assert "somebody" in told.text
    tag = told.headers["ETag"]
    assert known.ben.get(path, If_None_Match=tag).status_code == 304
    assert known.ben.get(path, If_None_Match=tag, Accept_Language="fr").status_code == 200


def test_the_account_ends(known: Known) -> None:
    """With every token; and the repeat of the request that opened it tells nothing."""
    other = known.world.again(known.will, ["watch"])
    account = {"name": "Mina"}
    key = {"Idempotency_Key": "0123456789abcdef-mina"}
    mina = accepted(known.world.nobody.post("/v1/players", account, **key), 201)
    her = Somebody(known.world.app, mina["id"], mina["token"]["secret"])
    known.erase()
    assert her.delete("/v1/players/me").status_code == 204

    for gone in (known.will, other, her):
        refused(gone.get("/v1/players/me"), 401, "unauthenticated")
    refused(known.world.nobody.post("/v1/players", account, **key), 401, "unauthenticated")


def test_every_record_verifies_as_before(known: Known) -> None:
    """Hashes hold, and every decision is taken again, that to leave as well."""
    heads = {table: known.world.log.head(table) for table in (known.finished, known.disputed)}
    known.erase()

    assert known.world.log.head(known.finished) == heads[known.finished]
    for table in known.tables:
        verdict = stored_verdict(known.world.url, table)
        assert verdict.status is Status.HOLDS, verdict.lines


def test_seats_are_left(known: Known) -> None:
    """At a game that has begun the seat resigns; where it has not begun, the seat is free or the table closes."""
    other, free = known.world.open(known.ben, known.will), known.waiting
    accepted(known.will.post(f"/v1/tables/{free}/seats/2", {}))
    known.world.catch_up()
    known.erase()

    def seat(table: str, number: int) -> dict[str, Any]:
        found: dict[str, Any] = known.ben.get(f"/v1/tables/{table}").json["seats"][number - 1]
        return found

    assert known.ben.get(f"/v1/tables/{other}").json["closed"] == "resigned"
    assert seat(other, 2)["name"] == "somebody"
    assert (seat(free, 2)["kind"], seat(free, 2)["player"]) == ("open", None)
    assert known.world.nobody.get(f"/v1/tables/{known.open}").json["status"] == "finished"


@pytest.mark.parametrize("step", quick_first(["erase", "zadd", "depart", "_end", "zrem"]))
def test_an_erasure_that_is_cut_off_is_finished(known: Known, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """A process that ends before a step leaves a mark; the next one that starts finishes what was begun."""
    if step == "zrem":  # comes when everything is repeated
        known.world.services.eraser.erase(known.id)
        known.world.catch_up()
    eraser = _cut_before(known.world.services.eraser, monkeypatch, step)
    with pytest.raises(Killed):
        eraser.erase(known.id)
    monkeypatch.undo()
    begun = step != "zadd"
    assert marked(known) == begun

    known.world.catch_up()
    known.world.services.eraser.finish()
    known.world.catch_up()
    known.world.services.eraser.finish()

    client = connect(known.world.url)
    assert not marked(known)
    assert (key_kept(known) == ERASED) == begun
    assert bool(client.exists(key_of("player", known.id))) != begun


class Killed(Exception):
    """The process ends here."""


def _cut_before(eraser: Eraser, monkeypatch: pytest.MonkeyPatch, step: str) -> Eraser:
    def killed(*_: Any, **__: Any) -> Any:
        raise Killed

    if step == "depart":
        return eraser._replace(depart=killed)
    of: Any = {"zadd": eraser.client, "zrem": eraser.client, "erase": eraser.keys}.get(step, Eraser)
    monkeypatch.setattr(of, step, killed)
    return eraser


@pytest.mark.slow
def test_what_the_lobby_does_not_know_yet_is_left_later(known: Known) -> None:
    """A table at which she sat down a moment ago: her mark stays until it is known."""
    late = known.world.open(known.ben, known.will)
    assert known.will.delete("/v1/players/me").status_code == 204
    assert marked(known)

    known.world.catch_up()
    known.world.services.eraser.finish()

    known.world.catch_up()
    known.world.services.eraser.finish()
    assert not marked(known)
    assert known.ben.get(f"/v1/tables/{late}").json["closed"] == "resigned"


@pytest.mark.slow
def test_a_damaged_table_keeps_nobody_from_being_forgotten(known: Known, caplog: pytest.LogCaptureFixture) -> None:
    """Its seat stays hers and her mark stays; the key and the account are gone, and whatever else she held is left."""
    client = connect(known.world.url)
    log = RedisLog(client, PARTITIONS)
    client.xdel(log.table_key(known.disputed, "events"), "3-0")
    known.world.services.handler.cache.drop(known.disputed, log.head(known.disputed))
    known.erase()

    assert f"{known.id} keeps a seat at {known.disputed}" in caplog.text
    assert marked(known)
    assert key_kept(known) == ERASED
    refused(known.will.get("/v1/players/me"), 401, "unauthenticated")
    assert known.world.nobody.get(f"/v1/tables/{known.open}").json["status"] == "finished"


def test_only_who_manages_the_account_may(known: Known) -> None:
    """A token to play and watch erases and exports nothing."""
    player = known.world.again(known.will, ["play", "watch"])
    refused(player.delete("/v1/players/me"), 403, "scope_missing")
    refused(player.get("/v1/players/me/export"), 403, "scope_missing")
    refused(known.world.nobody.delete("/v1/players/me"), 401, "unauthenticated")
    assert key_kept(known) != ERASED


def test_all_that_is_kept_of_a_person_is_exported(known: Known) -> None:
    """Account, tokens, loaded texts, and of each table the seats, the name and what was written."""
    found = accepted(known.will.get("/v1/players/me/export?limit=2"))
    assert found["account"]["name"] == NAME
    assert [token["label"] for token in found["tokens"]] == ["first"]
    assert "digest" not in json.dumps(found)
    assert [row["id"] for row in found["transcripts"]] == [known.text]
    rest = accepted(known.will.get(f"/v1/players/me/export?cursor={found['next']}"))
    tables = {row["table"]: row for row in found["tables"] + rest["tables"]}
    assert sorted(tables) == sorted(known.tables)
    assert [row["text"] for row in tables[known.disputed]["texts"]] == [NAME, CLAIM]
    assert tables[known.disputed]["seats"] == [1]
    assert known.will.get(tables[known.finished]["archive"]).status_code == 200
    assert NAME not in known.ben.get("/v1/players/me/export").text


def test_the_command_erases_too(known: Known) -> None:
    """After a restore, the erasure is repeated."""
    told = forget(known.world, known.id)
    assert (told.exit_code, told.stdout.splitlines()[-1]) == (0, f"erased: {known.id}")
    assert key_kept(known) == ERASED
    assert forget(known.world, "--again", "--json").stdout.splitlines()[-1] == json.dumps(
        {"erased": [known.id]}, separators=(",", ":")
    )
    assert forget(known.world).exit_code == 2


def test_what_another_process_lets_in_for_a_moment_is_undone(known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """It remembers token and key for five seconds: the seat that was taken is left when the erasure is repeated."""
    monkeypatch.setattr(erasure, "REMEMBERED_S", 30)
    other = World(known.world.url)
    her = Somebody(other.app, known.id, known.will.token)
    assert NAME in other.nobody.get(f"/v1/tables/{known.finished}").text
    assert her.get("/v1/players/me").json["name"] == NAME
    known.erase()
    eraser = known.world.services.eraser

    sat = accepted(her.post(f"/v1/tables/{known.waiting}/seats/2"))
    assert sat["seats"][1]["player"] == known.id
    report = {"player": known.ben.player, "reason": "abuse", "text": CLAIM}
    refused(her.post("/v1/reports", report), 401, "unauthenticated")
    eraser.finish()
    monkeypatch.setattr(erasure, "REMEMBERED_S", -1)
    known.world.catch_up()
    eraser.finish()
    assert accepted(known.world.nobody.get(f"/v1/tables/{known.waiting}"))["seats"][1]["player"] is None
    assert not connect(known.world.url).zrange(erasure.MARKED, 0, -1)
    other.close()


def test_the_answer_that_is_kept_for_a_repeat_holds_no_name(known: Known) -> None:
    """It stays for a day, whatever becomes of the account; the repeat is told the same all the same."""
    account, key = {"name": NAME}, {"Idempotency_Key": "0123456789abcdef-wilhelmina"}
    mine = accepted(known.world.nobody.post("/v1/players", account, **key), 201)
    assert accepted(known.world.nobody.post("/v1/players", account, **key), 201) == mine
    her = Somebody(known.world.app, mine["id"], mine["token"]["secret"])
    token = {"scopes": ["watch"], "label": CLAIM}
    second = accepted(her.post("/v1/players/me/tokens", token, **key), 201)
    assert accepted(her.post("/v1/players/me/tokens", token, **key), 201) == second
    client = connect(known.world.url)
    sealer = sealer_for(client, known.world.settings)
    names = [name.decode() for name in client.scan_iter(ANSWERS)]
    kept = [sealer.open(f"answer {name.rpartition(':')[2]}", client.get(name)[FINGERPRINT:]) for name in names]

    assert sum(mine["token"]["secret"].encode() in one for one in kept) == 1
    assert not [one for one in kept if NAME.encode() in one or CLAIM.encode() in one]


@pytest.mark.slow
@pytest.mark.parametrize("said", ["p_nobody", "p_aaaaaaaaaaaaa"])
def test_the_command_erases_nobody_who_is_not_known(known: Known, said: str) -> None:
    """A mistyped id is no erasure, and a mistyped sign-in code is no erased person."""
    told = forget(known.world, said, known.id)

    assert (told.exit_code, f"{said}: no account, key or table has this id" in told.output) == (1, True)
    assert key_kept(known) != ERASED
    asked = {"code": "AAAA-BBBB", "label": "Telephone"}
    refused(known.world.nobody.post("/v1/sign-ins", asked), 403, "sign_in_refused")
