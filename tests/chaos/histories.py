"""Many clients at one table at the same time, two for each seat: what did each see, and when?"""

import contextlib
import random
import time
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple
from uuid import UUID

import requests

from tests.chaos.checks import OF_THE_LOG, Kept
from tests.chaos.client import REQUEST_S, Sent, chosen
from tests.chaos.kills import Service, service
from tests.chaos.linear import Operation, faults_in
from tests.chaos.working import Worker

GAMES_PLAYED = (("tomahawk", 2), ("manitou", 2), ("big-manitou", 3), ("plenty-coups", 3))  # with the number of people
MOST_SEATS = max(seats for _, seats in GAMES_PLAYED)
DEVICES = 2  # of each person
MOVES = 12  # of a history, by all together
MOST = 300  # operations of a device: where nobody sees what the others did, no move is left
READS = 0.5  # how often a device reads, rather than plays
GENEROUS = dict.fromkeys(("READS", "CHANGES", "OPEN_TABLES", "REFUSED_MOVES"), "1000000")
REFUSED = (requests.codes.conflict, requests.codes.precondition_failed, requests.codes.unprocessable)


class Person:
    """An account, and what was asked in its name."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        account = requests.post(f"{address}/v1/players", json={"name": name}, timeout=REQUEST_S).json()
        self.id: str = account["id"]
        self.headers = {"Authorization": f"Bearer {account['token']['secret']}"}
        self.sent: list[Sent] = []

    def post(self, path: str, body: dict[str, Any], key: str) -> requests.Response:
        """The answer to a request with a key of its own."""
        headers = self.headers | {"Idempotency-Key": key}
        answer = requests.post(self.address + path, json=body, headers=headers, timeout=REQUEST_S)
        if answer.ok:
            self.sent.append(Sent(self.id, path, body, key, 1, answer.json()))
        return answer


class Histories(NamedTuple):
    """What was found in so many histories."""

    operations: int
    faults: list[str]


class Device(Worker):
    """One of a person's devices: it reads and plays at one table until `MOVES` moves are made there."""

    def __init__(
        self, person: Person, number: int, opened: dict[str, Any], made: list[str], rng: random.Random
    ) -> None:
        super().__init__(f"{person.name}, device {number}")
        self.seen: list[Operation] = []
        self._person, self._opened, self._made, self._rng = person, opened, made, rng
        self._path = f"/v1/tables/{opened['id']}"
        self._http = requests.Session()
        self._http.headers.update(person.headers)
        self._over = False

    def work(self) -> None:
        """Reads and plays."""
        while len(self._made) < MOVES and len(self.seen) < MOST and not self._over:
            (self._read if self._rng.random() < READS else self._play)()

    def _read(self) -> None:
        if self._rng.random() < 0.5:
            began, told = self._get("")
            self._note(began, told["version"], told["hash"])
            self._over = told["status"] == "finished"
        else:
            began, told = self._get("/events", after=max(0, self._newest() - 3))
            if told["events"]:
                self._note(began, told["events"][-1]["version"], told["events"][-1]["hash"])

    def _play(self) -> None:
        began, told = self._get("/moves")
        self._note(began, told["version"])
        if not told["decisions"]:
            return
        decision = self._rng.choice(told["decisions"])
        move = chosen(told["game"], decision["moves"], self._rng)
        body = {"game": told["game"], "seat": decision["seat"], "decision": decision["id"], "move": move}
        began = time.monotonic()
        answer = self._person.post(f"{self._path}/moves", body, str(UUID(int=self._rng.getrandbits(128))))
        assert answer.ok or answer.status_code in REFUSED, answer.text
        self._noted(began, answer.json())
        if answer.ok:
            self._made.append(self.name)

    def _noted(self, began: float, told: dict[str, Any]) -> None:
        """What the answer to a move says of the table's version; not every refusal does."""
        if receipt := told.get("receipt"):
            self._note(began, receipt["version"], receipt["hash"], told["events"][0]["version"])
        elif "version" in told:
            self._note(began, told["version"])

    def _get(self, path: str, **query: Any) -> tuple[float, dict[str, Any]]:
        began = time.monotonic()
        answer = self._http.get(f"{self._person.address}{self._path}{path}", params=query, timeout=REQUEST_S)
        assert answer.ok, answer.text
        told: dict[str, Any] = answer.json()
        return began, told

    def _note(self, began: float, version: int, hash_: str | None = None, first: int | None = None) -> None:
        self.seen.append(Operation(self.name, began, time.monotonic(), version, hash_, first))

    def _newest(self) -> int:
        return max((one.version for one in self.seen), default=0)


def concurrent_histories(count: int, seed: int) -> Histories:
    """So many tables, one after the other, each with a few people at two devices, on two web processes."""
    rng = random.Random(seed)
    with service(WEB_PROCESSES="2", **GENEROUS) as running:
        people = [Person(running.address, f"Person {number}") for number in range(1, MOST_SEATS + 1)]
        found, operations = [], 0
        for number in range(count):
            history = _history(people, *GAMES_PLAYED[number % len(GAMES_PLAYED)], rng)
            found += [f"history {number} of seed {seed}: {fault}" for fault in faults_in(history)]
            operations += len(history)
        found += _faults_of_the_log(running, people)
    return Histories(operations, found)


def _history(people: list[Person], game: str, seats: int, rng: random.Random) -> list[Operation]:
    """What all devices saw at a new table."""
    playing, made = people[:seats], list[str]()
    opened = _opened(playing, game, rng)
    places = product(playing, range(1, DEVICES + 1))
    devices = [Device(person, number, opened, made, random.Random(rng.random())) for person, number in places]
    for device in devices:
        device.start()
    for device in devices:
        device.join()
    return [operation for device in devices for operation in device.seen]


def _opened(playing: list[Person], game: str, rng: random.Random) -> dict[str, Any]:
    """A table at which all of them sit."""
    keys: Iterator[str] = (str(UUID(int=rng.getrandbits(128))) for _ in range(len(playing)))
    seats = [{"kind": "me"}, *({"kind": "player", "player": person.id} for person in playing[1:])]
    opened = playing[0].post("/v1/tables", {"game": game, "seats": seats}, next(keys))
    assert opened.ok, opened.text
    found: dict[str, Any] = opened.json()
    for seat, person in enumerate(playing[1:], 2):
        sat = person.post(f"/v1/tables/{found['id']}/seats/{seat}", {}, next(keys))
        assert sat.ok, sat.text
    return found


def _faults_of_the_log(running: Service, people: list[Person]) -> list[str]:
    sent = [request for person in people for request in person.sent]
    with contextlib.closing(Kept(running.store_url, sent)) as kept:
        running.settle(kept)
        return [fault for check in OF_THE_LOG for fault in check(kept)]
