"""Plots in SVG: a line of text for each thing measured, and beside it where it lies and how surely."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

TEXT, WIDTH, LINE = 420, 400, 22  # where texts end, how wide the scale is, and how high a line
MARGIN = 40


class Dot(NamedTuple):
    """A thing measured, on a scale from 0 to 1: its interval, its middle, and a tick to compare it to."""

    name: str
    low: float
    middle: float
    high: float
    tick: float


def plot(dots: Sequence[Dot], scale: Mapping[float, str]) -> str:
    """The dots as bars of uncertainty below a scale, which names some places between 0 and 1."""
    marks = "".join(f'<text x="{_x(at):g}" y="15" text-anchor="middle">{name}</text>' for at, name in scale.items())
    lines = "".join(_line(dot, 30 + number * LINE) for number, dot in enumerate(dots))
    width, height = TEXT + WIDTH + MARGIN, MARGIN + len(dots) * LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12" style="background:#fff">{marks}{lines}</svg>\n'
    )


def _x(place: float) -> float:
    return TEXT + WIDTH * place


def _line(dot: Dot, y: int) -> str:
    left, middle, right, tick = map(_x, (dot.low, dot.middle, dot.high, dot.tick))
    return (
        f'<text x="{TEXT - 10}" y="{y + 4}" text-anchor="end">{dot.name}</text>'
        f'<line x1="{tick:.1f}" x2="{tick:.1f}" y1="{y - 8}" y2="{y + 8}" stroke="#bbb"/>'
        f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}" stroke="#8a3b12" stroke-width="3"/>'
        f'<circle cx="{middle:.1f}" cy="{y}" r="4" fill="#8a3b12"/>'
    )
