"""Commands for people who write a game: a package to begin with, and a service that follows their changes."""

import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from wintercount.cli.prerequisites import settings
from wintercount.cli.printing import command, say
from wintercount.processes.stop_signals import Interrupt, Interrupted, handlers_restored, listen

LOOK_S = 0.5  # how often files are looked at
FOLLOWED = {".py", ".toml", ".md", ".json"}


@command(
    "new-game",
    """Write the package of a game that runs at once: rules, words, a case, tests; then change it into yours.

    NAME is what the API calls the game, such as crazy-eights. Its game is Goofspiel: hidden hands and secret bids.
    """,
)
@click.argument("name")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), default=".", help="where the folder is made")
def new_game(name: str, into: Path) -> None:
    from wintercount.scaffold import write

    folder = write(name, into)
    steps = f"cd {folder}\n  pip install -e '.[test]'\n  pytest\n  wintercount dev --game {name}"
    say({"folder": str(folder)}, f"{folder} has a game that runs. Next:\n  {steps}")


@command(
    "dev",
    """Run everything on this machine with a table of a game, and start again whenever a file of the game changes.

    The table opens in your browser. Tables stay over a restart, unless a change keeps them from being read.
    """,
)
@click.option("--game", required=True, help="as the API calls it; its package is installed with pip install -e")
@click.option("--browser/--no-browser", default=True, help="whether to open the page")
@handlers_restored()
def dev(game: str, *, browser: bool) -> None:
    folder, address, is_shown = _folder_of(game), settings().address, False
    listen(Interrupt())
    with suppress(Interrupted):
        while True:
            changed, loaded = None, _times(folder)  # before it loads: a change meanwhile is not missed
            if _loads():
                with _service() as service:
                    if not is_shown:
                        _show(address, game, service, browser=browser)
                        is_shown = True
                    changed = _change(folder, loaded, service)
            if changed is None:
                say({"changed": None}, "Mend it: it starts again when a file changes.")
                changed = _change(folder, loaded, None)
            say({"changed": changed}, f"{changed} has changed: starting again.")


def _loads() -> bool:
    """Returns whether the game can be imported; if not, Python has said why, once instead of in every process."""
    return subprocess.run([sys.executable, "-c", "import games"], check=False).returncode == 0


@contextmanager
def _service() -> Iterator["subprocess.Popen[bytes]"]:
    """Runs everything, and ends it afterwards."""
    service = subprocess.Popen([sys.executable, "-m", "wintercount", "run", "--no-demo"])
    try:
        yield service
    finally:
        service.send_signal(signal.SIGINT)
        service.wait()


def _folder_of(game: str) -> Path:
    """Returns the folder of a game's package, which may be broken at the moment; raises `UsageError`."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    module = next((entry.module for entry in entry_points(group="wintercount.games", name=game)), None)
    spec = find_spec(module or f"games.{game.replace('-', '_')}")
    if spec is None or spec.origin is None:
        raise click.UsageError(f"no installed package brings a game {game!r}: run pip install -e in its folder first")
    return Path(spec.origin).parent


def _change(folder: Path, was: set[tuple[Path, float]], service: "subprocess.Popen[bytes] | None") -> str | None:
    """Waits for a file that was written since, and returns its name; None if the service ends first."""
    while service is None or service.poll() is None:
        if changed := sorted(path for path, _ in _times(folder) - was):
            return str(changed[0].relative_to(folder.parent))
        time.sleep(LOOK_S)
    return None


def _times(folder: Path) -> set[tuple[Path, float]]:
    """Returns the files and when each was written; none that a command is just about to fill."""
    found = ((path, path.stat()) for path in folder.rglob("*") if path.suffix in FOLLOWED)
    return {(path, about.st_mtime) for path, about in found if about.st_size}


def _show(address: str, game: str, service: "subprocess.Popen[bytes]", *, browser: bool) -> None:
    """Opens the page at a game, once the service answers; a service that ends has said why."""
    import requests

    while service.poll() is None:
        with suppress(requests.RequestException):
            requests.get(f"{address}/v1/games/{game}", timeout=LOOK_S).raise_for_status()
            break
        time.sleep(LOOK_S)
    else:
        return
    url = f"{address}/#/?game={game}"
    say({"address": url}, f"{game} can be played at {url}")
    if browser:
        webbrowser.open(url)
