"""Who asks, as far as the server knows it by now, and with which requests theirs shares the threads."""

from typing import Any, NamedTuple

from flask import Flask

from service.accounts.callers import NOBODY, Caller
from service.api.admission import ASKING, REFUSED, Admission, Asking, Operation
from service.api.common import Services
from service.limits.budgets import REFUSED_MOVES
from service.limits.costs import is_move
from service.runtime.turns import AWAITED, OTHERS


def address_of(app: Flask, environ: dict[str, Any]) -> str:
    """The client's address, or the connection's until the app knows."""
    admission: Admission | None = app.extensions.get("admission")
    return admission.address(environ) if admission else str(environ["REMOTE_ADDR"])


def caller_of(environ: dict[str, Any]) -> str:
    """Who asks: the account, whichever of its tokens it sends, or without a token the address."""
    asking: Asking | None = environ.get(ASKING)
    return asking.caller.id or asking.address if asking else str(environ["REMOTE_ADDR"])


class Waiting(NamedTuple):
    """Who waits for a thread, as far as is known, at which address, and among which requests (a kind of `Turns`)."""

    caller: Caller
    address: str
    kind: str


def who_waits(app: Flask, environ: dict[str, Any]) -> Waiting:
    """Who sent a request that was let in, or refused: no move is one that the server has refused already."""
    asking: Asking | None = environ.get(ASKING)
    if asking is None or REFUSED in environ:
        return Waiting(NOBODY, address_of(app, environ), OTHERS)
    kind = kind_of_move(app, asking.operation, asking.caller, asking.address)
    return Waiting(asking.caller, asking.address, kind)


def who_seems_to_wait(app: Flask, admission: Admission, operation: Operation, environ: dict[str, Any]) -> Waiting:
    """Who seems to have sent a request whose token the store has to be asked for: who it was the last time."""
    caller, address = admission.last_known(environ["HTTP_AUTHORIZATION"]), admission.address(environ)
    return Waiting(caller, address, kind_of_move(app, operation, caller, address))


def kind_of_move(app: Flask, operation: Operation, caller: Caller, address: str) -> str:
    """Whether this is a move of the caller for which the table waits, as far as this process knows.

    At a table that it has not in memory it may be. Whoever has had some moves refused of late waits with all others:
    who plays has hardly any, and those of two hundred addresses, as many as may be, would take all of the moves' time.
    """
    if not is_move(operation.method, operation.rule) or caller.id is None:
        return OTHERS
    services: Services = app.extensions["wintercount"]
    history = services.handler.histories.known(operation.arguments["table"])
    if history and not history.table.is_due(caller.id):
        return OTHERS
    return AWAITED if services.limits.has_spent_little(caller, address, REFUSED_MOVES) else OTHERS


def count_as_refused(app: Flask, who: Waiting) -> None:
    """Counts a move as one that is refused whose client has gone meanwhile: to hang up costs nothing otherwise."""
    if who.kind == AWAITED:
        app.extensions["wintercount"].limits.note(who.caller, who.address, REFUSED_MOVES, 1)
