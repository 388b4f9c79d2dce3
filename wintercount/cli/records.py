"""Commands that read what an archive or the store holds of a table: verify, explain, convert, decide again."""

import sys

import click

from wintercount.cli.prerequisites import store_url
from wintercount.cli.printing import as_json, printed, progress, refuses_as_json


@click.command()
@click.argument("table")
@click.option("--ai-moves", default=3, show_default=True, help="how many AI moves to recompute")
@click.option("--parent", type=click.Path(exists=True, dir_okay=False), help="for a branch: its parent's archive")
@as_json
def verify(table: str, ai_moves: int, parent: str | None, as_json: bool) -> None:
    """Check a table: chain, seals, draws, every decision, permissions, and some choices of AI players.

    TABLE is an archive, which needs no server, or a table of the store; there what the store keeps beside its events
    is checked as well. The exit status is 0 if everything was decided again and is so, 2 if something could not be
    checked, and 1 for a fault.
    """
    from rulings.archive_file import ArchiveRefused
    from wintercount.cli.errors import unchecked
    from wintercount.operations.offline import is_archive_file
    from wintercount.operations.verifying import stored_verdict, verdict

    try:
        if is_archive_file(table):
            found = verdict(table, ai_moves, parent)
        else:
            with unchecked():
                found = stored_verdict(store_url(), table, ai_moves, parent)
    except (LookupError, ArchiveRefused) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        printed({"table": table, "status": found.status.name.lower(), "lines": found.lines})
    else:
        click.echo("\n".join(found.lines))
    sys.exit(found.status)


@click.command("explain-move")
@click.argument("table")
@click.argument("version", type=int)
@as_json
def explain_move(table: str, version: int, as_json: bool) -> None:
    """Recompute an AI player's move and show what it considered; TABLE is an archive or a table of the store."""
    from events.log import LogUnreadable
    from rulings.archive_file import ArchiveRefused
    from service.errors import Refused
    from wintercount.operations.offline import explained, explanation, source_of

    try:
        found = explanation(source_of(table, store_url), version)
        printed(found) if as_json else click.echo("\n".join(explained(found)))
    except (ArchiveRefused, LogUnreadable, LookupError, Refused) as refusal:
        raise click.ClickException(str(refusal)) from None


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--to", "form", type=click.Choice(["notation", "events"]), default="notation", show_default=True)
@as_json
def convert(file: str, form: str, as_json: bool) -> None:
    """Write a finished table as a text that people can read, or its game's events as JSON lines.

    FILE is an archive, or a text in notation, which is replayed first: an error names line and column. Events are JSON
    by nature; with --json a text is the member `notation` of an object.
    """
    from events.log import LogUnreadable
    from rulings.archive_file import ArchiveRefused
    from rulings.notation import NotationError
    from wintercount.operations.converting import converted

    try:
        lines = list(converted(file, form))
    except (ArchiveRefused, LogUnreadable, NotationError, UnicodeDecodeError, OSError, EOFError) as refusal:
        raise click.ClickException(f"{file}: {refusal}") from None
    if as_json and form == "notation":
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
    from events.log import LogUnreadable
    from rulings.archive_file import ArchiveRefused
    from rulings.casemaking import NoCaseError
    from wintercount.operations.offline import case, source_of

    try:
        click.echo(case(source_of(table, store_url), dispute))
    except (ArchiveRefused, LogUnreadable, LookupError, NoCaseError) as refusal:
        raise click.ClickException(str(refusal)) from None


@click.command()
@click.argument("archives", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--all", "every", is_flag=True, help="also every finished table of the store")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="house rule to decide by (JSON value)")
@as_json
def readjudicate(archives: tuple[str, ...], every: bool, options: tuple[str, ...], as_json: bool) -> None:
    """Decide tables again, under today's rules or other house rules, and summarise what would change.

    As JSON each table is told by itself, and why it could not be decided if it could not.
    """
    from wintercount.operations.offline import finished_tables, from_file, listed, parse_options, summary
    from wintercount.operations.offline import readjudicate as decide

    sources = [from_file(path) for path in archives]
    if every:
        sources += finished_tables(store_url())
    if not sources:
        raise click.UsageError("name archives, or --all for the tables of the store")
    with progress(sources, unit=" tables") as bar:
        reports = [decide(source, parse_options(options)) for source in bar]
    for line in listed(reports) if as_json else summary(reports):
        printed(line) if as_json else click.echo(line)
