"""'A disputed trial of strength' of docs/disputes.md, over HTTP: two clients and an arbiter, request by request."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
import requests

from events.verify import HELD
from games.big_manitou.components import BEATS
from tests.service.web import serving

PAGE = Path("docs/disputes.md")
HEADING = "## A disputed trial of strength\n"
OPTIONS = {"pair_attack_weaker": "illegal"}
MOST_TABLES = 20
TIMEOUT_S = 60

Move = dict[str, Any]


class Tour:
    """Notes what is asked, each kind of request once, in the form of the page."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked: list[str] = []

    def note(self, method: str, path: str) -> None:
        """Adds a request unless there was one like it."""
        plain = re.sub(r"(?<=[/=])(t_[a-z0-9]+|d[0-9]+-[0-9a-f]+|[0-9]+)(?=[/?&]|$)", "{}", path)
        if f"{method} {plain}" not in self.asked:
            self.asked.append(f"{method} {plain}")


class Client:
    """A person with a token."""

    def __init__(self, tour: Tour, name: str) -> None:
        self.tour, self.session = tour, requests.Session()
        account = self.post("/v1/players", {"name": name}, 201)
        self.player = account["id"]
        self.use(account["token"]["secret"])

    def use(self, secret: str) -> None:
        """Sends this token from now on."""
        self.session.headers["Authorization"] = f"Bearer {secret}"

    def get(self, path: str) -> Any:
        """The JSON of an answer that is no refusal."""
        return self.fetch(path).json()

    def fetch(self, path: str) -> requests.Response:
        """An answer that is no refusal."""
        self.tour.note("GET", path)
        answer = self.session.get(self.tour.address + path, timeout=TIMEOUT_S)
        assert answer.status_code == 200, answer.text
        return answer

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        """The JSON of an answer with this status."""
        self.tour.note("POST", path)
        answer = self.session.post(self.tour.address + path, json=body or {}, timeout=TIMEOUT_S)
        assert answer.status_code == status, answer.text
        return answer.json()

    def choices(self, table: str) -> list[Move]:
        """The moves that are open to this person now."""
        decisions = self.get(f"/v1/tables/{table}/moves")["decisions"]
        return list(decisions[0]["moves"]) if decisions else []


@pytest.fixture
def tour(valkey: redis.Redis, valkey_url: str) -> Iterator[Tour]:
    with serving(valkey_url) as address:
        yield Tour(address)


def hero(card: str) -> str:
    return card.rpartition("-")[0]


def party(summary: Move) -> Move:
    """All the heroes, and hunters as far as there is room."""
    cards = sorted(summary["from"], key=lambda card: card.startswith("hunter"))
    return {"type": "choose_party", "cards": cards[: summary["choose"]]}


def pair_of(ground: dict[str, Any], seat: int) -> list[str]:
    """The heroes of a seat that lie face up on a ground."""
    cards = next(side["cards"] for side in ground["sides"] if side["seat"] == seat)
    return [card["card"] for card in cards if card["face_up"] and not card["card"].startswith("hunter")]


def ann_plays(moves: list[Move], view: dict[str, Any]) -> Move:
    """A pair of heroes on ground 1, if it can be with a chief on top; everything else on ground 2."""
    held = pair_of(view["grounds"][0], 1)
    on_one = [move for move in moves if move.get("ground") == 1 and not move["card"].startswith("hunter")]
    if len(held) < 2 and on_one:
        return sorted(on_one, key=lambda move: (hero(move["card"]) == "chief") is not bool(held))[0]
    return next((move for move in moves if move.get("ground") == 2), moves[0])


def ben_plays(moves: list[Move], view: dict[str, Any]) -> Move:
    """A hero against Ann's pair that is weaker than the one on top; everything else on ground 3."""
    held = pair_of(view["grounds"][0], 1)
    for move in moves:
        if len(held) == 2 and move.get("ground") == 1 and hero(move["card"]) in BEATS[hero(held[-1])]:
            return move
    return next((move for move in moves if move.get("ground") == 3), moves[0])


PLAYS = {1: ann_plays, 2: ben_plays}


def step(table: str, clients: dict[int, Client]) -> dict[str, Any] | None:
    """One move of the seat to act: the answer to it; None if there is none."""
    for seat, client in clients.items():
        moves = client.choices(table)
        if moves:
            view = client.get(f"/v1/tables/{table}")["view"] if moves[0]["type"] == "play_card" else {}
            move = PLAYS[seat](moves, view) if view else moves[0]
            move = party(move) if "choose" in move else move
            answer: dict[str, Any] = client.post(
                f"/v1/tables/{table}/moves", {"game": "big-manitou", "seat": seat, "move": move}
            )
            return answer | {"move": move}
    return None


def disputable(table: str, clients: dict[int, Client]) -> dict[str, Any] | None:
    """Plays until a weaker hero has met a pair (BM-R6); the answer to that move, None if it never comes."""
    while answer := step(table, clients):
        for event in answer["events"]:
            if "BM-R6" in event["payload"].get("rules", ()):
                return answer | {"ruling": event}
    return None


@pytest.mark.slow
def test_a_disputed_trial_of_strength(tour: Tour, tmp_path: Path) -> None:
    """Play, dispute, look at what each seat knew, decide again, overturn, play on, audit, export, verify offline."""
    ann, ben, ida = (Client(tour, name) for name in ("Ann", "Ben", "Ida"))
    scopes = {"scopes": ["watch", "arbitrate"]}
    ida.use(ida.post("/v1/players/me/tokens", scopes, 201)["secret"])
    clients = {1: ann, 2: ben}
    for _ in range(MOST_TABLES):
        seats = [{"kind": "me"}, {"kind": "player", "player": ben.player}]
        opening = {"game": "big-manitou", "seats": seats, "arbiter": ida.player, "disputes": {"by": "arbiter"}}
        table = ann.post("/v1/tables", opening, 201)["id"]
        ben.post(f"/v1/tables/{table}/seats/2", {"arbiter": ida.player})
        if played := disputable(table, clients):
            break
    assert played

    # Why did it fall so?
    path, version = f"/v1/tables/{table}", played["ruling"]["version"]
    ruling = ben.get(f"{path}/rulings/{version}")
    assert ruling["figures"]["relation"] == "defender_beats"
    assert ruling["figures"]["turned_down"] == [{"seat": 2, "card": played["move"]["card"]}]
    (choice,) = next(rule["options"] for rule in ruling["rules"] if rule["id"] == "BM-R6")
    assert choice == {"option": "pair_attack_weaker", "in_force": "loses", "values": ["loses", "illegal"]}

    # Ben sees what would set it right: under the other reading the move is forbidden. He disputes it, and play pauses
    remedies = ben.post(f"{path}/disputes/preview", {"version": version, "rule": "BM-R6"})["remedies"]
    assert [(row["remedy"], row["refused"]) for row in remedies] == [({"reading": OPTIONS}, "BM-4.5c")]
    claim = {"seat": 2, "version": version, "rule": "BM-R6", "claim": "No.", "remedy": remedies[0]["remedy"]}
    dispute = ben.post(f"{path}/disputes", claim, 201)["id"]
    assert ben.get(path)["paused"]

    # The arbiter looks at what each seat knew, which both are told, and at what the move changed
    before = played["events"][0]["version"] - 1
    for seat in (1, 2):
        looks = ida.post(f"{path}/disputes/{dispute}/looks", {"seat": seat})["looks"]
        assert (looks[-1]["seat"], looks[-1]["player"], looks[-1]["until"]) == (seat, ida.player, version)
        seen = ida.get(f"{path}?at={before}&seat={seat}")
        assert (seen["seat"], seen["view"]["seat"], seen["version"]) == (seat, seat, before)
    assert "BM-R6" in ida.get(f"{path}/diff?from={before}&to={version}&seat=2")["changes"][-1]["rules"]

    # and at what would have followed from the other reading
    report = ida.post(f"{path}/readjudications", {"options": OPTIONS})
    assert (report["stop"]["rule"], report["stop"]["seat"]) == ("BM-4.5c", 2)
    assert report["counterfactual_from"] == before + 1

    # Overturned: Ben has his card back and decides anew
    ida.post(f"{path}/disputes/{dispute}/comments", {"text": "The pair protects both."})
    verdict = {"outcome": "overturned", "text": "Not against a pair."}
    resolved = ida.post(f"{path}/disputes/{dispute}/resolution", verdict)
    assert resolved["outcome"] == "overturned"
    checked = ben.post(f"{path}/moves/check", {"game": "big-manitou", "seat": 2, "move": played["move"]})
    assert (checked["legal"], checked["rule"]) == (False, "BM-4.5c")
    undone = ben.get(f"{path}/events?after={before}")["events"]
    assert undone[version - before - 1]["type"] == "TrialOfStrengthResolved"

    # Play goes on to the end; everything holds, here and offline
    while step(table, clients):
        pass
    audit = requests.get(f"{tour.address}{path}/audit", timeout=TIMEOUT_S).json()
    tour.note("GET", f"{path}/audit")
    assert (audit["holds"], audit["chain"]["faults"], audit["divergence"]) == (True, [], None)
    archive = tmp_path / f"{table}.ndjson"
    archive.write_bytes(ann.fetch(f"{path}/archive").content)
    assert run("events/verify.py", "--chain", str(archive)) == f"{HELD}\n"
    assert run("-m", "wintercount", "verify", str(archive)).startswith(f"{table}: {audit['version']} events, head ")
    assert tour.asked == told()


def run(*words: str) -> str:
    """What a command prints."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def told() -> list[str]:
    """The requests of the page's section, in order."""
    section = PAGE.read_text(encoding="utf-8").partition(HEADING)[2].partition("\n## ")[0]
    lines = re.findall(r"^(GET|POST) +(/v1\S+)", section, re.M)
    return [f"{method} " + re.sub(r"(?<=[/=])(\{[a-z]+\}|[0-9]+)(?=[/?&]|$)", "{}", path) for method, path in lines]
