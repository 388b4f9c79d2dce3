"""Commands that are clients of a service: play, watch, bot, export and import; and the demonstration."""

import gzip
import os
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import requests
from click.shell_completion import get_completion_class

from events.verify import faults
from service.client import Api, Frame
from service.levels import LEVELS
from wintercount.cli.prerequisites import settings
from wintercount.cli.printing import asked_for_json, printed, programs_ask, progress, say, token_told
from wintercount.processes.interrupting import handlers_restored, listen

if TYPE_CHECKING:
    from wintercount.cli.terminal.playing import TableAddress
    from wintercount.cli.terminal.words import Words


PAUSE_S = 1.0  # before a service that does not answer is asked again
SHELLS = ("bash", "zsh", "fish")
NDJSON = "application/x-ndjson"
MOST_SENT = 32 << 20  # bytes of an archive
HERE = "http://127.0.0.1:8000"


def of_a_service(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that is a client."""
    token = click.option("--token", envvar="WINTERCOUNT_TOKEN", help="token of an account; also WINTERCOUNT_TOKEN")
    server = click.option("--server", "--url", default=HERE, show_default=True, help="address of the service")
    return server(token(command))


@click.command()
@click.argument("table", required=False)
@of_a_service
@click.option("--game", default="big-manitou", show_default=True, help="game of a new table")
@click.option("--players", type=int, help="seats of a new table; by default as few as the game has")
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="level of the AI")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="house rule of a new table (JSON value)")
@click.option("--seat", type=int, help="seat to take at TABLE; by default the first free one")
@click.option("--name", default="guest", show_default=True, help="name of the account to create if there is no token")
@click.option("--language", type=click.Choice(["en", "fr"]), help="of all that is said; by default that of the locale")
@asked_for_json
def play(table: str | None, server: str, token: str | None, seat: int | None, name: str, **wanted: Any) -> None:
    """Play in the terminal: at TABLE (its id or an address that has it), or at a new one against AI players.

    Every move that is legal is offered by a number. Leave with `q`; with the token and TABLE you come back.
    With --json a program plays: it reads events and decisions, a line each, and answers a decision with a line: a move.
    """
    from wintercount.cli.terminal.playing import place_of
    from wintercount.cli.terminal.words import language_of, words_in

    words = words_in(wanted.pop("language") or language_of())
    try:
        place = place_of(table, words) if table else None
        api = Api((place and place.server) or server, token)
        if not place:  # before there is an account for a game that is not there
            wanted["players"] = wanted["players"] or min(api.get(f"/v1/games/{wanted['game']}")["players"])
        if token is None:
            token_told(api.sign_up(name))
        _play(api, _seated(api, place, seat, words) if place else _opened(api, **wanted), words)
    except LookupError as error:
        raise click.ClickException(str(error)) from None


def _seated(api: Api, place: "TableAddress", seat: int | None, words: "Words") -> str:
    """The table of an address, at which one sits now."""
    from wintercount.cli.terminal.playing import sit_down

    sit_down(api, place.table, seat, words)
    return place.table


def _play(api: Api, table: str, words: "Words") -> None:
    if programs_ask():
        _play_by_lines(api, table, words)
        return
    from rich.console import Console

    from wintercount.cli.terminal.playing import Sitting

    click.echo(words.say("you_play", table=table, help=words.say("help")))
    if not Sitting(api, table, words, Console(highlight=False)).play():
        click.echo(words.say("waits", table=table if api.url == HERE else f"{api.url}/#/tables/{table}"))


def _play_by_lines(api: Api, table: str, words: "Words") -> None:
    from wintercount.cli.terminal.playing import Lines

    printed({"table": table})
    Lines(api, table, words).play()


def _opened(api: Api, game: str, players: int, level: str, options: tuple[str, ...]) -> str:
    """A new table at which the first seat is the caller's and AI players hold the others."""
    from wintercount.operations.records import parse_options

    seats = [{"kind": "me"}, *({"kind": "ai", "level": level} for _ in range(players - 1))]
    opened: str = api.post("/v1/tables", {"game": game, "seats": seats, "options": parse_options(options)})["table"]
    return opened


@click.command()
@click.argument("table")
@of_a_service
@click.option("--after", default=0, help="version to begin after")
@asked_for_json
def watch(table: str, server: str, token: str | None, after: int) -> None:
    """Print what happens at a table, from its first event on, until the stream ends."""
    for frame in _events(Api(server, token), table, after):
        if programs_ask():
            printed(frame.data)
        elif frame.event == "end":
            click.echo(f"The stream ends: {frame.data['reason'].replace('_', ' ')}.")
        else:
            click.echo(f"{frame.data['version']:5d}  {frame.data['words']}")


def _events(api: Api, table: str, after: int) -> Iterator[Frame]:
    """The events of a table and the end of its stream; a connection that is lost is opened again where it was."""
    while True:
        try:
            for frame in filter(None, api.stream(f"/v1/tables/{table}/events?after={after}&language=en")):
                yield frame
                if frame.event == "end":
                    return
                after = frame.data["version"]
            if _is_closed(api, table, after):
                return
        except requests.HTTPError as error:
            if error.response.status_code < 500:
                raise
        except requests.RequestException as error:
            if isinstance(error, ValueError):  # no address of a service: it would never answer
                raise
            told = f"no answer from {api.url}; trying again (Ctrl-C to stop)"
            problem = {"code": "no_answer", "detail": told}
            say(problem, told, err=True)
        time.sleep(PAUSE_S)


def _is_closed(api: Api, table: str, after: int) -> bool:
    """Whether nothing follows that version: there is no stream then whose end could be seen."""
    found = api.get(f"/v1/tables/{table}")
    return bool(found["status"] == "finished" and found["version"] <= after)


@click.command("export")
@click.argument("table")
@click.argument("file", type=click.Path(dir_okay=False, writable=True), required=False)
@of_a_service
@click.option("--notation", is_flag=True, help="as a text that people can read instead of an archive")
@asked_for_json
def export_table(table: str, file: str | None, server: str, token: str | None, notation: bool) -> None:
    """Write a table's archive into FILE (compressed if its name ends in .gz), or to standard output.

    FILE appears only when it is whole. An archive is JSON lines by nature. With --json a text is the member `notation`
    of an object, and of a FILE its name and size are printed.
    """
    path = f"/v1/tables/{table}/{'notation' if notation else 'archive'}"
    data = b"".join(progress(Api(server, token).parts(path), unit=" parts", disable=file is None))
    if file is not None:
        _keep(Path(file), data)
        if programs_ask():
            printed({"table": table, "file": file, "bytes": Path(file).stat().st_size})
    elif programs_ask() and notation:
        printed({"table": table, "notation": data.decode()})
    else:
        click.echo(data, nl=False)


def _keep(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    part.replace(path)


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@of_a_service
@click.option("--notation", is_flag=True, help="FILES are texts in notation, to be looked at as tables")
@click.option("--public", is_flag=True, help="with --notation: whoever has its id may look at it")
@asked_for_json
def import_tables(files: tuple[str, ...], server: str, token: str | None, **texts: bool) -> None:
    """Store complete archives (.gz too) in a service, which checks them first; needs a token of scope `admin`.

    With --notation texts are loaded instead, which any account may do: no record proves them. Importing a file again
    changes nothing, so that the command may be repeated.
    """
    if texts["public"] and not texts["notation"]:
        raise click.UsageError("--public goes with --notation")
    api, visibility = Api(server, token), "public" if texts["public"] else "private"
    for file in progress(files, unit=" tables", disable=len(files) == 1):
        try:
            data = _content(Path(file))
            if texts["notation"]:
                found = api.post("/v1/transcripts", {"text": data.decode(), "visibility": visibility})
            else:
                found = api.send("/v1/archives", data, NDJSON)
        except requests.RequestException:  # an OSError as well
            raise
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise click.ClickException(f"{file}: {error}") from None
        say(found, f"{file}: {found['table']}, {found['version']} events")


def _content(path: Path) -> bytes:
    """What is sent of a file; raises `OSError` for more than a service takes, however small it is packed."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        data = file.read(MOST_SENT + 1)
    if len(data) > MOST_SENT:
        raise OSError(f"it holds more than the {MOST_SENT} bytes that a service takes")
    return data


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@asked_for_json
def completion(shell: str) -> None:
    """Print what makes a shell complete this command's words: eval "$(wintercount completion bash)"."""
    program = click.get_current_context().find_root().command
    kind = get_completion_class(shell)
    if kind is None:
        raise click.ClickException(f"there is no completion for {shell}")
    source = kind(program, {}, "wintercount", "_WINTERCOUNT_COMPLETE").source()
    say({"shell": shell, "script": source}, source)


@click.command()
@click.option("--server", "--url", default=HERE, show_default=True, help="address of the service")
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="level to play at")
@click.option("--token", envvar="WINTERCOUNT_TOKEN", help="token of the bot's account; also WINTERCOUNT_TOKEN")
@click.option("--name", default="bot", show_default=True, help="name of the account to create if there is no token")
@click.option("--sit", nargs=2, type=(str, int), multiple=True, metavar="TABLE SEAT", help="seat to take first")
@asked_for_json
@handlers_restored()
def bot(server: str, level: str, token: str | None, name: str, sit: tuple[tuple[str, int], ...]) -> None:
    """Play as a bot wherever its account has a seat, over the public API.

    As JSON it is the token of an account that was created, and then the player.
    """
    from service.client import Api
    from worker.bot import Bot

    settings()
    api, stop = Api(server, token), threading.Event()
    listen(lambda *_: sys.exit(0))
    if token is None:
        token_told(api.sign_up(name, bot=True))
    player = api.get("/v1/players/me")["id"]
    told = f"player {player} plays as {level}; press Ctrl-C to stop"
    say({"player": player, "level": level}, told)
    for table, seat in sit:
        arbiter = api.get(f"/v1/tables/{table}")["arbiter"]
        api.post(f"/v1/tables/{table}/seats/{seat}", {"arbiter": arbiter})
    Bot(api, LEVELS[level]).run(stop)


TYPICAL_EVENTS = 500  # for the length of the progress bar, which is set right at the end
PLAYERS = 4


def demonstrate(url: str, game: str) -> Iterator[str]:
    """Plays a table to its end with a progress bar; yields the lines to print."""
    api = Api(url)
    api.sign_up("demonstration")
    hosted = api.get(f"/v1/games/{game}")
    seats = [{"kind": "ai", "level": "greedy"}] * min(PLAYERS, max(hosted["players"]))
    table = api.post("/v1/tables", {"game": game, "seats": seats})["table"]
    yield f"{hosted['title']}: {len(seats)} AI seats at table {table}"
    _follow(api, f"/v1/tables/{table}/events")
    end = api.get(f"/v1/tables/{table}")
    yield from _scores(end)
    found = list(faults(api.lines(f"/v1/tables/{table}/events")))
    yield from (
        found or [f"  chain: {end['version']} events, each fits its hash and each opened secret its commitment"]
    )
    yield f"  replay: {url}/#/tables/{table}/1"
    yield f"  as it was at event 57: {url}/v1/tables/{table}?at=57"
    yield f"  why each ruling fell as it did: {url}/v1/tables/{table}/rulings"


def _follow(api: Api, path: str) -> None:
    with progress(total=TYPICAL_EVENTS, unit=" events", leave=True) as bar:
        for frame in api.stream(path):
            if frame and frame.event != "end":
                bar.update()
        bar.total = bar.n
        bar.refresh()


def _scores(table: dict[str, Any]) -> Iterator[str]:
    for row in sorted(table["scores"]["scores"], key=lambda row: row["rank"]):
        yield f"  {row['rank']}. seat {row['seat']} ({table['seats'][row['seat'] - 1]['ai']['level']}): {row['total']}"
