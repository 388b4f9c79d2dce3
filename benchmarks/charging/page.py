"""What was found, as a page: what is undercharged, and the dearest of each operation."""

from collections.abc import Iterable, Mapping, Sequence

from benchmarks.charging.asking import MEASURED, MUCH_MS, TWICE, Found

COLUMNS = ("ratio", "operation", "place", "what", "read from", "status", "charge ms", "thinking s", "took ms", "bytes")


def undercharged(found: Iterable[Found]) -> list[Found]:
    """What takes much more than it is charged, the worst first."""
    return by_ratio(one for one in found if one.is_undercharged)


def by_ratio(found: Iterable[Found]) -> list[Found]:
    """The worst first."""
    return sorted(found, key=lambda one: one.ratio, reverse=True)


def worst(found: Iterable[Found]) -> list[Found]:
    """Of each operation and source the worst; one that takes long counts as worse than any that does not."""
    kept: dict[tuple[str, str], Found] = {}
    for one in found:
        key = (one.operation, one.read_from)
        if key not in kept or _weight(one) > _weight(kept[key]):
            kept[key] = one
    return by_ratio(kept.values())


def _weight(one: Found) -> tuple[bool, float]:
    return one.took_ms > MUCH_MS, one.ratio


def page(described: Mapping[str, str], found: Sequence[Found], skipped: Mapping[str, str]) -> str:
    """All of it as Markdown."""
    dear = undercharged(found)
    lines = ["# Charges", "", *(f"- {name}: {value}" for name, value in described.items()), ""]
    lines += [
        f"What {len(found):,} requests were charged and took of the processor, the least of some times, in "
        f"milliseconds of a machine whose yardstick (plain) reads {MEASURED:,} a second. What takes "
        f"more than {TWICE} times its charge and more than {MUCH_MS} ms is undercharged.",
        *("", f"## Undercharged: {len(dear)}", "", *(_table(dear) if dear else ["Nothing."])),
        *("", "## The worst of each operation, by where its table was read from", "", *_table(worst(found)), ""),
    ]
    if skipped:
        lines += ["## Not everywhere to be asked", "", *(f"- {name}: {why}" for name, why in skipped.items()), ""]
    return "\n".join(lines)


def _table(found: Iterable[Found]) -> list[str]:
    return [_row(COLUMNS), _row(["---"] * len(COLUMNS)), *(_row(_cells(one)) for one in found)]


def _cells(one: Found) -> list[str]:
    asked, status = one.asked, f"{one.asked.status} {one.asked.problem or ''}".strip()
    what = f"`{one.what}`" if one.what else ""
    figures = f"{asked.work_ms:,}", str(asked.thinking_s or ""), f"{one.took_ms:,.1f}", f"{asked.size:,}"
    charge = "operator" if one.is_operators else figures[0]
    return [f"{one.ratio:.2f}", one.operation, one.place, what, one.read_from, status, charge, *figures[1:]]


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
