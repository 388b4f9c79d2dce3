"""The command that erases people: forget."""

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from service.runtime.prerequisites import settings, store_url
from service.runtime.printing import as_json, printed, progress
from service.runtime.verifying import Status

if TYPE_CHECKING:
    from service.runtime.erasure import Erasure


ID = re.compile(r"p_[^\s|]+")


class Remaining(NamedTuple):
    """An older table that cannot forget a player, and the versions that name them in plain."""

    player: str
    table: str
    versions: list[int]

    def __str__(self) -> str:
        named = ", ".join(map(str, self.versions))
        return f"{self.table} cannot forget {self.player}: named in plain at {named}"


@click.command()
@click.argument("players", nargs=-1)
@click.option("--again", is_flag=True, help="repeat every erasure there was: after a restore")
@click.option("--dry-run", is_flag=True, help="erase nobody; only list the tables that cannot forget")
@as_json
def forget(players: tuple[str, ...], *, again: bool, dry_run: bool, as_json: bool) -> None:
    """Erase people for ever, as `DELETE /v1/players/me` does it; PLAYERS are ids (`p_…`).

    Then lists the older tables whose record names them in plain. Their views and events tell `somebody`, and the
    service hands out no archive of them; but the log keeps the names, as its hashes cover them. The exit status is 2 if
    there are any. The key store has to be within reach.
    """
    _check(players, again=again)
    erasure = _erasure()
    people = sorted({*players, *(erasure.erased() if again else ())})
    if unknown := [player for player in sorted(set(players)) if not erasure.knows(player)]:
        told = "nobody is known by this id: no account, no key, no table; nobody was erased"
        raise click.ClickException(f"{', '.join(unknown)}: {told}")
    found = list(_remaining(erasure, people, dry_run=dry_run))
    if as_json:
        printed({"players": people, "erased": not dry_run, "remaining": [row._asdict() for row in found]})
    else:
        done = "looked at" if dry_run else "erased"
        click.echo("\n".join([*map(str, found), f"{done}: {', '.join(people) or 'nobody'}"]))
    sys.exit(Status.UNCHECKED if found else Status.HOLDS)


def _check(players: tuple[str, ...], *, again: bool) -> None:
    """Raises `UsageError` if nobody is named, or somebody otherwise than by an id."""
    if not players and not again:
        raise click.UsageError("name the players, or say --again")
    if strangers := [player for player in players if not ID.fullmatch(player)]:
        raise click.UsageError(f"{', '.join(map(repr, strangers))}: name players by their ids (p_…), as events do")


def _remaining(erasure: "Erasure", people: list[str], *, dry_run: bool) -> Iterator[Remaining]:
    """Erases people, unless it is only tried; the tables that cannot forget them."""
    for player in progress(people, unit=" people"):
        if not dry_run:
            erasure.erase(player)
        yield from (Remaining(player, *row) for row in erasure.remaining(player))


def _erasure() -> "Erasure":
    from service.accounts.key_stores import KeysUnavailable
    from service.accounts.sealing import SecretUnusable
    from service.runtime.erasure import Erasure

    try:
        return Erasure(settings(), store_url())
    except (KeysUnavailable, SecretUnusable) as error:
        raise click.ClickException(str(error)) from None
