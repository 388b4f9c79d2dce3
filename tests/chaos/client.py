"""People who play over HTTP and repeat every request that is in doubt, with the same key, until it is answered."""

import contextlib
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import requests

from games import GAMES
from games.kernel import MoveSet
from tests.chaos.working import Worker
from wintercount.testing.random_games import chance_from

PLAYED = (("tomahawk", 2), ("manitou", 3), ("big-manitou", 4))  # games, with the number of seats
REQUEST_S = 10.0
HANGS_UP = 0.1  # how often a client does not wait for the answer, although the request may be carried out
HASTE_S = (0.001, 0.03)
AGAIN_S = 0.05
TABLES = 4  # at which a person plays at the same time


class Sent(NamedTuple):
    """A request that was answered: how often it was sent until then, and the answer."""

    player: str
    path: str
    body: dict[str, Any]
    key: str
    times: int
    answer: dict[str, Any]


class Table(NamedTuple):
    """Where a person plays, and what he has to decide there as far as he knows."""

    game: str
    path: str
    decisions: list[dict[str, Any]]


class Client(Worker):
    """A person who opens a table of AI seats alone, and then tables to play at until he is told to stop."""

    def __init__(self, address: str, number: int) -> None:
        super().__init__(f"client {number}")
        self.sent: list[Sent] = []
        self._address, self._rng = address, random.Random(number)
        self._session = requests.Session()
        self._player = ""

    def repeats(self) -> list[tuple[Sent, Sent]]:
        """Sends every request once more that was in doubt; each with its first answer and the one to the repeat."""
        doubtful = [sent for sent in self.sent if sent.times > 1]
        return [(sent, self._send(sent.path, sent.body, sent.key)) for sent in doubtful]

    def work(self) -> None:
        """Plays until the last request is answered."""
        self._sign_up()
        self._open("ai")
        tables = [self._table() for _ in range(TABLES)]
        while not self.stop.is_set():
            tables = [self._played(table) for table in tables]

    def _sign_up(self) -> None:
        account = self.post("/v1/players", {"name": "anybody"})
        self._player = account["id"]
        self._session.headers["Authorization"] = f"Bearer {account['token']['secret']}"

    def _open(self, first: str) -> dict[str, Any]:
        game, players = self._rng.choice(PLAYED)
        ai = {"kind": "ai", "level": "uniform"}
        seats = [{"kind": "me"} if first == "me" else ai, *[ai] * (players - 1)]
        return self.post("/v1/tables", {"game": game, "seats": seats})

    def _table(self) -> Table:
        opened = self._open("me")
        return Table(opened["game"], f"/v1/tables/{opened['id']}", [])

    def _played(self, table: Table) -> Table:
        """The table after a move of the person's; a new one if it is finished; the same while others have the turn."""
        if self.stop.is_set():
            return table
        if not table.decisions:
            time.sleep(AGAIN_S)
            now = self.get(f"{table.path}/moves")["decisions"]
            over = not now and self.get(table.path)["status"] == "finished"
            return self._table() if over else table._replace(decisions=now)
        decision = table.decisions[0]
        move = chosen(table.game, decision["moves"], self._rng)
        asked = {"game": table.game, "seat": 1, "decision": decision["id"], "move": move}
        return table._replace(decisions=self.post(f"{table.path}/moves", asked)["decisions"])

    def get(self, path: str) -> dict[str, Any]:
        """The answer, asked for until there is one."""
        _, response = self._until_answered(lambda: self._session.get(self._address + path, timeout=REQUEST_S))
        found: dict[str, Any] = response.json()
        return found

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request of its own key, sent until there is one."""
        self.sent.append(self._send(path, body, str(UUID(int=self._rng.getrandbits(128)))))
        return self.sent[-1].answer

    def _send(self, path: str, body: dict[str, Any], key: str) -> Sent:
        headers, url = {"Idempotency-Key": key}, self._address + path
        times, response = self._until_answered(
            lambda: self._session.post(url, json=body, headers=headers, timeout=self._patience_s())
        )
        return Sent(self._player, path, body, key, times, response.json())

    def _patience_s(self) -> float:
        hangs_up = self._rng.random() < HANGS_UP
        return self._rng.uniform(*HASTE_S) if hangs_up else REQUEST_S

    def _until_answered(self, send: Callable[[], requests.Response]) -> tuple[int, requests.Response]:
        times = 0
        while True:
            times += 1
            with contextlib.suppress(requests.RequestException):
                response = send()
                if response.status_code != requests.codes.unavailable:
                    assert response.ok, f"{response.request.method} {response.url}: {response.text}"
                    return times, response
            time.sleep(AGAIN_S)


def chosen(game: str, listed: list[dict[str, Any]], rng: random.Random) -> dict[str, Any]:
    """One of the moves that are listed; of a set of moves, one that it holds."""
    entry = rng.choice(listed)
    for kind in GAMES[game].move_sets:
        with contextlib.suppress(msgspec.ValidationError):
            summary: MoveSet = msgspec.convert(entry, kind)
            sampled: dict[str, Any] = msgspec.to_builtins(summary.sample(chance_from(rng)))
            return sampled
    return entry
