"""How every command refuses: a sentence on what is wrong and what to do; with `--json` a problem, a line of JSON.

Both go to standard error. A service's refusal is the problem document that it sent.
"""

import contextlib
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import click
import msgspec

from wintercount.cli.printing import PROGRAMS, write_all_letters

if TYPE_CHECKING:
    import requests

INTERRUPTED = 128 + signal.SIGINT  # the exit status, as shells tell it
SERVICE = "--server names its address: http://127.0.0.1:8000, or as `wintercount run` said"
FULL = "the store has no memory left, and refuses every write: give it memory, and run the command again"
AN_ACCOUNT = "Give a token (--token or WINTERCOUNT_TOKEN)"
ADVICE = {  # where what the page of problems says to clients of the API is of no use here
    "unauthenticated": f"{AN_ACCOUNT}. `wintercount play` creates an account, and says its token.",
    "scope_missing": f"{AN_ACCOUNT} that has the scope.",
    "invalid": "`wintercount COMMAND --help` lists what a command takes.",
    "no_such_game": "Take one of these names.",
    "no_such_table": f"Check the id. {AN_ACCOUNT} of somebody at the table if it is private.",
}
SAID = (  # errors whose message is the sentence; by name, as no command imports what it does not need
    "events.archiving.objects.MissingObject",
    "rulings.archive_file.ArchiveRefused",
    "rulings.casemaking.NoCaseError",
    "service.accounts.sealing.SecretUnusable",
    "service.dumps.DumpRefused",
    "service.errors.Refused",
    "wintercount.operations.backup.BackupRefused",
    "wintercount.operations.maintenance.AlreadyLocked",
    "wintercount.operations.records.NoTable",
    "wintercount.processes.embedded.DoesNotStart",
)


class Problem(NamedTuple):
    """What is wrong, as a problem document and in a sentence."""

    document: dict[str, Any]
    sentence: str


class Refusal(click.ClickException):
    """A command that is refused: a sentence for people, or the problem as a line of JSON for programs."""

    def __init__(self, problem: Problem, status: int = 1) -> None:
        super().__init__(problem.sentence)
        self.document = problem.document
        self.exit_code = status  # type: ignore[misc] # click declares it for the class

    def show(self, file: Any = None) -> None:
        """Prints the problem as a line of JSON."""
        click.echo(msgspec.json.encode(self.document).decode(), file=file, err=file is None)


class Unchecked(click.ClickException):
    """A command that can check nothing, as no store answers; it ends with status 2, since 1 is a fault."""

    exit_code = 2

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.code = problem.document["code"]


class Commands(click.Group):
    """A group of commands that refuse in one way, whatever stopped them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Notes whether programs ask, before anything can be refused."""
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
    """Ends the command with what is wrong, if a service, a store or it itself refuses; without a word at Ctrl-C."""
    try:
        yield
    except click.ClickException as error:
        if as_json:
            code = "usage" if isinstance(error, click.UsageError) else getattr(error, "code", "failed")
            raise Refusal(_problem(code, error.format_message()), error.exit_code) from None
        raise
    except (click.exceptions.Exit, click.Abort, BrokenPipeError):  # click ends without a word if nobody reads on
        raise
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
    except Exception as error:
        if problem := _problem_of(error):
            raise Refusal(problem) if as_json else click.ClickException(problem.sentence) from None
        raise


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Ends a command that checks with status 2 if there is no store that answers."""
    try:
        yield
    except click.ClickException as refusal:
        raise Unchecked(_problem("failed", refusal.format_message())) from None
    except Exception as error:
        if problem := _of_a_store(error):
            raise Unchecked(problem) from None
        raise


def _problem_of(error: Exception) -> Problem | None:
    """What a service, the store or one of our own modules refuses; None for what none of them foresees."""
    import requests

    if isinstance(error, requests.RequestException):
        return of_a_service(error)
    if problem := _of_a_store(error) or _of_damage(error):
        return problem
    if any(f"{kind.__module__}.{kind.__name__}" in SAID for kind in type(error).__mro__):
        return _problem(getattr(error, "code", "failed"), str(getattr(error, "detail", error)))
    if isinstance(error, OSError) and error.strerror:
        return _problem("failed", f"{error.filename or 'it'} cannot be read or written: {error.strerror}")
    return None


def _of_a_store(error: Exception) -> Problem | None:
    """That the store, or that of keys, does not answer as it should."""
    from redis.exceptions import ClusterError, OutOfMemoryError

    from events.archiving.objects import ArchiveUnavailable
    from events.connections import KeysMissed
    from events.scripts import ELSEWHERE, NotReplicated
    from service.accounts.personal_texts import KeysUnavailable

    if isinstance(error, KeysMissed | KeysUnavailable | ArchiveUnavailable):
        return _problem("store_unavailable", str(error))
    if isinstance(error, (*ELSEWHERE, ClusterError)):
        detail = f"the store does not answer ({error}); `wintercount doctor` says what is wrong"
        return _problem("store_unavailable", detail)
    if isinstance(error, NotReplicated):
        return _problem("not_replicated", f"{error}: what was written may be lost; run the command again")
    if isinstance(error, OutOfMemoryError):  # its words may be a key, and so a person's id
        return _problem("store_full", FULL)
    return None


def _of_damage(error: Exception) -> Problem | None:
    """What keeps a command from its work that the store does not hold as it was written."""
    from redis.exceptions import ResponseError

    from events.log import LogUnreadable
    from events.store import is_wrong_type

    if isinstance(error, LogUnreadable):
        return _problem("log_damaged", str(error))
    if isinstance(error, ResponseError) and is_wrong_type(error):
        return _problem("log_damaged", f"a key in the store has the wrong type: {error}")
    return None


def _problem(code: str, sentence: str) -> Problem:
    return Problem({"code": code, "detail": sentence}, sentence)


def of_a_service(error: "requests.RequestException") -> Problem:
    """What a service said, or that it said nothing."""
    if error.response is not None:
        return _answered(error.response)
    url = urlsplit(error.request.url or "") if error.request is not None else None
    if isinstance(error, ValueError) or url is None:
        return _problem("usage", f"that is no address of a service ({error}); {SERVICE}")
    return _problem("no_answer", f"{url.scheme}://{url.netloc} does not answer ({type(error).__name__}); {SERVICE}")


def _answered(response: "requests.Response") -> Problem:
    from service.client import harmless

    try:
        document = harmless(response.json())
        told = "; ".join(_unfit(document.get("errors", {}))) or document["detail"]
        return Problem(document, f"{_sentence(told)} {advice_on(document['code'])}".rstrip())
    except (ValueError, LookupError, TypeError):
        told = f"{response.url} answers {response.status_code} and no problem of a Wintercount service; {SERVICE}"
        return _problem("no_answer", told)


def _unfit(errors: dict[str, Any], *place: str) -> Iterator[str]:
    """What does not fit, each with the field that it is about; the outermost names say where the fields were sent."""
    for name, found in errors.items():
        if isinstance(found, dict):
            yield from _unfit(found, *place, name)
        else:
            yield f"{'.'.join((*place, name)[1:])}: {' '.join(found)}"


def _sentence(detail: str) -> str:
    return detail if detail.endswith((".", "!", "?")) else f"{detail}."


def advice_on(code: str) -> str:
    """What to do about a problem of that code, if it is known."""
    from service.advice import ADVICE as TOLD

    return ADVICE.get(code) or TOLD.get(code, "")
