"""Logging, as text or as JSON; each line has the id of its request or job."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Literal

from flask import g, has_app_context
from pythonjsonlogger.json import JsonFormatter

Form = Literal["text", "json"]
NO_ID = "-"  # outside of requests and jobs
TEXT = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"
FIELDS = {"levelname": "level", "name": "logger"}
FORMATTERS: dict[str, Callable[[], logging.Formatter]] = {
    "text": lambda: logging.Formatter(TEXT),
    "json": lambda: JsonFormatter(["levelname", "name", "request_id", "message"], rename_fields=FIELDS, timestamp=True),
}
requests = logging.getLogger("service.requests")  # one line for each request
job: ContextVar[str] = ContextVar("job", default=NO_ID)


class IdFilter(logging.Filter):
    """Adds the id of the request or job to each line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Passes every line."""
        record.request_id = g.get("request_id", job.get()) if has_app_context() else job.get()
        return True


@contextlib.contextmanager
def about(name: str) -> Iterator[None]:
    """Gives the lines that the block logs this id."""
    before = job.set(name)
    try:
        yield
    finally:
        job.reset(before)


def set_up(level: str, form: Form) -> logging.Handler:
    """Logs to standard error from this level on; a repeated call changes level and form."""
    root = logging.getLogger()
    handler = next((one for one in root.handlers if any(isinstance(two, IdFilter) for two in one.filters)), None)
    if handler is None:
        handler = logging.StreamHandler()
        handler.addFilter(IdFilter())
        root.addHandler(handler)
    handler.setFormatter(FORMATTERS[form]())
    root.setLevel(level.upper())
    return handler


def log_answer(method: str, route: str, status: int, took_s: float) -> None:
    """Logs a request with its route instead of its path, which may hold ids."""
    if requests.isEnabledFor(logging.INFO):
        duration_ms = round(took_s * 1000, 1)
        fields = {"method": method, "route": route, "status": status, "duration_ms": duration_ms}
        requests.info("%s %s %d %.1f ms", method, route, status, duration_ms, extra=fields)
