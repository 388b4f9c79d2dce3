"""Who may send what is told before a body is read: the token, its scope, and how large the body may be."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter, RequestRedirect, Rule

from service.accounts import NOBODY, Accounts, Caller
from service.api.strict import MAX_BYTES
from service.errors import Refused

ASKING = "wintercount.asking"  # in the WSGI environment: what `Admission.admit` found
REFUSED = "wintercount.refused"  # and why the body was not read


class Operation(NamedTuple):
    """What a request asks for: a method and a rule of the app, with what its path holds."""

    method: str
    rule: str
    arguments: Mapping[str, Any]
    contract: Mapping[str, Any]

    @property
    def most(self) -> int:
        """The largest body that it takes, in bytes."""
        return int(self.contract.get("takes") or MAX_BYTES)


class Asking(NamedTuple):
    """Who asks, from which address, for what."""

    caller: Caller
    address: str
    operation: Operation


class Admission:
    """Lets requests in, or raises `Refused`."""

    def __init__(self, app: Flask, accounts: Accounts) -> None:
        self._accounts = accounts
        self._adapter: MapAdapter = app.url_map.bind("localhost")
        self._contracts = {name: contract_of(view) for name, view in app.view_functions.items()}

    def operation(self, method: str, path: str) -> Operation | None:
        """What is asked for; None if the app has nothing there."""
        try:
            rule, arguments = self._adapter.match(path, method, return_rule=True)
        except (HTTPException, RequestRedirect):
            return None
        return self.operation_of(method, rule, arguments)

    def operation_of(self, method: str, rule: Rule, arguments: Mapping[str, Any]) -> Operation:
        """The operation behind a rule that the app has matched."""
        return Operation(method, rule.rule, arguments, self._contracts.get(str(rule.endpoint), {}))

    def is_known(self, authorization: str | None) -> bool:
        """Whether it can be told without asking the store who sends this header."""
        return authorization is None or self._accounts.remembers(token_in(authorization) or "")

    def admit(self, operation: Operation, authorization: str | None, address: str) -> Asking:
        """Who asks, if the operation is open to them; raises `Refused`."""
        caller = caller_of(self._accounts, authorization) if operation.contract.get("caller") else NOBODY
        if scope := operation.contract.get("scope"):
            caller.needs(scope)
        return Asking(caller, address, operation)


def contract_of(view: Any) -> Mapping[str, Any]:
    """What a view says of itself besides its schemas."""
    told: Mapping[str, Any] = getattr(view, "_apidoc", {}).get("manual_doc", {}).get("x-contract", {})
    return told


def token_in(authorization: str) -> str | None:
    """The token of an Authorization header."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def caller_of(accounts: Accounts, authorization: str | None) -> Caller:
    """Who sends this header; raises `Refused` for a token that is unknown or revoked."""
    if authorization is None:
        return NOBODY
    token = token_in(authorization)
    if token is None:
        raise Refused("unauthenticated", "send the token as Authorization: Bearer …")
    return accounts.caller(token)
