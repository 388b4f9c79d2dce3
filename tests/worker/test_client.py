"""The client of commands and bots: nothing that a service sends can command the terminal."""

import http.server
import json
import threading
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from wintercount.cli.main import main
from worker.client import Api

TITLE, SHOWN = "\x1b]0;root\x07", "\ufffd]0;root\ufffd"  # what sets the title of a terminal's window, and what is left
ANSWERS = {
    "/json": (200, "application/json", {TITLE: [TITLE, "line\n\ttwo", 3, None]}),
    "/lines": (200, "application/x-ndjson", {"type": TITLE}),
    "/stream": (200, "text/event-stream", {"text": TITLE + "\x9b2J"}),
}
REFUSED = {"code": "no_such_table", "detail": f"no table {TITLE}", "status": 404, "title": TITLE}


class Hostile(http.server.BaseHTTPRequestHandler):
    """Answers with what would command a terminal."""

    def do_GET(self) -> None:
        """Any request."""
        status, media, value = ANSWERS.get(self.path, (404, "application/problem+json", REFUSED))
        body = json.dumps(value) + "\n"
        self.send_response(status)
        self.send_header("Content-Type", media)
        self.end_headers()
        self.wfile.write(f"event: {TITLE}\ndata: {body}\n".encode() if media == "text/event-stream" else body.encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def hostile() -> Iterator[str]:
    """The address of such a service."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_nothing_that_a_service_sends_commands_a_terminal(hostile: str) -> None:
    """Answers, lines and frames of streams; a line may end and be indented."""
    api = Api(hostile)
    assert api.get("/json") == {SHOWN: [SHOWN, "line\n\ttwo", 3, None]}
    assert list(api.lines("/lines")) == [{"type": SHOWN}]
    frame = next(api.stream("/stream"))
    assert frame
    assert (frame.event, frame.data) == (SHOWN, {"text": f"{SHOWN}\ufffd2J"})


def test_a_refusal_does_not_either(hostile: str) -> None:
    """The sentence of a command that a service refuses."""
    said = CliRunner().invoke(main, ["export", "t_1", "--server", hostile])
    assert said.exit_code == 1
    assert f"no table {SHOWN}" in said.stderr
    assert "\x1b" not in said.output + said.stderr
