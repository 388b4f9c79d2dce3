"""Runs one of the built-in AI players as a bot, over the public API like any other bot."""

import hmac
import logging
import secrets
import threading
from typing import Any

import msgspec
import requests

from games import GAMES
from games.kernel import AnyGame
from projections.event_conversion import read_event
from service.levels import Level
from worker.ai_process import Question, budget, think_here
from worker.client import Api, Frame, harmless

BESIDE = ("options", "scores")  # the fields of a view that the API puts in the table
PAUSE_S = 1.0  # before the next attempt when the service does not answer
STALE = (403, 404, 409)  # the decision is settled, or no longer ours
LOST = requests.RequestException

log = logging.getLogger(__name__)


class Bot:
    """Plays every decision that waits for its account; `seed` (hexadecimal) makes its choices repeatable."""

    def __init__(self, api: Api, level: Level, seed: str | None = None) -> None:
        self.api, self._level, self._seed = api, level, bytes.fromhex(seed or secrets.token_hex(32))
        self._events: dict[str, list[dict[str, Any]]] = {}

    def run(self, stop: threading.Event) -> None:
        """Plays until `stop` is set; retries while the service does not answer."""
        while not stop.is_set():
            try:
                self._follow(stop)
            except LOST as error:
                if isinstance(error, requests.HTTPError) and error.response.status_code < 500:
                    raise
                log.warning("the service does not answer: %s", type(error).__name__)
            stop.wait(PAUSE_S)

    def _follow(self, stop: threading.Event) -> None:
        for frame in self.api.stream("/v1/inbox"):
            if stop.is_set():
                return
            if frame and frame.event == "decision":
                self.answer(frame)

    def answer(self, frame: Frame) -> None:
        """Answers a decision of the inbox, unless it is settled."""
        try:
            self._play(frame.data["table"], frame.data["id"])
        except requests.HTTPError as error:
            if error.response.status_code not in STALE:
                raise
            log.info("nothing to answer: %s", harmless(error.response.text))

    def _play(self, table: str, decision: str) -> None:
        now = self.api.get(f"/v1/tables/{table}")
        if not any(row["id"] == decision and row["seat"] == now["seat"] for row in now["decisions"]):
            return
        chosen = think_here(self.question(now, decision))
        move = {
            "game": now["game"],
            "seat": now["seat"],
            "decision": decision,
            "move": msgspec.to_builtins(chosen.move),
        }
        answer = self.api.post(f"/v1/tables/{table}/moves", move, key=f"{table}-{decision}")
        if answer["status"] == "finished":
            self._events.pop(table, None)

    def question(self, table: dict[str, Any], decision: str) -> Question:
        """Returns the question for the player, from the view and feed that the service returns."""
        game = GAMES[table["game"]]
        beside = {name: table[name] for name in BESIDE if name in game.view_type.__struct_fields__}
        if beside.get("scores") and (places := beside["scores"]["ranking"]):
            beside["scores"] |= {"winners": places[0]["seats"]}  # a view has the leaders here, the API nobody yet
        view = msgspec.convert(table["view"] | beside, game.view_type, str_keys=True)
        seed = hmac.digest(self._seed, f"{table['id']}|{decision}".encode(), "sha256").hex()
        player, iterations = (self._level.player, self._level.version), budget(self._level.level, game.slug)
        return Question(player, game.slug, view, feed_of(game, self._events_of(table)), seed, iterations)

    def _events_of(self, table: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the table's events up to the version of its view."""
        known = self._events.setdefault(table["id"], [])
        if len(known) < table["version"]:
            known += self.api.lines(f"/v1/tables/{table['id']}/events?after={len(known)}")
        return known[: table["version"]]


def feed_of(game: AnyGame, rows: list[dict[str, Any]]) -> tuple[Any, ...]:
    """Returns the game's events as the seat read them, without undone ones."""
    effective: list[dict[str, Any]] = []
    for row in rows:
        if row["type"] == "PlayTakenBack":
            effective = [kept for kept in effective if kept["version"] <= row["payload"]["to"]]
        elif row["type"] in game.kinds:
            effective.append(row)
    return tuple([read_event(game.kinds[row["type"]], row["schema"], row["payload"]) for row in effective])
