"""A bot on the client that openapi-python-client generates: `bot.py SERVER GAME` prints how its game ended, as JSON."""

import json
import sys
from typing import Any

from generated import AuthenticatedClient, Client
from generated.api.events import list_events
from generated.api.moves import list_moves, play_move
from generated.api.players import create_player
from generated.api.tables import get_table, open_table
from generated.models import (
    CreatedPlayer,
    Events,
    Move,
    MoveRequest,
    Moves,
    OpeningRequest,
    Played,
    PlayerRequest,
    Problem,
    SeatRequest,
    SeatRequestKind,
    Table,
)


def unfold(entry: dict[str, Any]) -> Move:
    """The first move that an entry of the legal moves stands for."""
    if "choose" not in entry:
        return Move.from_dict(entry)
    cards = entry["from"][: entry["choose"]]
    if "piles" in entry:
        cards = [{"pile": pile, "card": card} for pile, card in zip(entry["piles"], cards, strict=True)]
    return Move.from_dict({"type": entry["type"], "cards": cards})


def main(server: str, game: str) -> None:
    created = create_player.sync(client=Client(server), body=PlayerRequest("generated", bot=True))
    assert isinstance(created, CreatedPlayer)
    client = AuthenticatedClient(server, created.token.secret)
    missing = get_table.sync("t_missing", client=client)
    assert isinstance(missing, Problem)
    seats = [SeatRequest(SeatRequestKind.ME), SeatRequest(SeatRequestKind.AI, level="uniform")]
    table = open_table.sync(client=client, body=OpeningRequest(game, seats))
    assert isinstance(table, Table)
    while (moves := list_moves.sync(table.id, client=client, wait=20)) and moves.status != "finished":
        assert isinstance(moves, Moves)
        for decision in moves.decisions:
            move = unfold(decision.moves[-1].to_dict())
            body = MoveRequest(decision=decision.id, move=move)
            assert isinstance(play_move.sync(table.id, client=client, body=body), Played)
    events = list_events.sync(table.id, client=client, limit=1000)
    assert isinstance(events, Events)
    sys.stdout.write(json.dumps({"problem": missing.code, "types": [event.type_ for event in events.events]}))


main(*sys.argv[1:])
