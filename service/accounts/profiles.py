"""What a profile shows: what its person lets be seen."""

import msgspec

from service.accounts.callers import Caller
from service.accounts.keeping import Keeper, PlayerField

PLACE = PlayerField("about", "shown")


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which parts of a profile are shown. What public tables tell anyway is shown unless its person says otherwise."""

    results: bool = True
    ratings: bool = True
    opponents: bool = False
    activity: bool = False


def shown_of(keeper: Keeper, player: str) -> Shown:
    """What a player lets be seen."""
    kept = keeper.field(PLACE, player)
    return msgspec.json.decode(kept, type=Shown) if kept else Shown()


def show(keeper: Keeper, caller: Caller, shown: Shown) -> None:
    """Sets what the caller lets be seen; raises `Refused`."""
    keeper.change(caller, PLACE, lambda _: msgspec.json.encode(shown))
