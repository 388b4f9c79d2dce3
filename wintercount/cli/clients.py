"""Commands that are clients of a service: login, tables, show, play, watch, bot, api, export, import, completion."""

import gzip
import json
import os
import re
import sys
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import requests
from click.shell_completion import get_completion_class

from service.levels import LEVELS
from wintercount.cli.errors import of_a_service
from wintercount.cli.prerequisites import settings
from wintercount.cli.printing import command, print_json, programs_ask, progress, say
from wintercount.cli.profile import HERE, Profile, api_of, service_options, with_api, write_profile
from wintercount.processes.stop_signals import handlers_restored, listen
from worker.client import Api, Frame, harmless

if TYPE_CHECKING:
    from wintercount.cli.terminal.words import Words

STDIN = "-"
PAUSE_S = 1.0  # before a lost connection is opened again
NDJSON = "application/x-ndjson"
MOST_SENT = 32 << 20  # bytes of an archive
PAGE = 200  # tables in an answer, at most

in_language = click.option("--language", type=click.Choice(["en", "fr"]), help="by default that of the locale")


@command(
    "login",
    """Store the address of a service and a token, which other commands then use.

    The token is asked for, or read from standard input with `--token -`; --name creates an account instead.
    """,
)
@service_options
@click.option("--name", help="create an account with this name")
def login(server: str | None, token: str | None, name: str | None) -> None:
    api = api_of(server or HERE, token or "")
    if name:
        api.sign_up(name)
    else:
        typed = sys.stdin.readline().strip() if token == STDIN else token
        api.token = typed or click.prompt("Token", hide_input=True, err=True)
    me = api.get("/v1/players/me")
    file = write_profile(Profile(api.url, str(api.token)))
    text = f"Logged in to {api.url} as {me['name']} ({me['id']}); the token is in {file}"
    say({"server": api.url, "player": me["id"], "name": me["name"], "file": str(file)}, text)


@command("tables", "List tables, the newest first: public ones, or your own with --mine.")
@click.option("--mine", flag_value="true", help="your own tables")
@click.option("--turn", "mine", flag_value="turn", help="tables where you have to decide")
@click.option("--game", help="tables of this game")
@click.option("--status", help="tables of this status: open, running or finished")
@click.option("--limit", type=click.IntRange(1), default=30, show_default=True, help="how many tables at most")
@with_api
def tables(api: Api, limit: int, **filters: str | None) -> None:
    rows = list(islice(_tables(api, filters, min(limit, PAGE)), limit))
    if programs_ask():
        for row in rows:
            print_json(row)
    else:
        click.echo("\n".join(_columns([_row_of(row) for row in rows])) if rows else "no tables")


def _tables(api: Api, filters: dict[str, str | None], page_size: int) -> Iterator[dict[str, Any]]:
    """Yields tables, page by page."""
    following: str | None = None
    while page := api.get("/v1/tables", **filters, limit=page_size, cursor=following):
        yield from page["tables"]
        following = page["next"]
        if following is None:
            return


def _row_of(table: dict[str, Any]) -> list[str]:
    """Returns the columns of a table in a list."""
    seats = [str(seat["name"] or seat["level"] or seat["kind"]) for seat in table["seats"]]
    return [table["id"], table["game"], table["status"], str(table["version"]), table["at"][:16], ", ".join(seats)]


def _columns(rows: list[list[str]]) -> Iterator[str]:
    """Yields rows as lines whose columns are aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


@command("show", "Draw a table as you may see it now, or as it was after an event.")
@click.argument("table")
@click.option("--at", type=click.IntRange(1), metavar="VERSION", help="as it was after this event")
@in_language
@with_api
def show(api: Api, table: str, at: int | None, language: str | None) -> None:
    found = api.get(f"/v1/tables/{table}", at=at)
    if programs_ask():
        print_json(found)
        return
    from rich.console import Console

    from wintercount.cli.terminal.drawing import drawn, points_table
    from wintercount.cli.terminal.words import words_in

    console, words = Console(highlight=False), words_in(language)
    console.print(drawn(found, words))
    if found["scores"]:
        console.print(points_table(found, words))


@command(
    "play",
    """Play in the terminal: at TABLE (its id or an address that contains it), or at a new one against AI players.

    Every legal move has a number. Leave with `q`; the table waits for you. With --json a program plays: it reads events
    and decisions, a line each, and answers a decision with a move on a line.
    """,
)
@click.argument("table", required=False)
@click.option("--game", default="big-manitou", show_default=True, help="game of a new table")
@click.option("--players", type=int, help="seats of a new table; by default the fewest that the game has")
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="level of the AI")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="house rule of a new table (JSON value)")
@click.option("--seat", type=int, help="seat to take at TABLE; by default the first free one")
@click.option("--name", default="guest", show_default=True, help="name of the account to create if there is no token")
@in_language
@with_api
def play(api: Api, table: str | None, seat: int | None, name: str, language: str | None, **wanted: Any) -> None:
    from wintercount.cli.terminal.playing import place_of, sit_down
    from wintercount.cli.terminal.words import words_in

    words = words_in(language)
    if table:
        place_of(table)
    else:  # before an account is created
        possible = api.get(f"/v1/games/{wanted['game']}")["players"]
        wanted["players"] = wanted["players"] or min(possible)
        if wanted["players"] not in possible:
            raise click.BadParameter(f"{wanted['game']} takes {', '.join(map(str, possible))}", param_hint="--players")
    if api.token is None:
        _show_token(api.sign_up(name))
    if table:
        sit_down(api, table, seat, words)
    _play(api, table or _opened(api, **wanted), words)


def _show_token(token: str) -> None:
    """Prints the token of a new account, as the environment takes it."""
    say({"token": token}, f"WINTERCOUNT_TOKEN={token}")


def _play(api: Api, table: str, words: "Words") -> None:
    from wintercount.cli.terminal.playing import Lines, Sitting

    if programs_ask():
        print_json({"table": table})
        Lines(api, table, words).play()
        return
    from rich.console import Console

    click.echo(words.say("you_play", table=table, help=words.say("help")))
    if not Sitting(api, table, words, Console(highlight=False)).play():
        click.echo(words.say("waits", table=table if api.url == HERE else f"{api.url}/#/tables/{table}"))


def _opened(api: Api, game: str, players: int, level: str, options: tuple[str, ...]) -> str:
    """Opens a table at which the caller has the first seat and AI players the others; returns its id."""
    from wintercount.operations.table_sources import parse_options

    seats = [{"kind": "me"}, *({"kind": "ai", "level": level} for _ in range(players - 1))]
    opened: str = api.post("/v1/tables", {"game": game, "seats": seats, "options": parse_options(options)})["id"]
    return opened


@command("watch", "Print what happens at a table, from its first event on, until the stream ends.")
@click.argument("table")
@click.option("--after", default=0, help="version to start after")
@with_api
def watch(api: Api, table: str, after: int) -> None:
    for frame in _events(api, table, after):
        if programs_ask():
            print_json(frame.data)
        elif frame.event == "end":
            click.echo(f"The stream ends: {frame.data['reason'].replace('_', ' ')}.")
        else:
            click.echo(f"{frame.data['version']:5d}  {frame.data['words']}")


def _events(api: Api, table: str, after: int) -> Iterator[Frame]:
    """Yields the events of a table and the end of its stream; reconnects where it was if the connection is lost."""
    found = api.get(f"/v1/tables/{table}")  # an error here is a wrong address, and not a lost connection
    while found["status"] != "finished" or found["version"] > after:  # else the stream would have no end to read
        try:
            for frame in filter(None, api.stream(f"/v1/tables/{table}/events?after={after}&language=en")):
                yield frame
                if frame.event == "end":
                    return
                after = frame.data["version"]
            found = api.get(f"/v1/tables/{table}")
        except requests.RequestException as error:
            if error.response is not None and error.response.status_code < 500:
                raise
            message = f"no answer from {api.url}; trying again (Ctrl-C to stop)"
            say({"code": "no_answer", "detail": message}, message, err=True)
        time.sleep(PAUSE_S)


@command(
    "bot",
    """Play as a bot wherever its account has a seat, over the public API.

    With --json it prints the token of a new account, and then the player.
    """,
)
@click.option("--level", type=click.Choice(list(LEVELS)), default="greedy", show_default=True, help="level to play at")
@click.option("--name", default="bot", show_default=True, help="name of the account to create if there is no token")
@click.option("--sit", nargs=2, type=(str, int), multiple=True, metavar="TABLE SEAT", help="seat to take first")
@with_api
@handlers_restored()
def bot(api: Api, level: str, name: str, sit: tuple[tuple[str, int], ...]) -> None:
    from worker.bot import Bot

    settings()
    listen(lambda *_: sys.exit(0))
    if api.token is None:
        _show_token(api.sign_up(name, bot=True))
    player = api.get("/v1/players/me")["id"]
    say({"player": player, "level": level}, f"player {player} plays as {level}; press Ctrl-C to stop")
    for table, seat in sit:
        arbiter = api.get(f"/v1/tables/{table}")["arbiter"]
        api.post(f"/v1/tables/{table}/seats/{seat}", {"arbiter": arbiter})
    Bot(api, LEVELS[level]).run(threading.Event())


@command(
    "api",
    """Send a request to the API and print the answer: `wintercount api GET /v1/games`.

    PATH may leave out /v1. Fields become the query of a GET or the JSON body of any other request:
    `wintercount api POST tables game=manitou seats[][kind]=me seats[][kind]=ai seats[][level]=greedy`. In FIELD and -F
    the values true, false, null and integers are JSON, and @FILE is the content of a file (@- of standard input).
    """,
)
@click.argument("method", type=click.Choice(["GET", "POST", "PUT", "PATCH", "DELETE"], case_sensitive=False))
@click.argument("path")
@click.argument("fields", nargs=-1, metavar="[FIELD=VALUE]...")
@click.option("-F", "--field", "typed", multiple=True, metavar="FIELD=VALUE", help="a field whose value is typed")
@click.option("-f", "--raw-field", "raw", multiple=True, metavar="FIELD=VALUE", help="a field whose value is a string")
@click.option("-H", "--header", "headers", multiple=True, metavar="NAME:VALUE", help="a header of the request")
@click.option("--input", "body", type=click.File("rb"), help="file with the body of the request; - is standard input")
@with_api
def call_api(api: Api, method: str, path: str, headers: tuple[str, ...], body: Any, **fields: tuple[str, ...]) -> None:
    pairs = [(name, _typed(value)) for name, value in map(_field, (*fields["fields"], *fields["typed"]))]
    sent: dict[str, Any] = nested([*pairs, *map(_field, fields["raw"])])
    options: dict[str, Any] = {"headers": dict(_field(header, ":") for header in headers)}
    if body or method == "GET":
        options["params"] = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in sent.items()
        }
    elif sent:
        options["json"] = sent
    if body:
        options["data"] = body.read()
        options["headers"] = {"Content-Type": "application/json"} | options["headers"]
    path = path if path.startswith(("/v1", "/docs", "/healthz", "/readyz", "/metrics")) else f"/v1/{path.lstrip('/')}"
    _print_answer(api.request(method, path, **options))


def _print_answer(response: requests.Response) -> None:
    """Prints JSON indented on a terminal, and other answers as they are."""
    if "json" in response.headers.get("Content-Type", "") and NDJSON not in response.headers["Content-Type"]:
        from rich.console import Console

        found = harmless(response.json())
        if sys.stdout.isatty() and not programs_ask():
            Console().print_json(data=found)
        else:
            print_json(found)
    elif response.content:
        click.echo(harmless(response.text) if sys.stdout.isatty() else response.content, nl=sys.stdout.isatty())


def _field(text: str, sign: str = "=") -> tuple[str, str]:
    name, found, value = text.partition(sign)
    if not found or not name:
        raise click.UsageError(f"{text!r} is not of the form NAME{sign}VALUE")
    return name, value.strip() if sign == ":" else value


def _typed(value: str) -> Any:
    """Returns the value of a typed field, by the rules of `gh api`."""
    if value.startswith("@"):
        with click.open_file(value[1:], encoding="utf-8") as file:
            return file.read()
    literals = {"true": True, "false": False, "null": None}
    return int(value) if re.fullmatch(r"-?\d+", value) else literals.get(value, value)


def nested(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object of fields such as `clock[kind]`, `tags[]` and `seats[][kind]`, by the rules of `gh api`."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        try:
            _put(found, re.findall(r"\[\]|[^\[\]]+", name), value)
        except (TypeError, AttributeError):
            raise click.UsageError(f"field {name!r} does not fit the fields before it") from None
    return found


def _put(holder: Any, keys: list[str], value: Any) -> None:
    key, *rest = keys
    if key == "[]" and not rest:
        holder.append(value)
    elif key == "[]":  # a name that the last object has begins the next one
        if not holder or rest[0] in holder[-1]:
            holder.append({})
        _put(holder[-1], rest, value)
    elif rest:
        _put(holder.setdefault(key, [] if rest[0] == "[]" else {}), rest, value)
    else:
        holder[key] = value


@command(
    "export",
    """Write a table's archive to FILE (compressed if its name ends in .gz), or to standard output.

    FILE appears only when it is complete. An archive is JSON lines. With --json a text is the member `notation` of an
    object, and the name and size of FILE are printed.
    """,
)
@click.argument("table")
@click.argument("file", type=click.Path(dir_okay=False, writable=True), required=False)
@click.option("--notation", is_flag=True, help="as a readable text instead of an archive")
@with_api
def export_table(api: Api, table: str, file: str | None, notation: bool) -> None:
    path = f"/v1/tables/{table}/{'notation' if notation else 'archive'}"
    data = b"".join(progress(api.parts(path), unit=" parts", disable=file is None))
    if file is not None:
        _write(Path(file), data)
        if programs_ask():
            print_json({"table": table, "file": file, "bytes": Path(file).stat().st_size})
    elif programs_ask() and notation:
        print_json({"table": table, "notation": data.decode()})
    else:
        click.echo(data, nl=False)


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    part.replace(path)


@command(
    "import",
    """Store complete archives (.gz too) in a service, which checks them first; needs a token of scope `admin`.

    With --notation texts are loaded as tables without a proof, by any account. Importing a file again changes nothing.
    """,
)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--notation", is_flag=True, help="FILES are texts in notation")
@click.option("--public", is_flag=True, help="with --notation: everybody with the id may see the table")
@with_api
def import_tables(api: Api, files: tuple[str, ...], notation: bool, public: bool) -> None:
    if public and not notation:
        raise click.UsageError("--public needs --notation")
    visibility = "public" if public else "private"
    for file in progress(files, unit=" tables", disable=len(files) == 1):
        try:
            data = _content(Path(file))
            if notation:
                found = api.post("/v1/transcripts", {"text": data.decode(), "visibility": visibility})
            else:
                found = api.send("/v1/archives", data, NDJSON)
        except requests.RequestException as error:  # an OSError as well
            raise of_a_service(error, file) from None
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise click.ClickException(f"{file}: {error}") from None
        say(found, f"{file}: {found['id']}, {found['version']} events")


def _content(path: Path) -> bytes:
    """Returns what a file holds; raises `OSError` for more than a service takes, however small it is packed."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        data = file.read(MOST_SENT + 1)
    if len(data) > MOST_SENT:
        raise OSError(f"it holds more than the {MOST_SENT} bytes that a service takes")
    return data


@command("completion", 'Print the script with which a shell completes commands: eval "$(wintercount completion bash)".')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click has all three
    script = kind(click.get_current_context().find_root().command, {}, "wintercount", "_WINTERCOUNT_COMPLETE").source()
    say({"shell": shell, "script": script}, script)
