"""Decides before the body is read whether a request may be sent: by its token, its scope, and the size of the body."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter, RequestRedirect, Rule

from service.accounts.accounts import Accounts
from service.accounts.callers import NOBODY, Caller
from service.errors import Refused
from service.limits.body_sizes import LARGEST_BODY
from service.limits.budgets import Limits
from service.limits.client_addresses import client_of
from service.limits.costs import FREE, READ_MS, cost_ms, is_change, is_move
from service.outgoing_addresses import Networks

WORK, CHANGES = "work", "changes"
LOOPBACK = "127.0.0.1"  # of requests that came over no network
ASKING = "wintercount.asking"  # in the WSGI environment: what `Admission.admit` found
ADDRESS = "wintercount.address"  # and the address that the request counts for
REFUSED = "wintercount.refused"  # and why the body was not read
TOLD = "wintercount.told"  # the code of the refusal that is the answer


class Operation(NamedTuple):
    """What a request asks for: a method and a rule of the app, with what its path holds."""

    method: str
    rule: str
    arguments: Mapping[str, Any]
    contract: Mapping[str, Any]

    @property
    def most(self) -> int:
        """The largest body that it takes, in bytes."""
        return int(self.contract.get("takes") or LARGEST_BODY)


class Asking(NamedTuple):
    """Who asks, from which address, for what."""

    caller: Caller
    address: str
    operation: Operation
    budgets: list[str]


class Admission:
    """Lets requests in, or raises `Refused`."""

    def __init__(self, app: Flask, accounts: Accounts, limits: Limits, proxies: Networks) -> None:
        self._accounts, self._limits, self._proxies = accounts, limits, proxies
        self._adapter: MapAdapter = app.url_map.bind("localhost")
        self._contracts = {name: contract_of(view) for name, view in app.view_functions.items()}

    def operation(self, method: str, path: str) -> Operation | None:
        """What is asked for; None if the app has nothing there."""
        if method == "OPTIONS":
            return None
        try:
            rule, arguments = self._adapter.match(path, method, return_rule=True)
        except (HTTPException, RequestRedirect):
            return None
        return self.operation_of(method, rule, arguments)

    def operation_of(self, method: str, rule: Rule, arguments: Mapping[str, Any]) -> Operation:
        """The operation behind a rule that the app has matched, which asks for `post` as for `POST`."""
        return Operation(method.upper(), rule.rule, arguments, self._contracts.get(str(rule.endpoint), {}))

    def is_known(self, authorization: str | None) -> bool:
        """Whether the sender of this header is known without asking the store."""
        return authorization is None or self._accounts.remembers(token_in(authorization) or "")

    def last_known(self, authorization: str) -> Caller:
        """Who sent this header when it was looked up last, nobody if that was not here: says only whose turn it is."""
        return self._accounts.last_known(token_in(authorization) or "")

    def admit(self, operation: Operation, environ: dict[str, Any]) -> None:
        """Writes down who asks, if the operation is open to them; raises `Refused`, also if their budget has no room.

        It is written down by then: a refusal for a budget tells what is left as every answer does.
        """
        authorization, address = environ.get("HTTP_AUTHORIZATION"), self.address(environ)
        caller = self._caller(operation, authorization)
        if operation.contract.get("caller") == "needed":
            check_scopes(caller, operation.contract["scopes"])
        asked = (operation.method, operation.rule)
        asking = environ[ASKING] = Asking(caller, address, operation, [WORK])
        spend = self._limits.note if is_move(*asked) else self._limits.spend  # moves are looked at later
        spend(caller, address, WORK, cost_ms(*asked))
        if is_change(*asked):
            self.spend(asking, CHANGES, 1)

    def pass_by(self, environ: dict[str, Any]) -> None:
        """Charges a request for what is not there to its address; raises `Refused`."""
        self._limits.spend(NOBODY, self.address(environ), WORK, READ_MS)

    def address(self, environ: dict[str, Any]) -> str:
        """What counts as the address of the client; worked out once a request."""
        if ADDRESS not in environ:
            peer = environ.get("REMOTE_ADDR") or LOOPBACK
            environ[ADDRESS] = client_of(peer, environ.get("HTTP_X_FORWARDED_FOR"), self._proxies)
        return str(environ[ADDRESS])

    def _caller(self, operation: Operation, authorization: str | None) -> Caller:
        """Who sends this; where the answer is the same for all, only if the store need not be asked."""
        if operation.contract.get("caller"):
            return caller_of(self._accounts, authorization)
        token = token_in(authorization or "")
        return self._accounts.caller(token) if token and self._accounts.remembers(token) else NOBODY

    def check_work(self, asking: Asking) -> None:
        """Raises `Refused` if nothing is left for requests."""
        self._limits.check(asking.caller, asking.address, WORK)

    def check_own(self, asking: Asking, name: str) -> None:
        """Raises `Refused` if nothing is left of the caller's own budget."""
        asking.budgets.append(name)
        self._limits.check_own(asking.caller, asking.address, name)

    def spend(self, asking: Asking, name: str, cost: int) -> None:
        """Charges a further cost of a request; raises `Refused`."""
        asking.budgets.append(name)
        self._limits.spend(asking.caller, asking.address, name, cost)

    def note(self, asking: Asking, name: str, cost: int) -> None:
        """Charges a further cost that is never refused."""
        asking.budgets.append(name)
        self._limits.note(asking.caller, asking.address, name, cost)

    def fields(self, asking: Asking) -> Mapping[str, str]:
        """What the caller is told of the budgets that the request drew on."""
        if asking.operation.rule in FREE:
            return {}
        return self._limits.fields(asking.caller, asking.address, dict.fromkeys(asking.budgets))


def check_scopes(caller: Caller, alternatives: Sequence[Sequence[str]]) -> None:
    """Raises `Refused` for a caller who has not all scopes of one of these."""
    caller.needs(*(scopes[0] for scopes in alternatives))
    if not any(all(map(caller.has, scopes)) for scopes in alternatives or [()]):
        for scope in alternatives[0]:
            caller.needs(scope)


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
        raise Refused("unauthenticated", "the field holds no token after the word Bearer: send Authorization: Bearer …")
    return accounts.caller(token)
