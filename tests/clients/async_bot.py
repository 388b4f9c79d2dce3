"""The bot of the examples with the asynchronous client."""

from random import choice

from wintercount_client import AsyncClient
from wintercount_client.models import Event


async def play_game(server: str, game: str) -> list[Event]:
    """Plays a table against an AI player to its end; returns its events."""
    async with AsyncClient(server) as client:
        table = await client.tables.open(game, ai="uniform")
        async for turn in table.turns():
            await turn.play(choice(turn.moves))
        return [event async for event in table.events()]
