"""Who asks, as far as the server knows it by now, and with which requests theirs shares the threads."""

from typing import Any

from flask import Flask

from service.accounts.callers import Caller
from service.api.admission import ASKING, Admission, Asking, Operation
from service.api.common import Services
from service.errors import Refused
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


def kind_of_turn(app: Flask, environ: dict[str, Any]) -> str:
    """Among which requests (kinds of `Turns`) one waits that was let in."""
    asking: Asking | None = environ.get(ASKING)
    return kind_of_move(app, asking.operation, asking.caller, asking.address) if asking else OTHERS


def kind_of_move(app: Flask, operation: Operation, caller: Caller, address: str) -> str:
    """Whether this is a move of the caller for which the table waits, as far as this process knows.

    At a table that it has not in memory it may be. Whoever has had as many moves refused as may be waits with all
    others: no table is likely to have waited for the next one.
    """
    if not is_move(operation.method, operation.rule) or caller.id is None:
        return OTHERS
    services: Services = app.extensions["wintercount"]
    history = services.handler.histories.known(operation.arguments["table"])
    if history and not history.table.is_due(caller.id):
        return OTHERS
    try:
        services.limits.check(caller, address, REFUSED_MOVES)
    except Refused:
        return OTHERS
    return AWAITED
