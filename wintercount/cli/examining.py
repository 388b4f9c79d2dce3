"""Commands that examine an archive or a stored table: verify, analyse, convert, explain-move, impact, case."""

import os
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click

from wintercount.cli.prerequisites import dumps_of, settings, store_url
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
    from wintercount.operations.table_sources import is_archive_file
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
    from wintercount.operations.table_sources import explained, source_of
    from worker.ai_explanations import explain
    from worker.ai_process import think_here

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
    from wintercount.operations.table_sources import converted

    lines = list(converted(file, form))
    if programs_ask() and form == "notation":
        print_json({"file": file, "notation": "\n".join([*lines, ""])})
    else:
        click.echo("\n".join(lines))


@command(
    "case",
    """Print a resolved dispute as a case for the folder `cases` of a game, in JSON.

    TABLE is an archive or a finished table of the store. A ruling that was corrected makes no case.
    """,
    json="errors in JSON; the output is JSON anyway",
)
@click.argument("table")
@click.argument("dispute")
def show_case(table: str, dispute: str) -> None:
    from rulings.cases import case_from_dispute, format_json
    from wintercount.operations.table_sources import source_of

    click.echo(format_json(case_from_dispute(source_of(table, store_url)(), dispute)))


@command(
    "impact",
    """Decide every recorded decision again, by the code installed here and by other house rules if given.

    Prints, by rule, how many games, decisions, scores and winners would differ, and where first. FILES are archives.
    What follows a difference is hypothetical, as the players decided in another situation.
    """,
)
@click.argument("paths", nargs=-1, metavar="[FILES]...", type=click.Path(exists=True, dir_okay=False))
@click.option("--archive", type=click.Path(exists=True, file_okay=False), help="a service's archive, or files below it")
@click.option("--dump", type=click.Path(exists=True, dir_okay=False), help="a dump, .tar.zst")
@click.option("--all", "every", is_flag=True, help="all finished tables of the store")
@click.option("--game", help="of this game alone")
@click.option("--since", metavar="TIME", help="of games that ended at this time or later, such as 2026-10-01")
@click.option(
    "--option",
    "--options",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="a house rule to decide by (JSON value)",
)
@click.option("--out", type=click.Path(dir_okay=False), help="keep the results in this file, and resume from it")
@click.option("--page", "page_file", type=click.Path(dir_okay=False), help="write the summary as a page of HTML")
@click.option("--site", default="http://127.0.0.1:8000", show_default=True, help="address that links point to")
@click.option("--processes", type=click.IntRange(1), help="by default one a core")
@click.option("--register", is_flag=True, help="show in the register how often each reading would have mattered")
@click.option("--fail-on", type=click.Choice(["decision", "score", "winner"]), help="exit with 1 if one differs")
def impact(paths: tuple[str, ...], every: bool, page_file: str | None, fail_on: str | None, **asked: Any) -> None:
    from functools import partial

    from wintercount.operations.rule_change_report import Results, answer, answers, lines, page, summary

    processes = asked["processes"] or os.cpu_count() or 1
    if asked["register"]:
        return _register(processes)
    tables = _tables(paths, store_url() if every else None, asked["archive"], asked["dump"])
    results = Results(asked["out"] and Path(asked["out"]), _question(asked))
    decided = answers(partial(answer, results.question), results.rest(tables), processes)
    with progress(results.add(decided), unit=" tables") as bar:
        for _ in bar:
            pass
    found = summary(results, asked["site"].rstrip("/"))
    if page_file:
        Path(page_file).write_text(page(found), encoding="utf-8")
    say(found, "\n".join(lines(found)))
    sys.exit(found.fails(fail_on))


def _register(processes: int) -> None:
    """Decides the public games of the store by every other reading, and publishes how often each would matter."""
    from events.times import stamp
    from wintercount.operations.rule_change_report import answers, readings, register_of, tables_of_store

    url = store_url()
    dumps = dumps_of(settings(), url)
    with progress(answers(readings, tables_of_store(url), processes), unit=" tables") as bar:
        counted = register_of(bar, stamp(time.time_ns() // 10**6))
    dumps.publish_readings(counted)
    say(counted, "the register shows how often each reading would have mattered")


def _tables(paths: tuple[str, ...], store: str | None, archive: str | None, dump: str | None) -> Iterator[Any]:
    from wintercount.operations.rule_change_report import in_file, tables_in, tables_of_dump, tables_of_store

    if not (paths or store or archive or dump):
        raise click.UsageError("name archives, or use --archive, --dump or --all")
    named = [in_file(path) for path in paths]
    archived = tables_in(Path(archive)) if archive else ()
    dumped = tables_of_dump(Path(dump)) if dump else ()
    return chain(named, archived, dumped, tables_of_store(store) if store else ())


def _question(asked: dict[str, Any]) -> Any:
    from games import GAMES
    from service.api.table_requests import time_of
    from wintercount.operations.rule_change_report import Question
    from wintercount.operations.table_sources import parse_options

    game, options = asked["game"], parse_options(asked["options"])
    if game is not None and game not in GAMES:
        raise click.UsageError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    known = {option.name for slug in ([game] if game else GAMES) for option in GAMES[slug].options}
    if unknown := options.keys() - known:
        raise click.UsageError(f"no game has the house rule {min(unknown)!r}")
    return Question(options, game, time_of(asked["since"], "--since"))


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
    from wintercount.operations.table_sources import naming

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
