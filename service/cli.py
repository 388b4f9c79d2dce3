"""The command line: `wintercount run` for everything on one machine, and each part by itself."""

import logging
import signal
import sys
import threading
from types import FrameType

import click
import redis
import requests
from tqdm import tqdm

from service import embedded
from service.config import SETTINGS, BadSetting, Settings, settings_from
from service.demo import demonstrate
from service.levels import LEVELS
from service.supervisor import Interrupted, Supervisor


def settings() -> Settings:
    """The settings; ends with a word on what is wrong with them."""
    try:
        found = settings_from()
    except BadSetting as error:
        raise click.ClickException(str(error)) from None
    logging.basicConfig(level=found.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    return found


def redis_url(found: Settings) -> str:
    """The store's URL; ends with a word on how to give it."""
    if found.redis_url is None:
        raise click.ClickException("set WINTERCOUNT_REDIS_URL, or use `wintercount run`, which starts a server itself")
    return found.redis_url


def store_url() -> str:
    """The URL of the store, of the embedded server that runs here if none is named; ends with a word if none runs."""
    found = settings()
    try:
        return found.redis_url or embedded.url_of_running(found.data)
    except embedded.DoesNotStart as error:
        raise click.ClickException(str(error)) from None


@click.group(epilog="Environment: " + "; ".join(f"{s.variable}: {s.meaning}" for s in SETTINGS))
def main() -> None:
    """Card games whose history is never redrawn."""


@main.command()
@click.option("--game", default="big-manitou", show_default=True, help="the game of the demonstration")
@click.option("--demo/--no-demo", default=True, help="whether to play the demonstration table")
@click.option("--stay/--no-stay", default=True, help="whether to go on serving afterwards")
def run(game: str, demo: bool, stay: bool) -> None:
    """Runs everything on this machine: embedded server, web server, dispatcher, workers; plays a demonstration."""
    found = settings()
    supervisor = Supervisor(found)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        supervisor.start()
        threading.Thread(target=supervisor.watch, name="watch", daemon=True).start()
        click.echo(f"Wintercount serves at {supervisor.address} (documentation: {supervisor.address}/docs)")
        for line in demonstrate(supervisor.address, game) if demo else ():
            click.echo(line)
        if stay:
            click.echo("Ctrl-C ends.")
            signal.pause()
    except embedded.AlreadyRunning as error:
        raise click.ClickException(f"Wintercount is running already: it holds {error}") from None
    except embedded.DoesNotStart as error:
        raise click.ClickException(str(error)) from None
    except Interrupted:
        click.echo("ending")
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        supervisor.end()


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise Interrupted


@main.command()
def serve() -> None:
    """The web server."""
    from service.serving import serve as serve_until_told

    found = settings()
    redis_url(found)
    serve_until_told(found)


@main.command()
def dispatch() -> None:
    """The dispatcher: rings for what is due, lets clocks run out, and keeps the projections up to date."""
    from service.processes import dispatch_until

    found = settings()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    dispatch_until(stop, found, redis_url(found))


@main.command()
def worker() -> None:
    """A worker: plays the turns of AI seats when the dispatcher rings."""
    from worker.bell import work

    found = settings()
    work(redis.Redis.from_url(found.queue_url or redis_url(found)))


@main.command()
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="where the service is")
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="how it plays")
@click.option("--token", envvar="WINTERCOUNT_TOKEN", help="of the bot's account; also WINTERCOUNT_TOKEN")
@click.option("--name", default="bot", show_default=True, help="of the account that is taken if there is no token")
@click.option("--sit", nargs=2, type=(str, int), multiple=True, metavar="TABLE SEAT", help="takes a seat first")
def bot(server: str, level: str, token: str | None, name: str, sit: tuple[tuple[str, int], ...]) -> None:
    """Plays as a bot wherever its account has a seat, over the public API alone."""
    from service.client import Api
    from worker.bot import Bot

    settings()
    api, stop = Api(server, token), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        if token is None:
            click.echo(f"WINTERCOUNT_TOKEN={api.sign_up(name, bot=True)}")
        click.echo(f"player {api.get('/v1/players/me')['player']} plays as {level}; Ctrl-C ends")
        for table, seat in sit:
            arbiter = api.get(f"/v1/tables/{table}")["arbiter"]
            api.post(f"/v1/tables/{table}/seats/{seat}", {"arbiter": arbiter})
        Bot(api, LEVELS[level]).run(stop)
    except requests.RequestException as error:
        told = error.response.text if error.response is not None else type(error).__name__
        raise click.ClickException(told) from None


@main.command()
@click.argument("projection", type=click.Choice(["lobby", "standings"]), required=False)
def rebuild(projection: str | None) -> None:
    """Builds projections anew from the log, beside the old ones, and turns to them."""
    from service.processes import rebuild as rebuild_one

    url = store_url()
    for name in [projection] if projection else ["lobby", "standings"]:
        with tqdm(desc=name, unit=" batches", file=sys.stdout) as bar:
            bar.total = rebuild_one(url, name, bar.update)


@main.command()
@click.argument("table")
@click.option("--ai-moves", default=3, show_default=True, help="how many AI moves to compute again")
def verify(table: str, ai_moves: int) -> None:
    """Checks a table: chain, seals, draws, every decision, and some choices of AI players.

    TABLE is an archive, which needs no server, or a table of the store.
    """
    from service.offline import is_archive, stored_verdict, verdict

    try:
        if is_archive(table):
            lines, holds = verdict(table, ai_moves)
        else:
            lines, holds = stored_verdict(store_url(), table, ai_moves)
    except LookupError as error:
        raise click.ClickException(str(error)) from None
    for line in lines:
        click.echo(line)
    sys.exit(0 if holds else 1)


@main.command("explain-move")
@click.argument("table")
@click.argument("version", type=int)
def explain_move(table: str, version: int) -> None:
    """Computes an AI's move again and shows what it weighed; TABLE is an archive or a finished table of the store."""
    from events.log import LogDamaged
    from projections.archive import ArchiveRefused
    from service.errors import Refused
    from service.offline import explained, source_of

    try:
        for line in explained(source_of(table, store_url), version):
            click.echo(line)
    except (ArchiveRefused, LogDamaged, LookupError, Refused) as refusal:
        raise click.ClickException(str(refusal)) from None


@main.command("case")
@click.argument("table")
@click.argument("dispute")
def show_case(table: str, dispute: str) -> None:
    """Prints a resolved dispute as a case for docs/rulings; TABLE is an archive or a finished table of the store."""
    from events.log import LogDamaged
    from projections.archive import ArchiveRefused
    from projections.casemaking import NoCaseError
    from service.offline import case, source_of

    try:
        click.echo(case(source_of(table, store_url), dispute))
    except (ArchiveRefused, LogDamaged, LookupError, NoCaseError) as refusal:
        raise click.ClickException(str(refusal)) from None


@main.command()
@click.argument("archives", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--all", "every", is_flag=True, help="every finished table of the store, besides the archives")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="a house rule to decide by (JSON value)")
def readjudicate(archives: tuple[str, ...], every: bool, options: tuple[str, ...]) -> None:
    """Decides tables again, under today's rules or other house rules, and sums up what would change."""
    from service.offline import archived, finished_tables, parse_options, summary
    from service.offline import readjudicate as decide

    sources = [archived(path) for path in archives]
    if every:
        sources += finished_tables(store_url())
    if not sources:
        raise click.UsageError("name archives, or --all for the tables of the store")
    with tqdm(sources, unit=" tables", file=sys.stderr) as bar:
        reports = [decide(source, parse_options(options)) for source in bar]
    for line in summary(reports):
        click.echo(line)


if __name__ == "__main__":
    main()
