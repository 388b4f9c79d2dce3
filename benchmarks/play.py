"""Random play through the use cases, without the web: tables to read, and moves to send later."""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import requests

from benchmarks.engine import Luck
from benchmarks.host import TIMEOUT_S, Host
from benchmarks.load import request
from events.chain import GENESIS
from events.envelopes import Head
from events.lifecycle import SeatOffer
from events.log import Batch, Log
from games.kernel import MoveSet
from projections.table import OpenDecision, Table
from service.accounts.callers import Player
from service.accounts.key_store import Keys
from service.accounts.personal_texts import Texts
from service.accounts.shown_names import DisplayNames
from service.command_handler import CommandContext, CommandHandler, Outcome, Request
from service.tables.opening import Opening, open_table, take_seat
from service.tables.playing import Play, play
from tests.memory_log import MemoryLog

GAME = "big-manitou"
MOST_PLAYERS = 5


def people(count: int = MOST_PLAYERS) -> list[Player]:
    """Players that no service knows."""
    return [Player(f"p{number}", f"player {number}", bot=True, at="") for number in range(count)]


def open_for(handler: CommandHandler, players: Sequence[Player]) -> Table:
    """A table of Big Manitou at which they all sit, and whose game has begun."""
    offers = tuple(SeatOffer(seat, "player", player.id) for seat, player in enumerate(players, 1))
    outcome = open_table(handler, CommandContext(players[0], Request("open")), Opening(GAME, offers))
    for seat, player in enumerate(players[1:], 2):
        outcome = take_seat(handler, outcome.table.id, CommandContext(player, Request(f"sit {seat}")), seat)
    return outcome.table


def play_on(handler: CommandHandler, table: Table, luck: Luck) -> Iterator[tuple[Play, Outcome]]:
    """Plays random moves to the end, each when it is asked for."""
    while table.decisions:
        asked = choice(table, luck)
        player = table.seats[asked.seat - 1].player
        outcome = play(handler, table.id, asked, player, Request(f"{table.id} {asked.decision}"))
        table = outcome.table
        yield asked, outcome


def choice(table: Table, luck: Luck) -> Play:
    """A legal move of a seat that has to decide, each equally likely."""
    decision: OpenDecision = luck.rng.choice(table.decisions)
    listed = luck.rng.choice(table.game.legal_moves(table.state, decision.seat))
    move = listed.sample(luck) if isinstance(listed, MoveSet) else listed
    return Play(decision.seat, msgspec.to_builtins(move), decision.recorded_id)


class BenchmarkKeys(Keys):
    """Keys for the texts of the tables that a benchmark writes: nobody else can read who sits there."""

    def find(self, persons: Iterable[str]) -> dict[str, bytes]:
        """Returns the keys of these persons."""
        return {person: self.find_or_create(person) for person in persons}

    def find_or_create(self, person: str) -> bytes:
        """Returns a person's key."""
        return hashlib.sha256(person.encode()).digest()


def handler_on(log: Log) -> CommandHandler:
    """A command handler that seats people, under keys that no service has."""
    return CommandHandler(log, names=DisplayNames(None, Texts(BenchmarkKeys())))


def play_to(handler: CommandHandler, players: Sequence[Player], version: int, luck: Luck) -> Table:
    """A table that has been played until it had that many events, or to its end."""
    table = open_for(handler, players)
    for _, outcome in play_on(handler, table, luck):
        table = outcome.table
        if table.version >= version:
            return table
    return table


def copy_of(log: Log, table: str) -> CommandHandler:
    """A house that has just this table, in memory: what is played here happens there as well when it is sent."""
    handler = handler_on(MemoryLog())
    handler.log.append(table, Batch(Head(0, GENESIS), log.read(table)))
    return handler


class Client:
    """An account of the service and its token."""

    def __init__(self, host: Host, name: str) -> None:
        answer = requests.post(f"{host.url}/v1/players", json={"name": name, "bot": True}, timeout=TIMEOUT_S).json()
        self.player = Player(answer["id"], name, bot=True, at="")
        self.token: str = answer["token"]["secret"]


class Script:
    """Moves to send over HTTP, table after table, all chosen beforehand: no answer has to be read for the next one."""

    def __init__(self, handler: CommandHandler, clients: Sequence[Client], luck: Luck) -> None:
        self._handler, self._clients, self._luck = handler, clients, luck
        self._requests: deque[bytes] = deque()
        self._rest: Iterator[tuple[Play, Outcome]] = iter(())
        self.table = ""  # that was opened last

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if not self._requests:
            raise RuntimeError("more moves were sent than had been prepared")
        return self._requests.popleft()

    def prepare(self, moves: int) -> None:
        """Sees to it that at least so many moves are ready to be sent."""
        while len(self._requests) < moves:
            for asked, outcome in self._rest:
                self._requests += self._requests_of(
                    outcome.table.id, outcome.table.version, asked.seat, self._request(outcome.table.id, asked)
                )
                if len(self._requests) >= moves:
                    return
            self._begin()

    def _requests_of(self, _table: str, _version: int, _seat: int, move: bytes) -> list[bytes]:
        """What is sent for a move of a seat, which takes the table to a version."""
        return [move]

    def _begin(self) -> None:
        table = open_for(self._handler, [client.player for client in self._clients])
        self.table = table.id
        self._rest = play_on(copy_of(self._handler.log, table.id), table, self._luck)

    def _request(self, table: str, asked: Play) -> bytes:
        body = msgspec.json.encode({"game": GAME, "seat": asked.seat, "decision": asked.decision, "move": asked.move})
        return request("POST", f"/v1/tables/{table}/moves", self._clients[asked.seat - 1].token, body)
