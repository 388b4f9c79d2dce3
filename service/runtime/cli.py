"""The command line: `wintercount run` for everything on one machine, and a command for each process."""

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import click
import redis

from service.config import SETTINGS
from service.levels import LEVELS
from service.loading import wait_for
from service.runtime import (
    analysis_command,
    backup_commands,
    client_commands,
    dump_command,
    embedded,
    fairness_command,
    forget_command,
    moderation_commands,
    record_commands,
    recovery_commands,
    telemetry,
)
from service.runtime.demo import demonstrate
from service.runtime.lifeline import end_with_supervisor
from service.runtime.needs import check_secret, redis_url, settings, store_url
from service.runtime.printing import as_json, asked_for_json, logs_as_json, printed, programs_ask, progress, token_told
from service.runtime.refusing import Commands
from service.runtime.supervisor import Interrupted, Supervisor


@click.group(cls=Commands, epilog="Environment: " + "; ".join(f"{s.variable}: {s.meaning}" for s in SETTINGS))
def main() -> None:
    """Event-sourced card games, whose history is never redrawn."""


@main.command()
@click.option("--game", default="big-manitou", show_default=True, help="game to demonstrate")
@click.option("--demo/--no-demo", default=True, help="whether to play a demonstration table first")
@click.option("--stay/--no-stay", default=True, help="whether to keep serving afterwards")
@as_json
def run(game: str, demo: bool, stay: bool, as_json: bool) -> None:
    """Run everything on this machine: embedded store, web server, dispatcher and workers; play a demonstration.

    As JSON it is the address, and then each line of the demonstration.
    """

    def say(told: str, **members: str) -> None:
        printed(members or {"told": told}) if as_json else click.echo(told)

    found = settings()
    supervisor = Supervisor(found)
    try:
        _listen(_interrupt)
        supervisor.start()
        threading.Thread(target=supervisor.watch, name="watch", daemon=True).start()
        address, docs = supervisor.address, f"{supervisor.address}/docs"
        say(f"Wintercount serves at {address} (documentation: {docs})", address=address, documentation=docs)
        for line in demonstrate(address, game) if demo else ():
            say(line)
        if stay:
            say("Press Ctrl-C to stop.")
            signal.pause()
    except embedded.AlreadyRunning as error:
        raise click.ClickException(f"Wintercount is running already: it holds {error}") from None
    except embedded.DoesNotStart as error:
        raise click.ClickException(str(error)) from None
    except Interrupted:
        say("ending")
    finally:
        _listen(signal.SIG_IGN)
        supervisor.end()


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    _listen(signal.SIG_IGN)  # once is enough: a second signal must not cut short what the first began
    raise Interrupted


def _listen(handler: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


@main.command()
@logs_as_json
def serve() -> None:
    """Run a web server."""
    from service.runtime.serving import serve as serve_until_told

    end_with_supervisor()
    found = settings()
    check_secret(found, texts=True)
    serve_until_told(found)


@main.command()
@logs_as_json
def dispatch() -> None:
    """Run a dispatcher: it enqueues due turns, lets clocks run out and keeps the projections up to date."""
    from service.runtime.processes import dispatch_until

    end_with_supervisor()
    found = settings()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    check_secret(found)
    telemetry.set_up("dispatcher")
    dispatch_until(stop, found, redis_url(found))


@main.command()
@logs_as_json
def worker() -> None:
    """Run a worker: it plays the turns of AI seats that the dispatcher enqueues."""
    from service.runtime.recovery.watching import save_losses
    from worker.turn_queue import work, worker_process

    end_with_supervisor()
    found = settings()
    for url in (redis_url(found), found.queue_url or redis_url(found)):
        wait_for(url)
    telemetry.set_up("worker")
    save_losses(worker_process(os.getpid()).handler.histories, found)
    work(redis.Redis.from_url(found.queue_url or redis_url(found)))


@main.command()
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="address of the service")
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="level to play at")
@click.option("--token", envvar="WINTERCOUNT_TOKEN", help="token of the bot's account; also WINTERCOUNT_TOKEN")
@click.option("--name", default="bot", show_default=True, help="name of the account to create if there is no token")
@click.option("--sit", nargs=2, type=(str, int), multiple=True, metavar="TABLE SEAT", help="seat to take first")
@asked_for_json
def bot(server: str, level: str, token: str | None, name: str, sit: tuple[tuple[str, int], ...]) -> None:
    """Play as a bot wherever its account has a seat, over the public API.

    As JSON it is the token of an account that was created, and then the player.
    """
    from service.client import Api
    from worker.bot import Bot

    settings()
    api, stop = Api(server, token), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    if token is None:
        token_told(api.sign_up(name, bot=True))
    player = api.get("/v1/players/me")["player"]
    told = f"player {player} plays as {level}; press Ctrl-C to stop"
    printed({"player": player, "level": level}) if programs_ask() else click.echo(told)
    for table, seat in sit:
        arbiter = api.get(f"/v1/tables/{table}")["arbiter"]
        api.post(f"/v1/tables/{table}/seats/{seat}", {"arbiter": arbiter})
    Bot(api, LEVELS[level]).run(stop)


@main.command()
@click.argument("projection", type=click.Choice(["lobby", "standings"]), required=False)
@click.option("--processes", type=click.IntRange(1, 64), help="that share the partitions; one per core by default")
@as_json
def rebuild(projection: str | None, processes: int | None, as_json: bool) -> None:
    """Rebuild the projections from the log, beside the old ones, then switch over."""
    from service.runtime.rebuilding import rebuild as rebuild_one

    url = store_url()
    for name in [projection] if projection else ["lobby", "standings"]:
        with progress(desc=name, unit=" batches") as bar:
            bar.total = rebuild_one(url, name, processes or os.cpu_count() or 1, bar.update)
        if as_json:
            printed({"projection": name, "batches": bar.total})


@main.command()
@click.option("--after-days", type=float, help="instead of WINTERCOUNT_ARCHIVE_AFTER_DAYS; 0 for all closed tables")
@as_json
def archive(after_days: float | None, as_json: bool) -> None:
    """Archive now what closed long enough ago, instead of waiting for the dispatcher to do so."""
    from service.runtime.processes import archiver_of
    from service.stores import log_at

    found, log = settings(), log_at(store_url())
    days = found.archive_after_days if after_days is None else after_days
    if days < 0:
        raise click.UsageError("WINTERCOUNT_ARCHIVE_AFTER_DAYS says never: give --after-days")
    with progress(desc="archive", unit=" tables") as bar:
        done = archiver_of(log, days).archive_due(bar.update)
    if as_json:
        printed(done._asdict())


@main.command()
@as_json
def doctor(as_json: bool) -> None:
    """Look at everything the service needs, and say what is wrong and what to do. Writes nothing.

    The exit status is 0 if all is well, 1 for a fault, 2 for a warning alone.
    """
    from service.runtime.doctor import Verdict, findings

    found = settings()
    verdicts = {Verdict.GOOD}
    for finding in findings(found, found.redis_url or embedded.url_of(Path(found.data))):
        verdicts.add(finding.verdict)
        name = finding.verdict.name.lower()
        if as_json:
            printed(finding._asdict() | {"verdict": name})
        else:
            click.echo(f"{name:8}{finding.subject:13}{finding.told}")
            if finding.advice:
                click.echo(f"{'':21}→ {finding.advice}")
    sys.exit(Verdict.FAULT if Verdict.FAULT in verdicts else max(verdicts))


@main.command("rotate-secret")
@click.option("--keep", is_flag=True, help="add no key: seal again under the newest of the given keys")
@click.option("--lost", is_flag=True, help="the key is lost: give up what no key opens, so that the service starts")
@as_json
def rotate_secret(*, keep: bool, lost: bool, as_json: bool) -> None:
    """Create a new key and seal the store's secrets under it, while the service runs."""
    from events.store import connect
    from service.accounts import rotation
    from service.accounts.sealing import SecretUnusable

    if keep and lost:
        raise click.UsageError("--keep or --lost, not both")
    client, found = connect(store_url()), settings()
    try:
        change = rotation.give_up if lost else rotation.reseal if keep else rotation.rotate
        records = change(client, found)
        manifests = dump_command.sign_again(client, found)
    except SecretUnusable as error:
        raise click.ClickException(str(error)) from None
    done = "given up" if lost else "sealed again"
    advice = ": bots must set these webhooks again" if lost else ""
    if as_json:
        printed({"records": records, "manifests": manifests, "done": done})
    else:
        click.echo(f"{records} records {done}{advice}; {manifests} manifests of dumps signed again")


COMMANDS = (
    *record_commands.COMMANDS,
    *analysis_command.COMMANDS,
    *backup_commands.COMMANDS,
    *recovery_commands.COMMANDS,
    *dump_command.COMMANDS,
    forget_command.forget,
    *fairness_command.COMMANDS,
    *moderation_commands.COMMANDS,
    *client_commands.COMMANDS,
)
for command in COMMANDS:
    main.add_command(command)


if __name__ == "__main__":
    main()
