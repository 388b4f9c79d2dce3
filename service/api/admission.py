"""Admission of requests: authentication, scopes and rate limits, checked once before a view answers."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from flask import Flask, Request, request
from werkzeug.routing import Rule

from service.accounts.accounts_and_tokens import Accounts
from service.accounts.callers import NOBODY, Caller
from service.addresses import Networks, client_of
from service.api.headers import PREFER
from service.api.request_parsing import check_unread, query_of
from service.errors import Refused
from service.limits.bodies import LARGEST_BODY
from service.limits.rates import CHANGES, MOVES, READS, REFUSED_MOVES, TABLE, Rates

MOST_CLIENTS = 4096  # whose addresses a process remembers
LOOPBACK = "127.0.0.1"  # of requests that came over no network
ADMITTED = "wintercount.admitted"  # in the WSGI environment: the admitted request
REFUSED = "wintercount.refused"  # and why the body was not read
STREAM_TOKEN = "stream_token"  # noqa: S105 - the parameter that can open these streams without Authorization
STREAMS = ("/v1/feed", "/v1/inbox", f"{TABLE}/analysis", f"{TABLE}/events")
VARIED = ("Accept-Language", PREFER)  # headers of requests on which an answer depends where they are read
OPEN: Mapping[str, Any] = {"varies": ()}  # the contract of a route added to the app later: nobody has to sign in
UNCOUNTED = ("conflict", "too_busy", "too_slow", "too_many_requests")  # moves that may have been legal


class AdmittedRequest(NamedTuple):
    """An admitted request: its caller and address, and the method, rule and contract of the operation."""

    caller: Caller
    address: str
    method: str
    rule: str
    contract: Mapping[str, Any]


class Admission:
    """Admits requests, or raises `Refused`."""

    def __init__(self, app: Flask, accounts: Accounts, rates: Rates, proxies: Networks) -> None:
        self._accounts, self._rates = accounts, rates
        self._client_of = lru_cache(MOST_CLIENTS)(partial(client_of, proxies=proxies))
        contracts = {name: contract_of(view) for name, view in app.view_functions.items()}
        self._operations = {
            (method, rule.rule): contracts[str(rule.endpoint)]
            for rule in app.url_map.iter_rules()
            for method in rule.methods or ()
        }
        operations = self._operations.items()
        self._sizes = {path: contract["takes"] for (_, path), contract in operations if "takes" in contract}

    def largest_body(self, path: str, authorization: str | None) -> int:
        """Returns how many bytes a body to this path may have; only an operator may send more than `LARGEST_BODY`."""
        most: int = self._sizes.get(path, LARGEST_BODY)
        if most > LARGEST_BODY and self._accounts.of_settings(token_in(authorization or "") or "") is None:
            return LARGEST_BODY
        return most

    def admit(self, method: str, rule: Rule | None, environ: dict[str, Any]) -> None:
        """Authenticates and counts a request; raises `Refused`. Without a rule, nothing is at the path."""
        address = self.address(environ)
        if rule is None:
            self._rates.check(READS, NOBODY, address)
            return
        contract = self._operations.get((method, rule.rule), OPEN)
        try:
            caller = self._caller(
                contract, environ.get("HTTP_AUTHORIZATION"), _stream_token(method, rule.rule, environ)
            )
        except Refused:
            self._rates.check(READS, NOBODY, address)
            raise
        self._enter(AdmittedRequest(caller, address, method, rule.rule, contract), environ)

    def peek(self, method: str, rule: str, environ: dict[str, Any]) -> bool:
        """Admits a request whose caller this process knows; False leaves it to `admit`, which asks the store.

        Beyond the rate it returns False and puts the refusal into the environment. Raises `Refused` without counting.
        """
        contract, authorization = self._operations[method, rule], environ.get("HTTP_AUTHORIZATION")
        caller = NOBODY if authorization is None else self._accounts.peek(token_in(authorization) or "")
        if caller is None:
            return False
        if contract["caller"] == "needed":
            check_scopes(caller, contract["scopes"])
        try:
            self._enter(AdmittedRequest(caller, self.address(environ), method, rule, contract), environ)
        except Refused as too_many:
            environ[REFUSED] = too_many
        return REFUSED not in environ

    def _enter(self, asking: AdmittedRequest, environ: dict[str, Any]) -> None:
        environ[ADMITTED] = asking
        if (kind := asking.contract.get("counts", "")) is not None:
            by_method = READS if asking.method in ("GET", "HEAD") else CHANGES
            self._rates.check(kind or by_method, asking.caller, asking.address)

    def address(self, environ: Mapping[str, Any]) -> str:
        """Returns the client's address, behind trusted proxies."""
        peer = environ.get("REMOTE_ADDR") or LOOPBACK
        return self._client_of(peer, environ.get("HTTP_X_FORWARDED_FOR"))

    def _caller(self, contract: Mapping[str, Any], authorization: str | None, stream_token: str | None) -> Caller:
        """Returns the caller, who has a scope that the operation needs; raises `Refused`.

        If the answer is the same for all, the store is not asked: operators are known without it.
        """
        if not contract.get("caller"):
            return self._accounts.of_settings(token_in(authorization or "") or "") or NOBODY
        if stream_token and authorization is None:
            caller = self._accounts.stream_caller(stream_token)
        elif authorization is None:
            caller = NOBODY
        elif token := token_in(authorization):
            caller = self._accounts.caller(token)
        else:
            detail = "the field holds no token after the word Bearer: send Authorization: Bearer …"
            raise Refused("unauthenticated", detail)
        if contract["caller"] == "needed":
            check_scopes(caller, contract["scopes"])
        return caller

    def count_refused(self, refusal: Refused) -> Refused:
        """Counts a refused move, and returns the refusal to send: beyond the rate, it gives no reason.

        A body that is not a move counts as well.
        """
        asking: AdmittedRequest | None = request.environ.get(ADMITTED)
        if asking is None or refusal.code in UNCOUNTED or (asking.method, asking.rule) != ("POST", MOVES):
            return refusal
        try:
            self._rates.check(REFUSED_MOVES, asking.caller, asking.address)
        except Refused as too_many:
            return too_many
        return refusal


def install_admission(app: Flask, admission: Admission | None) -> None:
    """Installs admission in the app; requests that the server could not read are refused there."""
    app.extensions["admission"] = admission

    def enter(asked: Request) -> None:
        method, rule, environ = asked.method, asked.url_rule, asked.environ
        if admission is not None and method != "OPTIONS" and ADMITTED not in environ:
            admission.admit(method, rule, environ)
        if rule and REFUSED in environ:  # else nothing is there, whatever was sent
            raise environ[REFUSED]
        if rule and method != "OPTIONS":
            check_unread(app.view_functions[rule.endpoint], asked)

    app.extensions["admit"] = enter


def check_scopes(caller: Caller, alternatives: Sequence[Sequence[str]]) -> None:
    """Raises `Refused` unless the caller has all scopes of one alternative."""
    for scopes in alternatives:
        if caller.player and all(map(caller.has, scopes)):
            return
    caller.needs(*[scopes[0] for scopes in alternatives])
    for scope in alternatives[0] if alternatives else ():
        caller.needs(scope)


def contract_of(view: Any) -> Mapping[str, Any]:
    """Returns the contract of a view: what `Blueprint.contract` was given."""
    told: Mapping[str, Any] = getattr(view, "_apidoc", {}).get("manual_doc", {}).get("x-contract", {})
    varies = [header["name"] for header in told.get("headers", ()) if header["name"] in VARIED]
    return {**told, "varies": [*varies, *(["Authorization"] if told.get("caller") else [])]}


def token_in(authorization: str) -> str | None:
    """Returns the token in an Authorization header, None if there is none."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def _stream_token(method: str, rule: str, environ: Mapping[str, Any]) -> str | None:
    """Returns the stream token in the query of a request that may open a stream."""
    query = environ["QUERY_STRING"]
    if method != "GET" or rule not in STREAMS or STREAM_TOKEN not in query:
        return None
    return query_of(query).get(STREAM_TOKEN)
