"""Makes the folder of this version: `python -m tests.compatibility.freeze`. Refuses once the version is released.

A service is started, and everything in the folder comes out of it: a finished table of each game, a table being played,
and one at which a dispute is open.
"""

import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from events.store import connect
from games import GAMES
from service import __version__
from service.accounts.key_store import FILE as KEYS
from tests.servers import data_directory
from tests.service.web import serving
from tools.clients.building import PYTHON
from wintercount.processes import embedded
from wintercount_client import Client, Problem, operations
from wintercount_client.turns import OpenDecision

FOLDER = Path(__file__).parent
DATA, ACCOUNTS = "data.tar.xz", "accounts.json"
NAMES = ("Ann", "Ben", "Ida")
KEPT = (embedded.FILES, KEYS, "secret")  # of a data directory: the rest is made again
MOVES = 6
MOST_TABLES = 20


class People(NamedTuple):
    """Clients with accounts: two players and an arbiter."""

    ann: Client
    ben: Client
    ida: Client


def step(players: Sequence[Client], table: str, luck: random.Random) -> list[Any]:
    """Plays one random move of a seat to act; returns its events, none if no seat has to act."""
    for client in players:
        for decision in client.send(operations.list_moves(table))["decisions"]:
            turn = OpenDecision(table, decision)
            return list(client.send(turn.answer(luck.choice(turn.moves)))["events"])
    return []


def finished(people: People, game: Any, luck: random.Random) -> str:
    """Ann plays a whole game against an AI player; returns the table."""
    table = people.ann.tables.open(game, ai="greedy")
    for turn in table.turns():
        turn.play(luck.choice(turn.moves))
    return table.id


def running(people: People, luck: random.Random) -> str:
    """Ann and Ben begin a game; returns the table."""
    table = people.ann.tables.open("manitou", seats=["me", "open"]).id
    people.ben.tables.get(table).sit(2)
    for _ in range(MOVES):
        step(people[:2], table, luck)
    return table


def disputed(people: People, ids: Sequence[str], luck: random.Random) -> tuple[str, str]:
    """Ann disputes a ruling of a game with Ben that another reading would change; returns the table and the dispute."""
    _, ben, ida = ids
    seats = ["me", {"kind": "player", "player": ben}]
    for _ in range(MOST_TABLES):
        table = people.ann.tables.open("big-manitou", seats=seats, arbiter=ida, disputes={"by": "arbiter"}).id
        people.ben.tables.get(table).sit(2, arbiter=ida)
        while events := step(people[:2], table, luck):
            for claim in claims(people.ann, table, events):
                with suppress(Problem):
                    return table, people.ann.send(operations.open_dispute(table, claim))["id"]
    raise AssertionError("no ruling that could be disputed came up")


def claims(client: Client, table: str, events: Sequence[Any]) -> Iterator[Any]:
    """Yields what Ann may claim of the rulings among some events."""
    for event in events:
        if event["payload"].get("rules"):
            asked: Any = {"version": event["version"]}
            for row in client.send(operations.preview_dispute(table, asked))["remedies"]:
                if row["differs"]:
                    yield {**asked, "seat": 1, "rule": row["rule"], "claim": "I read it so.", "remedy": row["remedy"]}


def play_all(address: str, target: Path) -> None:
    """Plays the tables at a service, and writes the archives and the accounts."""
    luck = random.Random(__version__)
    with ExitStack() as stack:
        people = People(*(stack.enter_context(Client(address)) for _ in NAMES))
        ids = [client.register(name, bot=False)["id"] for client, name in zip(people, NAMES, strict=True)]
        scopes: Any = {"scopes": ["watch", "arbitrate"]}
        people.ida.token = people.ida.send(operations.create_token(scopes))["secret"]
        tables = {game: finished(people, game, luck) for game in GAMES}
        for game, table in tables.items():
            packed = gzip.compress(people.ann.send(operations.export_archive(table)), mtime=0)
            (target / f"{game}.ndjson.gz").write_bytes(packed)
        contested, dispute = disputed(people, ids, luck)
        tokens = {name.lower(): client.token for name, client in zip(NAMES, people, strict=True)}
        found = {"tokens": tokens, "finished": tables, "running": running(people, luck)}
        found |= {"disputed": contested, "dispute": dispute}
    (target / ACCOUNTS).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def compact(directory: Path) -> None:
    """Lets the store write its file anew, as it does from time to time."""
    with closing(connect(embedded.url_of(directory))) as client:
        client.bgrewriteaof()
        while client.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(0.1)


def pack(directory: Path, target: Path) -> None:
    """Writes what is kept of a data directory into one file."""
    with tarfile.open(target, "w:xz", preset=9) as archive:
        for name in KEPT:
            archive.add(directory / name, name)


def build_client(target: Path) -> None:
    """Builds the wheel of the Python client."""
    uv = str(Path(sys.executable).with_name("uv"))
    ours = ["--no-build-isolation", "--offline", "--python", sys.executable, "--out-dir", str(target)]
    settings = os.environ | {"SOURCE_DATE_EPOCH": "1767225600"}
    subprocess.run([uv, "build", "--quiet", "--wheel", *ours, str(PYTHON)], env=settings, check=True)
    (target / ".gitignore").unlink(missing_ok=True)


def freeze() -> None:
    """Makes the folder anew; raises `SystemExit` if the version is released."""
    if subprocess.run(["git", "tag", "--list", f"v{__version__}"], capture_output=True, check=True).stdout:
        sys.exit(f"{__version__} is released, and what it left behind never changes. Set another version first.")
    target = FOLDER / __version__
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    with data_directory() as directory:
        with serving("", "-m", "wintercount", "run", "--no-demo", DATA=str(directory), SECRET="") as address:
            play_all(address, target)
            compact(directory)
        pack(directory, target / DATA)
    build_client(target)
    for path in sorted(target.iterdir()):
        sys.stdout.write(f"{path.relative_to(FOLDER)}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    freeze()
