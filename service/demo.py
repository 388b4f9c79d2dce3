"""The demonstration: one table of AI seats, opened, followed and checked over the public API alone."""

import json
from collections.abc import Iterator
from typing import Any

import requests
from tqdm import tqdm

from events.verify import faults

TYPICAL_EVENTS = 500  # for the length of the progress bar, which is set right at the end
PLAYERS = 4
TIMEOUT_S = 30


class Api:
    """The service as a client sees it."""

    def __init__(self, url: str) -> None:
        self.url, self._session = url, requests.Session()

    def sign_up(self, name: str) -> None:
        """Takes an account and uses its token from now on."""
        secret = self.post("/v1/players", {"name": name})["token"]["secret"]
        self._session.headers["Authorization"] = f"Bearer {secret}"

    def get(self, path: str) -> Any:
        """The JSON answer; raises `requests.HTTPError` for a refusal."""
        return self._answer(self._session.get(self.url + path, timeout=TIMEOUT_S))

    def post(self, path: str, body: Any) -> Any:
        """The JSON answer; raises `requests.HTTPError` for a refusal."""
        return self._answer(self._session.post(self.url + path, json=body, timeout=TIMEOUT_S))

    def lines(self, path: str) -> Iterator[Any]:
        """The events of a table, a line each."""
        headers = {"Accept": "application/x-ndjson"}
        with self._session.get(self.url + path, headers=headers, timeout=TIMEOUT_S, stream=True) as response:
            response.raise_for_status()
            yield from (json.loads(line) for line in response.iter_lines())

    def stream(self, path: str) -> Iterator[str]:
        """The types of a table's events as they happen, until the table is closed."""
        headers = {"Accept": "text/event-stream"}
        with self._session.get(self.url + path, headers=headers, timeout=TIMEOUT_S, stream=True) as response:
            response.raise_for_status()
            for line in response.iter_lines():
                if line.startswith(b"event: "):
                    yield line.removeprefix(b"event: ").decode()

    @staticmethod
    def _answer(response: requests.Response) -> Any:
        response.raise_for_status()
        return response.json()


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
    with tqdm(total=TYPICAL_EVENTS, unit=" events", leave=True) as bar:
        for kind in api.stream(path):
            if kind != "end":
                bar.update()
        bar.total = bar.n
        bar.refresh()


def _scores(table: dict[str, Any]) -> Iterator[str]:
    for row in sorted(table["scores"]["scores"], key=lambda row: row["rank"]):
        yield f"  {row['rank']}. seat {row['seat']} ({table['seats'][row['seat'] - 1]['ai']['level']}): {row['total']}"
