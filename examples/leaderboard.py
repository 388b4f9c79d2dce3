"""A projection of one's own: who has won how often at public tables, kept in SQLite, in the standard library.

    python examples/leaderboard.py http://127.0.0.1:8000 leaderboard.sqlite [GAME]

It reads the feed (`GET /v1/feed`) from where it was. What it makes of a page and the place behind that page are written
in one transaction: killed at any moment, it counts no game twice and misses none.
When it has caught up it prints the board. Games that ended before their rules end them do not count.
"""

import json
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# Of branches no TableOpened tells: they do not count.
TYPES = "TableOpened,SeatTaken,SeatLeft,SeatHandedOver,SeatResigned,GameEnded"
TABLES = """
CREATE TABLE IF NOT EXISTS cursor (cursor TEXT);
CREATE TABLE IF NOT EXISTS seat (tab TEXT, seat INTEGER, holder TEXT, name TEXT, PRIMARY KEY (tab, seat));
CREATE TABLE IF NOT EXISTS board (game TEXT, holder TEXT, name TEXT, played INTEGER, won INTEGER,
                                  PRIMARY KEY (game, holder));
"""
COUNT = """
INSERT INTO board VALUES (?1, ?2, ?3, 1, ?4) ON CONFLICT DO UPDATE SET played = played + 1, won = won + ?4
"""
LEADERS = "SELECT game, coalesce(name, holder), won, played FROM board ORDER BY game, won DESC, played LIMIT 20"
FORGET = ("DELETE FROM cursor", "DELETE FROM seat", "DELETE FROM board")


def apply(db, event):
    """What an event changes; a table that began before the cursor, or as a branch, has no seats here."""
    table, payload = event["table"], event["payload"]
    if event["type"] == "TableOpened":
        seats = [(table, offer["seat"]) for offer in payload["seats"]]
        db.executemany("INSERT INTO seat (tab, seat) VALUES (?, ?)", seats)
    elif event["type"] == "GameEnded":
        held = db.execute("DELETE FROM seat WHERE tab = ? RETURNING seat, holder, name", (table,))
        for seat, holder, name in held.fetchall():
            db.execute(COUNT, (event["game"], holder, name, seat in payload["winners"]))
    else:
        ai, player = payload.get("ai"), payload.get("player")
        holder = "ai:" + ai["level"] if ai else player if event["type"] == "SeatTaken" else None
        name = event.get("texts", {}).get("name")
        db.execute(
            "UPDATE seat SET holder = ?, name = ? WHERE tab = ? AND seat = ?", (holder, name, table, payload["seat"])
        )


def tell(db):
    """Prints the leaders of each game."""
    for row in db.execute(LEADERS):
        print("{}: {} won {} of {}".format(*row), flush=True)


def follow(server, path, game=None, until_caught_up=False):
    """Keeps the leaderboard up to date; for ever, or until it is."""
    db = sqlite3.connect(path)
    db.executescript(TABLES)
    while True:
        cursor = db.execute("SELECT cursor FROM cursor").fetchone()
        asked = (
            {"type": TYPES, "limit": 200} | ({"game": game} if game else {}) | ({"cursor": cursor[0]} if cursor else {})
        )
        try:
            with urllib.request.urlopen(f"{server}/v1/feed?{urllib.parse.urlencode(asked)}", timeout=60) as answer:
                page = json.load(answer)
        except urllib.error.HTTPError as problem:
            if problem.code != 410:
                sys.exit(json.load(problem)["detail"])
            with db:  # the feed does not hold our place any more: everything is counted anew
                for forget in FORGET:
                    db.execute(forget)
            continue
        with db:
            for batch in page["batches"]:
                for event in batch["events"]:
                    apply(db, event)
            db.execute("DELETE FROM cursor")
            db.execute("INSERT INTO cursor VALUES (?)", (page["next"],))
        if not page["lag"]:
            if page["batches"]:
                tell(db)
            if until_caught_up:
                return
            time.sleep(2)


if __name__ == "__main__":
    follow(*sys.argv[1:4])
