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
from service.accounts.shown_names import Presenter
from service.command_handler import CommandHandler
from service.tables.archive_transfer import ArchivePart, archive_part
from service.tables.audit import Sample, audit, readjudicate
from service.tables.authorisation import Viewer, authorise, authorise_table, authorise_whole, viewer_of
from service.tables.beliefs import believed
from service.tables.feed import FeedQuery, page
from service.tables.forks import comparison
from service.tables.time_travel import blame, cause_of, difference, find
from service.transcripts import is_transcript, replayed, row_of

Parameters = dict[str, Any]
Authorise = Callable[[CommandHandler, str, Caller], TableHistory]


class Question(NamedTuple):
    """A question: its name in `ANSWERS`, the caller, the table if any, and further parameters."""

    name: str
    caller: Caller
    table: str
    asked: Parameters


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


class Asked(NamedTuple):
    """A question, and what it takes to answer it."""

    handler: CommandHandler
    question: Question
    explainer: Explainer

    @property
    def presenter(self) -> Presenter:
        """The presenter of names and texts in the language of the question."""
        return self.handler.presenter(self.question.asked.get("language", "en"))

    def history(self, authorised: Authorise = authorise) -> TableHistory:
        """Returns the table of the question; raises `Refused`."""
        return authorised(self.handler, self.question.table, self.question.caller)

    def viewed(self, authorised: Authorise = authorise) -> tuple[TableHistory, Viewer]:
        """Returns the table of the question, and the caller as its viewer; raises `Refused`."""
        history = self.history(authorised)
        return history, viewer_of(history.table, self.question.caller, self.question.asked.get("seat"))


def answer(handler: CommandHandler, question: Question, explainer: Explainer) -> Answer:
    """Returns the answer; raises `Refused`."""
    found = ANSWERS[question.name](Asked(handler, question, explainer), question.asked)
    return found if isinstance(found, Answer) else Answer(msgspec.json.encode(found))


def _diff(it: Asked, asked: Parameters) -> Any:
    history, viewer = it.viewed()
    last = asked.get("to", history.table.version)
    first = asked.get("first", max(1, last - 1))
    viewer.check(max(first, last))
    found = difference(history, viewer, first, last, it.presenter)
    return {"table": it.question.table, "from": first, "to": last} | found._asdict()


def _blame(it: Asked, asked: Parameters) -> Any:
    history, viewer = it.viewed()
    at = asked.get("at", history.table.version)
    viewer.check(at)
    return blame(history, viewer, asked["path"], at, it.presenter)


def _find(it: Asked, asked: Parameters) -> Any:
    history, viewer = it.viewed()
    history = history if viewer.until is None else history.until(viewer.until)
    then, following = find(history, viewer, asked["path"], asked["value"], asked["first"], presenter=it.presenter)
    cause, at = cause_of(history.events[then.version - 1] if then else None), then.at if then else None
    return cause | {"table": it.question.table, "at": at, "path": asked["path"], "next": following}


def _audit(it: Asked, asked: Parameters) -> Any:
    history, viewer = it.viewed(authorise_table)
    fork, version, receipt = history.table.fork, asked.get("version"), None
    if version is not None:  # whether the log still holds the event of the receipt
        receipt = 1 <= version <= len(history.events) and history.events[version - 1].hash.hex() == asked["hash"]
    parent = it.handler.cache.load(fork.parent) if fork else None
    sampled = it.explainer.sample(history) if history.table.over else None
    return audit(history, viewer, parent=parent, sampled=sampled) | {"receipt": receipt}


def _archive(it: Asked, asked: Parameters) -> Any:
    return Answer(*archive_part(*it.viewed(authorise_table), asked["after"], asked.get("until")))


def _notation(it: Asked, _: Parameters) -> Any:
    if is_transcript(it.question.table):
        return Answer(it.handler.transcripts.asked(it.question.table, it.question.caller).text.encode())
    history, viewer = it.viewed()
    presenter = it.presenter
    names = presenter.names_at(history.table)
    document = document_of(history, viewer.seat, over=viewer.over, names=names, read_text=presenter.text)
    return Answer(write(document).encode())


def _comparison(it: Asked, asked: Parameters) -> Any:
    caller = it.question.caller
    one, other = it.history(), authorise(it.handler, asked["other"], caller)
    return comparison(it.handler, one, other, caller, asked["language"])


def _beliefs(it: Asked, asked: Parameters) -> Any:
    history = authorise_whole(it.handler, it.question.table, it.question.caller, "no_world")
    return believed(it.handler, history, it.question.caller, asked)


def _feed(it: Asked, asked: Parameters) -> Any:
    types, language = tuple(asked.get("types", ())), asked.get("words")
    query = FeedQuery(asked.get("game"), types, asked.get("player"), it.handler.presenter(language or "en"), language)
    return page(it.handler, asked.get("cursor"), asked["limit"], query)


def _transcript(it: Asked, asked: Parameters) -> Any:
    kept = TranscriptDetails(it.question.table, it.question.caller.needs().id, asked["at"], asked["visibility"])
    return row_of(replayed(asked["text"], kept))


ANSWERS: dict[str, Callable[[Asked, Parameters], Any]] = {
    "diff": _diff,
    "blame": _blame,
    "find": _find,
    "audit": _audit,
    "archive": _archive,
    "notation": _notation,
    "explanation": lambda it, asked: it.explainer.explain(it.history(authorise_table), asked["version"]),
    "readjudication": lambda it, asked: readjudicate(it.history(authorise_table), it.question.caller, asked["options"]),
    "comparison": _comparison,
    "beliefs": _beliefs,
    "feed": _feed,
    "transcript": _transcript,
}
