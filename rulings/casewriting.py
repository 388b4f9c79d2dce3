"""A case as the text of its file: JSON that people read."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

WIDTH = 120


def written(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON that people read: a value on one line where it fits; `before` is what stands on its line already."""
    plain = msgspec.to_builtins(value)
    short = _json(plain)
    if indent + before + len(short) < WIDTH or not isinstance(plain, dict | list | tuple):
        return short
    pad = " " * (indent + 1)
    opening, closing = "{}" if isinstance(plain, dict) else "[]"
    return "\n".join([opening, *[pad + line for line in _lines(plain, indent + 1)], f"{pad[1:]}{closing}"])


def _lines(plain: Any, indent: int) -> Iterator[str]:
    """What stands between the brackets: a line for each name or row; plain values fill lines together."""
    if isinstance(plain, dict):
        names = [f"{_json(name)}: " for name in plain]
        return _separated([f"{n}{written(v, indent, len(n))}" for n, v in zip(names, plain.values(), strict=True)])
    rows = [written(item, indent) for item in plain]
    has_rows = any(isinstance(item, dict | list | tuple) for item in plain)
    return _separated(rows) if has_rows else _filled(rows, WIDTH - indent)


def _separated(rows: Sequence[str]) -> Iterator[str]:
    yield from [f"{row}," for row in rows[:-1]]
    yield rows[-1]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _filled(rows: Sequence[str], width: int) -> Iterator[str]:
    line = ""
    for row in _separated(rows):
        if line and len(line) + 1 + len(row) > width:
            yield line
            line = ""
        line = f"{line} {row}".lstrip()
    yield line
