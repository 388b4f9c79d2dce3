"""Commands about people and their data: moderate, forget, rotate-secret."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from service.accounts.allowed_names import checked_text
from service.moderation.actions import ACTIONS, ALL_REASONS, LONGEST
from wintercount.cli.prerequisites import settings, started_store, store_url
from wintercount.cli.printing import JSON, PROGRAMS, Subcommands, command, programs_ask, progress, say

if TYPE_CHECKING:
    from events.scripts import Client
    from service.config import Settings
    from wintercount.operations.moderating import Moderating


NOTHING = "nothing waits"


@click.group(
    cls=Subcommands,
    help="""List reports of players and disputes without an arbiter, and act on them.

    Needs access to the key store: what people wrote is encrypted with their keys.
    """,
)
@click.option(PROGRAMS, is_flag=True, expose_value=False, help=JSON)
def moderate() -> None:
    """Groups the commands of moderators."""


@command("list", "List what waits: open disputes at tables without an arbiter, then reports, the oldest first.")
@click.option("--all", "everything", is_flag=True, help="also reports that are settled")
def list_items(*, everything: bool) -> None:
    _print_rows(_moderating().items(everything=everything), _line, NOTHING)


@command(
    "show",
    """Show an item and the actions taken about it and its player.

    ITEM is the id of a report (`r_…`), a dispute (`TABLE/DISPUTE`), or a player (`p_…`), whose actions are listed.
    """,
)
@click.argument("item")
def show(item: str) -> None:
    if item.startswith("p_"):
        _print_rows(_moderating().actions(item), _action, f"no action was taken about {item}")
        return
    row = _moderating().shown(item)
    say(row, "\n".join([_line(row), *map(_action, row["actions"])]))


@command(
    "act",
    """Take an action, which settles ITEMS: warn, hide-name, suspend, dismiss, or reverse.

    Every action has a number; `reverse --number N` ends it, and its items wait again. Web servers apply an action
    within five seconds.
    """,
)
@click.argument("action", type=click.Choice([name.replace("_", "-") for name in ACTIONS]))
@click.argument("items", nargs=-1)
@click.option("--reason", type=click.Choice(ALL_REASONS), required=True, help="shown to the player")
@click.option("--player", help="the player to warn or suspend, or whose name to hide (`p_…`)")
@click.option("--text", default="", help="shown to the player, at most 1000 characters")
@click.option("--number", type=click.IntRange(1), help="the action to reverse")
def act(  # noqa: PLR0913 - all of an action
    *, action: str, items: tuple[str, ...], reason: str, player: str | None, text: str, number: int | None
) -> None:
    from service.moderation.actions import Action

    type_ = ACTIONS[action.replace("-", "_")]
    wanted = Action(id="", type=type_, at="", reason=reason, items=items, player=player, reverses=number)
    row = _moderating().act(wanted, _words(text))
    say(row, _action(row))


for subcommand in (list_items, show, act):
    moderate.add_command(subcommand)


def _words(text: str) -> str:
    """Returns a text that a player may be shown; raises `UsageError`."""
    from marshmallow import ValidationError

    if len(text) > LONGEST:
        raise click.UsageError(f"--text has {len(text)} characters, and at most {LONGEST} are allowed")
    try:
        checked_text(text)
    except ValidationError as fault:
        raise click.UsageError(f"--text {fault.messages[0]}") from None
    return text


def _moderating() -> "Moderating":
    from wintercount.operations.moderating import Moderating

    return Moderating(settings(), store_url())


def _print_rows(rows: Iterable[dict[str, Any]], line: Any, nothing: str) -> None:
    """Prints each row."""
    found = list(rows)
    for row in found:
        say(row, line(row))
    if not found and not programs_ask():
        click.echo(nothing)


def _line(row: dict[str, Any]) -> str:
    """Returns an item in a few lines."""
    place = " ".join(str(part) for part in (row["table"], row["version"] and f"at {row['version']}") if part)
    about = f"{row['player_name']} ({row['player']})" if row["player"] else ""
    by = f"by {row['by_name']} ({row['by']})"
    state = f"settled by {row['settled_by']}" if row["settled_by"] else "waits"
    head = [row["id"], row["at"], row["reason"] or row["kind"], about, place, by, state]
    said = [f"    {name}: {row[name]}" for name in ("text", "quoted") if row[name]]
    return "\n".join(["  ".join(filter(None, head)), *said])


def _action(row: dict[str, Any]) -> str:
    """Returns an action in a line."""
    about = row["player"] or (f"action {row['reverses']}" if row["reverses"] else "")
    state = "" if row["stands"] else "reversed"
    return "  ".join(
        filter(None, [f"{row['id']}", row["at"], row["type"], row["reason"], about, *row["items"], state, row["text"]])
    )


ID = re.compile(r"p_[^\s|]+")


@command(
    "forget",
    """Erase people for ever, as `DELETE /v1/players/me` does; PLAYERS are ids (`p_…`).

    Needs access to the key store.
    """,
)
@click.argument("players", nargs=-1)
@click.option("--again", is_flag=True, help="repeat all earlier erasures, after a restore")
def forget(players: tuple[str, ...], *, again: bool) -> None:
    from service.erasure import Erasure

    _check(players, again=again)
    erasure = Erasure(settings(), store_url())
    people = sorted({*players, *(erasure.erased() if again else ())})
    if unknown := [player for player in sorted(set(players)) if not erasure.knows(player)]:
        why = "no account, key or table has this id; nobody was erased"
        raise click.ClickException(f"{', '.join(unknown)}: {why}")
    for player in progress(people, unit=" people"):
        erasure.erase(player)
    say({"erased": people}, f"erased: {', '.join(people) or 'nobody'}")


def _check(players: tuple[str, ...], *, again: bool) -> None:
    """Raises `UsageError` if nobody is named, or if a name is not an id."""
    if not players and not again:
        raise click.UsageError("name the players, or use --again")
    if strangers := [player for player in players if not ID.fullmatch(player)]:
        raise click.UsageError(f"{', '.join(map(repr, strangers))}: name players by their ids (p_…), as events do")


@command("rotate-secret", "Create a new key and seal the store's secrets with it, while the service runs.")
@click.option("--keep", is_flag=True, help="add no key: seal again with the newest of the given keys")
@click.option("--lost", is_flag=True, help="the key is lost: delete what no key opens, so that the service starts")
def rotate_secret(*, keep: bool, lost: bool) -> None:
    from events.store import connect
    from wintercount.operations import rotation

    if keep and lost:
        raise click.UsageError("--keep or --lost, not both")
    change = rotation.give_up if lost else rotation.reseal if keep else rotation.rotate
    with started_store() as url:
        client, found = connect(url), settings()
        records = change(client, found)
        dumps = _sign_again(client, found)
    done = "deleted" if lost else "sealed again"
    advice = ": bots must set these webhooks again" if lost else ""
    say(
        {"records": records, "dumps": dumps, "done": done},
        f"{records} records {done}{advice}; {dumps} dumps signed again",
    )


def _sign_again(client: "Client", found: "Settings") -> int:
    """Signs dumps again after the keys were rotated, and returns how many; exits if they cannot be reached."""
    from events.archiving.objects import ArchiveUnavailable
    from service.accounts.sealing import sealer_for
    from service.dumps import Dumps, Signer
    from service.stores import dumps_in

    try:
        return Dumps(dumps_in(found), Signer(sealer_for(client, found))).sign_again()
    except ArchiveUnavailable as error:
        raise click.ClickException(f"dumps were not signed again: {error}; repeat with --keep") from None
