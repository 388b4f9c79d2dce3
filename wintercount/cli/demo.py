"""The demonstration: a table of AI seats, opened, followed and checked over the public API."""

from collections.abc import Iterator
from typing import Any

from events.verify import faults
from service.client import Api
from wintercount.cli.printing import progress

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
