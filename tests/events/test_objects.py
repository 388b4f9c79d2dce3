"""Files of an archive, in a directory and in an object storage that speaks S3."""

import os
import socket
import stat
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
import redis
import requests
from moto.server import ThreadedMotoServer

from events.archiving.objects import ArchiveUnavailable, MissingObject, Objects

CREDENTIALS = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of an S3 server with a bucket `games`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    requests.put(f"http://{host}:{port}/games", timeout=10).raise_for_status()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(params=["directory", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Objects:
    """An archive of each kind, with nothing in it."""
    if request.param == "directory":
        return Objects(str(tmp_path / "archive"))
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", request.getfixturevalue("s3"))
    return Objects(f"s3://games/{tmp_path.name}")


def test_what_was_written_is_read_whole_and_in_parts(objects: Objects) -> None:
    """A file is read as it was written, by range, and may be written again."""
    for _ in range(2):
        objects.write("tables/ab/one.segment", b"0123456789")

    assert objects.read("tables/ab/one.segment") == b"0123456789"
    assert objects.read_range("tables/ab/one.segment", 2, 3) == b"234"


def test_files_are_listed_in_order_each_with_a_mark_of_what_it_holds(objects: Objects) -> None:
    """Only those below a name; the marks show which file has changed since."""
    for name in ("tables/two", "tables/one", "feeds/three"):
        objects.write(name, b"0123")
    before = objects.list_files("tables")
    objects.write("tables/one", b"012345")
    after = objects.list_files("tables")

    assert [(found.name, found.bytes) for found in before] == [("tables/one", 4), ("tables/two", 4)]
    assert [(found.name, found.bytes) for found in after] == [("tables/one", 6), ("tables/two", 4)]
    assert [now.mark == then.mark for now, then in zip(after, before, strict=True)] == [False, True]
    assert [one.name for one in objects.list_files("tables")] == ["tables/one", "tables/two"]


def test_what_is_not_there_is_missing(objects: Objects) -> None:
    """No such file, or not that much of it."""
    objects.write("one", b"0123")

    with pytest.raises(MissingObject) as told:
        objects.read("two")
    assert "\n\n" not in str(told.value)  # without what the library tells those who debug it
    with pytest.raises(MissingObject):
        objects.read_range("two", 0, 1)
    with pytest.raises(MissingObject):
        objects.read_range("one", 2, 3)
    for beyond in (4, 400):
        with pytest.raises(MissingObject):
            objects.read_range("one", beyond, 4)


def test_a_storage_that_does_not_answer_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens there: the error is of the store's own kind, for those who wait for the store."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "key")

    with pytest.raises(ArchiveUnavailable) as error:
        Objects("s3://games").read("one")
    assert isinstance(error.value, redis.ConnectionError)


def test_a_storage_that_hangs_is_unavailable_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """It accepts a connection and never answers; the caller sets how long to wait."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        for name, value in (CREDENTIALS | {"AWS_ENDPOINT_URL": address}).items():
            monkeypatch.setenv(name, value)
        hanging = Objects("s3://games")
        hanging.answer_s = 0.1
        with pytest.raises(ArchiveUnavailable):
            hanging.read("one")
        with pytest.raises(ArchiveUnavailable):
            hanging.read_range("one", 1, 2)


def test_a_bucket_that_is_not_there_is_unavailable(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For writes and lists: the storage answers 404, as for a missing file."""
    for name, value in (CREDENTIALS | {"AWS_ENDPOINT_URL": s3}).items():
        monkeypatch.setenv(name, value)
    nowhere = Objects("s3://nowhere")

    for asked in (
        lambda: nowhere.write("one", b"0"),
        lambda: nowhere.upload("one", BytesIO(b"0")),
        lambda: nowhere.list_files(""),
    ):
        with pytest.raises(ArchiveUnavailable):
            asked()


def test_a_directory_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    """A file stands in its way."""
    (tmp_path / "archive").write_text("no directory")

    with pytest.raises(ArchiveUnavailable):
        Objects(str(tmp_path / "archive")).write("one", b"0")


def modes_of(directory: Path) -> set[int]:
    """What others may do in a directory, and with what is in it."""
    return {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (directory, *directory.rglob("*"))}


@pytest.fixture
def _open_to_all() -> Iterator[None]:
    """A process that lets others do what they want with what it makes."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_open_to_all")
def test_a_directory_that_is_made_is_private(tmp_path: Path) -> None:
    """Seeds and hidden cards lie there, of private tables too, whatever the process lets others do with its files."""
    objects = Objects(str(tmp_path / "kept" / "archive"))
    objects.write("tables/0a/0a1b.segment", b"a table")
    objects.upload("dumps/2026-11.dump", BytesIO(b"a dump"))
    assert modes_of(tmp_path / "kept") == {0}


@pytest.mark.usefixtures("_open_to_all")
def test_whoever_may_read_a_directory_may_read_what_is_put_there(tmp_path: Path) -> None:
    """But not write there, if not in the directory: it is the operator's to share."""
    (tmp_path / "archive").mkdir(mode=0o755)
    Objects(str(tmp_path / "archive")).write("tables/0a/0a1b.segment", b"a table")
    assert modes_of(tmp_path / "archive") == {0o055, 0o044}
