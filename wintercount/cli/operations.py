"""Commands that keep data safe: doctor, backup, restore, rebuild, archive, dump."""

import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.times import stamp
from service.config import Settings
from wintercount.cli.prerequisites import dumps_of, settings, started_store, store_url
from wintercount.cli.printing import command, print_json, programs_ask, progress, say
from wintercount.operations.verifying import Status
from wintercount.processes import embedded

if TYPE_CHECKING:
    from worker.monthly_dumps import MadeDump


OWN_SERVER = (
    "WINTERCOUNT_REDIS_URL names a server of your own: use `redis-cli --rdb`, copies of its append-only files, or the "
    "snapshots of its provider, and copy the archive after it"
)
AS_THEN = (
    "Accounts are as they were at the backup: tokens, passkeys and recovery codes revoked since work again, and later "
    "suspensions are gone"
)


@command("rebuild", "Rebuild the projections from the log, beside the old ones, then switch over.")
@click.argument("projection", type=click.Choice(["lobby", "standings"]), required=False)
@click.option("--processes", type=click.IntRange(1, 64), help="processes to use; one per core by default")
def rebuild(projection: str | None, processes: int | None) -> None:
    from events.log import LogUnreadable
    from wintercount.operations.maintenance import rebuild as rebuild_one

    url = store_url()
    for name in [projection] if projection else ["lobby", "standings"]:
        with progress(desc=name, unit=" batches") as bar:
            try:
                bar.total = rebuild_one(url, name, processes or os.cpu_count() or 1, bar.update)
            except LogUnreadable as damage:
                raise click.ClickException(f"{damage}: the old {name} stays") from None
        if programs_ask():
            print_json({"projection": name, "batches": bar.total})


@command("archive", "Archive tables that closed long enough ago, now instead of by the dispatcher.")
@click.option("--after-days", type=float, help="instead of WINTERCOUNT_ARCHIVE_AFTER_DAYS; 0 for all closed tables")
@click.option("--processes", type=click.IntRange(1, 64), help="processes that archive; one per core by default")
def archive(after_days: float | None, processes: int | None) -> None:
    from wintercount.operations.maintenance import archive as archive_due

    days = settings().archive_after_days if after_days is None else after_days
    if days < 0:
        raise click.UsageError("WINTERCOUNT_ARCHIVE_AFTER_DAYS turns archiving off: give --after-days")
    with progress(desc="archive", unit=" tables") as bar:
        done = archive_due(store_url(), days, processes or os.cpu_count() or 1, bar.update)
    if programs_ask():
        print_json(done._asdict())


@command(
    "doctor",
    """Check everything the service needs, and say what is wrong and what to do. Changes nothing.

    Exits 0 if all is well, 1 for a fault, and 2 for warnings only.
    """,
)
def doctor() -> None:
    from wintercount.operations.doctor import Diagnosis, findings

    found = settings()
    verdicts = {Diagnosis.GOOD}
    for finding in findings(found, found.redis_url or embedded.url_of(Path(found.data))):
        verdicts.add(finding.verdict)
        name = finding.verdict.name.lower()
        advice = f"\n{'':21}→ {finding.advice}" if finding.advice else ""
        say(finding._asdict() | {"verdict": name}, f"{name:8}{finding.subject:13}{finding.detail}{advice}")
    sys.exit(Diagnosis.FAULT if Diagnosis.FAULT in verdicts else max(verdicts))


@command(
    "backup",
    """Copy the embedded store and its archive to a new directory, while the service runs.

    TARGET is the new directory, or an existing one in which the backup is named after the time. The secret and people's
    keys are not included: --secret-to and --keys-to copy them to other places, in place of older copies.
    """,
)
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--secret-to", type=click.Path(path_type=Path), help="copy the service's secret to this file")
@click.option("--keys-to", type=click.Path(path_type=Path), help="copy the keys of names and texts to this file")
def backup(target: Path, secret_to: Path | None, keys_to: Path | None) -> None:
    from wintercount.operations.backup import copy_keys, copy_secret, make

    found = settings()
    _check_own(found)
    if target.is_dir():
        target /= f"wintercount-{stamp(time.time_ns() // 10**6).replace(':', '-')}.backup"
    _check_places(found, target, secret_to, keys_to)
    with started_store():
        make(found, target)
    if secret_to:
        copy_secret(found, secret_to)
    if keys_to:  # after the store, so that every text has its key
        copy_keys(found, keys_to)
    size = sum(path.stat().st_size for path in target.rglob("*"))
    say({"backup": str(target), "bytes": size}, f"{target}: {size} bytes; `wintercount restore --check` verifies it")


def _check_own(found: Settings) -> None:
    if found.redis_url:
        raise click.ClickException(OWN_SERVER)


def _check_places(found: Settings, target: Path, secret_to: Path | None, keys_to: Path | None) -> None:
    """Exits if the backup exists, or if backup, secret and keys would lie together: they reveal everything."""
    if target.exists():
        raise click.ClickException(f"{target} exists: name a new directory")
    if keys_to and found.keys_url:
        raise click.UsageError("WINTERCOUNT_KEYS_URL names a server of your own: copy the keys with its tools")
    if _lie_together(found, target.resolve(), [path.resolve() for path in (secret_to, keys_to) if path]):
        raise click.ClickException("backup, secret and keys would lie together: choose separate places")


def _lie_together(found: Settings, target: Path, copies: list[Path]) -> bool:
    """Whether a copy would lie in or beside the backup, in an older one, or replace another key file."""
    from service.accounts.key_store import FILE
    from wintercount.operations.backup import SUMS

    data = Path(found.data).resolve()
    keys = [*copies, found.key_file.resolve(), (data / FILE).resolve()]
    return (
        target.is_relative_to(data)
        or any(one.is_relative_to(target) or one.parent == target.parent for one in keys)
        or any((parent / SUMS).exists() for one in copies for parent in one.parents)
        or len(set(keys)) < len(keys)
    )


@command(
    "restore",
    """Restore a backup into a data directory without a store, and verify the record of every table.

    Put the secret and the newest copy of the keys into their places first, so that people erased since the backup are
    erased again. Exits 0 if every table verifies, 1 if not.
    """,
)
@click.argument("backup", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--check", "only_check", is_flag=True, help="only verify the backup; nothing is restored")
@click.option("--without-keys", is_flag=True, help="the keys are lost: people erased since the backup come back")
def restore(backup: Path, *, only_check: bool, without_keys: bool) -> None:
    from wintercount.operations.backup import check
    from wintercount.operations.backup import restore as write

    found = settings()
    try:
        with progress(desc="verified", unit=" tables") as bar:
            if only_check:
                done = check(found, backup, bar.update)
            else:
                _check_own(found)
                done = write(found, backup, bar.update, without_keys=without_keys)
    except embedded.AlreadyRunning as running:
        raise click.ClickException(f"the store is running: it holds {running}. Stop `wintercount run` first") from None
    message = f"restored and verified {done.tables} tables; {done.erased} people are erased, as before. {AS_THEN}"
    status = Status.FAULT if done.faults else Status.HOLDS
    text = "\n".join([*done.faults, f"{done.tables} tables verified" if only_check else message])
    say(done._asdict() | {"status": status.name.lower()}, text)
    sys.exit(status)


@command(
    "dump",
    """Write all public tables that ended in a month to one signed file that anybody can check.

    Leaves out tables that cannot be read, and then exits with 2.
    """,
)
@click.option("--month", help="the month, such as 2026-10; by default the one before this")
@click.option("--again", is_flag=True, help="write it again, with tables that were added later")
def dump(month: str | None, *, again: bool) -> None:
    from service.stores import log_at
    from worker.monthly_dumps import Request, make

    found, url = settings(), store_url()
    dumps = dumps_of(found, url)
    month = month or f"{datetime.now(UTC).replace(day=1) - timedelta(days=1):%Y-%m}"
    with progress(desc=month, unit=" tables") as bar:
        asked = Request(month, time.time_ns() // 10**6, bar.update, again)
        made = make(log_at(url), dumps, Path(found.data) / "dumps", asked)
    say(made._asdict(), _summary(made))
    damaged = made.damaged_segments or "unreadable" in made.left_out
    sys.exit(Status.UNCHECKED if damaged else Status.HOLDS)


def _summary(made: "MadeDump") -> str:
    if made.tables is None:
        return f"{made.month}: there already"
    left_out = ", ".join(f"{count} {reason}" for reason, count in made.left_out.items()) or "none"
    lines = [f"{made.month}: {made.tables} tables; left out: {left_out}"]
    if not made.tables:
        lines.append("nothing was written")
    if made.damaged_segments:
        lines.append(f"{made.damaged_segments} segments of the archive are damaged: tables of the month may be missing")
    return "\n".join(lines)
