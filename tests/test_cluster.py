"""`make cluster`: a cluster to try the service on, which ends as a whole."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from events.log import PARTITIONS
from events.store import RedisLog, connect
from tests.events.batches import tell
from tests.servers import PATIENCE_S, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def started(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    command, environment = [sys.executable, "-m", "tools.cluster"], os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_cluster_is_started_and_ends(started: "subprocess.Popen[str]", told: signal.Signals) -> None:
    """Three primaries and three replicas keep a log until the process that started them ends, however that happens."""
    assert started.stdout
    url = re.fullmatch(r"export WINTERCOUNT_REDIS_URL=(\S+)\n", started.stdout.readline())
    assert url
    nodes = psutil.Process(started.pid).children()

    log = RedisLog(connect(url[1]), PARTITIONS)
    tell(log, "one")
    assert (log.head("t_one").version, log.durability()) == (1, "fsync")
    log.client.close()
    assert len(nodes) == 6

    started.send_signal(told)
    assert started.wait(PATIENCE_S) == (-signal.SIGKILL if told == signal.SIGKILL else 0)
    wait_until(lambda: not any(node.is_running() for node in nodes))
