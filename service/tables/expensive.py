"""Questions that walk through a whole game. Another process may answer them.

A question holds everything that its answer depends on besides the log.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec

from projections.history import TableHistory
from rulings.notation import document_of, write
from rulings.notation.transcript import TranscriptDetails
from service.accounts.callers import Caller
from service.accounts.names import Presenter
from service.commands import CommandHandler
from service.tables.archive_files import ArchivePart, archive_part
from service.tables.audit import Sample, audit, readjudicate
from service.tables.authorisation import Viewer, authorise, authorise_table, authorise_whole, viewer_of
from service.tables.believing import believed
from service.tables.feed import FeedQuery, page
from service.tables.forks import comparison
from service.tables.time_travel import blame, cause_of, difference, find
from service.transcripts import is_transcript, replayed, row_of


class Question(NamedTuple):
    """A question: its name in `ANSWERS` or `OF_AI_MOVES`, the caller, the table if any, and further parameters."""

    name: str
    caller: Caller
    table: str
    asked: dict[str, Any]


class Answer(NamedTuple):
    """The bytes to send, and for an archive the next part."""

    body: bytes
    following: ArchivePart | None = None


class Answering(Protocol):
    """Answers questions."""

    def __call__(self, question: Question) -> Answer: ...
    def close(self) -> None: ...


class Explainer(Protocol):
    """Computes AI moves again."""

    def explain(self, history: TableHistory, version: int) -> msgspec.Struct:
        """Returns the AI move that led to an event, and what the player considered; raises `Refused`."""

    def sample(self, history: TableHistory) -> Sample:
        """Returns some AI moves of a finished table, and those that came out differently."""


def answer(handler: CommandHandler, question: Question, explainer: Explainer) -> Answer:
    """Returns the answer; raises `Refused`."""
    if question.name in OF_AI_MOVES:
        found = OF_AI_MOVES[question.name](handler, question, explainer)
    else:
        found = ANSWERS[question.name](handler, question)
    return found if isinstance(found, Answer) else Answer(msgspec.json.encode(found))


def _presenter(handler: CommandHandler, question: Question) -> Presenter:
    return handler.presenter(question.asked.get("language", "en"))


def _authorised(
    handler: CommandHandler, question: Question, how: Callable[[CommandHandler, str, Caller], TableHistory] = authorise
) -> tuple[TableHistory, Viewer]:
    history = how(handler, question.table, question.caller)
    return history, viewer_of(history.table, question.caller, question.asked.get("seat"))


def _diff(handler: CommandHandler, question: Question) -> Any:
    history, viewer = _authorised(handler, question)
    last = question.asked.get("to", history.table.version)
    first = question.asked.get("first", max(1, last - 1))
    viewer.check(max(first, last))
    found = difference(history, viewer, first, last, _presenter(handler, question))
    return {"table": question.table, "from": first, "to": last} | found._asdict()


def _blame(handler: CommandHandler, question: Question) -> Any:
    history, viewer = _authorised(handler, question)
    at = question.asked.get("at", history.table.version)
    viewer.check(at)
    return blame(history, viewer, question.asked["path"], at, _presenter(handler, question))


def _find(handler: CommandHandler, question: Question) -> Any:
    (history, viewer), asked = _authorised(handler, question), question.asked
    history = history if viewer.until is None else history.until(viewer.until)
    presenter = _presenter(handler, question)
    then, following = find(history, viewer, asked["path"], asked["value"], asked["first"], presenter=presenter)
    cause, at = cause_of(history.events[then.version - 1] if then else None), then.at if then else None
    return cause | {"table": question.table, "at": at, "path": asked["path"], "next": following}


def _audit(handler: CommandHandler, question: Question, explainer: Explainer) -> Any:
    history, viewer = _authorised(handler, question, authorise_table)
    asked, fork = question.asked, history.table.fork
    version, receipt = asked.get("version"), None
    if version is not None:  # whether the log still holds the event of the receipt
        receipt = 1 <= version <= len(history.events) and history.events[version - 1].hash.hex() == asked["hash"]
    parent = handler.cache.load(fork.parent) if fork else None
    sampled = explainer.sample(history) if history.table.over else None
    return audit(history, viewer, parent=parent, sampled=sampled) | {"receipt": receipt}


def _archive(handler: CommandHandler, question: Question) -> Any:
    history, viewer = _authorised(handler, question, authorise_table)
    return Answer(*archive_part(history, viewer, question.asked["after"], question.asked.get("until")))


def _notation(handler: CommandHandler, question: Question) -> Any:
    if is_transcript(question.table):
        return Answer(handler.transcripts.asked(question.table, question.caller).text.encode())
    history, viewer = _authorised(handler, question)
    presenter = _presenter(handler, question)
    names = presenter.names_at(history.table)
    document = document_of(history, viewer.seat, over=viewer.over, names=names, read_text=presenter.text)
    return Answer(write(document).encode())


def _explanation(handler: CommandHandler, question: Question, explainer: Explainer) -> Any:
    history = authorise_table(handler, question.table, question.caller)
    return explainer.explain(history, question.asked["version"])


def _readjudication(handler: CommandHandler, question: Question) -> Any:
    history = authorise_table(handler, question.table, question.caller)
    return readjudicate(history, question.caller, question.asked["options"])


def _comparison(handler: CommandHandler, question: Question) -> Any:
    asked, caller = question.asked, question.caller
    one, other = (authorise(handler, name, caller) for name in (question.table, asked["other"]))
    return comparison(handler, one, other, caller, asked["language"])


def _beliefs(handler: CommandHandler, question: Question) -> Any:
    history = authorise_whole(handler, question.table, question.caller, "no_world")
    return believed(handler, history, question.caller, question.asked)


def _feed(handler: CommandHandler, question: Question) -> Any:
    asked = question.asked
    types, language = tuple(asked.get("types", ())), asked.get("words")
    query = FeedQuery(asked.get("game"), types, asked.get("player"), handler.presenter(language or "en"), language)
    return page(handler, asked.get("cursor"), asked["limit"], query)


def _transcript(_: CommandHandler, question: Question) -> Any:
    asked = question.asked
    kept = TranscriptDetails(question.table, question.caller.needs().id, asked["at"], asked["visibility"])
    return row_of(replayed(asked["text"], kept))


ANSWERS: dict[str, Callable[[CommandHandler, Question], Any]] = {
    "diff": _diff,
    "blame": _blame,
    "find": _find,
    "archive": _archive,
    "notation": _notation,
    "readjudication": _readjudication,
    "comparison": _comparison,
    "beliefs": _beliefs,
    "feed": _feed,
    "transcript": _transcript,
}

OF_AI_MOVES: dict[str, Callable[[CommandHandler, Question, Explainer], Any]] = {
    "audit": _audit,
    "explanation": _explanation,
}
