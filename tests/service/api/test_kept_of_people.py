"""Whatever the store keeps of a person is told by the export, and goes with the account, or it is said here why not."""

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from events.scripts import Client
from events.store import META, connect
from projections.archived_tables import SEGMENTS
from projections.runner import PROJECTIONS
from tests.service.api.authenticator import Authenticator
from tests.service.api.test_identities import CODE, RECOVERY, passkey_for
from tests.service.api.world import Somebody, World, accepted, embedded_store

TOLD = {  # by kind of key: the fields of the export that tell it
    "accounts:player": {"account"},
    "accounts:tokens": {"tokens"},
    "accounts:token": {"tokens"},
    "accounts:seen": {"tokens"},
    "accounts:used": {"tokens"},
    "accounts:about": {"recovery_codes", "shown"},
    "accounts:recoverer": {"recovery_codes"},
    "accounts:passkeys": {"passkeys"},
    "accounts:blocks": {"blocks"},
    "accounts:webhook": {"webhook"},
    "accounts:invitation": {"invitations"},
    "accounts:invitations": {"invitations"},
    "accounts:reported": {"reports"},
    "accounts:moderation": {"reports", "notices"},
    "analyses:of": {"analyses"},
    "analyses:state": {"analyses"},
    "transcripts": {"transcripts"},
    "log": {"tables"},
    "projections": {"tables"},
}
UNTOLD = {
    "accounts:blockers": "who blocks somebody is told to nobody",
    "accounts:signing": "a code that was just shown; it ends within minutes",
    "accounts:code": "the same",
    "accounts:reservations": "what a request is about to open; it shows as a table, and ends within a day",
}
STAYS = {
    "log": "chains hold; names and texts in it are encrypted by a key that is gone",
    "projections": "made from the log",
    "accounts:moderation": "what operators did stays on record, by number and id",
    "accounts:erasing": "what is left to do, until it is done",
}
READ: dict[str, Callable[[Client, bytes], Any]] = {
    "string": lambda client, key: client.get(key),
    "hash": lambda client, key: client.hgetall(key),
    "zset": lambda client, key: client.zrange(key, 0, -1),
    "set": lambda client, key: client.smembers(key),
    "list": lambda client, key: client.lrange(key, 0, -1),
    "stream": lambda client, key: client.xrange(key),
}


class Kept:
    """A person of whom the service keeps all that it can."""

    def __init__(self, world: World) -> None:
        self.world, self.client = world, connect(world.url)
        self.ann, self.ben = world.somebody("Ann"), world.somebody("Ben")
        self.id = str(self.ann.player)
        finished = world.open(self.ann, self.ben, game="tomahawk")
        world.finish(finished)
        seats = [{"kind": "me"}, {"kind": "open"}]
        waiting = accepted(self.ann.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["id"]
        sent = accepted(self.ann.post(f"/v1/tables/{waiting}/invitations", {"name": "Bea"}), 201)["id"]
        accepted(self.ben.post(f"/v1/invitations/{sent}/answer", {"state": "declined"}))
        text = self.ann.get(f"/v1/tables/{finished}/notation").text
        accepted(self.ann.post("/v1/transcripts", {"text": text}), 201)
        self.analysis = f"/v1/tables/{finished}/analysis"
        accepted(self.ann.post(self.analysis), 202)
        self._of_the_account()
        world.catch_up()

    def _of_the_account(self) -> None:
        accepted(passkey_for(self.ann, Authenticator()), 201)
        accepted(self.ann.post(RECOVERY), 201)
        accepted(self.ann.post(CODE), 201)
        for one, other in ((self.ann, self.ben), (self.ben, self.ann)):
            assert one.send("PUT", f"/v1/players/me/blocks/{other.player}").status_code == 204
            accepted(one.post("/v1/reports", {"reason": "abuse", "player": other.player}), 201)
        warning = {"action": "warn", "reason": "abuse", "player": self.id}
        accepted(self.world.operator.post("/v1/moderation", warning), 201)

    def kinds(self) -> set[str]:
        """The kinds of all keys whose name or value names the person."""
        return {kind for key in self.client.scan_iter() if (kind := self._kind(key))}

    def _kind(self, key: bytes) -> str | None:
        kept = READ[self.client.type(key).decode()](self.client, key)
        return named(key.decode()) if self.id in f"{key!r} {kept!r}" else None


def named(key: str) -> str:
    """The kind of a key in few words."""
    if key.startswith("{p") or key in (META, SEGMENTS):
        return "projections" if key.split(":")[1] in PROJECTIONS else "log"
    slot, first, *_ = re.sub(r"[{}]", "", key).split(":")
    if slot == "transcripts":
        return slot
    return f"{slot}:{first if slot == 'accounts' or first == 'of' else 'state'}"


@pytest.fixture
def kept() -> Iterator[Kept]:
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        yield Kept(world)


def exported(who: Somebody) -> dict[str, Any]:
    found: dict[str, Any] = accepted(who.get("/v1/players/me/export"))
    return found


def test_the_export_tells_all_that_is_kept(kept: Kept) -> None:
    """A key of a new kind has to be told, or it has to be said why it is not."""
    kinds, told = kept.kinds(), exported(kept.ann)

    assert not kinds - {*TOLD, *UNTOLD}
    empty = {field for kind in kinds & {*TOLD} for field in TOLD[kind] if not told[field]}
    assert empty <= {"webhook"}
    [analysis] = told["analyses"]
    stands = accepted(kept.ann.get(kept.analysis))
    assert analysis == {name: stands[name] for name in analysis}
    assert exported(kept.ben)["analyses"] == []


def test_what_an_erased_person_asked_for_is_gone(kept: Kept) -> None:
    """Under every key: an analysis under way names its requester and counts for them."""
    accepted(kept.ann.get(kept.analysis))
    assert kept.ann.delete("/v1/players/me").status_code == 204

    assert not kept.kinds() - {*STAYS}
    assert kept.ben.get(kept.analysis).status_code == 404
