"""Makes a data directory of this release: `python -m tests.upgrade.make NAME`.

All that a store can hold is in it: tables of every game that run, are over, are disputed, taken back and forked, turns
that are due, accounts with several tokens, a webhook, a text, and projections that are up to date.
"""

import json
import sys
import tarfile
from pathlib import Path
from typing import Any

from events.log import PARTITIONS
from events.store import RedisLog, connect
from games import GAMES
from projections.history import Histories
from projections.runner import Runner
from service.runtime import embedded
from tests.servers import data_directory, running, wait_until
from tests.service.api.world import Somebody, World
from tests.upgrade import DATA, STORY

KEPT = ("appendonlydir", "secret", "keys.sqlite", STORY)


def main(name: str) -> None:
    """Makes the directory and packs it."""
    with data_directory() as directory:
        with running(embedded.start(directory)):
            world = World(embedded.url_of(directory), secret=None)
            (directory / STORY).write_text(json.dumps(_told(world), indent=1))
            world.close()
            _compact(embedded.url_of(directory))
        DATA.mkdir(exist_ok=True)
        with tarfile.open(DATA / f"{name}.tar.xz", "w:xz", preset=9) as packed:
            for one in KEPT:
                packed.add(directory / one, one, filter=_of_nobody)


def _told(world: World) -> dict[str, Any]:
    """Plays, and tells who did and at which tables."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    hal = world.nobody.post("/v1/players", {"name": "Hal", "bot": True}).json
    bot = Somebody(world.app, hal["player"], hal["token"]["secret"])
    assert bot.send("PUT", "/v1/players/me/webhook", json={"url": "https://example.org/"}).status_code == 200
    finished, running_ = {}, {}
    for number, game in enumerate(GAMES):
        finished[game], running_[game] = world.open(ann, ben, game=game), world.open(ann, ben, game=game)
        world.finish(finished[game], seed=number)
        world.play(running_[game], ann, ben, moves=9, seed=number)
    path, dispute = world.disputable(ann, ben)
    disputed = ann.post(f"{path}/disputes", dispute)
    assert disputed.status_code == 201, disputed.json
    with_ai = ann.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]})
    text = ann.get(f"/v1/tables/{finished['manitou']}/notation").text
    transcript = ann.post("/v1/transcripts", {"text": text}).json["table"]
    fork = ann.post(f"/v1/tables/{finished['tomahawk']}/forks", {"version": 12})
    assert fork.status_code == 201, fork.json
    log = RedisLog(connect(world.url), PARTITIONS)
    Runner(log, Histories(log)).catch_up(range(PARTITIONS))  # from the log, as the dispatcher's process does
    return {
        "people": {name: {"player": one.player, "token": one.token} for name, one in (("Ann", ann), ("Ben", ben))},
        "bot": {"player": bot.player, "token": bot.token},
        "finished": finished,
        "running": running_,
        "disputed": path.rpartition("/")[2],
        "dispute": disputed.json["disputes"][0]["dispute"],
        "with_ai": with_ai.json["table"],
        "fork": fork.json["table"],
        "transcript": transcript,
        "standings": world.nobody.get("/v1/standings").json,
    }


def _compact(url: str) -> None:
    """Has the server write what it holds into one file."""
    client = connect(url)
    client.bgrewriteaof()
    wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])


def _of_nobody(found: tarfile.TarInfo) -> tarfile.TarInfo:
    found.uid = found.gid = 0
    found.uname = found.gname = ""
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]).name)
