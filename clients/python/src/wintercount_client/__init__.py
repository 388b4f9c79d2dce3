"""Play card games on a Wintercount server: `Client` and `AsyncClient`.

`models` and `operations` are generated from the API's document: `client.send(operations.get_table("t_…"))` sends any
operation, typed.
"""

from wintercount_client import models, operations
from wintercount_client.aio import AsyncClient, AsyncTable, AsyncTurn
from wintercount_client.calls import Call
from wintercount_client.client import Client, Table, Turn
from wintercount_client.problems import NoAnswer, Problem, StreamEnded
from wintercount_client.turns import LegalMoves

__version__ = operations.VERSION
__all__ = [
    "AsyncClient",
    "AsyncTable",
    "AsyncTurn",
    "Call",
    "Client",
    "LegalMoves",
    "NoAnswer",
    "Problem",
    "StreamEnded",
    "Table",
    "Turn",
    "models",
    "operations",
]
