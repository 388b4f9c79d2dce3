"""The command that makes dumps: dump."""

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.config import Settings
from wintercount.cli.prerequisites import settings, store_url
from wintercount.cli.printing import as_json, printed, progress
from wintercount.operations.verifying import Status

if TYPE_CHECKING:
    from events.scripts import Client
    from service.dumps import MadeDump


@click.command()
@click.option("--month", help="the month, such as 2026-10; by default the one before this")
@click.option("--again", is_flag=True, help="make it anew, with tables that became known later")
@as_json
def dump(month: str | None, *, again: bool, as_json: bool) -> None:
    """Write all public tables that ended in a month into one signed file that anybody may check.

    The exit status is 2 if tables cannot be read, which are left out.
    """
    made = _made(month or f"{datetime.now(UTC).replace(day=1) - timedelta(days=1):%Y-%m}", again=again)
    printed(made._asdict()) if as_json else click.echo(_told(made))
    damaged = made.damaged_segments or "unreadable" in made.left_out
    sys.exit(Status.UNCHECKED if damaged else Status.HOLDS)


def _made(month: str, *, again: bool) -> "MadeDump":
    """Makes the dump; exits with a message if that cannot be done."""
    from events.archiving.objects import ArchiveUnavailable, MissingObject
    from events.store import connect
    from service.accounts.sealing import SecretUnusable, sealer_for
    from service.dumps import DumpRefused, Dumps, Request, Signer, make
    from service.stores import dumps_in, log_at

    found, url = settings(), store_url()
    if (place := dumps_in(found)) is None:
        raise click.ClickException("set WINTERCOUNT_DUMPS, or WINTERCOUNT_ARCHIVE: there is no place for dumps")
    try:
        dumps = Dumps(place, Signer(sealer_for(connect(url), found)))
        with progress(desc=month, unit=" tables") as bar:
            asked = Request(month, time.time_ns() // 10**6, bar.update, again)
            return make(log_at(url), dumps, Path(found.data) / "dumps", asked)
    except (ArchiveUnavailable, DumpRefused, MissingObject, SecretUnusable, ValueError) as refusal:
        raise click.ClickException(str(refusal)) from None


def sign_again(client: "Client", found: Settings) -> int:
    """Signs dumps again after the keys were rotated; how many. Exits with a message if they are out of reach."""
    from events.archiving.objects import ArchiveUnavailable
    from service.accounts.sealing import sealer_for
    from service.dumps import Dumps, Signer
    from service.stores import dumps_in

    try:
        return Dumps(dumps_in(found), Signer(sealer_for(client, found))).sign_again()
    except ArchiveUnavailable as error:
        raise click.ClickException(f"dumps were not signed again: {error}; repeat with --keep") from None


def _told(made: "MadeDump") -> str:
    if made.tables is None:
        return f"{made.month}: there already"
    left_out = ", ".join(f"{count} {reason}" for reason, count in made.left_out.items()) or "none"
    lines = [f"{made.month}: {made.tables} tables; left out: {left_out}"]
    if not made.tables:
        lines.append("nothing was written")
    if made.damaged_segments:
        lines.append(f"{made.damaged_segments} segments of the archive are damaged: tables of the month may be missing")
    return "\n".join(lines)
