"""The log of a process: lines for people or JSON for programs, each with the request or job that it is about."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Literal

from flask import g, has_app_context
from pythonjsonlogger.json import JsonFormatter

Form = Literal["text", "json"]
NOTHING = "-"  # what a line is about that is about no request
TEXT = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"
FIELDS = {"levelname": "level", "name": "logger"}
FORMATTERS: dict[str, Callable[[], logging.Formatter]] = {
    "text": lambda: logging.Formatter(TEXT),
    "json": lambda: JsonFormatter(["levelname", "name", "request_id", "message"], rename_fields=FIELDS, timestamp=True),
}
requests = logging.getLogger("service.requests")  # a line for each request that was answered
job: ContextVar[str] = ContextVar("job", default=NOTHING)


class RequestNames(logging.Filter):
    """Gives each line the name of the request that it is about, or of the job."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets every line pass."""
        record.request_id = g.get("request_id", job.get()) if has_app_context() else job.get()
        return True


@contextlib.contextmanager
def about(name: str) -> Iterator[None]:
    """Gives the lines of the block this name."""
    before = job.set(name)
    try:
        yield
    finally:
        job.reset(before)


def set_up(level: str, form: Form) -> logging.Handler:
    """Has this process log lines from this level on to standard error, once however often it is called."""
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
    """A line for a request: which resource, not which table, and nothing of what was sent or answered."""
    if requests.isEnabledFor(logging.INFO):
        duration_ms = round(took_s * 1000, 1)
        fields = {"method": method, "route": route, "status": status, "duration_ms": duration_ms}
        requests.info("%s %s %d %.1f ms", method, route, status, duration_ms, extra=fields)
