"""Commands that keep a service in good order: doctor, rebuild, archive, rotate-secret."""

import os
import sys
from functools import partial
from pathlib import Path

import click

from service.runtime import embedded
from service.runtime.prerequisites import settings, started_store, store_url
from service.runtime.printing import as_json, printed, progress


@click.command()
@click.argument("projection", type=click.Choice(["lobby", "standings"]), required=False)
@click.option("--processes", type=click.IntRange(1, 64), help="that share the partitions; one per core by default")
@as_json
def rebuild(projection: str | None, processes: int | None, as_json: bool) -> None:
    """Rebuild the projections from the log, beside the old ones, then switch over."""
    from events.log import LogUnreadable
    from service.runtime.rebuilding import rebuild as rebuild_one

    url = store_url()
    for name in [projection] if projection else ["lobby", "standings"]:
        with progress(desc=name, unit=" batches") as bar:
            try:
                bar.total = rebuild_one(url, name, processes or os.cpu_count() or 1, bar.update)
            except LogUnreadable as damage:
                raise click.ClickException(f"{damage}: the {name} that there is stays") from None
        if as_json:
            printed({"projection": name, "batches": bar.total})


@click.command()
@click.option("--after-days", type=float, help="instead of WINTERCOUNT_ARCHIVE_AFTER_DAYS; 0 for all closed tables")
@click.option("--processes", type=click.IntRange(1, 64), help="that archive at once; one per core by default")
@as_json
def archive(after_days: float | None, processes: int | None, as_json: bool) -> None:
    """Archive now what closed long enough ago, instead of waiting for the dispatcher to do so."""
    from service.runtime import archiving

    days = settings().archive_after_days if after_days is None else after_days
    if days < 0:
        raise click.UsageError("WINTERCOUNT_ARCHIVE_AFTER_DAYS says never: give --after-days")
    with progress(desc="archive", unit=" tables") as bar:
        made = partial(archiving.archiver_at, store_url(), days)
        done = archiving.archive(made, processes or os.cpu_count() or 1, bar.update)
    if as_json:
        printed(done._asdict())


@click.command()
@as_json
def doctor(as_json: bool) -> None:
    """Look at everything the service needs, and say what is wrong and what to do. Writes nothing.

    The exit status is 0 if all is well, 1 for a fault, 2 for a warning alone.
    """
    from service.runtime.doctor import Diagnosis, findings

    found = settings()
    verdicts = {Diagnosis.GOOD}
    for finding in findings(found, found.redis_url or embedded.url_of(Path(found.data))):
        verdicts.add(finding.verdict)
        name = finding.verdict.name.lower()
        if as_json:
            printed(finding._asdict() | {"verdict": name})
        else:
            click.echo(f"{name:8}{finding.subject:13}{finding.told}")
            if finding.advice:
                click.echo(f"{'':21}→ {finding.advice}")
    sys.exit(Diagnosis.FAULT if Diagnosis.FAULT in verdicts else max(verdicts))


@click.command("rotate-secret")
@click.option("--keep", is_flag=True, help="add no key: seal again under the newest of the given keys")
@click.option("--lost", is_flag=True, help="the key is lost: give up what no key opens, so that the service starts")
@as_json
def rotate_secret(*, keep: bool, lost: bool, as_json: bool) -> None:
    """Create a new key and seal the store's secrets under it, while the service runs."""
    from events.store import connect
    from service.accounts import rotation
    from service.accounts.sealing import SecretUnusable
    from service.runtime.commands.dumps import sign_again

    if keep and lost:
        raise click.UsageError("--keep or --lost, not both")
    change = rotation.give_up if lost else rotation.reseal if keep else rotation.rotate
    try:
        with started_store() as url:
            client, found = connect(url), settings()
            records = change(client, found)
            dumps = sign_again(client, found)
    except SecretUnusable as error:
        raise click.ClickException(str(error)) from None
    done = "given up" if lost else "sealed again"
    advice = ": bots must set these webhooks again" if lost else ""
    if as_json:
        printed({"records": records, "dumps": dumps, "done": done})
    else:
        click.echo(f"{records} records {done}{advice}; {dumps} dumps signed again")
