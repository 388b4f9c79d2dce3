"""`wintercount watch` when the service does not answer."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
from click.testing import CliRunner

from wintercount.cli import clients
from wintercount.cli.main import main
from worker.client import Api, Frame


def test_a_lost_connection_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a stream that breaks off: the service is named, and the stream continues to its end."""
    answers: list[Any] = [requests.ConnectionError(), Frame("end", {"reason": "table_closed"})]

    def stream(_: Api, __: str) -> Iterator[Frame]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield answer

    monkeypatch.setattr(Api, "get", lambda *_: {"status": "running", "version": 7})
    monkeypatch.setattr(Api, "stream", stream)
    monkeypatch.setattr(clients, "PAUSE_S", 0)
    said = CliRunner().invoke(clients.watch, ["t_1", "--server", "http://127.0.0.1:9/"])
    assert (said.exit_code, said.stderr) == (0, "no answer from http://127.0.0.1:9; trying again (Ctrl-C to stop)\n")
    assert said.stdout == "The stream ends: table closed.\n"


def test_a_wrong_address_is_an_error() -> None:
    """Nothing is tried again where nothing has ever answered."""
    said = CliRunner().invoke(main, ["watch", "t_1", "--server", "http://127.0.0.1:9"])
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr.startswith("Error: http://127.0.0.1:9 does not answer (ConnectionError); --server takes")
