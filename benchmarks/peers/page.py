"""What was found beside peers, as a page and as a plot."""

import math
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from benchmarks import plots
from benchmarks.peers.compared import Group, Part, Ratio, Row
from benchmarks.yardstick import told

PLOT = "peers.svg"
DECADES = 2  # of the plot's scale, to both sides
PLOTTED_STEPS = {
    "rlcard leduc-holdem", "rlcard uno", "rlcard gin-rummy", "pettingzoo texas_holdem_v4", "openspiel gin_rummy",
    "openspiel hearts", "openspiel leduc_poker",
}  # fmt: skip
HEAD = f"""# Beside peers

Written by `make peers`. Each part was measured in one run, ours and theirs by turns; the yardstick is a loop over 1,000
squares in plain Python, read before, between and after the turns. *ours : theirs* is how many times as fast ours was as
the row, by the yardstick: the median of the turns, with the slowest and the fastest in brackets. **Below 1 ours is
slower.** Ratios compare what the notes say, and no more than that.

![How many times as fast as peers, on a logarithmic scale]({PLOT})
"""


def page(parts: Mapping[str, Part]) -> str:
    """All parts as Markdown, how many we lose first."""
    return "\n".join([HEAD, *_counted(parts), *(line for part in parts.values() for line in _part(part))])


def compared(parts: Mapping[str, Part]) -> Iterator[tuple[Group, Row, Ratio]]:
    """Every peer beside ours."""
    for part in parts.values():
        for group in part.groups:
            yield from ((group, row, group.ratio(row)) for row in group.rows if not row.ours)


def _counted(parts: Mapping[str, Part]) -> Iterator[str]:
    """Of how many comparisons ours is the faster one."""
    ratios = [ratio.middle for _, _, ratio in compared(parts)]
    slower, faster = sum(ratio < 1 for ratio in ratios), sum(ratio >= 1 for ratio in ratios)
    yield f"Of {len(ratios)} comparisons ours is slower in {slower} and as fast or faster in {faster}."
    yield ""


def _part(part: Part) -> Iterator[str]:
    yield from (f"## {part.title}", "")
    yield from (f"- {name}: {value}" for name, value in part.described.items())
    yield from (f"- yardstick: {told(part.yards)}", "")
    yield part.notes
    for group in part.groups:
        yield from _group(group)


def _group(group: Group) -> Iterator[str]:
    timed = any(row.p50_ms is not None for row in group.rows)
    times = ["p50 ms", "p99 ms"] if timed else []
    columns = ["", group.unit, "of the turns", "for a yardstick", *times, "ours : theirs"]
    yield from (f"### {group.title[0].upper()}{group.title[1:]}", "", _line(columns), _line(["---"] * len(columns)))
    for row in group.rows:
        spread = f"{_number(min(row.rates))} to {_number(max(row.rates))}"
        taken = [_number(time or 0) for time in (row.p50_ms, row.p99_ms)] if timed else []
        ratio = "" if row.ours else _ratio(group.ratio(row))
        yield _line([row.by, _number(row.rate), spread, _number(row.share), *taken, ratio])
    yield ""


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _ratio(ratio: Ratio) -> str:
    told_ = f"{_number(ratio.middle)} ({_number(ratio.low)} to {_number(ratio.high)})"
    return f"**{told_}**" if ratio.middle < 1 else told_


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def plot(parts: Mapping[str, Part]) -> str:
    """How many times as fast ours is, in SVG on a logarithmic scale; the tick is where both are as fast."""
    dots = [
        plots.Dot(escape(f"{group.title}: {row.by}"), *map(place, (*ratio, 1.0)))
        for group, row, ratio in compared(parts)
        if group.unit != "steps/s" or row.by in PLOTTED_STEPS
    ]
    scale = {place(10.0**decade): _times(decade) for decade in range(-DECADES, DECADES + 1)}
    return plots.plot(dots, scale)


def place(ratio: float) -> float:
    """Where a ratio lies on the scale, from 0 to 1; what lies beyond its ends is drawn there."""
    return min(1.0, max(0.0, 0.5 + math.log10(ratio) / (2 * DECADES)))


def _times(decade: int) -> str:
    return f"{10 ** abs(decade)}× {'faster' if decade > 0 else 'slower'}" if decade else "as fast"
