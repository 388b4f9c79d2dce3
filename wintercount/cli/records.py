"""Commands that read an archive or a table: verify, analyse, explain, convert, decide again."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from wintercount.cli.prerequisites import store_url
from wintercount.cli.printing import asked_for_json, printed, programs_ask, progress, refuses_as_json, say


@click.command()
@click.argument("table")
@click.option("--ai-moves", default=3, show_default=True, help="how many AI moves to recompute")
@click.option("--parent", type=click.Path(exists=True, dir_okay=False), help="for a branch: its parent's archive")
@asked_for_json
def verify(table: str, ai_moves: int, parent: str | None) -> None:
    """Check a table: chain, seals, draws, every decision, permissions, and some choices of AI players.

    TABLE is an archive, which needs no server, or a table of the store; there what the store keeps beside its events
    is checked as well. The exit status is 0 if everything was decided again and is so, 2 if something could not be
    checked, and 1 for a fault.
    """
    from wintercount.cli.errors import unchecked
    from wintercount.operations.records import is_archive_file
    from wintercount.operations.verifying import stored_verdict, verdict

    if is_archive_file(table):
        found = verdict(table, ai_moves, parent)
    else:
        with unchecked():
            found = stored_verdict(store_url(), table, ai_moves, parent)
    say({"table": table, "status": found.status.name.lower(), "lines": found.lines}, "\n".join(found.lines))
    sys.exit(found.status)


@click.command("explain-move")
@click.argument("table")
@click.argument("version", type=int)
@asked_for_json
def explain_move(table: str, version: int) -> None:
    """Recompute an AI player's move and show what it considered; TABLE is an archive or a table of the store."""
    from wintercount.operations.records import explained, source_of
    from worker.explaining import explain
    from worker.thinking import think_here

    found = explain(source_of(table, store_url)(), version, think_here)
    say(found, "\n".join(explained(found)))


@contextlib.contextmanager
def _reading(file: str) -> Iterator[None]:
    """Names the file in what is wrong with it."""
    from events.log import LogUnreadable
    from games.kernel import NoWorld
    from rulings.archive_file import ArchiveRefused

    try:
        yield
    except (ArchiveRefused, LogUnreadable, NoWorld, ValueError, OSError, EOFError) as refusal:
        raise click.ClickException(f"{file}: {refusal}") from None


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--to", "form", type=click.Choice(["notation", "events"]), default="notation", show_default=True)
@asked_for_json
def convert(file: str, form: str) -> None:
    """Write a finished table as a text that people can read, or its game's events as JSON lines.

    FILE is an archive, or a text in notation, which is replayed first: an error names line and column. Events are JSON
    by nature; with --json a text is the member `notation` of an object.
    """
    from wintercount.operations.records import converted

    with _reading(file):
        lines = list(converted(file, form))
    if programs_ask() and form == "notation":
        printed({"file": file, "notation": "\n".join([*lines, ""])})
    else:
        click.echo("\n".join(lines))


@click.command("case")
@click.argument("table")
@click.argument("dispute")
@refuses_as_json
def show_case(table: str, dispute: str) -> None:
    """Print a resolved dispute as a case for a game's folder `rulings`, which is JSON by nature.

    TABLE is an archive or a finished table of the store.
    """
    from rulings.casemaking import case_of
    from rulings.cases import written
    from wintercount.operations.records import source_of

    click.echo(written(case_of(source_of(table, store_url)(), dispute)))


@click.command()
@click.argument("archives", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--all", "every", is_flag=True, help="also every finished table of the store")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="house rule to decide by (JSON value)")
@asked_for_json
def readjudicate(archives: tuple[str, ...], every: bool, options: tuple[str, ...]) -> None:
    """Decide tables again, under today's rules or other house rules, and summarise what would change.

    As JSON each table is told by itself, and why it could not be decided if it could not.
    """
    from wintercount.operations.records import finished_tables, from_file, listed, parse_options, summary
    from wintercount.operations.records import readjudicate as decide

    sources = [from_file(path) for path in archives]
    if every:
        sources += finished_tables(store_url())
    if not sources:
        raise click.UsageError("name archives, or --all for the tables of the store")
    with progress(sources, unit=" tables") as bar:
        reports = [decide(source, parse_options(options)) for source in bar]
    for line in listed(reports) if programs_ask() else summary(reports):
        say(line, line)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--deep", is_flag=True, help="look at every decision, in more worlds; without it at seven, the most doubtful first"
)
@click.option("--worlds", type=click.IntRange(2, 10_000), help="how many worlds are imagined for a decision")
@click.option("--luck", is_flag=True, help="say how much of the result was luck")
@click.option("--html", type=click.Path(dir_okay=False, writable=True), help="write a report with plots to this file")
@asked_for_json
def analyse(file: str, deep: bool, worlds: int | None, luck: bool, html: str | None) -> None:
    """Say what each decision of a finished table was worth, as its seat saw the table then.

    FILE is an archive, or a text in notation. The same file and options always give the same analysis. With --luck it
    says what chance made of the result, and what the choices of each seat did.
    """
    if luck and deep:
        raise click.UsageError("--luck is about the whole game: --deep does not go with it")
    from wintercount.operations.analyses import history_in, lines

    with _reading(file):
        found = _luck(history_in(file), worlds) if luck else _analysis(history_in(file), deep, worlds)
    if html:
        from wintercount.operations.analyses import report

        Path(html).write_text(report(found), encoding="utf-8")
    say(found, "\n".join(lines(found)))


def _analysis(history: Any, deep: bool, worlds: int | None) -> Any:
    from worker.analysis.finished import DEEP, EFFORTS, QUICK, analysed, count_of

    kind = DEEP if deep else QUICK
    effort = EFFORTS[kind]._replace(worlds=worlds) if worlds else EFFORTS[kind]
    return list(progress(analysed(history, kind, effort), total=count_of(history, kind) + 1, unit="step"))[-1]


def _luck(history: Any, worlds: int | None) -> Any:
    """What of a finished game was luck; raises `ValueError`."""
    from worker.analysis.luck import WORLDS, course_of, luck_by_event

    course = course_of(history)
    return list(progress(luck_by_event(course, worlds or WORLDS), total=len(course.turns) + 2, unit="step"))[-1]
