"""How commands fail: with a sentence on what is wrong and what to do, or with `--json` a problem as a line of JSON.

Both go to standard error. A refusal of a service is the problem document that it sent.
"""

import contextlib
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click
import msgspec

from wintercount.cli.printing import PROGRAMS, write_all_letters

if TYPE_CHECKING:
    import requests

INTERRUPTED = 128 + signal.SIGINT  # the exit status, as shells have it
SERVICE = "--server takes its address, such as http://127.0.0.1:8000; `wintercount run` prints it"
FULL = "the store has no memory left and refuses writes: give it memory, and run the command again"
AN_ACCOUNT = "Log in with `wintercount login`, or give a token (--token or WINTERCOUNT_TOKEN)"
ADVICE = {  # in place of the advice for clients of the API
    "unauthenticated": f"{AN_ACCOUNT}.",
    "scope_missing": f"{AN_ACCOUNT} that has the scope.",
    "invalid": "`wintercount COMMAND --help` lists what a command takes.",
    "no_such_game": "Use one of these names.",
    "no_such_table": f"Check the id. {AN_ACCOUNT} of somebody at the table if it is private.",
}
CLEAR = (  # errors whose message is the sentence; by name, as no command imports what it does not need
    "events.archiving.objects.MissingObject",
    "rulings.archive_format.ArchiveRefused",
    "rulings.cases.NoCaseError",
    "service.accounts.sealing.SecretUnusable",
    "worker.monthly_dumps.DumpRefused",
    "service.errors.Refused",
    "events.waiting_for_store.StoreTooOld",
    "wintercount.operations.backup.BackupRefused",
    "wintercount.operations.maintenance.AlreadyLocked",
    "wintercount.operations.table_sources.NoTable",
    "wintercount.scaffold.NameRefused",
)


class Problem(click.ClickException):
    """An error with a problem document for programs and a sentence for people."""

    as_json = False

    def __init__(self, document: dict[str, Any], sentence: str | None = None, status: int = 1) -> None:
        super().__init__(sentence or document["detail"])
        self.document = document
        self.exit_code = status  # type: ignore[misc] # click declares it for the class

    def show(self, file: Any = None) -> None:
        """Prints the document as a line of JSON, or the sentence."""
        if self.as_json:
            click.echo(msgspec.json.encode(self.document).decode(), file=file, err=file is None)
        else:
            super().show(file)


class Commands(click.Group):
    """A group of commands that fail in one way."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Notes `--json` before anything can fail."""
        ctx.obj = PROGRAMS in args
        write_all_letters(for_programs=ctx.obj)
        with refusing(as_json=ctx.obj):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        with refusing(as_json=ctx.obj):
            return super().invoke(ctx)


@contextlib.contextmanager
def refusing(*, as_json: bool) -> Iterator[None]:
    """Turns errors that are foreseen into `Problem`; Ctrl-C ends the command without a message."""
    try:
        yield
    except (click.exceptions.Exit, click.Abort, BrokenPipeError):  # click ends silently if nobody reads the output
        raise
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
    except Exception as error:
        problem = problem_of(error)
        if problem is None or (isinstance(error, click.UsageError) and not as_json):
            raise
        problem.as_json = as_json
        raise problem from None


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Makes a command that checks exit with 2 if the store does not answer: 1 would be a fault."""
    try:
        yield
    except Exception as error:
        found = problem_of(error) if isinstance(error, click.ClickException) else _of_a_store(error)
        if found is None:
            raise
        raise Problem(found.document, status=2) from None


def problem_of(error: Exception) -> Problem | None:
    """Returns the problem of an error that is foreseen, else None."""
    import requests

    if isinstance(error, Problem):
        return error
    if isinstance(error, click.ClickException):
        code = "usage" if isinstance(error, click.UsageError) else "failed"
        return _problem(code, error.format_message(), error.exit_code)
    if isinstance(error, requests.RequestException):
        return of_a_service(error)
    return _of_a_store(error) or _of_damage(error) or _of_text(error)


def _of_text(error: Exception) -> Problem | None:
    """Returns the problem of an error whose message is clear."""
    if any(f"{kind.__module__}.{kind.__name__}" in CLEAR for kind in type(error).__mro__):
        return _problem(getattr(error, "code", "failed"), str(getattr(error, "detail", error)))
    if isinstance(error, OSError) and error.strerror:
        return _problem("failed", f"{error.filename or 'a file'} cannot be read or written: {error.strerror}")
    return None


def _of_a_store(error: Exception) -> Problem | None:
    """Returns the problem if the store, the key store or the archive is not set up or does not answer as it should."""
    from redis.exceptions import ClusterError, OutOfMemoryError

    from events.archiving.objects import ArchiveUnavailable
    from events.connections import KeysMissed
    from events.scripts import ELSEWHERE, NotReplicated
    from service.accounts.key_store import KeysUnavailable
    from service.config import BadSetting
    from wintercount.processes.embedded import DoesNotStart

    if isinstance(error, BadSetting | DoesNotStart):
        return _problem("failed", str(error))
    if isinstance(error, KeysMissed | KeysUnavailable | ArchiveUnavailable):
        return _problem("store_unavailable", str(error))
    if isinstance(error, (*ELSEWHERE, ClusterError)):
        return _problem("store_unavailable", f"the store does not answer ({error}); `wintercount doctor` says why")
    if isinstance(error, NotReplicated):
        return _problem("not_replicated", f"{error}: what was written may be lost; run the command again")
    if isinstance(error, OutOfMemoryError):  # its text may contain a key, and so a person's id
        return _problem("store_full", FULL)
    return None


def _of_damage(error: Exception) -> Problem | None:
    """Returns the problem if the store does not hold what was written."""
    from redis.exceptions import ResponseError

    from events.log import LogUnreadable
    from events.store import is_wrong_type

    if isinstance(error, LogUnreadable):
        return _problem("log_damaged", str(error))
    if isinstance(error, ResponseError) and is_wrong_type(error):
        return _problem("log_damaged", f"a key in the store has the wrong type: {error}")
    return None


def _problem(code: str, sentence: str, status: int = 1) -> Problem:
    return Problem({"code": code, "detail": sentence}, sentence, status)


def of_a_service(error: "requests.RequestException", about: str = "") -> Problem:
    """Returns the problem that a service sent, or that it does not answer; `about` names what the request was about."""
    if error.response is not None:
        return _answered(error.response, about)
    url = urlsplit(error.request.url or "") if error.request is not None else None
    if isinstance(error, ValueError) or url is None:
        return _problem("usage", f"this is not the address of a service ({error}); {SERVICE}")
    return _problem("no_answer", f"{url.scheme}://{url.netloc} does not answer ({type(error).__name__}); {SERVICE}")


def _answered(response: "requests.Response", about: str) -> Problem:
    from worker.client import harmless

    try:
        document = harmless(response.json())
        detail = "; ".join(map(_field_error, document.get("errors", []))) or document["detail"]
        sentence = detail if detail.endswith((".", "!", "?")) else f"{detail}."
        return Problem(document, f"{about and f'{about}: '}{sentence} {advice_on(document['code'])}".rstrip())
    except (ValueError, LookupError, TypeError):
        text = f"{response.url} answers {response.status_code}, without a problem of a Wintercount service; {SERVICE}"
        return _problem("no_answer", text)


def _field_error(error: dict[str, str]) -> str:
    """Returns an error with its field, such as `seats.1.level: …`."""
    field = error["pointer"].lstrip("/").replace("/", ".")
    return f"{field}: {error['detail']}" if field else error["detail"]


def advice_on(code: str) -> str:
    """Returns what to do about a problem of that code, if it is known."""
    from service.errors import ADVICE as FOR_CLIENTS

    return ADVICE.get(code) or FOR_CLIENTS.get(code, "")
