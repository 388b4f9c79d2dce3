"""What the clocks of a table show, in a line for the terminal."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from events.times import millis
from wintercount.cli.terminal.words import Words

DAY_S = 86_400


def clocks(table: Mapping[str, Any], holders: Mapping[int, str], words: Words) -> str:
    """How long each person has left: 'time left: seat 1 (you) 4:32'; empty at a table without a clock."""
    if table.get("clock") is None:
        return ""
    now_ms = round(time.time() * 1000)
    left = ", ".join(f"{holders[seat]} {length(ms)}" for seat, ms in _left(table, now_ms))
    return words.say("time_left", left=left) if left else ""


def _left(table: Mapping[str, Any], now_ms: int) -> Iterator[tuple[int, int]]:
    for row in table["seats"]:
        clock = row.get("clock")
        if clock and clock["deadline"]:
            yield row["seat"], max(0, millis(clock["deadline"]) - now_ms)
        elif clock and clock["bank_ms"] is not None:
            yield row["seat"], clock["bank_ms"]


def length(ms: int) -> str:
    """A length of time as clocks show it: 4:05, 1:02:03, or from a day on 2 d 04:05."""
    minutes, second = divmod(-(-ms // 1000), 60)
    hours, minute = divmod(minutes, 60)
    day, hour = divmod(hours, 24)
    if day:
        return f"{day} d {hour:02d}:{minute:02d}"
    return f"{hour}:{minute:02d}:{second:02d}" if hour else f"{minute}:{second:02d}"
