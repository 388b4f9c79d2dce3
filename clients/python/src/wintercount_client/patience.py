"""When a request is sent again, and how long one waits before."""

import random

import httpx

from wintercount_client.calls import Call
from wintercount_client.problems import NoAnswer, Problem, problem_of

FIRST_S = 0.5
LONGEST_S = 8.0
REFUSED_FOR_NOW = (429,)  # and nothing was done
PERHAPS_DONE = (502, 503, 504)  # by what stands before the server, or by a store that did not answer in time
OVERTAKEN = "conflict"  # others were faster several times in a row


class Patience:
    """How often a call may still be repeated: as long as all waits together take no longer than `left_s` seconds."""

    def __init__(self, call: Call[object], left_s: float) -> None:
        self._call, self._all_s = call, left_s
        self.renew()

    def renew(self) -> None:
        """Something came: whatever is lost from now on has all the time again."""
        self._left_s, self._tries = self._all_s, 0

    def after_break(self, answer: httpx.Response | None, error: Exception | None) -> float:
        """Seconds to wait after a stream was refused or broke off."""
        return self.after_refusal(answer) if answer is not None and answer.is_error else self.after_loss(error)

    def after_loss(self, error: Exception | None = None) -> float:
        """Seconds to wait after no answer came; raises `NoAnswer` if the call is not to be repeated."""
        if isinstance(error, httpx.UnsupportedProtocol):  # the address is wrong, and stays so
            raise error
        wait_s = self._backoff_s()
        connected = not isinstance(error, httpx.ConnectError)
        if (connected and not self._call.may_be_repeated) or wait_s > self._left_s:
            raise NoAnswer(f"{self._call.method} {self._call.path}: {error or 'the stream broke off'}") from error
        return self._take(wait_s)

    def after_refusal(self, answer: httpx.Response) -> float:
        """Seconds to wait after a refusal that may not last; raises `Problem` for any other."""
        problem = problem_of(answer)
        wait_s = self._told_s(answer)
        if not self._may_pass(problem) or wait_s > self._left_s:
            raise problem
        return self._take(wait_s)

    def _may_pass(self, problem: Problem) -> bool:
        if problem.status in REFUSED_FOR_NOW:
            return True
        return self._call.may_be_repeated and (problem.status in PERHAPS_DONE or problem.code == OVERTAKEN)

    def _told_s(self, answer: httpx.Response) -> float:
        told = answer.headers.get("Retry-After", "")
        return float(told) if told.isdecimal() else self._backoff_s()

    def _backoff_s(self) -> float:
        longest_s: float = min(LONGEST_S, FIRST_S * 2**self._tries)
        return longest_s * random.uniform(0.5, 1)  # noqa: S311 - so that many clients do not come back at once

    def _take(self, wait_s: float) -> float:
        self._left_s -= wait_s
        self._tries += 1
        return wait_s
