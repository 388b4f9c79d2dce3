"""The commands of moderation: what waits for an operator, and what is done about it."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from service.accounts.allowed_names import checked_text
from service.moderation.records import ACTIONS, ALL_REASONS, LONGEST
from wintercount.cli.prerequisites import settings, store_url
from wintercount.cli.printing import Subcommands, asked_for_json, printed, programs_ask

if TYPE_CHECKING:
    from wintercount.operations.moderating import Moderating

NOTHING = "nothing waits"


@click.group(cls=Subcommands)
@asked_for_json
def moderate() -> None:
    """Look through reports of players and disputes without an arbiter, and act on them.

    The key store has to be within reach: what people wrote lies under their keys.
    """


@moderate.command("list")
@click.option("--all", "everything", is_flag=True, help="reports that are settled too")
@asked_for_json
def list_items(*, everything: bool) -> None:
    """List what waits: open disputes at tables without an arbiter, then reports, the oldest first."""
    with _moderating() as found:
        _tell(found.items(everything=everything), _line, NOTHING)


@moderate.command()
@click.argument("item")
@asked_for_json
def show(item: str) -> None:
    """Show an item, and all that was done about it and about its player.

    ITEM is the id of a report (`r_…`), a dispute (`TABLE/DISPUTE`), or a player (`p_…`), whose actions are listed.
    """
    with _moderating() as found:
        if item.startswith("p_"):
            _tell(found.actions(item), _action, f"nothing was done about {item}")
            return
        row = found.shown(item)
        if programs_ask():
            printed(row)
        else:
            click.echo("\n".join([_line(row), *map(_action, row["actions"])]))


@moderate.command()
@click.argument("action", type=click.Choice([name.replace("_", "-") for name in ACTIONS]))
@click.argument("items", nargs=-1)
@click.option("--reason", type=click.Choice(ALL_REASONS), required=True, help="told to the player")
@click.option("--player", help="whom to warn or suspend, or whose name to hide (`p_…`)")
@click.option("--text", default="", help="words that the player is told, 1000 characters at most")
@click.option("--number", type=click.IntRange(1), help="the action to reverse")
@asked_for_json
def act(  # noqa: PLR0913 - all of an action
    *, action: str, items: tuple[str, ...], reason: str, player: str | None, text: str, number: int | None
) -> None:
    """Record an action, which settles ITEMS: warn, hide-name, suspend, dismiss, or reverse.

    Every action has a number; `reverse --number N` ends it, and its items wait again. Web servers know of it within
    five seconds.
    """
    from service.moderation.acting import Deed

    deed = Deed("", ACTIONS[action.replace("-", "_")], reason, items, player, _words(text), number)
    with _moderating() as found:
        row = found.act(deed)
    printed(row) if programs_ask() else click.echo(_action(row))


def _words(text: str) -> str:
    """What a player may be told; raises `UsageError`."""
    from marshmallow import ValidationError

    if len(text) > LONGEST:
        raise click.UsageError(f"--text has {len(text)} characters, and {LONGEST} may be told")
    try:
        checked_text(text)
    except ValidationError as fault:
        raise click.UsageError(f"--text {fault.messages[0]}") from None
    return text


@contextlib.contextmanager
def _moderating() -> Iterator["Moderating"]:
    """What commands work with; a refusal ends the command with a sentence."""
    from events.log import LogUnreadable
    from service.accounts.personal_texts import KeysUnavailable
    from service.accounts.sealing import SecretUnusable
    from service.errors import Refused
    from wintercount.operations.moderating import Moderating

    try:
        yield Moderating(settings(), store_url())
    except Refused as refusal:
        raise click.ClickException(refusal.detail) from None
    except (KeysUnavailable, LogUnreadable, SecretUnusable) as error:
        raise click.ClickException(str(error)) from None


def _tell(rows: Iterable[dict[str, Any]], line: Any, nothing: str) -> None:
    """Prints each row, as JSON for programs."""
    found = list(rows)
    for row in found:
        printed(row) if programs_ask() else click.echo(line(row))
    if not found and not programs_ask():
        click.echo(nothing)


def _line(row: dict[str, Any]) -> str:
    """An item, in a few lines."""
    place = " ".join(str(part) for part in (row["table"], row["version"] and f"at {row['version']}") if part)
    about = f"{row['player_name']} ({row['player']})" if row["player"] else ""
    by = f"by {row['by_name']} ({row['by']})"
    state = f"settled by {row['settled_by']}" if row["settled_by"] else "waits"
    head = [row["item"], row["at"], row["reason"] or row["kind"], about, place, by, state]
    said = [f"    {name}: {row[name]}" for name in ("text", "quoted") if row[name]]
    return "\n".join(["  ".join(filter(None, head)), *said])


def _action(row: dict[str, Any]) -> str:
    """An action, in a line."""
    about = row["player"] or (f"action {row['reverses']}" if row["reverses"] else "")
    state = "" if row["stands"] else "reversed"
    return "  ".join(
        filter(
            None, [f"{row['action']}", row["at"], row["type"], row["reason"], about, *row["items"], state, row["text"]]
        )
    )
