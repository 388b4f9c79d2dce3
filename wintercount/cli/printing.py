"""What a command prints for programs: one JSON value a line; and for people how far it has come."""

import io
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec
from tqdm import tqdm

PROGRAMS = "--json"
UTF_8 = "utf-8"
WIDTH = 400  # of a summary: more than any has
asked_for_json = click.option(  # `programs_ask` tells whether it was given
    PROGRAMS, is_flag=True, expose_value=False, help="print JSON, one value a line; refusals too"
)
refuses_as_json = click.option(
    PROGRAMS, is_flag=True, expose_value=False, help="refuse in JSON; what is printed is JSON by nature"
)
logs_as_json = click.option(PROGRAMS, is_flag=True, expose_value=False, help="log and refuse in JSON")


def write_all_letters(*, for_programs: bool) -> None:
    """Makes every letter one that can be written and read: programs get UTF-8, people a `?` for what they lack."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            other = for_programs and stream.encoding.lower() != UTF_8
            stream.reconfigure(encoding=UTF_8 if other else None, errors="replace")


class Subcommands(click.Group):
    """A group of commands whose summaries are not cut off."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes each command with its summary."""
        with formatter.section("Commands"):
            formatter.write_dl(summaries(self, ctx, self.list_commands(ctx)))


def summaries(group: click.Group, ctx: click.Context, names: Sequence[str]) -> list[tuple[str, str]]:
    """Commands, padded to the longest of the group, each with its summary, which wraps and is never cut off."""
    width = max(map(len, group.list_commands(ctx)))
    found: list[Any] = [group.get_command(ctx, name) for name in names]
    return [(name.ljust(width), command.get_short_help_str(WIDTH)) for name, command in zip(names, found, strict=True)]


def printed(value: Any, *, err: bool = False) -> None:
    """Prints a value as a line of JSON, to standard error if told so."""
    click.echo(msgspec.json.encode(value).decode(), err=err)


def say(value: Any, text: object, *, err: bool = False) -> None:
    """Prints a value for programs, or the same in words for people; to standard error if told so."""
    printed(value, err=err) if programs_ask() else click.echo(text, err=err)


def token_told(token: str) -> None:
    """Tells the token of an account that was created, as the environment takes it."""
    say({"token": token}, f"WINTERCOUNT_TOKEN={token}")


def programs_ask() -> bool:
    """Whether the command that runs was given `--json`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.find_root().obj)


def progress(of: Iterable[Any] | None = None, *, disable: bool = False, **settings: Any) -> Any:
    """A bar on standard error for people; what programs read there is refusals alone."""
    return tqdm(of, file=sys.stderr, disable=disable or programs_ask(), **settings)
