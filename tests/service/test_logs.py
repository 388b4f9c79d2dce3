"""What processes log: lines that name their request, as text or as JSON, and nothing that only some may read."""

import contextlib
import io
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from events.log import LogDamaged
from service.logs import Form, IdFilter, set_up
from tests.servers import SECRET
from tests.service.api.world import World, accepted, embedded_store
from tests.service.web import serving

NAMES = ("Wanderer Anselma", "Berengar Planted")
CLAIM = "my planted claim about the trial"


@contextlib.contextmanager
def logged(form: Form, level: str = "debug") -> Iterator[io.StringIO]:
    """What this process logs in the block."""
    root = logging.getLogger()
    before, kept = root.level, root.handlers[:]
    root.handlers[:] = [one for one in kept if not any(isinstance(found, IdFilter) for found in one.filters)]
    handler, text = set_up(level, form), io.StringIO()
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(text)
    try:
        yield text
    finally:
        root.handlers[:] = kept
        root.setLevel(before)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with embedded_store() as url, contextlib.closing(World(url)) as found:
        yield found


def rows(text: io.StringIO) -> list[dict[str, Any]]:
    """The lines, each of which is a JSON object."""
    return [json.loads(line) for line in text.getvalue().splitlines()]


def test_a_request_is_a_line(world: World) -> None:
    """With method, route, status, duration and the id that the answer has; the path is not in it."""
    with logged("json", "info") as text:
        answer = world.nobody.get("/v1/tables/t_aaaaaaaaaaaaaaaa?at=57", X_Request_Id="mine-1")
        (row,) = rows(text)
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (404, "mine-1")
    assert row.pop("duration_ms") > 0
    assert row.pop("message").startswith("GET /v1/tables/<table> 404 ")
    assert row.pop("timestamp").endswith("+00:00")
    assert row == {
        "level": "INFO",
        "logger": "service.requests",
        "request_id": "mine-1",
        "method": "GET",
        "route": "/v1/tables/<table>",
        "status": 404,
    }


@pytest.mark.parametrize(
    ("form", "expected"), [("text", " CRITICAL service.error_handlers [mine-3] "), ("json", '"mine-3"')]
)
def test_a_line_names_its_request(world: World, monkeypatch: pytest.MonkeyPatch, form: Form, expected: str) -> None:
    """A line about no request names none."""

    def damaged(*_: Any) -> Any:
        raise LogDamaged("planted")

    monkeypatch.setattr(world.services.handler, "history", damaged)
    with logged(form, "warning") as text:
        world.nobody.get("/v1/tables/t_aaaaaaaaaaaaaaaa", X_Request_Id="mine-3")
        logging.getLogger("elsewhere").warning("about no request")
    first, second = text.getvalue().splitlines()
    assert expected in first
    assert ("[-]" if form == "text" else '"request_id": "-"') in second


def test_an_error_is_one_line_of_json() -> None:
    """With the traceback in it."""
    with logged("json") as text:
        try:
            raise ValueError("of several\nlines")
        except ValueError:
            logging.getLogger("here").exception("it went wrong")
        (row,) = rows(text)
    assert "ValueError: of several\nlines" in row["exc_info"]


def test_no_line_holds_a_secret(world: World) -> None:
    """Tokens, names, texts, moves, hands and seeds, in a game with a dispute and with mistakes, at level debug."""
    with logged("json") as text:
        ann, ben = (world.somebody(name) for name in NAMES)
        table = world.open(ann, ben, game="manitou", disputes={"by": "vote", "play": "goes_on"})
        world.play(table, ann, ben, moves=30)
        for path in ("", "/moves", "/events", "/diff?from=3&to=9", f"?token={ann.token}"):
            ann.get(f"/v1/tables/{table}{path}")
        ann.post(
            f"/v1/tables/{table}/disputes",
            {"seat": 1, "version": 9, "rule": "M-1", "claim": CLAIM, "remedy": {"correction": 1}},
        )
        ann.post(f"/v1/tables/{table}/moves", {"seat": 1, "move": {"type": CLAIM}})
        world.nobody.send("GET", "/v1/inbox", headers={"Authorization": f"Bearer {ann.token}x"})
        ticket = accepted(ann.post("/v1/stream-tokens"), 201)["secret"]
        for _ in ("opens a stream", "was used"):
            world.nobody.get(f"/v1/inbox?stream_token={ticket}")
        told = text.getvalue()
    events = world.log.read(table)
    sealed = [json.dumps(seal.value) for event in events for seal in event.sealed.values()]
    secrets = [str(ann.token), str(ben.token), ticket, *NAMES, CLAIM, SECRET]
    secrets += (value for value in sealed if len(value) > 8)
    assert len(secrets) > 20
    assert told.count('"logger": "service.requests"') > 30
    assert [secret for secret in secrets if secret in told or secret.replace('"', '\\"') in told] == []


@pytest.mark.slow
def test_a_web_server_logs_json(tmp_path: Path) -> None:
    """Every line that its process writes, from the first to the last."""
    with embedded_store() as url:
        command = (sys.executable, "-c", LOGGING_INTO, str(tmp_path / "log"))
        with serving(url, *command[1:], LOG_FORMAT="json", LOG_LEVEL="info") as address:
            assert requests.get(f"{address}/v1/games", headers={"X-Request-Id": "mine-5"}, timeout=20).ok
    found = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert "mine-5" in {row["request_id"] for row in found}
    assert {"level", "logger", "request_id", "message", "timestamp"} <= set.intersection(*map(set, found))


LOGGING_INTO = """
import os, sys
os.dup2(os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY), 2)
os.execv(sys.executable, [sys.executable, "-m", "wintercount", "serve"])
"""
