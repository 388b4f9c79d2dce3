"""What may go wrong: a refusal, no answer, a stream that cannot go on."""

from collections.abc import Mapping
from typing import Any

import httpx


class Problem(Exception):
    """The server refused a request, and says why (RFC 9457)."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.body = body
        self.code: str = body.get("code", f"http-{status}")
        """for programs; the page that `body["type"]` names says what to do about it"""
        self.detail: str = body.get("detail") or body.get("title") or f"HTTP {status}"
        self.rule: str | None = body.get("rule")
        """the rule of the game that forbids the move"""
        self.retry_after: int | None = body.get("retry_after")
        self.request_id: str | None = body.get("request_id")
        super().__init__(f"{self.code}: {self.detail}" + (f" ({self.rule})" if self.rule else ""))


class NoAnswer(Exception):
    """No answer came, however often the request was repeated; whether it had an effect is not known."""


class StreamEnded(Exception):
    """A stream cannot go on: `access_ended`, or `log_damaged` where the server lost events that it had told."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def problem_of(answer: httpx.Response) -> Problem:
    """The refusal in an answer; what is between us and the server may answer without a problem document."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    return Problem(answer.status_code, body if isinstance(body, dict) else {})
