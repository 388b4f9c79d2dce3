"""What commands have in common: `--json`, their help, what they print, and progress bars."""

import io
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click
import msgspec
from tqdm import tqdm

PROGRAMS = "--json"
HELP = {"help_option_names": ["-h", "--help"]}
UTF_8 = "utf-8"
WIDTH = 400  # of a summary: more than any has
JSON = "print JSON, one value a line; errors too"


def command(name: str, help: str, json: str = JSON) -> Callable[[Callable[..., Any]], click.Command]:  # noqa: A002 - as click has it
    """Makes a function a command with `--json`. Its help is text, as `PYTHONOPTIMIZE=2` drops docstrings."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        made = click.command(name, help=help, context_settings=HELP)(function)
        made.params.append(click.Option([PROGRAMS], is_flag=True, expose_value=False, help=json))
        return made

    return decorate


def write_all_letters(*, for_programs: bool) -> None:
    """Makes every letter writable: programs get UTF-8, people a `?` for what their encoding lacks."""
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
    """Returns commands, padded to the longest of the group, each with its whole summary."""
    width = max(map(len, group.list_commands(ctx)))
    found: list[Any] = [group.get_command(ctx, name) for name in names]
    return [(name.ljust(width), one.get_short_help_str(WIDTH)) for name, one in zip(names, found, strict=True)]


def print_json(value: Any, *, err: bool = False) -> None:
    """Prints a value as a line of JSON."""
    click.echo(msgspec.json.encode(value).decode(), err=err)


def say(value: Any, text: object, *, err: bool = False) -> None:
    """Prints a value as JSON for programs, or the text for people."""
    print_json(value, err=err) if programs_ask() else click.echo(text, err=err)


def programs_ask() -> bool:
    """Whether the running command was given `--json`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.find_root().obj)


def progress(of: Iterable[Any] | None = None, *, disable: bool = False, **settings: Any) -> Any:
    """Returns a progress bar on standard error, which shows only on a terminal and without `--json`."""
    silent = disable or programs_ask() or not sys.stderr.isatty()
    return tqdm(of, file=sys.stderr, disable=silent, **settings)
