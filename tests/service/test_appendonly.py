"""The embedded store's append-only file, cut at any byte and with a flipped bit: nothing torn shows, all is told."""

import contextlib
import json
import os
import random
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from events.log import PARTITIONS
from events.recorded import Head
from events.store import RedisLog, connect
from service.config import Settings
from service.runtime import appendonly, embedded
from service.runtime.cli import main
from service.runtime.doctor import Diagnosis, disk
from tests.chaos.checks import batches
from tests.servers import data_directory, free_port, wait_until
from tests.tables import ANN, BEN, Visit

MOVES = 6
CUTS = 12  # at random bytes, all over the part that was written by moves


class Played:
    """The data of a store in which Ann and Ben have played, partly in the base file; and every head there was."""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        server = embedded.start(self.data)
        visit = Visit(RedisLog(connect(embedded.url_of(self.data)), PARTITIONS))
        self.table = visit.open("manitou", "ann open")
        visit.sit(self.table, 2, BEN)
        self._rewrite(visit)
        self.heads = [self._head(visit)]
        for number in range(MOVES):
            seat = visit.table(self.table).decisions[0].seat
            visit.play(self.table, (ANN, BEN)[seat - 1], number)
            self.heads.append(self._head(visit))
        server.kill()
        server.wait()

    def _head(self, visit: Visit) -> Head:
        return visit.log.head(self.table)

    def _rewrite(self, visit: Visit) -> None:
        assert isinstance(visit.log, RedisLog)
        client = visit.log.client
        client.bgrewriteaof()
        wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
        wait_until(lambda: any((self.data / appendonly.FOLDER).glob("*.2.base.rdb")))

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
    found = appendonly.newest(data)
    assert found
    return found


@contextlib.contextmanager
def started(data: Path) -> Iterator[RedisLog]:
    """The log in a store that is started on these data."""
    server = embedded.start(data)
    try:
        with contextlib.closing(connect(embedded.url_of(data))) as client:
            yield RedisLog(client, PARTITIONS)
    finally:
        server.kill()
        server.wait()


def altered(data: Path, change: Callable[[bytes], bytes], file: Path | None = None) -> bytes:
    """Changes a file, and tells what it holds then."""
    path = file or file_of(data)
    content = change(path.read_bytes())
    path.write_bytes(content)
    return content


def flipped(at: int, bit: int = 2) -> Callable[[bytes], bytes]:
    """One bit of the byte at an offset is another."""
    return lambda content: content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


def invoke(data: Path, *words: str) -> Result:
    """A command on a data directory."""
    there = {"WINTERCOUNT_DATA": str(data), "WINTERCOUNT_REDIS_URL": "", "WINTERCOUNT_PORT": str(free_port())}
    return CliRunner().invoke(main, list(words), env=there)


def told(data: Path) -> dict[str, tuple[Diagnosis, str, str]]:
    """What the doctor says of a data directory."""
    return {one.subject: one[1:] for one in disk.checked(Settings(data=str(data)))}


@pytest.mark.slow
def test_a_file_that_was_cut_anywhere(played: Played) -> None:
    """The store starts with the whole batches that are left; what was cut off is kept, and the operator is told."""
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
        left = file_of(data).stat().st_size
        rest = list((data / appendonly.CUT).glob("*"))
        assert left + sum(file.stat().st_size for file in rest) == at
        assert [file.name for file in rest] == ([f"{file_of(data).name}-{left}"] if left < at else [])


def test_a_torn_batch_is_said(played: Played, caplog: pytest.LogCaptureFixture) -> None:
    """In the log with figures, and by the doctor as long as the rest is kept."""
    data = played.copy("cut")
    size = len(altered(data, lambda content: content[:-30]))
    assert "append-only" not in told(data)
    with started(data) as log:
        assert log.head(played.table) == played.heads[-2]
    left = file_of(data).stat().st_size
    assert f"{size - left} bytes behind byte {left} were cut off and are kept in {data / 'cut'}" in caplog.text
    verdict, says, advice = told(data)["append-only"]
    assert verdict is Diagnosis.WARNING
    assert says == f"1 times the store's file ended in the middle of a batch; what was cut off is in {data / 'cut'}"
    assert advice == "`wintercount compare` says whether anything acknowledged is lost"


def test_a_length_that_grew_does_not_cut_off_all_that_follows(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks like a file that ends early; where more is behind it than a batch can be, nothing is cut off."""
    monkeypatch.setattr(appendonly, "MOST_CUT", 1000)
    data = played.copy("long")
    content = altered(data, lambda old: old[:3000].replace(b"$", b"$9999", 1) + old[3000:])
    with pytest.raises(embedded.DoesNotStart, match="Unexpected end of file"):
        embedded.start(data)
    assert file_of(data).read_bytes() == content
    assert not (data / appendonly.CUT).exists()


def refused(data: Path) -> str:
    """What `wintercount run` and the doctor say of data that the store refuses: the same."""
    with pytest.raises(embedded.DoesNotStart) as refusal:
        embedded.start(data)
    verdict, words, advice = told(data)["append-only"]
    assert (verdict, f"{words}. {advice}") == (Diagnosis.FAULT, str(refusal.value))
    return str(refusal.value)


def test_a_bit_that_breaks_the_form(played: Played) -> None:
    """The store refuses to start and changes nothing; a fixed copy holds the whole batches before the fault."""
    data = played.copy("form")
    size = file_of(data).stat().st_size
    at = file_of(data).read_bytes().index(b"\r\n$", size // 2) + 2
    content = altered(data, flipped(at))

    words = refused(data)
    found = appendonly.checked(file_of(data))
    assert found.whole < at < found.size == size
    assert words.startswith("the store cannot read what it has on disk: Bad file format")
    assert f"({file_of(data)}: whole batches up to byte {found.whole} of {size})" in words
    assert "`wintercount check-aof --fixed-copy DIRECTORY`" in words

    copy = data.with_name("fixed")
    shutil.rmtree(copy, ignore_errors=True)
    done = invoke(data, "check-aof", "--fixed-copy", str(copy))
    assert done.exit_code == 1, done.output
    assert done.output.splitlines()[0] == f"{file_of(data)}: whole batches up to byte {found.whole} of {size}"
    assert f"the copy lacks the last {size - found.whole} bytes" in done.output
    assert file_of(data).read_bytes() == content
    with started(copy) as log:
        assert log.head(played.table) in played.heads[1:-1]


def test_a_fixed_copy_is_private_while_it_is_made(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may lie where others look, and takes as long as the store is large; what is there already is left."""
    data, modes = played.copy("private"), list[int]()
    copy = data.with_name("private copy")
    copies = shutil.copytree

    def copied(source: Path, target: Path, **named: Any) -> Path:
        modes.append(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o777)
        return copies(source, target, **named)

    monkeypatch.setattr(shutil, "copytree", copied)
    assert invoke(data, "check-aof", "--fixed-copy", str(copy)).exit_code == 0
    assert modes == [0o700]
    again = invoke(data, "check-aof", "--fixed-copy", str(copy))
    assert (again.exit_code, "File exists" in again.output) == (1, True), again.output


def test_the_supervisor_says_it_too(played: Played) -> None:
    """`wintercount run` ends with the same words."""
    data = played.copy("form")
    altered(data, flipped(file_of(data).read_bytes().index(b"\r\n$", 3000) + 2))
    done = invoke(data, "run", "--no-demo", "--no-stay")
    assert done.exit_code == 1
    assert "Error: the store cannot read what it has on disk: Bad file format" in done.output


def test_a_bit_in_the_base_file(played: Played) -> None:
    """The store refuses it; nothing of it can be cut off, so a backup is what is left."""
    data = played.copy("base")
    base = next((data / appendonly.FOLDER).glob("*.base.rdb"))
    altered(data, flipped(base.stat().st_size // 2), base)
    words = refused(data)
    assert "`wintercount restore` writes a backup into a new data directory" in words


def test_a_bit_within_a_value(played: Played) -> None:
    """No fault of form: the store starts, and only the chain finds it. A source that is whole is named."""
    data, whole = played.copy("value"), played.copy("whole")
    altered(data, lambda content: flipped(content.index(b'"payload"', len(content) // 2) + 2)(content))
    done = invoke(data, "check-aof", "--json")
    assert (done.exit_code, json.loads(done.stdout)["whole"]) == (0, file_of(data).stat().st_size)
    with started(whole), started(data):
        done = invoke(data, "compare", embedded.url_of(whole), "--json")
    finding, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, summary["status"]) == (1, "fault")
    assert (finding["state"], finding["table"], finding["source"]) == ("damaged", played.table, "the store")
    end = (
        f" is no event (ValidationError); {embedded.url_of(whole)} holds it whole to version {played.heads[-1].version}"
    )
    assert finding["told"].startswith("version ")
    assert finding["told"].endswith(end)


def test_what_was_cut_off_comes_back(played: Played) -> None:
    """From another copy: the whole way that an operator goes."""
    data, whole = played.copy("cut"), played.copy("whole")
    altered(data, lambda content: content[: len(content) // 2])
    with started(whole), started(data) as log:
        assert log.head(played.table) != played.heads[-1]
        done = invoke(data, "recover", embedded.url_of(whole), "--write")
        assert done.exit_code == 0, done.output
        assert log.head(played.table) == played.heads[-1]


def test_a_running_store_is_left_alone(played: Played) -> None:
    """check-aof reads no file to which a server appends."""
    data = played.copy("held")
    with embedded.hold(data):
        done = invoke(data, "check-aof")
    assert done.exit_code == 1
    assert done.output == f"Error: the store runs: {data} is held. Stop `wintercount run` first\n"


def test_without_data(tmp_path: Path) -> None:
    """It says which directory it looked into."""
    done = invoke(tmp_path, "check-aof")
    assert done.output == f"Error: {tmp_path} has no append-only file: is WINTERCOUNT_DATA right?\n"
