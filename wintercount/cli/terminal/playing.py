"""The course of a game in a terminal, or played by a program: hear what happens, decide, until the game is over."""

import json
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TextIO
from urllib.parse import urlsplit

import requests
from rich.console import Console

from service.client import Api, harmless
from wintercount.cli.printing import printed
from wintercount.cli.terminal.choosing import Chooser
from wintercount.cli.terminal.drawing import drawn, faces_in, points_table
from wintercount.cli.terminal.words import Words

LAST = 20  # events that `l` tells
PAUSE_S = 1.0  # before a service that does not answer is asked again
TABLE = re.compile(r"t_[a-z2-7]{16}")
REFUSED = (409, 422)  # somebody was faster, the decision is settled, or a rule forbids the move: look again


class Left(Exception):
    """The player has left the terminal; the table waits."""


class TableAddress(NamedTuple):
    """Where a table is: the address of its service, if given, and its id."""

    server: str | None
    table: str


def place_of(text: str, words: Words) -> TableAddress:
    """A table by its id, or by an address of the page or the API; raises `LookupError` if there is none in it."""
    found = TABLE.search(text)
    if found is None:
        raise LookupError(words.say("no_table", text=repr(text)))
    parts = urlsplit(text)
    return TableAddress(f"{parts.scheme}://{parts.netloc}" if parts.netloc else None, found[0])


def sit_down(api: Api, table: str, seat: int | None, words: Words) -> None:
    """Takes the seat, or the first free one, unless this player sits there already; raises `LookupError` if none is."""
    now = api.get(f"/v1/tables/{table}")
    if now["seat"] is not None:
        return
    free = [row["seat"] for row in now["seats"] if row["player"] is None and row.get("ai") is None]
    if not free:
        raise LookupError(words.say("no_seat"))
    api.post(f"/v1/tables/{table}/seats/{seat or free[0]}", {"arbiter": now["arbiter"]})


class Sitting:
    """One player at one table."""

    def __init__(self, api: Api, table: str, words: Words, console: Console, ask: Callable[[str], str] = input) -> None:
        self._api, self._path, self._console, self._input = api, f"/v1/tables/{table}", console, ask
        self._words = words
        self._told = 0

    def play(self) -> bool:
        """Plays until the game is over, or the player leaves; whether it is over."""
        try:
            while not self._is_over():
                pass
        except Left:
            return False
        except (EOFError, KeyboardInterrupt):
            self._say("")  # neither ends the line of a prompt
            return False
        return True

    def _is_over(self) -> bool:
        """Prints what happened, and decides or waits; whether the game is over."""
        try:
            self._tell()
            now = self._api.get(self._path)
            if now["status"] == "finished":
                self._tell()  # another seat may have ended it after it was told last
                self._ends(now)
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

    def _tell(self) -> None:
        """Says what has happened since it was last said."""
        for event in self._events(self._told):
            self._hears(event)
            self._told = event["version"]

    def _hears(self, event: dict[str, Any]) -> None:
        self._say(f"{event['version']:5d}  {event['words']}")

    def _ends(self, now: dict[str, Any]) -> None:
        self._console.print(drawn(now, self._words), points_table(now, self._words))

    def _events(self, after: int) -> Iterator[dict[str, Any]]:
        following: int | None = after
        while following is not None:
            page = self._api.get(f"{self._path}/events?after={following}&language={self._words.language}")
            yield from page["events"]
            following = page["next"]

    def _decide(self, now: dict[str, Any]) -> bool:
        """Asks for the move of a decision that waits for this player, and sends it; whether there was one."""
        waiting = self._api.get(f"{self._path}/moves")
        if not waiting["decisions"]:
            return False
        decision = waiting["decisions"][0]
        move = self._chosen(now, decision)
        body = {"game": now["game"], "seat": decision["seat"], "decision": decision["id"], "move": move}
        self._send(body, secrets.token_hex(16))
        return True

    def _chosen(self, now: dict[str, Any], decision: dict[str, Any]) -> Any:
        """The move that the player chooses, who sees the table."""
        self._console.print(drawn(now, self._words))
        faces = faces_in(now["view"], self._words.namer(now["game"]), self._words)
        return Chooser(now["game"], self._words, self._say, self._ask, faces).choose(decision["moves"])

    def _send(self, body: dict[str, Any], key: str) -> None:
        """Sends a move until it is answered: with its key it is played once."""
        while not self._is_answered(body, key):
            self._again()

    def _is_answered(self, body: dict[str, Any], key: str) -> bool:
        try:
            self._api.post(f"{self._path}/moves", body, key=key)
        except requests.HTTPError as error:
            if error.response.status_code in REFUSED:
                self._refused(harmless(error.response.json()))
            elif error.response.status_code < 500:
                raise
            return error.response.status_code < 500
        except requests.RequestException:
            return False
        return True

    def _refused(self, problem: dict[str, Any]) -> None:
        self._say(problem["detail"])

    def _wait(self) -> None:
        """Waits until something happens at the table."""
        for frame in self._api.stream(f"{self._path}/events?after={self._told}"):
            if frame:
                return

    def _ask(self, prompt: str) -> str:
        """The line that answers a prompt; what asks for something else is answered first."""
        while True:
            line = self._input(prompt)
            if line.strip() not in COMMANDS:
                return line
            COMMANDS[line.strip()](self)

    def _leave(self) -> None:
        raise Left

    def _show(self) -> None:
        self._console.print(drawn(self._api.get(self._path), self._words))

    def _points(self) -> None:
        self._console.print(points_table(self._api.get(self._path), self._words))

    def _last(self) -> None:
        for event in self._events(max(0, self._told - LAST)):
            self._hears(event)

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
    """One program at one table: it answers each line with a `decision` by a line with a move."""

    def __init__(self, api: Api, table: str, words: Words, moves: TextIO | None = None) -> None:
        super().__init__(api, table, words, Console(quiet=True))
        self._moves = moves or sys.stdin

    def _hears(self, event: dict[str, Any]) -> None:
        printed({"event": event})

    def _ends(self, now: dict[str, Any]) -> None:
        printed({"ended": now})

    def _chosen(self, now: dict[str, Any], decision: dict[str, Any]) -> Any:
        """The move on the next line; one that is no JSON is refused here, and the decision told again."""
        while True:
            printed({"decision": decision, "game": now["game"]})
            line = self._moves.readline()
            if not line:
                raise Left
            try:
                return json.loads(line)
            except ValueError as error:
                self._refused({"code": "not_json", "detail": f"a move is a line of JSON: {error}"})

    def _refused(self, problem: dict[str, Any]) -> None:
        printed({"problem": problem})
