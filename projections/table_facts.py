"""The facts about an archived table that lists and counts need; its segment holds them."""

from typing import Any

import msgspec

from events.times import millis


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """`row` is that of the lobby; `concerned` are the players in whose lists it is; `ended` the version of `GameEnded`.

    `counted` says whether its result counts in the standings, if its table is public.
    """

    row: dict[str, Any]
    concerned: list[str]
    ended: int | None = None
    counted: bool = False


def cursor_after(opened_at: str, table: str = "") -> str:
    """The cursor after a table; without one, after all that were opened at that time or later."""
    return f"{millis(opened_at):015d}|{table}"
