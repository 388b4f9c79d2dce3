"""The command line: `wintercount run` for everything on one machine, and a command for each process."""

import logging
import signal
import sys
import threading
from types import FrameType
from typing import Any

import click
import redis
import requests
from redis.exceptions import RedisError
from tqdm import tqdm

from service.config import SETTINGS, BadSetting, Settings, settings_from
from service.levels import LEVELS
from service.loading import wait_for
from service.runtime import client_commands, embedded
from service.runtime.demo import demonstrate
from service.runtime.lifeline import end_with_supervisor
from service.runtime.printing import as_json, printed
from service.runtime.supervisor import Interrupted, Supervisor


def settings() -> Settings:
    """The settings; exits with a message about a value that cannot be used."""
    try:
        found = settings_from()
    except BadSetting as error:
        raise click.ClickException(str(error)) from None
    logging.basicConfig(level=found.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    return found


def redis_url(found: Settings) -> str:
    """The store's URL; exits with a message on how to set it."""
    if found.redis_url is None:
        raise click.ClickException(
            "set WINTERCOUNT_REDIS_URL, or use `wintercount run`, which starts a store of its own"
        )
    return found.redis_url


def check_secret(found: Settings, *, texts: bool = False) -> None:
    """Exits with a message on what to do if the keys for what the store keeps sealed are missing.

    With `texts`, the keys of people's names and texts have to be there too.

    While the store does not answer, this checks nothing: each process waits for the store and checks again.
    """
    from events.store import connect
    from service.accounts.keys import KeysUnavailable, keys_of
    from service.accounts.sealing import SecretUnusable, sealer_for
    from service.loading import why_not

    if why_not(redis_url(found)) is not None:
        return
    try:
        client = connect(redis_url(found))
        sealer = sealer_for(client, found)
        if texts:
            keys_of(client, found, sealer)
    except SecretUnusable as error:
        raise click.ClickException(str(error)) from None
    except (KeysUnavailable, RedisError) as error:
        logging.getLogger(__name__).warning("the store does not answer: %s", error)


def store_url() -> str:
    """The URL of the store, or of the embedded server that runs here; exits with a message if there is none."""
    found = settings()
    try:
        return found.redis_url or embedded.url_of_running(found.data)
    except embedded.DoesNotStart as error:
        raise click.ClickException(str(error)) from None


@click.group(epilog="Environment: " + "; ".join(f"{s.variable}: {s.meaning}" for s in SETTINGS))
def main() -> None:
    """Event-sourced card games, whose history is never redrawn."""


@main.command()
@click.option("--game", default="big-manitou", show_default=True, help="game to demonstrate")
@click.option("--demo/--no-demo", default=True, help="whether to play a demonstration table first")
@click.option("--stay/--no-stay", default=True, help="whether to keep serving afterwards")
def run(game: str, demo: bool, stay: bool) -> None:
    """Run everything on this machine: embedded store, web server, dispatcher and workers; play a demonstration."""
    found = settings()
    supervisor = Supervisor(found)
    try:
        _listen(_interrupt)
        supervisor.start()
        threading.Thread(target=supervisor.watch, name="watch", daemon=True).start()
        click.echo(f"Wintercount serves at {supervisor.address} (documentation: {supervisor.address}/docs)")
        for line in demonstrate(supervisor.address, game) if demo else ():
            click.echo(line)
        if stay:
            click.echo("Press Ctrl-C to stop.")
            signal.pause()
    except embedded.AlreadyRunning as error:
        raise click.ClickException(f"Wintercount is running already: it holds {error}") from None
    except embedded.DoesNotStart as error:
        raise click.ClickException(str(error)) from None
    except Interrupted:
        click.echo("ending")
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
def serve() -> None:
    """Run a web server."""
    from service.runtime.serving import serve as serve_until_told

    end_with_supervisor()
    found = settings()
    check_secret(found, texts=True)
    serve_until_told(found)


@main.command()
def dispatch() -> None:
    """Run a dispatcher: it enqueues due turns, lets clocks run out and keeps the projections up to date."""
    from service.runtime.processes import dispatch_until

    end_with_supervisor()
    found = settings()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    check_secret(found)
    dispatch_until(stop, found, redis_url(found))


@main.command()
def worker() -> None:
    """Run a worker: it plays the turns of AI seats that the dispatcher enqueues."""
    from worker.turn_queue import work

    end_with_supervisor()
    found = settings()
    for url in (redis_url(found), found.queue_url or redis_url(found)):
        wait_for(url)
    work(redis.Redis.from_url(found.queue_url or redis_url(found)))


@main.command()
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="address of the service")
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="level to play at")
@click.option("--token", envvar="WINTERCOUNT_TOKEN", help="token of the bot's account; also WINTERCOUNT_TOKEN")
@click.option("--name", default="bot", show_default=True, help="name of the account to create if there is no token")
@click.option("--sit", nargs=2, type=(str, int), multiple=True, metavar="TABLE SEAT", help="seat to take first")
def bot(server: str, level: str, token: str | None, name: str, sit: tuple[tuple[str, int], ...]) -> None:
    """Play as a bot wherever its account has a seat, over the public API."""
    from service.client import Api
    from worker.bot import Bot

    settings()
    api, stop = Api(server, token), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        if token is None:
            click.echo(f"WINTERCOUNT_TOKEN={api.sign_up(name, bot=True)}")
        click.echo(f"player {api.get('/v1/players/me')['player']} plays as {level}; press Ctrl-C to stop")
        for table, seat in sit:
            arbiter = api.get(f"/v1/tables/{table}")["arbiter"]
            api.post(f"/v1/tables/{table}/seats/{seat}", {"arbiter": arbiter})
        Bot(api, LEVELS[level]).run(stop)
    except requests.RequestException as error:
        told = error.response.text if error.response is not None else type(error).__name__
        raise click.ClickException(told) from None


@main.command()
@click.argument("projection", type=click.Choice(["lobby", "standings"]), required=False)
@as_json
def rebuild(projection: str | None, as_json: bool) -> None:
    """Rebuild the projections from the log, beside the old ones, then switch over."""
    from service.runtime.processes import rebuild as rebuild_one

    url = store_url()
    for name in [projection] if projection else ["lobby", "standings"]:
        with tqdm(desc=name, unit=" batches", file=sys.stderr if as_json else sys.stdout) as bar:
            bar.total = rebuild_one(url, name, bar.update)
        if as_json:
            printed({"projection": name, "batches": bar.total})


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
    except SecretUnusable as error:
        raise click.ClickException(str(error)) from None
    done = "given up" if lost else "sealed again"
    advice = ": bots must set these webhooks again" if lost else ""
    printed({"records": records, "done": done}) if as_json else click.echo(f"{records} records {done}{advice}")


@main.command()
@click.argument("table")
@click.option("--ai-moves", default=3, show_default=True, help="how many AI moves to recompute")
@click.option("--parent", type=click.Path(exists=True, dir_okay=False), help="for a branch: its parent's archive")
@as_json
def verify(table: str, ai_moves: int, parent: str | None, as_json: bool) -> None:
    """Check a table: chain, seals, draws, every decision, permissions, and some choices of AI players.

    TABLE is an archive, which needs no server, or a table of the store; there what the store keeps beside its events
    is checked as well. The exit status is 0 if everything was decided again and is so, 2 if something could not be
    checked, and 1 for a fault.
    """
    from service.runtime.offline import is_archive
    from service.runtime.verifying import stored_verdict, verdict

    try:
        if is_archive(table):
            found = verdict(table, ai_moves, parent)
        else:
            found = stored_verdict(store_url(), table, ai_moves, parent)
    except LookupError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        printed({"table": table, "status": found.status.name.lower(), "lines": found.lines})
    else:
        click.echo("\n".join(found.lines))
    sys.exit(found.status)


@main.command("explain-move")
@click.argument("table")
@click.argument("version", type=int)
@as_json
def explain_move(table: str, version: int, as_json: bool) -> None:
    """Recompute an AI player's move and show what it considered; TABLE is an archive or a table of the store."""
    from events.log import LogUnreadable
    from rulings.archive import ArchiveRefused
    from service.errors import Refused
    from service.runtime.offline import explained, explanation, source_of

    try:
        found = explanation(source_of(table, store_url), version)
        printed(found) if as_json else click.echo("\n".join(explained(found)))
    except (ArchiveRefused, LogUnreadable, LookupError, Refused) as refusal:
        raise click.ClickException(str(refusal)) from None


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--to", "form", type=click.Choice(["notation", "events"]), default="notation", show_default=True)
def convert(file: str, form: str) -> None:
    """Write a finished table as a text that people can read (docs/notation.md), or its game's events as JSON lines.

    FILE is an archive, or a text in notation, which is replayed first: an error names line and column.
    """
    from events.log import LogUnreadable
    from rulings.archive import ArchiveRefused
    from rulings.notation import NotationError
    from service.runtime.converting import converted

    try:
        for line in converted(file, form):
            click.echo(line)
    except (ArchiveRefused, LogUnreadable, NotationError, UnicodeDecodeError) as refusal:
        raise click.ClickException(f"{file}: {refusal}") from None


@main.command("case")
@click.argument("table")
@click.argument("dispute")
def show_case(table: str, dispute: str) -> None:
    """Print a resolved dispute as a case for a game's folder `rulings`.

    TABLE is an archive or a finished table of the store.
    """
    from events.log import LogUnreadable
    from rulings.archive import ArchiveRefused
    from rulings.casemaking import NoCaseError
    from service.runtime.offline import case, source_of

    try:
        click.echo(case(source_of(table, store_url), dispute))
    except (ArchiveRefused, LogUnreadable, LookupError, NoCaseError) as refusal:
        raise click.ClickException(str(refusal)) from None


@main.command()
@click.argument("archives", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--all", "every", is_flag=True, help="also every finished table of the store")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="house rule to decide by (JSON value)")
@as_json
def readjudicate(archives: tuple[str, ...], every: bool, options: tuple[str, ...], as_json: bool) -> None:
    """Decide tables again, under today's rules or other house rules, and summarise what would change.

    As JSON each table is told by itself, and why it could not be decided if it could not.
    """
    from service.runtime.offline import archived, finished_tables, listed, parse_options, summary
    from service.runtime.offline import readjudicate as decide

    sources = [archived(path) for path in archives]
    if every:
        sources += finished_tables(store_url())
    if not sources:
        raise click.UsageError("name archives, or --all for the tables of the store")
    with tqdm(sources, unit=" tables", file=sys.stderr) as bar:
        reports = [decide(source, parse_options(options)) for source in bar]
    for line in listed(reports) if as_json else summary(reports):
        printed(line) if as_json else click.echo(line)


for command in client_commands.COMMANDS:
    main.add_command(command)


if __name__ == "__main__":
    main()
