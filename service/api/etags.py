"""Entity tags (RFC 9110, 8.8.3): a table at a version, as somebody may see it."""

import re
import zlib
from typing import NamedTuple

from werkzeug.http import parse_etags

from projections.table import Table
from service.accounts.names import Names
from service.errors import Refused

PLACE = r"(?P<version>[0-9]{1,9})(?:-(?P<mark>[0-9a-f]{8}))?"  # a version of a table, and how its hash begins


def etag(table: Table, seat: int | None, names: Names, *, everything: bool = False) -> str:
    """The entity tag of a table as a seat sees it, or with everything laid open, with the `names` of those seated."""
    viewer = "all" if everything else "spectator" if seat is None else seat
    shown = zlib.crc32("\n".join(names.values()).encode())
    return f'"{table.head.place}-{viewer}-{shown:08x}"'


class Expected(NamedTuple):
    """What `If-Match` names: a version of a table, and how its hash begins; by default whatever there is."""

    version: int | None = None
    mark: str = ""


def expected(if_match: str | None) -> Expected:
    """The version that `If-Match` names, from an entity tag of ours or alone; raises `Refused` for any other."""
    if if_match is None or if_match == "*":
        return Expected()
    found = re.fullmatch(rf'"?{PLACE}(?:-[0-9a-z]+){{0,2}}(?::[a-z]+)?"?', if_match)
    if not found:
        raise Refused("version-mismatch", "If-Match takes the ETag of the table")
    return Expected(int(found["version"]), found["mark"] or "")


def held(if_none_match: str | None, tag: str) -> str | None:
    """The caller's tag that matches this one in whatever encoding; None if there is none."""
    if if_none_match is None:
        return None
    known = parse_etags(if_none_match).as_set(include_weak=True)  # werkzeug reads an empty tag as None
    return next((f'"{one}"' for one in known if one and one.partition(":")[0] == tag.strip('"')), None)
