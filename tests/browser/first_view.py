"""How soon a table is there that a browser has never seen: `python -m tests.browser.first_view [TIMES]`.

From the address to the table drawn, live and ready to be played at: the page, its modules, styles and words, and all
that the first view asks of the API, by a browser that has kept nothing.
"""

import statistics
import sys
from typing import NamedTuple

import click
from playwright.sync_api import Browser

from tests.browser import hosts

TIMES = 20
GAMES = tuple(hosts.FINISHED)
READY = ".table-page[aria-busy=false]"
MARK = f"""new Promise(done => {{
    const look = () => document.querySelector("{READY}") ? done(performance.now()) : setTimeout(look, 1);
    look();
}})"""


class View(NamedTuple):
    """What a first view took: milliseconds until the table stands, bytes over the wire (heads included), requests."""

    milliseconds: float
    size: float
    requests: int


def first_view(browser: Browser, url: str) -> View:
    """What it takes a browser that has kept nothing to show a table."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        loaded: list[float] = []
        asked: list[str] = []
        wire.on("Network.requestWillBeSent", lambda request: asked.append(request["request"]["url"]))
        wire.on("Network.loadingFinished", lambda response: loaded.append(response["encodedDataLength"]))
        page.goto(url, wait_until="commit")
        return View(float(page.evaluate(MARK)), sum(loaded), len(asked))


def main(times: int) -> None:
    """Prints median and slowest, by game."""
    with hosts.service() as address, hosts.browser() as browser:
        tables = hosts.finished_tables(address)
        for game in GAMES:
            views = [first_view(browser, f"{address}#/tables/{tables[game]}") for _ in range(times)]
            slow = sorted(view.milliseconds for view in views)
            size, most = max(view.size for view in views), max(view.requests for view in views)
            click.echo(
                f"{game}: median {statistics.median(slow):.0f} ms, slowest {slow[-1]:.0f} ms, "
                f"{size / 1000:.0f} kB, {most} requests"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES)
