"""The format of times in the log: RFC 3339, UTC, milliseconds, `2026-11-21T09:15:41.123Z`."""

from datetime import UTC, datetime
from functools import lru_cache


def stamp(ms: int) -> str:
    """Returns the text for a Unix time in milliseconds."""
    return f"{datetime.fromtimestamp(ms // 1000, UTC).isoformat()[:19]}.{ms % 1000:03d}Z"


@lru_cache(1024)  # the events of a batch share their time
def millis(text: str) -> int:
    """Returns the Unix time in milliseconds of any RFC 3339 time; raises `ValueError`."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time needs its offset, such as Z")
    return round(moment.timestamp() * 1000)
