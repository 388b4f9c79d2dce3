"""Entity tags (RFC 9110, 8.8.3): a table at a version, as somebody may see it."""

import re
from typing import NamedTuple

from werkzeug.http import parse_etags

from projections.table import Table
from service.accounts.personal_texts import Teller
from service.errors import Refused

PLACE = r"(?P<version>[0-9]{1,9})(?:-(?P<mark>[0-9a-f]{8}))?"  # a version of a table, and how its hash begins


def etag(table: Table, seat: int | None, tell: Teller | None = None, *, everything: bool = False) -> str:
    """The entity tag of a table as a seat sees it, or with everything laid open, with the names that are told.

    Without `tell` it is that of a table all of whose names are told.
    """
    viewer = "all" if everything else "spectator" if seat is None else seat
    return f'"{table.head.place}-{viewer}{_untold(table, tell) if tell else ""}"'


def _untold(table: Table, tell: Teller) -> str:
    """The seats whose names are told no more, and in which language that is said; nothing if all are told."""
    tell.expect(seat.name for seat in table.seats)
    hidden = [f"x{number}" for number, seat in enumerate(table.seats, 1) if not tell.tells_name(table.id, seat.name)]
    return "".join(hidden) + tell.language if hidden else ""


class Expected(NamedTuple):
    """What `If-Match` names: a version of a table, and how its hash begins; by default whatever there is."""

    version: int | None = None
    mark: str = ""


def expected(if_match: str | None) -> Expected:
    """The version that `If-Match` names, from an entity tag of ours or alone; raises `Refused` for any other."""
    if if_match is None or if_match == "*":
        return Expected()
    found = re.fullmatch(rf'"?{PLACE}(?:-[0-9a-z]+)?(?::[a-z]+)?"?', if_match)
    if not found:
        raise Refused("version-mismatch", "If-Match takes the ETag of the table")
    return Expected(int(found["version"]), found["mark"] or "")


def held(if_none_match: str | None, tag: str) -> str | None:
    """The caller's tag that matches this one in whatever encoding; None if there is none."""
    if if_none_match is None:
        return None
    known = parse_etags(if_none_match).as_set(include_weak=True)  # werkzeug reads an empty tag as None
    return next((f'"{one}"' for one in known if one and one.partition(":")[0] == tag.strip('"')), None)
