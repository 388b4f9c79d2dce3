"""Headers as the API document describes them, headers of streams, and entity tags of tables."""

import re
from hashlib import blake2b
from typing import Any

from werkzeug.http import parse_etags

from projections.table import Table
from service.accounts.shown_names import Names
from service.errors import Refused
from service.tables.playing import Place

REQUEST_ID, PREFER = "X-Request-Id", "Prefer"
LEAST_KEY = 20  # characters: whoever knows the key of a new account can repeat the request and gets its token


def _header(name: str, description: str, **schema: Any) -> dict[str, Any]:
    schema = {"type": "string"} | schema
    return {"in": "header", "name": name, "required": False, "schema": schema, "description": description}


FORM = {"maxLength": 255, "pattern": "^[!-~]+$"}
KEY_HEADER = _header(
    "Idempotency-Key",
    "repeats of an accepted request with the same key get the first answer, with `Idempotent-Replayed: true`; for "
    "accounts and tokens within 24 hours, at a table until at least 24 hours after it closed",
    minLength=1,
    **FORM,
)
ACCOUNT_KEY_HEADER = KEY_HEADER | {"schema": {"type": "string", "minLength": LEAST_KEY, **FORM}}
IF_MATCH = _header("If-Match", "the ETag of the table that the move was made for, or several: 412 if it has moved on")
IF_NONE_MATCH = _header("If-None-Match", "an ETag of the table: 304 if that is what would be answered")
LANGUAGES_HEADER = _header("Accept-Language", "the language of the words: en or fr", examples=["fr"])
PREFER_MINIMAL = _header(PREFER, "`return=minimal`: the answer is 204, with its ETag", examples=["return=minimal"])
LAST_EVENT_ID = _header(
    "Last-Event-ID", "the id of the last frame that the client has, or a version; used when `after` is not given"
)
RANGE = _header("Range", "a part of the file, such as `bytes=1000-`: the answer is 206", examples=["bytes=1000-"])
IF_RANGE = _header(
    "If-Range", "the ETag of the part that is there already: if the file is another now, all of it is sent"
)

# Of every stream: no cache keeps it, and no proxy holds it back, to compress it (`no-transform`) or to fill a buffer.
STREAMED = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}

_TEXT = {"type": "string"}
ETAG = {"ETag": {"description": "the table's version and whose view it is", "required": True, "schema": _TEXT}}
LOCATION = {"Location": {"description": "where it is found", "required": True, "schema": _TEXT}}
LINK = {"Link": {"description": "where the rest is found, if there is more", "required": False, "schema": _TEXT}}
CONTENT_LANGUAGE = {
    "Content-Language": {"description": "the language of the words", "required": True, "schema": {"enum": ["en", "fr"]}}
}


REPLAYED = "Idempotent-Replayed"  # of an answer to a repeated request

PLACE = r"(?P<version>[0-9]{1,9})(?:-(?P<mark>[0-9a-f]{8}))?"  # a version of a table, and how its hash begins


def etag(table: Table, seat: int | None, names: Names, *, everything: bool = False) -> str:
    """Returns the entity tag of a table as a seat sees it, with the `names` of the people seated."""
    viewer = "all" if everything else "spectator" if seat is None else seat
    shown = blake2b("\n".join(names.values()).encode(), digest_size=8)
    return f'"{table.head.place}-{viewer}-{shown.hexdigest()}"'


LISTED_TAG = re.compile(r'(?:W/)?"[^"]*"|[^\s,"]+')
TABLE_TAG = re.compile(rf'"?{PLACE}(?:-[0-9a-z]+){{0,2}}(?::[a-z]+)?"?')


def expected(if_match: str | None) -> tuple[Place, ...]:
    """The versions that `If-Match` lists, by ETags of a table or alone; raises `Refused` if it lists none."""
    if if_match is None or if_match == "*":
        return ()
    found = [TABLE_TAG.fullmatch(tag) for tag in LISTED_TAG.findall(if_match)]
    places = tuple(Place(int(tag["version"]), tag["mark"] or "") for tag in found if tag)
    if not places:
        raise Refused("version_mismatch", "If-Match takes the ETag of the table")
    return places


def matches(if_match: str, tag: str) -> bool:
    """Whether `If-Match` lists the tag of an answer, in whatever encoding (RFC 9110, 13.1.1: no weak tag matches)."""
    listed, plain = parse_etags(if_match), tag.strip('"').partition(":")[0]  # werkzeug reads an empty tag as None
    return listed.star_tag or any(one and one.partition(":")[0] == plain for one in listed.as_set())


def held(if_none_match: str | None, tag: str) -> str | None:
    """Returns the caller's tag that matches this one in any encoding, None without a match."""
    if if_none_match is None:
        return None
    known = parse_etags(if_none_match).as_set(include_weak=True)  # werkzeug reads an empty tag as None
    return next((f'"{one}"' for one in known if one and one.partition(":")[0] == tag.strip('"')), None)
