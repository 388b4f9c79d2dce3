"""Headers that are not what they should be, to every operation: an answer that the document knows, never a 5xx."""

import re

import pytest

from tests.long import quick_first
from tests.service.api.test_hostile_requests import OPERATIONS, PLACES
from tests.service.api.world import World

KINDS = {  # those of a kind are sent together; one that is refused hides none of another kind
    "conditions": ("If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range"),
    "likings": ("Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Prefer"),
    "places": ("Idempotency-Key", "Last-Event-ID", "X-Request-Id", "traceparent", "tracestate"),
    "origins": ("Cookie", "Forwarded", "Host", "Origin", "Referer", "X-Forwarded-For", "X-Forwarded-Proto"),
    "bodies": ("Content-Encoding", "Content-Type", "Expect", "Transfer-Encoding"),
    "tokens": ("Authorization",),
}
VALUES = {
    "nothing": "",
    "an empty tag": '""',
    "an empty weak tag": 'W/""',
    "half a tag": 'W/"',
    "a star": "*",
    "commas": ",,,",
    "a semicolon": ";",
    "an empty name": "=;=",
    "a weight that is none": "a;q=x, b;q=",
    "a weight beyond all": "a;q=1e999, */*;q=-1, b;q=nan",
    "a range from the end of nothing": "bytes=-",
    "a range that goes back": "bytes=5-2",
    "many ranges": "bytes=" + ",".join(f"{at}-{at}" for at in range(500)),
    "a range beyond all": f"bytes={'9' * 400}-",
    "an integer of many digits": "9" * 5000,
    "a date that is none": "Thu, 31 Feb 99999 25:61:61 GMT",
    "a year before all": "Mon, 01 Jan 0000 00:00:00 GMT",
    "Latin-1": "caf\xe9",
    "a tabulator": "a\tb",
    "other digits": "\u00b2\u00b9",
    "a scheme alone": "Bearer",
    "two tokens": "Bearer a b",
    "a password": "Basic Og==",
    "a password that is none": "Basic \xff",
    "an address": "http://[::1",
    "another address": 'for="[::1";proto=;by=_',
}
SHARES = 10


@pytest.fixture(scope="module")
def table(world: World) -> str:
    """A finished table of the operator's."""
    bob = world.somebody("Bob")
    found = world.open(world.operator, bob, game="tomahawk")
    world.play(found, world.operator, bob, moves=1000)
    return found


@pytest.fixture(scope="module")
def paths(table: str) -> list[str]:
    """Every path that can be read, at the table."""
    read = [path for method, path in OPERATIONS if method == "get"]
    return [re.sub(r"{\w+}", lambda found: PLACES.get(found[0], table), path) for path in read]


def none_fails(world: World, paths: list[str], headers: dict[str, str]) -> None:
    """As any caller; streams are not read to their end."""
    for path in paths:
        answer = world.operator.send("GET", path, headers=headers, buffered=False)
        answer.close()
        assert answer.status_code < 500, (path, headers)


@pytest.mark.parametrize("value", quick_first(VALUES, quick=8))
def test_a_hostile_header_is_no_fault_of_the_service(world: World, paths: list[str], value: str) -> None:
    """Each kind at a share of the paths, another one for each value."""
    share = list(VALUES).index(value) % SHARES
    for names in KINDS.values():
        none_fails(world, paths[share::SHARES], dict.fromkeys(names, VALUES[value]))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({name for names in KINDS.values() for name in names}))
def test_no_hostile_header_is_a_fault_of_the_service(world: World, paths: list[str], name: str) -> None:
    """Each alone, with each value, at every path."""
    for value in VALUES.values():
        none_fails(world, paths, {name: value})
