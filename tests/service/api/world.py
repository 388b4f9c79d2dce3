"""A service in this process on an embedded server of its own, and people who send it requests."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import msgspec
from flask import Flask
from werkzeug.test import Client, TestResponse

from events.store import RedisLog
from games.kernel import MoveSet
from projections.runner import Runner
from service.api.common import Services
from service.command_handler import Request
from service.config import Settings
from service.tables.playing import Play, play
from tests.servers import SECRET, data_beside, data_directory, running
from tests.service.lanes.loop import Loop
from wintercount.processes import embedded
from wintercount.processes.services import create_app, services_from
from wintercount.testing.random_games import chance_from
from worker.play_turn import play_turns

ADMIN = "the operator's own token"
GENEROUS: dict[str, Any] = {
    "reads": 10**9,
    "questions": 10**9,
    "accounts": 10**6,
    "open_tables": 10**6,
    "ai_seats": 10**6,
    "open_disputes": 10**6,
    "refused_moves": 10**6,
    "changes": 10**6,
    "tokens": 10**6,
    "transcripts": 10**6,
    "sign_ins": 10**6,
    "passkeys": 10**6,
    "blocks": 10**6,
    "invitations": 10**6,
    "reports": 10**6,
}


@contextmanager
def embedded_store() -> Iterator[str]:
    """The URL of an embedded server that lives as long as the block."""
    with data_directory() as directory, running(embedded.start(directory)):
        yield embedded.url_of(directory)


class Answer(TestResponse):
    """An answer of the service, whose JSON a test takes for what it should be."""

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return super().json


class Somebody:
    """A client of the service: nobody in particular, or a player with a token."""

    def __init__(self, app: Flask, player: str | None = None, token: str | None = None) -> None:
        self._client = Client(app, Answer)
        self.player, self.token = player, token

    def send(self, method: str, path: str, **request: Any) -> Answer:
        """Sends anything at all; headers are names with underscores for hyphens, or a dictionary `headers`."""
        headers = request.pop("headers", {})
        if self.token:
            headers = {"Authorization": f"Bearer {self.token}"} | headers
        return cast(Answer, self._client.open(path, method=method, headers=headers, **request))

    def get(self, path: str, **headers: str) -> Answer:
        """The answer to GET."""
        return self.send("GET", path, headers=_named(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        """The answer to POST with a JSON body."""
        return self.send("POST", path, headers=_named(headers), json={} if body is None else body)

    def delete(self, path: str, **headers: str) -> Answer:
        """The answer to DELETE."""
        return self.send("DELETE", path, headers=_named(headers))


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


class World:
    """The service, and what goes on around it."""

    def __init__(self, url: str, **settings: Any) -> None:
        self.url, on_the_loop = url, settings.pop("on_the_loop", False)
        own = {"admin_token": ADMIN, "secret": SECRET, "data": str(data_beside(url)), "web_processes": 1}
        given: dict[str, Any] = own | GENEROUS | settings
        self.settings = Settings(**given)
        self.services: Services = services_from(self.settings, url)
        self.app = create_app(self.services)
        self.loop = Loop(self.app, self.services) if on_the_loop else None
        if self.loop:
            self.app.wsgi_app = self.loop.wsgi  # type: ignore[method-assign]
        self.nobody = Somebody(self.app)
        self.operator = Somebody(self.app, "operator", ADMIN)

    def close(self) -> None:
        """Ends what goes on in the background, and the connections: left to chance, some would end unclosed."""
        if self.loop:
            self.loop.close()
        self.services.close()
        self.log.client.close()

    def somebody(self, name: str = "Ann", *, scopes: list[str] | None = None) -> Somebody:
        """A new player, with a token of these scopes (by default those of the first token)."""
        account = self.nobody.post("/v1/players", {"name": name}).json
        player = Somebody(self.app, account["id"], account["token"]["secret"])
        return player if scopes is None else self.again(player, scopes)

    def again(self, player: Somebody, scopes: list[str]) -> Somebody:
        """The same player with another token."""
        made = player.post("/v1/players/me/tokens", {"scopes": scopes})
        assert made.status_code == 201, made.json
        return Somebody(self.app, player.player, made.json["secret"])

    def open(self, *players: Somebody, game: str = "big-manitou", **more: Any) -> str:
        """A running table with these players in seat order; the first opens it."""
        seats = [{"kind": "me"}, *({"kind": "player", "player": other.player} for other in players[1:])]
        opened = players[0].post("/v1/tables", {"game": game, "seats": seats, **more})
        assert opened.status_code == 201, opened.json
        table = str(opened.json["id"])
        for number, other in enumerate(players[1:], 2):
            sitting = {"arbiter": more.get("arbiter")}
            assert other.post(f"/v1/tables/{table}/seats/{number}", sitting).status_code == 200
        return table

    def move(self, table: str, rng: random.Random) -> tuple[int, dict[str, Any]] | None:
        """A seat that is to act and a legal move of it; None when the game is over."""
        now = self.services.handler.history(table).table
        acting = now.game.to_act(now.state)
        if not acting:
            return None
        seat = rng.choice(acting)
        listed = rng.choice(now.game.legal_moves(now.state, seat))
        chosen = listed.sample(chance_from(rng)) if isinstance(listed, MoveSet) else listed
        return seat, msgspec.to_builtins(chosen)

    def play(self, table: str, *players: Somebody, moves: int, seed: int = 1) -> None:
        """So many moves, each by the seat whose turn it is; fewer if the game ends."""
        rng = random.Random(seed)
        for _ in range(moves):
            chosen = self.move(table, rng)
            if chosen is None:
                return
            seat, move = chosen
            played = players[seat - 1].post(f"/v1/tables/{table}/moves", self.moving(table, seat, move))
            assert played.status_code == 200, played.json

    def moving(self, table: str, seat: int, move: Any, **more: Any) -> dict[str, Any]:
        """The body of a request for a move."""
        game = self.services.handler.history(table).table.opened.game
        return {"game": game, "seat": seat, "move": move} | more

    def finish(self, table: str, seed: int = 1) -> None:
        """Plays every seat of a table to the end, AI seats as their players do."""
        handler, rng = self.services.handler, random.Random(seed)
        while chosen := self.move(table, rng):
            play_turns(handler, table)
            now = handler.history(table).table
            if not now.over and (chosen := self.move(table, rng)):
                holder = now.seats[chosen[0] - 1].player
                play(handler, table, Play(*chosen), holder, Request(f"finish {now.version}", ""))

    def disputable(self, *players: Somebody, play: str = "goes_on") -> tuple[str, dict[str, Any]]:
        """The path of a table at which a ruling has fallen that the seats may dispute, and the first one's request."""
        table = self.open(*players, game="manitou", disputes={"by": "vote", "play": play})
        events: tuple[Any, ...] = ()
        for seed in range(60):
            self.play(table, *players, moves=1, seed=seed)
            events = self.services.handler.history(table).events
            if found := next((event for event in events if event.envelope.type == "TrialOfStrengthResolved"), None):
                rule, remedy = found.envelope.payload["rules"][0], {"correction": 1}
                asked = {"seat": 1, "version": found.version, "rule": rule, "claim": "no", "remedy": remedy}
                return f"/v1/tables/{table}", asked
        raise AssertionError("no ruling fell")

    def catch_up(self) -> None:
        """Brings lobby and standings up to date."""
        Runner(self.log, self.services.handler.cache).catch_up(range(self.log.partitions))

    @property
    def log(self) -> RedisLog:
        """The log, whose store also holds projections and accounts."""
        log = self.services.handler.log
        assert isinstance(log, RedisLog)
        return log


def refused(answer: Answer, status: int, code: str) -> dict[str, Any]:
    """The problem document of a refusal, which has this status and code."""
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json"), answer.text
    problem: dict[str, Any] = answer.json
    assert (problem["status"], problem["code"], problem["type"]) == (status, code, f"/docs/problems#{code}")
    return problem


def accepted(answer: Answer, status: int = 200) -> Any:
    """The JSON of an answer that has this status."""
    assert answer.status_code == status, answer.text
    return answer.json
