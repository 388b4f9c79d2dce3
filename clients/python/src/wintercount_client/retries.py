"""When a request is sent again, and how long the client waits before."""

import random

import httpx

from wintercount_client.calls import Call
from wintercount_client.problems import NoAnswer, Problem, problem_of

FIRST_S = 0.5
LONGEST_S = 8.0
NOTHING_DONE = (429,)
PERHAPS_DONE = (502, 503, 504)  # by a proxy, or by a store that did not answer in time
OVERTAKEN = "conflict"  # others were faster several times in a row


class Retries:
    """The retries of a call: the waits between them add up to at most `limit_s` seconds."""

    def __init__(self, call: Call[object], limit_s: float) -> None:
        self._call, self._limit_s = call, limit_s
        self.reset()

    def reset(self) -> None:
        """Starts again after a success."""
        self._left_s, self._tries = self._limit_s, 0

    def after_break(self, answer: httpx.Response | None, error: Exception | None) -> float:
        """Returns the seconds to wait after a stream was refused or broke off."""
        return self.after_refusal(answer) if answer is not None and answer.is_error else self.after_loss(error)

    def after_loss(self, error: Exception | None = None) -> float:
        """Returns the seconds to wait after no answer came; raises `NoAnswer` if the call must not be repeated."""
        if isinstance(error, httpx.UnsupportedProtocol):  # the address is wrong, and stays so
            raise error
        wait_s = self._backoff_s()
        was_sent = not isinstance(error, httpx.ConnectError)
        if (was_sent and not self._call.may_be_repeated) or wait_s > self._left_s:
            raise NoAnswer(f"{self._call.method} {self._call.path}: {error or 'the stream broke off'}") from error
        return self._take(wait_s)

    def after_refusal(self, answer: httpx.Response) -> float:
        """Returns the seconds to wait after a refusal that may pass; raises `Problem` for any other."""
        problem = problem_of(answer)
        header = answer.headers.get("Retry-After", "")
        wait_s = float(header) if header.isdecimal() else self._backoff_s()
        if not self._may_pass(problem) or wait_s > self._left_s:
            raise problem
        return self._take(wait_s)

    def _may_pass(self, problem: Problem) -> bool:
        if problem.status in NOTHING_DONE:
            return True
        return self._call.may_be_repeated and (problem.status in PERHAPS_DONE or problem.code == OVERTAKEN)

    def _backoff_s(self) -> float:
        longest_s: float = min(LONGEST_S, FIRST_S * 2**self._tries)
        return longest_s * random.uniform(0.5, 1)  # noqa: S311 - so that many clients do not come back at once

    def _take(self, wait_s: float) -> float:
        self._left_s -= wait_s
        self._tries += 1
        return wait_s
