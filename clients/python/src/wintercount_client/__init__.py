"""Tables of Wintercount: `Client` and `AsyncClient`, above `models` and `operations` generated from the API."""

from wintercount_client import models, operations
from wintercount_client.aio import AsyncClient, AsyncTable
from wintercount_client.calls import Call
from wintercount_client.client import Client, Table
from wintercount_client.problems import NoAnswer, Problem, StreamEnded
from wintercount_client.shorthand import NoDecision

__version__ = operations.VERSION
__all__ = [
    "AsyncClient",
    "AsyncTable",
    "Call",
    "Client",
    "NoAnswer",
    "NoDecision",
    "Problem",
    "StreamEnded",
    "Table",
    "models",
    "operations",
]
