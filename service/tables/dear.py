"""Reads that walk through a whole game: what each of them answers. They are dear, and so may be answered elsewhere.

A question has everything that the answer depends on besides the log: who asks, and what the request said.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from projections.history import History
from service.accounts import Caller
from service.house import House
from service.tables.audit import Part, archive_part, audit, readjudicate, receipt_holds
from service.tables.branches import comparison
from service.tables.reading import Eyes, eyes_of, table_for
from service.tables.travel import blame, cause_of, difference, find


class Question(NamedTuple):
    """What is asked (a name in `ANSWERS`), by whom, about which table, and the members of the request."""

    name: str
    caller: Caller
    table: str
    asked: dict[str, Any]


class Answer(NamedTuple):
    """The bytes to be sent, and of an archive the part that follows."""

    body: bytes
    following: Part | None = None


def answer(house: House, question: Question) -> Answer:
    """The answer; raises `Refused`."""
    found = ANSWERS[question.name](house, question)
    return found if isinstance(found, Answer) else Answer(msgspec.json.encode(found))


def _seen(house: House, question: Question) -> tuple[History, Eyes]:
    history = table_for(house, question.table, question.caller)
    return history, eyes_of(history.table, question.caller, question.asked.get("seat"))


def _diff(house: House, question: Question) -> Any:
    history, eyes = _seen(house, question)
    last = question.asked.get("to", history.table.version)
    first = question.asked.get("first", max(1, last - 1))
    eyes.check(max(first, last))
    return {"table": question.table, "from": first, "to": last} | difference(history, eyes, first, last)._asdict()


def _blame(house: House, question: Question) -> Any:
    history, eyes = _seen(house, question)
    at = question.asked.get("at", history.table.version)
    eyes.check(at)
    return blame(history, eyes, question.asked["path"], at)


def _find(house: House, question: Question) -> Any:
    history, eyes = _seen(house, question)
    asked = question.asked
    history = history if eyes.until is None else history.until(eyes.until)
    then, following = find(history, eyes, asked["path"], asked["value"], asked["first"])
    cause = cause_of(history.events[then.version - 1] if then else None)
    return cause | {
        "table": question.table,
        "at": then.at if then else None,
        "path": asked["path"],
        "next": following,
    }


def _audit(house: House, question: Question) -> Any:
    history, eyes = _seen(house, question)
    asked, fork = question.asked, history.table.fork
    receipt = receipt_holds(history, asked["version"], asked["hash"]) if "version" in asked else None
    parent = house.histories.fresh(fork.parent) if fork else None
    sampled = asked["sampled"] if history.table.over else None
    return audit(history, eyes, parent=parent, sampled=sampled) | {"receipt": receipt}


def _archive(house: House, question: Question) -> Any:
    history, eyes = _seen(house, question)
    return Answer(*archive_part(history, eyes, question.asked["after"], question.asked.get("until")))


def _readjudication(house: House, question: Question) -> Any:
    history = table_for(house, question.table, question.caller)
    return readjudicate(history, question.caller, question.asked["options"])


def _comparison(house: House, question: Question) -> Any:
    asked, caller = question.asked, question.caller
    one, other = (table_for(house, name, caller) for name in (question.table, asked["other"]))
    return comparison(house, one, other, caller, asked["language"])


ANSWERS: dict[str, Callable[[House, Question], Any]] = {
    "diff": _diff,
    "blame": _blame,
    "find": _find,
    "audit": _audit,
    "archive": _archive,
    "readjudication": _readjudication,
    "comparison": _comparison,
}
