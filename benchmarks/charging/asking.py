"""Asks every case at its places, in every form, and tells what it was charged and what it took."""

import gc
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tqdm import tqdm

from benchmarks.charging.before import BEFORE, filled, token_of, written
from benchmarks.charging.before_people import NothingLeft
from benchmarks.charging.cases import Case, Operation, operations
from benchmarks.charging.hall import Hall
from benchmarks.charging.place import Place
from benchmarks.charging.serving import ADMIN, Asked, Served
from benchmarks.yardstick import pace, plain
from service.runtime.http import LEAST_BYTES

MEASURED = 20_000  # yardsticks a second, plain, of the machine on which the figures were measured: results/latest.md
YARD_S = 0.02
YARD_KEPT_S = 1.0  # for which a yardstick is taken for that of the moment
TIMES = 5  # that something is asked at most: until it is clear that it is charged enough
TWICE, MUCH_MS = 2, 20  # above both of which something is undercharged
NAMED = re.compile(r"<(?:[^<>]*:)?([a-z_]+)>")
OPERATOR = "operator"  # who has no budget
NOWHERE = Place("nowhere", {})
ENCODINGS = ("br", "gzip")
COMPRESSED_A_MS = 5_000  # bytes, at the least
STREAM = "text/event-stream"
UNKNOWN = {"table": "t_aaaaaaaaaaaaaaaa", "version": 999_999, "seat": 9, "seats": 9}
JUNK = {f"name {number}": number for number in range(990)}
JUNK_QUERY = "?" + "&".join(f"name{number}={'v' * 70}" for number in range(99))


class Found(NamedTuple):
    """What came of a case at a place: where the table was read from, the least that it took of so many times."""

    operation: str
    place: str
    what: str
    read_from: str
    asked: Asked
    took_ms: float  # of the processor, as it would be on the machine on which the figures were measured
    times: int
    is_operators: bool = False

    @property
    def ratio(self) -> float:
        """How many times the charge it took; what is free counts as a millisecond."""
        return self.took_ms / max(1, self.asked.work_ms)

    @property
    def compressing_ms(self) -> float:
        """What compressing it takes at the most."""
        size = self.asked.size
        return size / COMPRESSED_A_MS if size >= LEAST_BYTES else 0.0

    def told(self) -> str:
        """It in a line."""
        where = f"{self.operation} {self.what} at {self.place}, from {self.read_from}, {self.asked.status}"
        return f"{where}: {self.took_ms:.0f} ms for a charge of {self.asked.work_ms}"

    @property
    def is_undercharged(self) -> bool:
        """Whether it took much more than it was charged; operators have no budget."""
        return not self.is_operators and self.ratio > TWICE and self.took_ms > MUCH_MS


class Sending(NamedTuple):
    """A request in one of its forms: what it is called, and what differs."""

    what: str
    headers: Mapping[str, str] = {}
    query: str | None = None
    body: Any = None


AS_IT_IS = Sending("")


class Asker:
    """Asks at a service; `cold`, if given, is one that has next to nothing in memory."""

    def __init__(self, hall: Hall, cold: Served | None = None, small: Sequence[str] = ()) -> None:
        self.hall, self.served, self._cold, self._small = hall, hall.served, cold, small
        self.operations = operations(self.served.app)
        self.skipped: dict[str, str] = {}
        self._paces, self._yard_until = list[float](), 0.0

    def ask_all(self, cases: Sequence[Case], places: Mapping[str, Sequence[Place]]) -> Iterator[Found]:
        """Reads first, in memory and cold, then what changes something; of each operation refusals too."""
        reads = [case for case in cases if self._operation(case).method == "GET"]
        refused = set[str]()
        for case in tqdm([*reads, *(case for case in cases if case not in reads)], unit="case", file=sys.stderr):
            for place in _at(case, places):
                yield from self.ask_at(case, place)
                if case.operation not in refused:
                    refused.add(case.operation)
                    yield from self._measured(case, place, self.served, "refused", refusals(self._operation(case)))

    def ask_at(self, case: Case, place: Place) -> Iterator[Found]:
        """A case at a place: cold, then in memory."""
        if self._cold and case.cold:
            yield from self._measured(case, place, self._cold, "store", [AS_IT_IS])
        yield from self._measured(case, place, self.served, "memory", forms(self._operation(case)))

    def ask_archived(self, cases: Iterable[Case], places: Mapping[str, Sequence[Place]]) -> Iterator[Found]:
        """The same of tables that are in the archive by now, none of them in memory."""
        if self._cold is None:
            return
        for case in tqdm([case for case in cases if case.cold], unit="archived case", file=sys.stderr):
            for place in _at(case, places):
                yield from self._measured(case, place, self._cold, "archive", [AS_IT_IS])

    def _operation(self, case: Case) -> Operation:
        return self.operations[case.operation]

    def _measured(
        self, case: Case, place: Place, served: Served, read_from: str, sendings: Iterable[Sending]
    ) -> Iterator[Found]:
        """Each form of a request, but for those compressed that can take no more than is charged."""
        is_enough = False
        for sending in sendings:
            if is_enough and sending.what in ENCODINGS:
                continue
            try:
                found = self._least(case, place, served, sending)
            except NothingLeft as why:
                self.skipped.setdefault(case.operation, str(why))
                return
            what = f"{case.query} {sending.what}".strip()
            one = Found(case.operation, place.name, what, read_from, *found, case.who == OPERATOR)
            if one.is_undercharged:
                tqdm.write(one.told(), file=sys.stderr)
            yield one
            is_enough = one.asked.size < LEAST_BYTES or one.took_ms + one.compressing_ms <= one.asked.work_ms

    def _least(self, case: Case, place: Place, served: Served, sending: Sending) -> tuple[Asked, float, int]:
        """The answer that took least, how long on the machine that is meant, and how often it was asked."""
        found: list[tuple[float, Asked]] = []
        while len(found) < TIMES:
            if served is self._cold:
                self._forget()
            asked = self._sent(case, place, served, sending)
            found.append((asked.took_ms * self._yard() / MEASURED, asked))
            took_ms, least = min(found, key=lambda one: one[0])
            if case.who == OPERATOR or took_ms <= MUCH_MS or took_ms <= TWICE * least.work_ms:
                break
        return least, took_ms, len(found)

    def _yard(self) -> float:
        """How the yardstick reads at the moment."""
        if time.monotonic() > self._yard_until:
            self._paces.append(pace(plain, YARD_S))
            self._yard_until = time.monotonic() + YARD_KEPT_S
        return self._paces[-1]

    def _forget(self) -> None:
        """Has the cold service read so many small tables that it knows no other."""
        if self._cold:
            for table in self._small:
                self._cold.open("GET", f"/v1/tables/{table}")

    def _sent(self, case: Case, place: Place, served: Served, sending: Sending) -> Asked:
        """One answer; raises `NothingLeft`, or `RuntimeError` where the service fails."""
        operation = self._operation(case)
        made = dict(place.names) | dict(BEFORE[case.before](self.hall, place))
        named = made | filled(dict(case.names), made)
        named |= {} if sending.what != "unknown" else {name: UNKNOWN.get(name, "unknown") for name in _names(operation)}
        query = case.query.format_map(made) if sending.query is None else sending.query
        path = NAMED.sub(lambda found: str(named[found[1]]), operation.rule) + query
        body = filled(case.body, made) if sending.body is None else sending.body
        headers = dict(case.headers) | dict(sending.headers)
        token = token_of(case.who, made, place.token, ADMIN)
        answer = served.ask(operation.method, path, token, headers=headers, **written(body))
        if answer.status >= 500:
            raise RuntimeError(f"{operation.method} {path}: {answer}")
        return answer


def _names(operation: Operation) -> list[str]:
    return NAMED.findall(operation.rule)


def _at(case: Case, places: Mapping[str, Sequence[Place]]) -> list[Place]:
    return [place for kind in case.places for place in places.get(kind, ())] if case.places else [NOWHERE]


def forms(operation: Operation) -> Iterator[Sending]:
    """The forms in which an operation answers: as JSON, compressed, and what else there is."""
    yield AS_IT_IS
    if operation.method != "GET":
        return
    for encoding in ENCODINGS:
        yield Sending(encoding, {"Accept-Encoding": encoding})
    for form in operation.forms:
        encodings = {} if form == STREAM else {"Accept-Encoding": "br"}
        yield Sending(f"as {form}", {"Accept": form} | encodings)


def refusals(operation: Operation) -> Iterator[Sending]:
    """What is refused: names that are unknown, and junk."""
    yield Sending("query of junk", query=JUNK_QUERY)
    if operation.method in ("POST", "PUT"):
        yield Sending("body of junk", body=JUNK)
        yield Sending("deep body", body=_deep())
    if _names(operation):
        yield Sending("unknown")


def _deep() -> Any:
    found: Any = "x" * 30_000
    for _ in range(200):
        found = [found]
    return found


def settle() -> None:
    """Keeps the garbage collector away from all that is there, as the web process does."""
    gc.collect()
    gc.freeze()
