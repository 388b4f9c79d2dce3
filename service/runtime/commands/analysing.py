"""`wintercount analyse`: what the decisions of a finished table were worth, without a server."""

from pathlib import Path

import click

from service.runtime.printing import as_json, printed, progress


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--deep", is_flag=True, help="look at every decision, in more worlds; without it at the seven most doubtful"
)
@click.option("--worlds", type=click.IntRange(2, 10_000), help="how many worlds are imagined for a decision")
@click.option("--html", type=click.Path(dir_okay=False, writable=True), help="write a report with plots to this file")
@as_json
def analyse(file: str, deep: bool, worlds: int | None, html: str | None, as_json: bool) -> None:
    """Say what each decision of a finished table was worth, as its seat saw the table then (docs/analysis.md).

    FILE is an archive, or a text in notation. The same file and options always give the same analysis.
    """
    from events.log import LogUnreadable
    from games.kernel import NoWorld
    from rulings.archive import ArchiveRefused
    from rulings.notation import NotationError
    from service.runtime.analysing import history_in, lines, report
    from worker.analysis.finished import DEEP, EFFORTS, QUICK, Analysis, analysed, count_of

    kind = DEEP if deep else QUICK
    effort = EFFORTS[kind]._replace(worlds=worlds) if worlds else EFFORTS[kind]
    try:
        history = history_in(file)
        found = list(progress(analysed(history, kind, effort), total=count_of(history, kind) + 1, unit="decision"))
    except (ArchiveRefused, LogUnreadable, NotationError, NoWorld, UnicodeDecodeError, ValueError) as refusal:
        raise click.ClickException(f"{file}: {refusal}") from None
    analysis = found[-1]
    if not isinstance(analysis, Analysis):
        raise TypeError("an analysis ends with the whole of it")
    if html:
        Path(html).write_text(report(analysis), encoding="utf-8")
    printed(analysis) if as_json else click.echo("\n".join(lines(analysis)))
