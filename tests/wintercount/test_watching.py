"""`wintercount watch` where the service does not answer at once."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
from click.testing import CliRunner

from service.client import Api, Frame
from wintercount.cli import clients


def test_who_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a service that is away once: its address is told, and then the stream is followed to its end."""
    answers: list[Any] = [requests.ConnectionError(), Frame("end", {"reason": "table_closed"})]

    def stream(_: Api, __: str) -> Iterator[Frame]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield answer

    monkeypatch.setattr(Api, "stream", stream)
    monkeypatch.setattr(clients, "PAUSE_S", 0)
    said = CliRunner().invoke(clients.watch, ["t_1", "--server", "http://127.0.0.1:9/"])
    assert (said.exit_code, said.stderr) == (0, "no answer from http://127.0.0.1:9; trying again (Ctrl-C to stop)\n")
    assert said.stdout == "The stream ends: table closed.\n"
