"""Commands that run processes, all of them on one machine or one of each kind; and their settings."""

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import click
import redis

from service.config import SETTINGS, Setting, Settings, strangers
from service.loading import wait_for
from wintercount.cli.prerequisites import check_queue, check_secret, redis_url, settings
from wintercount.cli.printing import asked_for_json, logs_as_json, say
from wintercount.processes import embedded, telemetry
from wintercount.processes.interrupting import Interrupt, Interrupted, handlers_restored, listen, on_hangup
from wintercount.processes.lifeline import end_with_supervisor

LOOK_S = 1.0  # how often it is looked whether the operator asked us to stop


@click.command()
@click.option("--game", default="big-manitou", show_default=True, help="game to demonstrate")
@click.option("--demo/--no-demo", default=True, help="whether to play a demonstration table first")
@click.option("--stay/--no-stay", default=True, help="whether to keep serving afterwards")
@asked_for_json
@handlers_restored()
def run(game: str, demo: bool, stay: bool) -> None:
    """Run everything on this machine: embedded store, web server, dispatcher and workers; play a demonstration.

    SIGHUP replaces the web processes one at a time, so that they run what is installed now; no request fails.
    As JSON it is the address, and then each line of the demonstration.
    """
    from wintercount.processes.supervisor import Supervisor

    found = settings()
    if demo:
        _check_game(game)
    check_queue(found)
    interrupt = Interrupt()
    supervisor = Supervisor(found, interrupt.check)
    try:
        listen(interrupt)
        supervisor.start()
        signal.signal(signal.SIGHUP, on_hangup(supervisor.replace_web, interrupt))
        threading.Thread(target=supervisor.watch, name="watch", daemon=True).start()
        _show(supervisor.address, game if demo else None, interrupt)
        if stay:
            _tell("Press Ctrl-C to stop.")
        while stay:
            interrupt.check()
            time.sleep(LOOK_S)
    except embedded.AlreadyRunning as error:
        raise click.ClickException(f"Wintercount is running already: it holds {error}") from None
    except embedded.DoesNotStart as error:
        raise click.ClickException(str(error)) from None
    except Interrupted:
        _tell("ending")
    finally:
        listen(signal.SIG_IGN)
        supervisor.end()


def _show(address: str, game: str | None, interrupt: Interrupt) -> None:
    """Says where the service is, and plays the demonstration of a game."""
    from wintercount.cli.clients import demonstrate

    docs = f"{address}/docs"
    _tell(f"Wintercount serves at {address} (documentation: {docs})", address=address, documentation=docs)
    for line in demonstrate(address, game) if game else ():
        interrupt.check()
        _tell(line)


def _tell(told: str, **members: str) -> None:
    say(members or {"told": told}, told)


def _check_game(game: str) -> None:
    """Raises `BadParameter` for a game that is not hosted."""
    from service.errors import Refused
    from service.tables.opening import game_of

    try:
        game_of(game)
    except Refused as refusal:
        raise click.BadParameter(refusal.detail, param_hint="--game") from None


@click.command()
@logs_as_json
def serve() -> None:
    """Run a web server."""
    from wintercount.processes.serving import serve as serve_until_told

    end_with_supervisor()
    found = settings()
    check_secret(found, texts=True)
    serve_until_told(found)


@click.command()
@logs_as_json
@handlers_restored()
def dispatch() -> None:
    """Run a dispatcher: it enqueues due turns, lets clocks run out and keeps the projections up to date."""
    from wintercount.processes.dispatcher import dispatch_until

    end_with_supervisor()
    found = settings()
    check_queue(found)
    stop = threading.Event()
    listen(lambda *_: stop.set())
    check_secret(found)
    telemetry.set_up("dispatcher")
    dispatch_until(stop, found, redis_url(found))


@click.command()
@logs_as_json
def worker() -> None:
    """Run a worker: it plays the turns of AI seats that the dispatcher enqueues."""
    from worker.turn_queue import work

    end_with_supervisor()
    found = settings()
    check_queue(found)
    for url in (redis_url(found), found.queue_url or redis_url(found)):
        wait_for(url)
    telemetry.set_up("worker")
    work(redis.Redis.from_url(found.queue_url or redis_url(found)))


HIDDEN = frozenset(("admin_token", "metrics_token", "secret"))


class Told(NamedTuple):
    """A setting as it is told: never a token, a key or a password."""

    variable: str
    value: Any
    given: bool
    meaning: str

    def __str__(self) -> str:
        value = "–" if self.value is None else self.value
        return f"{self.variable}={value}  ({'given' if self.given else 'default'})\n    {self.meaning}"


@click.command("settings")
@click.argument("words", nargs=-1)
@asked_for_json
def list_settings(words: tuple[str, ...]) -> None:
    """List the environment variables that set the service: the value of each now, and what it means.

    With WORDS only those that are about one of them, such as `wintercount settings webhook archive`.
    Tokens, keys and passwords are not told, only that they are given.
    """
    found = settings()
    for told in _all(found, words):
        say(told._asdict(), told)
    for variable, meant in strangers(os.environ).items():
        advice = f": did you mean {meant}?" if meant else ""
        click.echo(f"Warning: {variable} is given and is no setting{advice}", err=True)


def _all(found: Settings, words: tuple[str, ...]) -> Iterator[Told]:
    for setting in SETTINGS:
        if not words or any(_is_about(setting, word) for word in words):
            given = bool(os.environ.get(setting.variable))
            yield Told(setting.variable, _value(found, setting), given, setting.meaning)


def _is_about(setting: Setting, word: str) -> bool:
    """Whether a word of its name or meaning begins so."""
    text = f"{setting.variable} {setting.meaning}"
    return re.search(f"(?<![a-z]){re.escape(word)}", text, re.IGNORECASE) is not None


def _value(found: Settings, setting: Setting) -> Any:
    value = getattr(found, setting.field)
    if value is not None and setting.field in HIDDEN:
        return "(hidden)"
    return _without_password(value) if isinstance(value, str) and "://" in value else value


def _without_password(url: str) -> str:
    """An address without what may hold a password: whoever asks, also with signs that nobody escaped, and a query."""
    return re.sub(r"\?.*", "?(hidden)", re.sub("(?<=://).*@", "(hidden)@", url))
