"""`wintercount fairness`: who sits together and shares an address, and who favours whom beyond luck."""

from typing import TYPE_CHECKING

import click

from service.runtime.prerequisites import settings, store_url
from service.runtime.printing import as_json, printed

if TYPE_CHECKING:
    from projections.played.mutual_favour import Favour
    from service.runtime.fair_play import Shared

CANNOT = (
    "Neither proves anything: households, schools and networks share an address, and who plays in a way that another "
    "cannot cope with scores beyond expectation too. It cannot tell what is said elsewhere, what is done in games that "
    "are not rated or by accounts with fewer games together, nor a favour too small for luck to exclude."
)


@click.command()
@as_json
def fairness(as_json: bool) -> None:
    """List accounts seated together that share an address, and pairs that favour each other beyond luck.

    Addresses are kept as keyed hashes for WINTERCOUNT_ADDRESS_DAYS. Pairs are judged by all rated games, against what
    their ratings let expect, with a bound on luck that is corrected for the number of pairs.
    """
    from projections.played.background import NotFilled
    from service.accounts.sealing import SecretUnusable
    from service.runtime.fair_play import FairPlay

    try:
        found = FairPlay(settings(), store_url())
        shared, tested = found.shared(), found.favours()
    except SecretUnusable as error:
        raise click.ClickException(str(error)) from None
    except NotFilled:
        raise click.ClickException("the index of games played is being made: ask again in some minutes") from None
    striking = [one for one in tested if one.stands_out]
    if as_json:
        told = {"shared": [one._asdict() for one in shared], "favours": [one._asdict() for one in striking]}
        printed(told | {"tests": len(tested), "cannot_tell": CANNOT})
    else:
        lines = [*map(_shared_line, shared), *map(_favour_line, striking)]
        click.echo("\n".join([*lines, f"{len(tested)} tests of pairs, {len(striking)} beyond luck. {CANNOT}"]))


def _shared_line(one: "Shared") -> str:
    return f"{one.one} and {one.other} share an address on {one.days} days, and met {one.games} times"


def _favour_line(one: "Favour") -> str:
    what = f"{one.by} and {one.to} beat the others" if one.kind == "together" else f"{one.by} gives way to {one.to}"
    luck = f"by luck {one.lowest:.0%} to {one.highest:.0%}"
    return f"{what}: {one.score:.0%} in {one.games} games, {luck}, where ratings expect {one.expected:.0%}"
