"""What the dispatcher's process does in threads."""

import threading

import pytest

from service.config import Settings
from tests.servers import SECRET
from wintercount.processes import parts
from wintercount.processes.dispatcher import dispatch_until
from worker.dispatcher import Dispatcher


@pytest.mark.usefixtures("valkey_log")
def test_a_thread_that_fails_begins_anew(
    valkey_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A process goes on while one of its threads has ended, and nobody would start it again."""
    stop, begun = threading.Event(), list[int]()

    def run(_: Dispatcher, until: threading.Event) -> None:
        begun.append(1)
        if len(begun) == 1:
            raise LookupError
        until.set()

    monkeypatch.setattr(parts, "AGAIN_S", 0.1)
    monkeypatch.setattr(Dispatcher, "run", run)
    patience = threading.Timer(10, stop.set)
    patience.start()
    dispatch_until(stop, Settings(secret=SECRET, archive_after_days=-1), valkey_url)
    patience.cancel()
    assert len(begun) == 2
    assert "the thread dispatcher failed" in caplog.text
