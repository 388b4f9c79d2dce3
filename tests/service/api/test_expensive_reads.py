"""Whose expensive reads they are: an account's, however it asks; and nobody waits whose token is none."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from service.api.admission import LOOPBACK
from service.runtime import bulkhead
from service.runtime.bodies import Bodies
from service.runtime.bulkhead import AT_ONCE, Bulkhead
from service.runtime.environ import environ_of
from service.runtime.server import Server
from tests.service.api.world import Somebody, World
from tests.service.rsgi import Headers, scope


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulkhead, "PAUSE_S", 0.0)


async def status(server: Server, path: str, who: Somebody, method: str = "GET") -> tuple[int, str | None]:
    """What is answered, and the code of the problem if it is one."""
    asked = scope(path)
    asked.method, asked.headers = method, Headers(authorization=f"Bearer {who.token}")
    found, _, chunks, _ = await server._answer(
        asked, SimpleNamespace(client_disconnect=asyncio.Event().wait), environ_of(asked)
    )
    told: dict[str, Any] = json.loads(b"".join(chunks) or b"{}")
    return found, told.get("code")


@pytest.mark.parametrize(("slash", "method"), [("/", "GET"), ("//", "GET"), ("/", "HEAD"), ("///", "get")])
def test_an_account_has_so_many_expensive_reads_under_way(world: World, slash: str, method: str) -> None:
    """By whichever of its tokens, and however the path is written."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    path = f"{slash}v1/tables/{world.open(ann, bob)}/diff"

    async def story() -> None:
        server = Server(world.app, None, 1, Bodies(1, 1.0))
        server._expensive = server._expensive._replace(places=Bulkhead(AT_ONCE, 9, 1))
        async with server._expensive.places.place(str(ann.player), LOOPBACK):
            assert (await status(server, path, world.again(ann, ["watch"]), method))[0] == 503
            assert await status(server, path, bob, method) == (200, None)

    asyncio.run(story())


def test_a_token_that_is_none_takes_no_place(world: World) -> None:
    """Else tokens that somebody makes up would fill the queue."""
    ann = world.somebody("Ann")
    path = f"/v1/tables/{world.open(ann, world.somebody('Bob'))}/diff"

    async def story() -> None:
        server = Server(world.app, None, 1, Bodies(1, 1.0))
        server._expensive = server._expensive._replace(places=Bulkhead(AT_ONCE, 1, 1))
        async with server._expensive.places.place("others", LOOPBACK):
            assert await status(server, path, Somebody(world.app, None, "wc_none")) == (401, "unauthenticated")
            assert await status(server, path, ann) == (503, "too-busy")

    asyncio.run(story())
