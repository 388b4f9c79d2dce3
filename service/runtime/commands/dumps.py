"""The command that makes dumps: dump."""

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.config import Settings
from service.runtime.prerequisites import settings, store_url
from service.runtime.printing import as_json, printed, progress
from service.runtime.verifying import Status

if TYPE_CHECKING:
    from events.scripts import Client
    from service.dumps.keeping import Dumps
    from service.dumps.making import MadeDump

DAMAGED = frozenset(("unreadable", "damaged_segment"))  # reasons for which tables are left out


@click.command()
@click.option("--month", help="the month, such as 2026-10; by default the one before this")
@click.option("--again", is_flag=True, help="make it anew, with tables that became known later")
@as_json
def dump(month: str | None, *, again: bool, as_json: bool) -> None:
    """Write all public tables that ended in a month into one file that anybody may check.

    What is there is not made again, and what was cut off is taken up again. The exit status is 2 if there are tables
    that cannot be read, which are left out.
    """
    made = _made(month or _last_month(), again=again)
    if as_json:
        import msgspec

        printed({"made": made.is_new, "manifest": msgspec.to_builtins(made.manifest)})
    else:
        click.echo(_told(made))
    damaged = made.manifest is not None and not DAMAGED.isdisjoint(made.manifest.left_out)
    sys.exit(Status.UNCHECKED if damaged else Status.HOLDS)


def _last_month() -> str:
    first = datetime.now(UTC).replace(day=1)
    return f"{first - timedelta(days=1):%Y-%m}"


def _made(month: str, *, again: bool) -> "MadeDump":
    """Makes the dump; exits with a message if that cannot be done."""
    from events.archiving.objects import ArchiveUnavailable, MissingObject
    from service.accounts.sealing import SecretUnusable
    from service.dumps.making import DumpRefused, Maker
    from service.stores import log_at

    found, store = settings(), log_at(store_url())
    try:
        dumps = _dumps(found)
        with progress(desc=month, unit=" tables") as bar:
            maker = Maker(store, dumps, Path(found.data) / "dumps")
            return maker.make(month, time.time_ns() // 10**6, bar.update, again=again)
    except (ArchiveUnavailable, DumpRefused, MissingObject, SecretUnusable, ValueError) as refusal:
        raise click.ClickException(str(refusal)) from None


def sign_again(client: "Client", found: Settings) -> int:
    """Signs the manifests anew after the keys were rotated; how many. Exits with a message if they are out of reach."""
    from events.archiving.objects import ArchiveUnavailable
    from service.accounts.sealing import sealer_for
    from service.dumps.keeping import Dumps
    from service.dumps.signing import Signer
    from service.stores import dumps_in

    try:
        return Dumps(dumps_in(found), Signer(sealer_for(client, found))).sign_again()
    except ArchiveUnavailable as error:
        raise click.ClickException(
            f"the manifests of dumps were not signed again: {error}; repeat with --keep"
        ) from None


def _dumps(found: Settings) -> "Dumps":
    """The dumps of the settings, which have to name a place; raises `DumpRefused`, `SecretUnusable`."""
    from events.store import connect
    from service.accounts.older_stores import sealer_after_carry_over
    from service.dumps.keeping import Dumps
    from service.dumps.making import DumpRefused
    from service.dumps.signing import Signer
    from service.stores import dumps_in

    if (place := dumps_in(found)) is None:
        raise DumpRefused("set WINTERCOUNT_DUMPS, or WINTERCOUNT_ARCHIVE: there is no place for dumps")
    return Dumps(place, Signer(sealer_after_carry_over(connect(store_url()), found)))


def _told(made: "MadeDump") -> str:
    manifest = made.manifest
    if manifest is None:
        return "no public table ended in that month: nothing was written"
    left_out = ", ".join(f"{count} {reason}" for reason, count in manifest.left_out.items())
    done = "written" if made.is_new else "there already"
    return f"{manifest.file}: {manifest.tables} tables, {manifest.size} bytes, {done}; left out: {left_out or 'none'}"
