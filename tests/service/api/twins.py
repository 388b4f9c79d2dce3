"""Two worlds that are equal in all that an observer may know, and different in everything else."""

import random
import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from events import envelopes
from events.envelopes import Recorded, Seal
from games import GAMES
from games.kernel import MoveSet
from projections.history import TableHistory
from projections.table import Table
from service.accounts import personal_texts
from service.command_handler import CommandHandler, Request
from service.tables import playing
from service.tables.playing import GivenUp, Play, Provenance
from tests.memory_log import MemoryLog
from wintercount.processes.pool import InlineExecutor
from wintercount.processes.services import create_app
from wintercount.testing.random_games import chance_from, chance_of
from worker.play_turn import ai_seed

VIEWS = {slug: game.view for slug, game in GAMES.items()}  # as they are, whatever a test makes of them later
MAY_READ = Recorded.may_read


class Twin:
    """The history of a table as it might also have been, for one who sees it from `seat` (None: a spectator).

    The events are the same but for the secrets that the observer may not read: these are something else altogether,
    longer than before. At every version the game's state is another one that agrees with the observer's view and feed.
    """

    def __init__(self, real: TableHistory, seat: int | None, seed: int) -> None:
        self._real, self._seat, self._seed = real, seat, seed
        self._states: dict[int, Any] = {}
        self.events = tuple(_with_other_secrets(event, seat) for event in real.events)
        self.table = self.at(real.table.version)

    def __getattr__(self, name: str) -> Any:
        """Everything else works as in any history, on what is different here."""
        return getattr(TableHistory, name).__get__(self)

    def at(self, version: int) -> Table:
        """The table at a version, with another state of the game."""
        table = self._real.at(version)
        if table.state is None:
            return table
        opened = msgspec.structs.replace(table.opened, seed="0" * 64)
        return msgspec.structs.replace(table, state=self._other_state(table), opened=opened)

    def _other_state(self, table: Table) -> Any:
        if table.version not in self._states:
            view = VIEWS[table.opened.game](table.state, self._seat)
            feed = self._real.feed(self._seat, until=table.version)
            chance = chance_of(f"{self._seed}|{table.version}")
            self._states[table.version] = table.game.imagine(view, feed, chance)
        return self._states[table.version]

    def until(self, version: int) -> "Twin":
        """The same history as it was then."""
        return Twin(self._real.until(version), self._seat, self._seed)

    def walk(self, first: int, last: int) -> Iterator[Table]:
        """The table at each version."""
        return (self.at(version) for version in range(first, last + 1))


def _with_other_secrets(event: Recorded, seat: int | None) -> Recorded:
    sealed = {
        name: seal if MAY_READ(event, name, seat) else Seal("f" * 32, [seal.value, "and more"])
        for name, seal in event.sealed.items()
    }
    return msgspec.structs.replace(event, sealed=sealed)


class TwinHouse(CommandHandler):
    """A house in which one table is its twin. Nothing can be written there."""

    def __init__(self, like: CommandHandler, table: str, twin: Twin) -> None:
        super().__init__(like.log, names=like.names, cursors=like.cursors)
        self.cache = TwinHistories({table: twin})  # type: ignore[assignment]


class TwinHistories:
    """Stands for the histories of a house."""

    def __init__(self, kept: dict[str, Twin]) -> None:
        self._kept = kept

    def peek(self, table: str) -> Twin | None:
        """The twin."""
        return self._kept.get(table)

    load = peek

    def load_each(self, tables: Iterable[str]) -> dict[str, Twin | None]:
        """The twin of each."""
        return {table: self.peek(table) for table in tables}


SECRET_MOVES = {  # the moves of which only that they were made is public, and the field that is secret
    "big-manitou": ("choose_party", "cards"),
    "manitou": ("choose_party", "cards"),
    "tomahawk": ("choose_specials", "keep"),
    "plenty-coups": ("exchange_gifts", "give"),
}
SOON_TOLD = ("plenty-coups",)  # a gift is told to who gets it as soon as he answers it
PLAYERS = {"plenty-coups": 3}  # with two, both see the hand of the tribe that they share


EFFORTS: tuple[Mapping[str, Any], ...] = (  # what an AI took for one choice, and for another
    {"iterations": 0, "budget": 0},
    {"iterations": 37, "budget": 60, "instead_of": (GivenUp("search", 4, "overtime"),)},
)


class Pair:
    """Two services in step, with luck from the same seed; at one decision a seat chooses otherwise in the second."""

    def __init__(self, world: Any, monkeypatch: Any, game: str, seed: int, *, ai: bool = False) -> None:
        self.game, self.rng = game, random.Random(seed)
        self._ai = PLAYERS.get(game, 2) if ai else None  # the seat that an AI holds: then it is the one that chooses
        self.players = [world.somebody(f"seat {seat + 1}") for seat in range(PLAYERS.get(game, 2) - ai)]
        monkeypatch.setattr(CommandHandler, "now_ms", lambda _: 1_790_000_000_000)
        self.sides = [Side(world, monkeypatch, self.players, game, seed, ai=ai) for _ in range(2)]
        self.secretive = self._choose_otherwise()
        if game not in SOON_TOLD:
            self._go_on()

    def _choose_otherwise(self) -> int:
        """Plays on until a seat has two moves that differ in nothing but what is secret, and lets it make both."""
        for _ in range(400):
            table = self.sides[0].table
            seat = self.rng.choice(table.game.to_act(table.state))
            moves = [self._sample(table, seat) for _ in range(40)]
            first = moves[0]
            other = next((move for move in moves if self._is_secretly_other(first, move)), None)
            if other and self._ai in (None, seat):
                for side, move, effort in zip(self.sides, (first, other), EFFORTS, strict=True):
                    side.play(self.players, seat, move, effort)
                    side.played.clear()
                return int(seat)
            for side in self.sides:
                side.play(self.players, seat, first)
        raise AssertionError(f"{self.game}: there was no secret choice")

    def _is_secretly_other(self, one: dict[str, Any], other: dict[str, Any]) -> bool:
        kind, field = SECRET_MOVES[self.game]
        return one["type"] == kind and one != other and one | {field: 0} == other | {field: 0}

    def _go_on(self) -> None:
        """The other seats go on until it is the secretive one's turn."""
        table = self.sides[0].table
        while (acting := table.game.to_act(table.state)) and acting[0] != self.secretive:
            move = self._sample(table, acting[0])
            for side in self.sides:
                side.play(self.players, acting[0], move)
            table = self.sides[0].table

    def _sample(self, table: Table, seat: int) -> dict[str, Any]:
        listed = self.rng.choice(table.game.legal_moves(table.state, seat))
        chosen = listed.sample(chance_from(self.rng)) if isinstance(listed, MoveSet) else listed
        move: dict[str, Any] = msgspec.to_builtins(chosen)
        return move


class Side:
    """One of the two: a service on a log in memory."""

    def __init__(
        self, world: Any, monkeypatch: Any, players: list[Any], game: str, seed: int, *, ai: bool = False
    ) -> None:
        self.rng, self._patch, self._ai = random.Random(seed), monkeypatch, ai
        self.played: dict[str, tuple[int, list[tuple[str, str]], bytes]] = {}  # answers to what was played
        handler = CommandHandler(MemoryLog(), names=world.services.handler.names)
        self.services = world.services._replace(handler=handler, expensive=InlineExecutor(handler))
        self.app = create_app(self.services)
        self.id = self._open(players, game)

    def _draw_own_luck(self) -> None:
        self._patch.setattr(secrets, "token_bytes", self.rng.randbytes)
        self._patch.setattr(secrets, "token_hex", lambda size: self.rng.randbytes(size).hex())
        self._patch.setattr(personal_texts, "new_nonce", lambda: self.rng.randbytes(personal_texts.NONCE))
        # Salts follow from the hash before them under a key that nobody has: to whoever reads them they are drawn.
        self._patch.setattr(envelopes, "derived_salt", lambda *_: self.rng.randbytes(16).hex())

    def _open(self, players: list[Any], game: str) -> str:
        self._draw_own_luck()
        seats = [{"kind": "me"}, *[{"kind": "player", "player": other.player} for other in players[1:]]]
        seats += [{"kind": "ai", "level": "uniform"}] * self._ai
        opening = {"game": game, "seats": seats}
        table = self.by(players[0]).post("/v1/tables", opening, Idempotency_Key="open").json["id"]
        for number, other in enumerate(players[1:], 2):
            sat = self.by(other).post(f"/v1/tables/{table}/seats/{number}", Idempotency_Key="sit")
            assert sat.status_code == 200
        return str(table)

    def by(self, player: Any) -> Any:
        """A player as a client of this side."""
        return type(player)(self.app, player.player, player.token)

    @property
    def table(self) -> Table:
        """The table now."""
        found: Table = self.services.handler.history(self.id).table
        return found

    def play(self, players: list[Any], seat: int, move: dict[str, Any], effort: Mapping[str, Any] = EFFORTS[0]) -> None:
        """A move over the API; that of an AI as a worker plays it, to which it was so much of an effort."""
        self._draw_own_luck()
        if seat > len(players):
            return self._play_ai(seat, move, effort)
        body = {"game": self.table.opened.game, "seat": seat, "move": move}
        number, key = len(self.played), str(self.table.version)
        for status, prefer, query in ((200, "return=representation", "?include=table"), (204, "return=minimal", "")):
            headers = {"X_Request_Id": "played", "Idempotency_Key": key, "Prefer": prefer}
            answer = self.by(players[seat - 1]).post(f"/v1/tables/{self.id}/moves{query}", body, **headers)
            assert answer.status_code == status, answer.json
            self.played[f"move {number}, {prefer}"] = (answer.status_code, sorted(answer.headers), answer.data)
        return None

    def _play_ai(self, seat: int, move: dict[str, Any], effort: Mapping[str, Any]) -> None:
        table = self.table
        decision = table.decision_of(seat)
        assert decision
        made = Provenance("uniform", 2, seen=table.version, seed=ai_seed(table, decision), **effort)
        asked, request = Play(seat, move, decision.recorded_id), Request(f"ai|{decision.recorded_id}", "ai")
        playing.play_ai(self.services.handler, self.id, asked, made, request)
