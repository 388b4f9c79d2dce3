"""A whole bot in the standard library: it plays any legal move, wherever its account has a seat.

    python examples/bot.py http://127.0.0.1:8000 [TABLE SEAT]

The token comes from WINTERCOUNT_TOKEN; without one the bot takes an account and prints its token. With a table and a
seat it sits down there first.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

PATIENCE_S = 60  # for an answer; a stream shows a sign of life every 15 seconds
SETTLED = (403, 404, 409)  # somebody else has played, or it is not our turn any more


class Api:
    def __init__(self, server, token=None):
        self.server, self.headers = server, {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def open(self, path, body=None, **headers):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, self.headers | headers)
        return urllib.request.urlopen(request, timeout=PATIENCE_S)

    def ask(self, path, body=None, key=None):
        """The JSON answer. What is sent with a key may be sent again: it happens once."""
        with self.open(path, body, **({"Idempotency-Key": key} if key else {})) as answer:
            return json.load(answer)

    def inbox(self):
        """Every decision that waits for us, as soon as it does; a stream that is opened again begins with them all."""
        with self.open("/v1/inbox", Accept="text/event-stream") as stream:
            event = None
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and event == "decision":
                    yield json.loads(value)


def chosen(moves):
    """Any of the legal moves. One entry of the list may stand for many: so many cards out of these, on these piles."""
    move = random.choice(moves)
    if "choose" not in move:
        return move
    cards = random.sample(move["from"], move["choose"])
    if "piles" in move:
        cards = [{"pile": pile, "card": card} for pile, card in zip(move["piles"], cards)]
    return {"type": move["type"], "cards": cards}


def answer(api, table, decision):
    waiting = api.ask(f"/v1/tables/{table}/moves")
    for opened in waiting["decisions"]:
        if opened["id"] == decision:
            move = {"game": waiting["game"], "seat": opened["seat"], "decision": decision}
            move["move"] = chosen(opened["moves"])
            api.ask(f"/v1/tables/{table}/moves", move, key=f"{table}-{decision}")


def main(server, *seat):
    api = Api(server, os.environ.get("WINTERCOUNT_TOKEN"))
    if "Authorization" not in api.headers:
        account = api.ask("/v1/players", {"name": "example", "bot": True})
        print(f"WINTERCOUNT_TOKEN={account['token']['secret']}", flush=True)
        api = Api(server, account["token"]["secret"])
    if seat:
        table = api.ask(f"/v1/tables/{seat[0]}")
        api.ask(f"/v1/tables/{seat[0]}/seats/{seat[1]}", {"arbiter": table["arbiter"]})
    while True:
        try:
            for waiting in api.inbox():
                answer(api, waiting["table"], waiting["id"])
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in SETTLED:
                raise
        except OSError:
            pass  # no answer is no refusal: what was asked is asked again
        time.sleep(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
