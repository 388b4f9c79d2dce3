"""Commands that examine an archive or a stored table: verify, analyse, convert, explain-move, readjudicate, case."""

import sys
from typing import Any

import click

from wintercount.cli.prerequisites import store_url
from wintercount.cli.printing import command, print_json, programs_ask, progress, say


@command(
    "verify",
    """Check a table: chain, seals, draws, every decision, permissions, and some choices of AI players.

    TABLE is an archive, which needs no server, or a table of the store, whose idempotency keys, feed and timers are
    checked as well. Exits 0 if every check succeeds, 1 for a fault, and 2 if something could not be checked.
    """,
)
@click.argument("table")
@click.option("--ai-moves", default=3, show_default=True, help="how many AI moves to recompute")
@click.option("--parent", type=click.Path(exists=True, dir_okay=False), help="for a branch: its parent's archive")
def verify(table: str, ai_moves: int, parent: str | None) -> None:
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


@command(
    "explain-move",
    "Recompute an AI player's move and show what it considered; TABLE is an archive or a table of the store.",
)
@click.argument("table")
@click.argument("version", type=int)
def explain_move(table: str, version: int) -> None:
    from wintercount.operations.records import explained, source_of
    from worker.explaining import explain
    from worker.thinking import think_here

    found = explain(source_of(table, store_url)(), version, think_here)
    say(found, "\n".join(explained(found)))


@command(
    "convert",
    """Write a finished table as readable text in notation, or its game's events as JSON lines.

    FILE is an archive, or a text in notation, which is replayed first: errors name line and column. With --json a text
    is the member `notation` of an object.
    """,
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--to", "form", type=click.Choice(["notation", "events"]), default="notation", show_default=True)
def convert(file: str, form: str) -> None:
    from wintercount.operations.records import converted

    lines = list(converted(file, form))
    if programs_ask() and form == "notation":
        print_json({"file": file, "notation": "\n".join([*lines, ""])})
    else:
        click.echo("\n".join(lines))


@command(
    "case",
    """Print a resolved dispute as a case for the folder `rulings` of a game, in JSON.

    TABLE is an archive or a finished table of the store. A ruling that was corrected makes no case.
    """,
    json="errors in JSON; the output is JSON anyway",
)
@click.argument("table")
@click.argument("dispute")
def show_case(table: str, dispute: str) -> None:
    from rulings.cases import case_from_dispute, format_json
    from wintercount.operations.records import source_of

    click.echo(format_json(case_from_dispute(source_of(table, store_url)(), dispute)))


@command(
    "readjudicate",
    """Decide tables again, under today's rules or other house rules, and summarise what would change.

    With --json it prints the result for each table, or why it could not be decided.
    """,
)
@click.argument("archives", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--all", "every", is_flag=True, help="also every finished table of the store")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="house rule to decide by (JSON value)")
def readjudicate(archives: tuple[str, ...], every: bool, options: tuple[str, ...]) -> None:
    from wintercount.operations.records import finished_tables, from_file, listed, parse_options, summary
    from wintercount.operations.records import readjudicate as decide

    sources = [from_file(path) for path in archives]
    if every:
        sources += finished_tables(store_url())
    if not sources:
        raise click.UsageError("name archives, or use --all for the tables of the store")
    with progress(sources, unit=" tables") as bar:
        reports = [decide(source, parse_options(options)) for source in bar]
    for line in listed(reports) if programs_ask() else summary(reports):
        say(line, line)


@command(
    "analyse",
    """Show the expected value of each decision of a finished table, as its seat saw the table then.

    FILE is an archive, or a text in notation. The same file and options always give the same analysis. With --luck it
    shows how much of the result came from chance, and how much from the choices of each seat.
    """,
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--deep", is_flag=True, help="play imagined games to their end; without it results are foreseen")
@click.option(
    "--worlds",
    type=click.IntRange(2, 10_000),
    help="worlds of the first look at a decision; five times as many of the second",
)
@click.option("--luck", is_flag=True, help="show how much of the result was luck")
def analyse(file: str, deep: bool, worlds: int | None, luck: bool) -> None:
    if luck and deep:
        raise click.UsageError("--luck covers the whole game and takes no --deep")
    from games.kernel import NoWorld
    from wintercount.operations.analyses import history_in, lines
    from wintercount.operations.records import naming

    with naming(file, NoWorld, ValueError):
        found = _luck(history_in(file), worlds) if luck else _analysis(history_in(file), deep, worlds)
    say(found, "\n".join(lines(found)))


def _analysis(history: Any, deep: bool, worlds: int | None) -> Any:
    from worker.analysis.finished import DEEP, EFFORTS, QUICK, analyse, decisions

    kind = DEEP if deep else QUICK
    effort = EFFORTS[kind]._replace(worlds=worlds) if worlds else EFFORTS[kind]
    return list(progress(analyse(history, kind, effort), total=sum(1 for _ in decisions(history)) + 1, unit="step"))[-1]


def _luck(history: Any, worlds: int | None) -> Any:
    """Returns how much of a finished game was luck; raises `ValueError`."""
    from worker.analysis.luck import WORLDS, course_of, luck_by_event

    course = course_of(history)
    return list(progress(luck_by_event(course, worlds or WORLDS), total=len(course.turns) + 2, unit="step"))[-1]
