"""`wintercount analyse`: what the decisions of a finished table were worth, without a server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from wintercount.cli.printing import as_json, printed, progress


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--deep", is_flag=True, help="look at every decision, in more worlds; without it at seven, the most doubtful first"
)
@click.option("--worlds", type=click.IntRange(2, 10_000), help="how many worlds are imagined for a decision")
@click.option("--luck", is_flag=True, help="say how much of the result was luck")
@click.option("--html", type=click.Path(dir_okay=False, writable=True), help="write a report with plots to this file")
@as_json
def analyse(  # noqa: PLR0913, PLR0917 - all that may be asked
    file: str, deep: bool, worlds: int | None, luck: bool, html: str | None, as_json: bool
) -> None:
    """Say what each decision of a finished table was worth, as its seat saw the table then.

    FILE is an archive, or a text in notation. The same file and options always give the same analysis. With --luck it
    says what chance made of the result, and what the choices of each seat did.
    """
    if luck and deep:
        raise click.UsageError("--luck is about the whole game: --deep does not go with it")
    found = _read(file, lambda history: _luck(history, worlds) if luck else _analysis(history, deep, worlds))
    if html:
        from wintercount.operations.reporting import report

        Path(html).write_text(report(found), encoding="utf-8")
    return _told(found, as_json)


def _read(file: str, find: Callable[[Any], Any]) -> Any:
    """What is found in the table of a file; raises `ClickException`."""
    from events.log import LogUnreadable
    from games.kernel import NoWorld
    from rulings.archive_file import ArchiveRefused
    from rulings.notation import NotationError
    from wintercount.operations.analysing import history_in

    try:
        return find(history_in(file))
    except (
        ArchiveRefused,
        LogUnreadable,
        NotationError,
        NoWorld,
        UnicodeDecodeError,
        ValueError,
    ) as refusal:
        raise click.ClickException(f"{file}: {refusal}") from None


def _analysis(history: Any, deep: bool, worlds: int | None) -> Any:
    from worker.analysis.finished import DEEP, EFFORTS, QUICK, analysed, count_of

    kind = DEEP if deep else QUICK
    effort = EFFORTS[kind]._replace(worlds=worlds) if worlds else EFFORTS[kind]
    return list(progress(analysed(history, kind, effort), total=count_of(history, kind) + 1, unit="step"))[-1]


def _luck(history: Any, worlds: int | None) -> Any:
    """What of a finished game was luck; raises `ValueError`."""
    from worker.analysis.luck.courses import course_of
    from worker.analysis.luck.valuing import WORLDS, luck_by_event

    course = course_of(history)
    return list(progress(luck_by_event(course, worlds or WORLDS), total=len(course.turns) + 2, unit="step"))[-1]


def _told(found: Any, as_json: bool) -> None:
    from wintercount.operations.analysing import lines

    printed(found) if as_json else click.echo("\n".join(lines(found)))
