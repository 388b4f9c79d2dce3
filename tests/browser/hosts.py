"""A whole service, a browser, and people who play over the API."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import Browser, sync_playwright

from tests.servers import data_directory, free_port, wait_until
from tests.service.web import is_ready

# A second list of features replaces the first, so what Playwright switches off stands here again. The last three load
# two pages for the address bar, which nobody sees, into each new window: most of what opening one costs.
SWITCHED_OFF = """
AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable
LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect
OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch WebUIOmniboxPopup WebUIOmniboxAimPopup
WebUIOmniboxFullPopup
"""
ARGUMENTS = (
    f"--disable-features={','.join(SWITCHED_OFF.split())}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
ROOT = Path(__file__).parents[2]
PACKAGES = ("events", "games", "page", "projections", "rulings", "service", "wintercount", "worker")
START_S = 120  # as everywhere here: until a test gives up; it goes on as soon as it can
GAME_S = 300
FINISHED = {"big-manitou": 3, "manitou": 3, "tomahawk": 2, "plenty-coups": 4}  # AI seats by game


def copy_of_packages(folder: Path) -> Path:
    """Our packages, compiled as they are here, in another folder: the page in modules, without a bundle."""
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("bundled"))
    return folder


@contextlib.contextmanager
def service(tree: Path | None = None, **more: str) -> Iterator[str]:
    """The address of a service with everything that belongs to it, from the packages of another folder if given."""
    port = free_port()
    with data_directory() as data, running(port, data, tree, **more):
        yield f"http://127.0.0.1:{port}/"


@contextlib.contextmanager
def running(port: int, data: Path, tree: Path | None = None, **more: str) -> Iterator[None]:
    """A service on the data in a directory, until it is stopped; from the packages of a folder if given."""
    environment = os.environ | {"WINTERCOUNT_PORT": str(port), "WINTERCOUNT_DATA": str(data)} | more
    if tree:  # its processes look for packages in no working directory
        environment |= {"PYTHONPATH": str(tree)}
    command = [sys.executable, "-m", "wintercount", "run", "--no-demo"]
    process = subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_ready(f"http://127.0.0.1:{port}"), START_S)
        yield
    finally:
        process.terminate()
        process.wait(30)


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        yield found
        found.close()


class Player:
    """Somebody who plays over the API."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        made = requests.post(f"{address}v1/players", json={"name": name}, timeout=60).json()
        self.headers = {"Authorization": f"Bearer {made['token']['secret']}"}

    def post(self, path: str, body: Any) -> Any:
        """The answer to a POST."""
        answer = requests.post(f"{self.address}v1/{path}", json=body, headers=self.headers, timeout=60)
        answer.raise_for_status()
        return answer.json()

    def get(self, path: str) -> Any:
        """The answer to a GET."""
        answer = requests.get(f"{self.address}v1/{path}", headers=self.headers, timeout=60)
        answer.raise_for_status()
        return answer.json()


def play_together(players: list[Player], table: str) -> bool:
    """Everybody makes the first move of those listed; whether anybody had one to make."""
    return sum(_decide(player, table) for player in players) > 0


def _decide(player: Player, table: str) -> bool:
    found = player.get(f"tables/{table}/moves")
    for decision in found["decisions"]:
        asked = {"seat": decision["seat"], "decision": decision["id"]}
        player.post(f"tables/{table}/moves", {"game": found["game"], "move": first(decision)} | asked)
    return bool(found["decisions"])


def first(decision: Any) -> Any:
    """The first move of a decision; of a party to choose the first cards of the reserve."""
    move = decision["moves"][0]
    if "choose" not in move:
        return move
    return {"type": move["type"], "cards": move["from"][: move["choose"]]}


def finished_tables(address: str, games: Iterable[str] = FINISHED) -> dict[str, str]:
    """Tables that AI seats have played to the end, by game."""
    owner = Player(address, "Archivist")
    bodies = {game: {"game": game, "seats": [{"kind": "ai", "level": "greedy"}] * FINISHED[game]} for game in games}
    opened: dict[str, str] = {game: owner.post("tables", body)["id"] for game, body in bodies.items()}
    for table in opened.values():
        _wait_for_the_end(owner, table)
    return opened


def branch_of(address: str, table: str) -> str:
    """A branch of a finished table of Big Manitou that AI seats have played to the end under another house rule."""
    return forked(address, table, version=100, options={"pair_attack_weaker": "illegal"})


def forked(address: str, table: str, **asked: Any) -> str:
    """A branch of a finished table, played to its end by AI seats."""
    owner = Player(address, "Archivist")
    branch: str = owner.post(f"tables/{table}/forks", asked)["id"]
    _wait_for_the_end(owner, branch)
    return branch


def _wait_for_the_end(player: Player, table: str) -> None:
    wait_until(lambda: player.get(f"tables/{table}")["status"] == "finished", GAME_S)
