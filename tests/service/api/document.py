"""The OpenAPI document, made once for all tests: reading the files takes longer."""

from typing import Any

import msgspec

from tools.contracts.openapi import document

DOCUMENT: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document()))


def operations_of(contract: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """The path, the method and the description of each operation."""
    methods = [(path, *one) for path, item in contract["paths"].items() for one in item.items()]
    return [(path, method, operation) for path, method, operation in methods if method != "parameters"]


OPERATIONS = operations_of(DOCUMENT)


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    return {"anyOf" if name == "x-kinds" else name: _closed(part) for name, part in node.items()}


CLOSED: dict[str, Any] = _closed(DOCUMENT)
"""The document of this release alone: a move or an event is one of the kinds that its schema names."""

PLACES = {
    "table": "t_fk3ab2c5d7efghij",
    "seat": "1",
    "version": "57",
    "game": "manitou",
    "rule_id": "MA-3.1",
    "case": "MA-R1",
    "token": "0123456789ab",
    "invitation": "i_fk3ab2c5d7efghij",
    "passkey": "AAECAwQFBgcICQoLDA0ODw",
    "dispute": "d58-1a2b3c4d",
    "offer": "o58-1a2b3c4d",
    "player": "p_k2mdqv7yjr4wt",
    "seats": "4",
    "name": "wintercount-2026-10.tar.zst",
    "path": "/phase",
    "value": '"over"',
    "with": "t_ab2c5d7efghijfk3",
}
"""A value for each parameter of a path, and for those of queries that are required."""
