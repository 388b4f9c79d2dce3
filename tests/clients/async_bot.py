"""The typed bot of the examples with the asynchronous client."""

from examples.typed_bot import answers
from wintercount_client import AsyncClient
from wintercount_client.models import Event, GameName


async def whole_game(server: str, game: GameName) -> list[Event]:
    """Plays a table against an AI player to its end; returns its events."""
    async with AsyncClient(server) as client:
        await client.register("asyncio", bot=True)
        table = await client.open(game, seats=["me", "uniform"])
        async for moves in table.turns():
            for move, decision in answers(moves):
                await table.play(move, decision)
        return [event async for event in table.events()]
