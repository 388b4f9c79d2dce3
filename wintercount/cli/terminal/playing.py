"""Playing a game in a terminal, or by a program: print what happens, ask for moves, until the game is over."""

import json
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TextIO
from urllib.parse import urlsplit

import click
import requests
from rich.console import Console

from wintercount.cli.printing import print_json
from wintercount.cli.terminal.choosing import Chooser
from wintercount.cli.terminal.drawing import drawn, faces_in, points_table
from wintercount.cli.terminal.words import Words
from worker.client import Api, harmless

LAST = 20  # events that `l` prints
PAUSE_S = 1.0  # before a request without an answer is repeated
TABLE = re.compile(r"t_[a-z2-7]{16}")
REFUSED = (409, 422)  # somebody was faster, the decision is gone, or a rule forbids the move: decide again


class PlayerLeft(Exception):
    """The player leaves the terminal; the table waits."""


class TableAddress(NamedTuple):
    """The address of a service, if given, and the id of a table."""

    server: str | None
    table: str


def place_of(text: str) -> TableAddress:
    """Returns where a table is, from its id or an address of the page or the API; raises `ClickException`."""
    found = TABLE.search(text)
    if found is None:
        raise click.ClickException(f"{text!r} names no table: give its id (t_…) or an address that contains it")
    parts = urlsplit(text)
    return TableAddress(f"{parts.scheme}://{parts.netloc}" if parts.netloc else None, found[0])


def sit_down(api: Api, table: str, seat: int | None, words: Words) -> None:
    """Takes the seat, or the first free one, unless the player sits there already; raises `ClickException`."""
    now = api.get(f"/v1/tables/{table}")
    if now["seat"] is not None:
        return
    free = [row["seat"] for row in now["seats"] if row["player"] is None and row["level"] is None]
    if not free:
        raise click.ClickException(words.say("no_seat"))
    api.post(f"/v1/tables/{table}/seats/{seat or free[0]}", {"arbiter": now["arbiter"]})


class Sitting:
    """One player at one table."""

    def __init__(self, api: Api, table: str, words: Words, console: Console, ask: Callable[[str], str] = input) -> None:
        self._api, self._path, self._console, self._input = api, f"/v1/tables/{table}", console, ask
        self._words = words
        self._version = 0

    def play(self) -> bool:
        """Plays until the game is over, or the player leaves; returns whether it is over."""
        try:
            while not self._is_over():
                pass
        except PlayerLeft:
            return False
        except (EOFError, KeyboardInterrupt):
            self._say("")  # ends the line of the prompt
            return False
        return True

    def _is_over(self) -> bool:
        """Prints what happened, and decides or waits; returns whether the game is over."""
        try:
            self._print_news()
            now = self._api.get(self._path)
            if now["status"] == "finished":
                self._print_news()  # another seat may have ended it since
                self._print_end(now)
                return True
            if not self._decide(now):
                self._wait()
        except requests.HTTPError as error:
            if error.response.status_code < 500:
                raise
            self._again()
        except requests.RequestException:
            self._again()
        return False

    def _again(self) -> None:
        self._say(self._words.say("no_answer"))
        time.sleep(PAUSE_S)

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False)

    def _print_news(self) -> None:
        """Prints the events since the last that was printed."""
        for event in self._events(self._version):
            self._print_event(event)
            self._version = event["version"]

    def _print_event(self, event: dict[str, Any]) -> None:
        self._say(f"{event['version']:5d}  {event['words']}")

    def _print_end(self, now: dict[str, Any]) -> None:
        self._console.print(drawn(now, self._words), points_table(now, self._words))

    def _events(self, after: int) -> Iterator[dict[str, Any]]:
        following: int | None = after
        while following is not None:
            page = self._api.get(f"{self._path}/events?after={following}&language={self._words.language}")
            yield from page["events"]
            following = page["next"]

    def _decide(self, now: dict[str, Any]) -> bool:
        """Asks for the move of a decision that waits for this player, and sends it; returns whether there was one."""
        waiting = self._api.get(f"{self._path}/moves")
        if not waiting["decisions"]:
            return False
        decision = waiting["decisions"][0]
        move = self._chosen(now, decision)
        body = {"game": now["game"], "seat": decision["seat"], "decision": decision["id"], "move": move}
        self._send(body, secrets.token_hex(16))
        return True

    def _chosen(self, now: dict[str, Any], decision: dict[str, Any]) -> Any:
        """Draws the table and returns the move that the player chooses."""
        self._console.print(drawn(now, self._words))
        faces = faces_in(now["view"], self._words.namer(now["game"]), self._words)
        return Chooser(now["game"], self._words, self._say, self._ask, faces).choose(decision["moves"])

    def _send(self, body: dict[str, Any], key: str) -> None:
        """Sends a move until it is answered: its idempotency key makes it happen once."""
        while not self._is_answered(body, key):
            self._again()

    def _is_answered(self, body: dict[str, Any], key: str) -> bool:
        try:
            self._api.post(f"{self._path}/moves", body, key=key)
        except requests.HTTPError as error:
            if error.response.status_code in REFUSED:
                self._print_refusal(harmless(error.response.json()))
            elif error.response.status_code < 500:
                raise
            return error.response.status_code < 500
        except requests.RequestException:
            return False
        return True

    def _print_refusal(self, problem: dict[str, Any]) -> None:
        self._say(problem["detail"])

    def _wait(self) -> None:
        """Waits until something happens at the table."""
        for frame in self._api.stream(f"{self._path}/events?after={self._version}"):
            if frame:
                return

    def _ask(self, prompt: str) -> str:
        """Returns the line that answers a prompt, after running any commands such as `t`."""
        while True:
            line = self._input(prompt)
            if line.strip() not in COMMANDS:
                return line
            COMMANDS[line.strip()](self)

    def _leave(self) -> None:
        raise PlayerLeft

    def _show(self) -> None:
        self._console.print(drawn(self._api.get(self._path), self._words))

    def _points(self) -> None:
        self._console.print(points_table(self._api.get(self._path), self._words))

    def _last(self) -> None:
        for event in self._events(max(0, self._version - LAST)):
            self._print_event(event)

    def _help(self) -> None:
        self._say(self._words.say("help"))


COMMANDS: dict[str, Callable[[Sitting], None]] = {
    "q": Sitting._leave,
    "t": Sitting._show,
    "p": Sitting._points,
    "l": Sitting._last,
    "?": Sitting._help,
}


class Lines(Sitting):
    """One program at one table: it answers each `decision` with a move on a line."""

    def __init__(self, api: Api, table: str, words: Words, moves: TextIO | None = None) -> None:
        super().__init__(api, table, words, Console(quiet=True))
        self._moves = moves or sys.stdin

    def _print_event(self, event: dict[str, Any]) -> None:
        print_json({"event": event})

    def _print_end(self, now: dict[str, Any]) -> None:
        print_json({"ended": now})

    def _chosen(self, now: dict[str, Any], decision: dict[str, Any]) -> Any:
        """Returns the move on the next line; asks again if it is not JSON."""
        while True:
            print_json({"decision": decision, "game": now["game"]})
            line = self._moves.readline()
            if not line:
                raise PlayerLeft
            try:
                return json.loads(line)
            except ValueError as error:
                self._print_refusal({"code": "not_json", "detail": f"a move is a line of JSON: {error}"})

    def _print_refusal(self, problem: dict[str, Any]) -> None:
        print_json({"problem": problem})
