"""Logging: text for people or JSON for programs, each line with the id of its request or job."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Literal

from flask import g, has_app_context
from pythonjsonlogger.json import JsonFormatter

Form = Literal["text", "json"]
NOTHING = "-"  # outside of a request
TEXT = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"
FIELDS = {"levelname": "level", "name": "logger"}
FORMATTERS: dict[str, Callable[[], logging.Formatter]] = {
    "text": lambda: logging.Formatter(TEXT),
    "json": lambda: JsonFormatter(["levelname", "name", "request_id", "message"], rename_fields=FIELDS, timestamp=True),
}
requests = logging.getLogger("service.requests")  # one line for each request
job: ContextVar[str] = ContextVar("job", default=NOTHING)


class RequestNames(logging.Filter):
    """Adds the id of the request or job to each line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Passes every line."""
        record.request_id = g.get("request_id", job.get()) if has_app_context() else job.get()
        return True


@contextlib.contextmanager
def about(name: str) -> Iterator[None]:
    """Logs the lines of the block under this id."""
    before = job.set(name)
    try:
        yield
    finally:
        job.reset(before)


def set_up(level: str, form: Form) -> logging.Handler:
    """Logs to standard error from this level on. It may be called again."""
    root = logging.getLogger()
    ours = next((one for one in root.handlers if any(isinstance(found, RequestNames) for found in one.filters)), None)
    handler = ours or logging.StreamHandler()
    handler.setFormatter(FORMATTERS[form]())
    if ours is None:
        handler.addFilter(RequestNames())
        root.addHandler(handler)
    root.setLevel(level.upper())
    return handler


def log_answer(method: str, route: str, status: int, took_s: float) -> None:
    """Logs a request by its route, without ids or contents."""
    if requests.isEnabledFor(logging.INFO):
        duration_ms = round(took_s * 1000, 1)
        fields = {"method": method, "route": route, "status": status, "duration_ms": duration_ms}
        requests.info("%s %s %d %.1f ms", method, route, status, duration_ms, extra=fields)
