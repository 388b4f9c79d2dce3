"""Commands that copy a store into a file and back: backup, restore."""

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from events.times import stamp
from service.config import Settings
from service.runtime import embedded
from service.runtime.prerequisites import embedded_store, loaded, settings, store_url
from service.runtime.printing import as_json, printed, progress
from service.runtime.verifying import Status

RESTART = (
    "Processes that kept running notice it at their next read of a table, tell `log-damaged` once, and end their "
    "streams: restart them"
)
AS_THEN = (
    "Accounts are as they were then: tokens, passkeys and recovery codes that ended since open them again, and nobody "
    "is suspended who was not"
)


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@as_json
def backup(target: Path, as_json: bool) -> None:
    """Copy the store into a file, while the service runs, and check the copy.

    TARGET is a new file, or a directory in which a file gets the time for a name. It holds the log, accounts and
    transcripts, but no keys: keep copies of the file of WINTERCOUNT_SECRET_FILE and of the key store (`keys.sqlite`, or
    what WINTERCOUNT_KEYS_URL names) apart. The exit status is 0 if the chain of every table holds, 1 for a fault, 2 if
    the store holds keys that this release does not know, which are left out, or if the archive does not answer.
    """
    from service.runtime.backup.making import make
    from service.runtime.backup.records import BackupRefused

    path = (
        target / f"wintercount-{stamp(time.time_ns() // 10**6).replace(':', '-')}.backup" if target.is_dir() else target
    )
    if path.exists():
        raise click.ClickException(f"{path} is there already: name a new file")
    with _progress("copied") as bar, _told(BackupRefused):
        made = make(store_url(), path, settings(), bar.update)
    left_out = (f"{key}: left out, as this release does not know what it is" for key in made.unknown)
    lines = [*made.faults, *left_out, *made.unchecked]
    status = Status.FAULT if made.faults else Status.UNCHECKED if lines else Status.HOLDS
    _tell(lines, f"{path}: {made.summary}", status, as_json)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="only check the file; nothing is written")
@click.option("--replace", is_flag=True, help="remove what the store holds, and restore in its place")
@click.option("--without-keys", is_flag=True, help="people's keys are lost: bring back those too who were erased")
@as_json
def restore(file: Path, *, check: bool, replace: bool, without_keys: bool, as_json: bool) -> None:
    """Write a backup into an empty store, and read it back.

    The store is that of WINTERCOUNT_REDIS_URL, or the embedded one of the data directory, which is started for as long
    as this takes if it does not run. People who were erased since the backup was made stay so, as their keys tell: put
    the newest copy of the keys in its place first. The exit status is as that of `backup`.
    """
    from service.runtime.backup.checking import checked
    from service.runtime.backup.making import RestoreRefused, advice, erased_people
    from service.runtime.backup.records import BackupRefused
    from service.runtime.backup.restoring import MayLack, NotEmpty, Target
    from service.runtime.backup.restoring import restore as write
    from service.stores import archive_of

    with _told(BackupRefused, RestoreRefused, NotEmpty, MayLack):
        holds = checked(file)
        if check:
            _tell(holds.faults, f"{file}: {holds.summary}", _status(holds.faults), as_json)
        found = settings()
        erased = set[str]() if without_keys else erased_people(found)
        with _store(found) as url, _progress("restored") as bar:
            target = Target(url, archive_of(found))
            done = write(target, file, erased, replace=replace, report=bar.update)
            todo = advice(url, found, holds.by_segment)
    lines, told = [*holds.faults, *done.faults], f"{holds.summary}, as they were at {holds.at}"
    told = f"restored {told}; left out {done.erased} accounts of people who were erased since. {AS_THEN}. {RESTART}"
    _tell([*lines, *todo], told, _status(lines) or (Status.UNCHECKED if todo else Status.HOLDS), as_json)


def _status(faults: list[str]) -> Status:
    return Status.FAULT if faults else Status.HOLDS


@contextlib.contextmanager
def _store(found: Settings) -> Iterator[str]:
    """The store to restore into: one that runs, or the embedded one, started for as long as the block takes."""
    if found.redis_url or embedded.runs(Path(found.data)):
        yield loaded(found.redis_url or embedded.url_of(Path(found.data)))
        return
    with embedded_store(Path(found.data)) as url:
        yield url


@contextlib.contextmanager
def _told(*refusals: type[Exception]) -> Iterator[None]:
    """Exits with the message of a refusal."""
    try:
        yield
    except refusals as refusal:
        raise click.ClickException(str(refusal)) from None


def _progress(what: str) -> Any:
    return progress(desc=what, unit=" tables")


def _tell(lines: list[str], told: str, status: Status, as_json: bool) -> None:
    """Prints the findings and what was done, and exits."""
    if as_json:
        printed({"told": told, "status": status.name.lower(), "lines": lines})
    else:
        click.echo("\n".join([*lines, told]))
    sys.exit(status)
