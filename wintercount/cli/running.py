"""Commands that run processes, all of them on one machine or one of each kind; and their settings."""

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import click
import redis

from events.waiting_for_store import wait_for
from service.config import SETTINGS, Setting, Settings, misspelt
from wintercount.cli.prerequisites import check_queue, check_secret, redis_url, settings
from wintercount.cli.printing import command, programs_ask, progress, say
from wintercount.processes import embedded, telemetry
from wintercount.processes.lifeline import end_with_supervisor
from wintercount.processes.stop_signals import Interrupt, Interrupted, handlers_restored, listen, on_hangup

LOOK_S = 1.0  # how often `run` checks whether the operator asked it to stop
LOGS = "log in JSON; errors too"


@command(
    "run",
    """Run everything on this machine: embedded store, web server, dispatcher and workers; play a demonstration.

    SIGHUP replaces the web processes one at a time with the code that is installed now; no request fails. With --json
    it prints the address, and then each line of the demonstration.
    """,
)
@click.option("--game", default="big-manitou", show_default=True, help="game to demonstrate")
@click.option("--demo/--no-demo", default=True, help="whether to play a demonstration table first")
@click.option("--stay/--no-stay", default=True, help="whether to keep serving afterwards")
@handlers_restored()
def run(game: str, demo: bool, stay: bool) -> None:
    from wintercount.processes.supervisor import Supervisor

    found = settings()
    if demo:
        _check_game(game)
    check_queue(found)
    interrupt = Interrupt()
    supervisor = Supervisor(found, interrupt.check)
    try:
        listen(interrupt)
        signal.signal(signal.SIGHUP, on_hangup(supervisor.replace_web, interrupt))
        _start(supervisor)
        threading.Thread(target=supervisor.watch, name="watch", daemon=True).start()
        _show(supervisor.address, game if demo else None, interrupt)
        if stay and sys.stdout.isatty():
            _say("Press Ctrl-C to stop.")
        while stay:
            interrupt.check()
            time.sleep(LOOK_S)
    except embedded.AlreadyRunning as error:
        raise click.ClickException(f"Wintercount is running already: it holds {error}") from None
    except Interrupted:
        _say("Stopping.")
    finally:
        listen(signal.SIG_IGN)
        supervisor.end()


def _start(supervisor: Any) -> None:
    """Starts everything; a terminal shows what is being waited for."""
    from rich.console import Console

    with Console(stderr=True, quiet=programs_ask()).status("Starting Wintercount …") as status:
        supervisor.start(status.update)


def _show(address: str, game: str | None, interrupt: Interrupt) -> None:
    """Prints where the service is, and plays the demonstration of a game."""
    docs = f"{address}/docs/"
    _say(f"Wintercount serves at {address} (documentation: {docs})", address=address, documentation=docs)
    for line in demonstrate(address, game) if game else ():
        interrupt.check()
        _say(line)


TYPICAL_EVENTS = 500  # for the length of the progress bar, which is corrected at the end
PLAYERS = 4


def demonstrate(url: str, game: str) -> Iterator[str]:
    """Plays a table to its end with a progress bar; yields the lines to print."""
    from events.verify import faults
    from worker.client import Api

    api = Api(url)
    api.sign_up("demonstration")
    hosted = api.get(f"/v1/games/{game}")
    seats = [{"kind": "ai", "level": "greedy"}] * min(PLAYERS, max(hosted["players"]))
    table = api.post("/v1/tables", {"game": game, "seats": seats})["id"]
    yield f"{hosted['title']}: {len(seats)} AI seats at table {table}"
    _follow(api, f"/v1/tables/{table}/events")
    end = api.get(f"/v1/tables/{table}")
    for row in sorted(end["scores"]["scores"], key=lambda row: row["rank"]):
        yield f"  {row['rank']}. seat {row['seat']} ({end['seats'][row['seat'] - 1]['level']}): {row['total']}"
    found = list(faults(api.lines(f"/v1/tables/{table}/events")))
    yield from found or [f"  verified: the hash chain and commitments of {end['version']} events"]
    yield f"  replay: {url}/#/tables/{table}/1"
    yield f"  after event 57: {url}/v1/tables/{table}?at=57"
    yield f"  rulings: {url}/v1/tables/{table}/rulings"


def _follow(api: Any, path: str) -> None:
    with progress(total=TYPICAL_EVENTS, unit=" events", leave=True) as bar:
        for frame in api.stream(path):
            if frame and frame.event != "end":
                bar.update()
        bar.total = bar.n
        bar.refresh()


def _say(line: str, **members: str) -> None:
    say(members or {"message": line}, line)


def _check_game(game: str) -> None:
    """Raises `BadParameter` for a game that is not hosted."""
    from service.errors import Refused
    from service.tables.opening import game_of

    try:
        game_of(game)
    except Refused as refusal:
        raise click.BadParameter(refusal.detail, param_hint="--game") from None


@command("serve", "Run a web server.", LOGS)
def serve() -> None:
    from wintercount.processes.serving import serve as serve_until_stopped

    end_with_supervisor()
    found = settings()
    check_secret(found, texts=True)
    serve_until_stopped(found)


@command("dispatch", "Run a dispatcher, which queues AI turns, ends clocks and keeps the projections up to date.", LOGS)
@handlers_restored()
def dispatch() -> None:
    from wintercount.processes.dispatcher_process import dispatch_until

    end_with_supervisor()
    found = settings()
    check_queue(found)
    stop = threading.Event()
    listen(lambda *_: stop.set())
    check_secret(found)
    telemetry.set_up("dispatcher")
    dispatch_until(stop, found, redis_url(found))


@command("worker", "Run a worker, which plays the turns of AI seats that the dispatcher queues.", LOGS)
def worker() -> None:
    from worker.rq_worker import work

    end_with_supervisor()
    found = settings()
    check_queue(found)
    for url in (redis_url(found), found.queue_url or redis_url(found)):
        wait_for(url)
    telemetry.set_up("worker")
    work(redis.Redis.from_url(found.queue_url or redis_url(found)))


HIDDEN = frozenset(("admin_token", "metrics_token", "secret"))


class Row(NamedTuple):
    """A setting as it is listed, without tokens, keys and passwords."""

    variable: str
    value: Any
    given: bool
    meaning: str

    def __str__(self) -> str:
        value = "–" if self.value is None else self.value
        return f"{self.variable}={value}  ({'given' if self.given else 'default'})\n    {self.meaning}"


@command(
    "settings",
    """List the environment variables that configure the service, with their values now.

    WORDS select the settings that are about one of them: `wintercount settings webhook archive`. The values of tokens,
    keys and passwords are hidden.
    """,
)
@click.argument("words", nargs=-1)
def list_settings(words: tuple[str, ...]) -> None:
    found = settings()
    rows = list(_rows(found, words))
    for row in rows:
        say(row._asdict(), row)
    if not rows:
        raise click.UsageError(f"no setting is about {' or '.join(words)}; `wintercount settings` lists all")
    for variable, meant in misspelt(os.environ).items():
        advice = f": did you mean {meant}?" if meant else ""
        click.echo(f"Warning: {variable} is set but is not a setting{advice}", err=True)


def _rows(found: Settings, words: tuple[str, ...]) -> Iterator[Row]:
    for setting in SETTINGS:
        if not words or any(_is_about(setting, word) for word in words):
            given = bool(os.environ.get(setting.variable))
            yield Row(setting.variable, _value(found, setting), given, setting.meaning)


def _is_about(setting: Setting, word: str) -> bool:
    """Whether a word of its name or meaning starts like this."""
    text = f"{setting.variable} {setting.meaning}"
    return re.search(f"(?<![a-z]){re.escape(word)}", text, re.IGNORECASE) is not None


def _value(found: Settings, setting: Setting) -> Any:
    value = getattr(found, setting.field)
    if value is not None and setting.field in HIDDEN:
        return "(hidden)"
    return _without_password(value) if isinstance(value, str) and "://" in value else value


def _without_password(url: str) -> str:
    """Hides user, password and query of an address, even if their characters are not escaped."""
    return re.sub(r"\?.*", "?(hidden)", re.sub("(?<=://).*@", "(hidden)@", url))
