"""The command that erases people: forget."""

import re
from typing import TYPE_CHECKING

import click

from wintercount.cli.prerequisites import settings, store_url
from wintercount.cli.printing import as_json, printed, progress

if TYPE_CHECKING:
    from service.erasure import Erasure


ID = re.compile(r"p_[^\s|]+")


@click.command()
@click.argument("players", nargs=-1)
@click.option("--again", is_flag=True, help="repeat every erasure there was: after a restore")
@as_json
def forget(players: tuple[str, ...], *, again: bool, as_json: bool) -> None:
    """Erase people for ever, as `DELETE /v1/players/me` does it; PLAYERS are ids (`p_…`).

    The key store has to be within reach.
    """
    _check(players, again=again)
    erasure = _erasure()
    people = sorted({*players, *(erasure.erased() if again else ())})
    if unknown := [player for player in sorted(set(players)) if not erasure.knows(player)]:
        told = "nobody is known by this id: no account, no key, no table; nobody was erased"
        raise click.ClickException(f"{', '.join(unknown)}: {told}")
    for player in progress(people, unit=" people"):
        erasure.erase(player)
    if as_json:
        printed({"erased": people})
    else:
        click.echo(f"erased: {', '.join(people) or 'nobody'}")


def _check(players: tuple[str, ...], *, again: bool) -> None:
    """Raises `UsageError` if nobody is named, or somebody otherwise than by an id."""
    if not players and not again:
        raise click.UsageError("name the players, or say --again")
    if strangers := [player for player in players if not ID.fullmatch(player)]:
        raise click.UsageError(f"{', '.join(map(repr, strangers))}: name players by their ids (p_…), as events do")


def _erasure() -> "Erasure":
    from service.accounts.personal_texts import KeysUnavailable
    from service.accounts.sealing import SecretUnusable
    from service.erasure import Erasure

    try:
        return Erasure(settings(), store_url())
    except (KeysUnavailable, SecretUnusable) as error:
        raise click.ClickException(str(error)) from None
