"""Environments for learners: what `make bench` measures, with OpenSpiel besides."""

from collections.abc import Mapping, Sequence

from benchmarks.figures import Size
from benchmarks.peers.compared import Group, Part, Row
from benchmarks.research import Speed, by_rounds

BASE = "wintercount big-manitou/4"
NOTES = f"""
Random play of whole games, steps a second of the process: what the agent sees, one of the actions that its mask allows,
the step. `masks alone` tells no observation.

Games differ in what a step does and in how much is observed: an observation of RLCard's Leduc hold'em has 36 numbers,
one of ours 613 to 1,405. OpenSpiel is written in C++ and only asked from Python; its chance nodes are not counted as
steps, and its bridge is left out, of which few games fit into a turn. All others are Python.

Held against is {BASE}.
"""


def steps(size: Size) -> Part:
    """Every environment that is installed."""
    yards, found_in = by_rounds(size.yard_s, size.rounds)
    group = Group("steps in environments", "steps/s", rows(found_in))
    return Part("Environments for learners: RLCard, PettingZoo, OpenSpiel", NOTES, [group], list(yards))


def rows(found_in: Sequence[Mapping[str, Speed]]) -> list[Row]:
    """The figures of each, that which the others are held against first, then the fastest."""
    found = [
        Row(
            name,
            name.startswith("wintercount"),
            [speeds[name].process for speeds in found_in],
            [speeds[name].share for speeds in found_in],
        )
        for name in found_in[0]
    ]
    return sorted(found, key=lambda row: (row.by != BASE, -row.share))
