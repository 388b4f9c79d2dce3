"""The format of times in the log: RFC 3339, UTC, milliseconds, `2026-11-21T09:15:41.123Z`."""

import re
from datetime import UTC, datetime
from functools import lru_cache

RFC_3339 = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:\d\d)",  # 60 is a leap second
    re.ASCII,
)


def stamp(ms: int) -> str:
    """Returns the text for a Unix time in milliseconds."""
    return f"{datetime.fromtimestamp(ms // 1000, UTC).isoformat()[:19]}.{ms % 1000:03d}Z"


@lru_cache(1024)  # the events of a batch share their time
def millis(text: str) -> int:
    """Returns the Unix time in milliseconds of any RFC 3339 time; raises `ValueError`."""
    found = RFC_3339.fullmatch(text)
    if found is None:
        raise ValueError("a time is written as in RFC 3339, such as 2026-11-21T09:15:41Z")
    date, minute, second, fraction, offset = found.groups()
    moment = datetime.fromisoformat(f"{date}T{minute}:00{fraction or ''}{offset.upper()}")
    return round(moment.timestamp() * 1000) + 1000 * int(second)
