"""Names, claims, comments and verdicts: in plain wherever they are told, encrypted wherever they are kept."""

import asyncio
import contextlib
import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import pytest

from service.accounts import key_store
from service.accounts.callers import NOBODY
from service.accounts.key_store import ERASED, FILE, FileKeys
from service.api.media_types import LINES
from service.streams.frames import TableSubscription
from tests.servers import data_beside
from tests.service.api.plain_texts import plain_in
from tests.service.api.world import Somebody, World, accepted, embedded_store

ANN, BOB, CLEO = "Annelise Quirrenbach", "Bob Xanthopoulos", "Cleo Zweibrücken"
NAMES = (ANN, BOB, CLEO)
CLAIM, SAID, VERDICT = "My edition disagrees entirely", "I borrowed that very edition", "We play by this house"
TEXTS = (CLAIM, SAID, VERDICT)


class Story:
    """A finished table at which Ann disputed a ruling, Bob commented, and Cleo, the arbiter, let it stand."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ann, self.bob = world.somebody(ANN), world.somebody(BOB)
        self.cleo = world.again(world.somebody(CLEO), ["watch", "arbitrate"])
        self.table = self._disputed()
        self.path = f"/v1/tables/{self.table}"
        world.play(self.table, self.ann, self.bob, moves=2000)
        assert accepted(world.nobody.get(self.path))["status"] == "finished"
        world.catch_up()

    def _disputed(self) -> str:
        rules = {"by": "arbiter", "play": "goes_on"}
        table = self.world.open(self.ann, self.bob, arbiter=self.cleo.player, disputes=rules)
        path, seed = f"/v1/tables/{table}", 0
        while not (rulings := self._rulings(path)):
            self.world.play(table, self.ann, self.bob, moves=1, seed=seed)
            seed += 1
        version, rule = next(iter(rulings.items()))
        body = {"seat": 1, "version": version, "rule": rule, "claim": CLAIM, "remedy": {"correction": 1}}
        dispute = accepted(self.ann.post(f"{path}/disputes", body), 201)["id"]
        accepted(self.bob.post(f"{path}/disputes/{dispute}/comments", {"text": SAID}))
        verdict = {"outcome": "upheld", "text": VERDICT}
        accepted(self.cleo.post(f"{path}/disputes/{dispute}/resolution", verdict))
        return table

    def _rulings(self, path: str) -> dict[int, str]:
        found = accepted(self.ann.get(f"{path}/rulings"))["rulings"]
        return {row["version"]: row["rules"][0]["id"] for row in found if row["type"] == "TrialOfStrengthResolved"}

    def told(self, language: str = "en") -> dict[str, list[Any]]:
        """All that is told of names and texts, by where it is told."""
        nobody = self.world.nobody

        def get(path: str) -> Any:
            return accepted(nobody.get(path, Accept_Language=language))

        table = get(self.path)
        end = table["version"]
        court = get(f"{self.path}/disputes")["disputes"][0]
        lobby = next(row for row in get("/v1/tables?status=finished")["tables"] if row["id"] == self.table)
        players = {row["player"]: row["name"] for row in get("/v1/standings")["standings"]}
        events = get(f"{self.path}/events?limit=1000&language={language}")["events"]
        return {
            "table": [seat["name"] for seat in table["seats"]],
            "earlier": [seat["name"] for seat in get(f"{self.path}?at=5")["seats"]],
            "lobby": [seat["name"] for seat in lobby["seats"]],
            "standings": [players[str(player.player)] for player in (self.ann, self.bob)],
            "events": [text for event in events for text in event.get("texts", {}).values() if text],
            "court": [court["claim"], court["comments"][0]["text"], court["text"]],
            "blame": [get(f"{self.path}/blame?path=/seats/{seat}/name&at={end}")["value"] for seat in (0, 1)],
            "diff": [
                change["value"]
                for row in get(f"{self.path}/diff?from=1&to=5")["changes"]
                for change in row["patch"]
                if change["path"].endswith("/name")
            ],
        }

    def words(self, language: str = "en") -> str:
        """All sentences."""
        events = accepted(self.world.nobody.get(f"{self.path}/events?limit=1000&language={language}"))["events"]
        return "\n".join(event["words"] for event in events)

    def frames(self) -> str:
        """The table's event stream from its beginning."""
        hub, subscription = self.world.services.hub, TableSubscription(self.table, NOBODY, 0, "en")

        async def read() -> bytes:
            hub.open.admit(subscription)
            return b"".join([frame async for frame in hub.frames(subscription)])

        return asyncio.run(read()).decode()


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        yield Story(world)


@pytest.fixture
def erased(story: Story, monkeypatch: pytest.MonkeyPatch) -> Iterator[Somebody]:
    """Ann, whose key was erased by another process a moment ago."""
    store, name = FileKeys(data_beside(story.world.url) / FILE), str(story.ann.player)
    key = store.read([name])[name]
    store.erase(name)
    monkeypatch.setattr(key_store, "REMEMBER_S", 0.0)
    forget(story)
    yield story.ann
    store.replace([(name, ERASED, key)])
    forget(story)


def forget(story: Story) -> None:
    """What the service remembers of keys is as old as it may become."""
    found = story.world.services.handler.texts._keys
    assert isinstance(found, key_store.PersonKeys)
    found.drop()
    story.world.services.handler.names.drop()


def test_texts_are_told_wherever_they_are_asked_for(story: Story) -> None:
    """As they were written: views of any version, lobby, standings, events, disputes, and what changed."""
    both = [ANN, BOB]
    assert story.told() == {
        **dict.fromkeys(("table", "earlier", "lobby", "standings", "blame"), both),
        "events": [*both, *TEXTS],
        "court": [*TEXTS],
        "diff": both,
    }
    assert [text for text in (*both, *TEXTS) if text not in story.words()] == []
    assert [text for text in (*both, *TEXTS) if json.dumps(text)[1:-1] not in story.frames()] == []


def test_a_version_is_found_by_a_name(story: Story) -> None:
    """A search finds the version by the name as the reader sees it, not as it is stored."""
    quoted = f"%22{BOB.replace(' ', '%20')}%22"
    found = accepted(story.world.nobody.get(f"{story.path}/find?path=/seats/1/name&value={quoted}&from=1"))
    assert found["type"] == "SeatTaken"


def test_the_store_of_the_log_holds_nothing_in_plain(story: Story) -> None:
    """Not in accounts, events, rows, answers that are told again, or fingerprints."""
    client = story.world.log.client
    assert plain_in(client, (*NAMES, *TEXTS)) == {text: set() for text in (*NAMES, *TEXTS)}


def test_the_files_of_the_service_hold_nothing_in_plain(story: Story) -> None:
    """Neither those of the log, byte by byte, nor the key store, nor any other in the data directory."""
    files = [path for path in data_beside(story.world.url).rglob("*") if path.is_file()]
    assert {".aof", ".sqlite"} <= {path.suffix for path in files}
    written = b"".join(path.read_bytes() for path in files)
    assert str(story.ann.player).encode() in written
    assert not [text for text in (*NAMES, *TEXTS) if text.encode() in written]


def test_an_erased_person_is_somebody_everywhere(story: Story, erased: Somebody) -> None:
    """From within five seconds on; the others are told as before."""
    both = ["somebody", BOB]
    assert story.told() == {
        **dict.fromkeys(("table", "earlier", "lobby", "standings", "blame"), both),
        "events": [*both, "(removed)", SAID, VERDICT],
        "court": ["(removed)", SAID, VERDICT],
        "diff": both,
    }
    assert ANN not in story.words() + story.frames()
    assert "somebody takes seat 1." in story.words()


def test_an_erased_person_is_somebody_in_the_language_asked_for(story: Story, erased: Somebody) -> None:
    told = story.told("fr")
    assert (told["table"], told["lobby"]) == (["quelqu’un", BOB], ["quelqu’un", BOB])
    assert told["court"][0] == "(retiré)"
    assert "quelqu’un prend la place 1." in story.words("fr")


def test_an_archive_holds_nothing_in_plain(story: Story) -> None:
    """Nor any words beside it; taken in on another server it is decided as here, and everybody is somebody there."""
    archive = story.world.nobody.get(f"{story.path}/archive").data
    assert [text for text in (*NAMES, *TEXTS) if text.encode() in archive] == []
    with embedded_store() as url, contextlib.closing(World(url)) as there:
        sent = there.operator.send("POST", "/v1/archives", data=archive, content_type=LINES)
        assert [seat["name"] for seat in accepted(sent, 201)["seats"]] == ["somebody"] * 2
        assert accepted(there.nobody.get(f"{story.path}/audit"))["holds"]
        assert there.nobody.get(f"{story.path}/archive").data == archive


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "a-key-of-its-own"}])
def test_a_guess_at_what_was_written_is_not_confirmed(story: Story, headers: dict[str, str]) -> None:
    """What the store keeps of a request's body cannot be worked out from the body and the rest of the store."""
    body = b'{"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}'
    sent = story.bob.send("POST", "/v1/tables", data=body, content_type="application/json", headers=headers)
    table, log = accepted(sent, 201)["id"], story.world.services.handler.log
    (name, kept), *others = log.client.hgetall(log.table_key(table, "requests")).items()  # type: ignore[attr-defined]
    assert not others
    keys_at_hand = (b"", name)
    guesses = [
        hmac.digest(key, text, "sha256").hex() for key in keys_at_hand for text in (body, b"POST /v1/tables\n" + body)
    ]
    guesses += [hashlib.sha256(text).hexdigest() for text in (body, b"POST /v1/tables\n" + body)]
    assert [guess for guess in guesses if kept.decode().startswith(guess[:32])] == []


def test_people_play_on_while_the_key_store_does_not_answer(story: Story) -> None:
    """Everybody is somebody meanwhile. What people write is refused: 503."""
    path = data_beside(story.world.url) / FILE
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = accepted(story.bob.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)
    aside = path.rename(path.with_suffix(".aside"))
    path.mkdir()
    try:
        forget(story)
        sat = accepted(story.ann.post(f"/v1/tables/{table['id']}/seats/2"))
        assert [seat["name"] for seat in sat["seats"]] == ["somebody", "somebody"]
        report = {"player": story.bob.player, "reason": "abuse", "text": CLAIM}
        refused = story.ann.post("/v1/reports", report)
        assert (refused.status_code, refused.json["code"]) == (503, "store_unavailable")
        assert str(path) not in refused.text
    finally:
        path.rmdir()
        aside.rename(path)
    forget(story)
    assert accepted(story.ann.get(f"/v1/tables/{table['id']}"))["seats"][1]["name"] == ANN
