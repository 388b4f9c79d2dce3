"""Alters every field of every kind of event: which forgeries there are, and whether verification finds one."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from events.lifecycle import TYPES
from events.verify import archive_faults
from rulings.archive_format import read_history
from service.errors import Refused
from tests.forgeries.altering import Alteration, Row, alterations, altered
from tests.forgeries.stories import NAMES, archive_of, parent_of
from tests.forgeries.uncovered import reason_for
from wintercount.operations.verifying import Checks, Status, decided
from worker.ai_explanations import explain
from worker.ai_process import think_here


class Forgery(NamedTuple):
    """An alteration of one archive."""

    archive: str
    alteration: Alteration


@cache
def _rows(archive: str) -> list[Row]:
    return [json.loads(line) for line in archive_of(archive)[1:]]


def forgeries(names: tuple[str, ...] = NAMES) -> Iterator[Forgery]:
    """Each alteration once for each type of event of a game, and of a table, and for each cause of it."""
    seen: set[tuple[str, ...]] = set()
    for archive in names:
        rows = _rows(archive)
        by_type = {type_: list(found) for type_, found in groupby(sorted(rows, key=_type), key=_type)}
        for row in rows:
            kind = ("" if row["type"] in TYPES else rows[0]["payload"]["game"], row["type"], *_cause(row))
            if kind in seen:
                continue
            seen.add(kind)
            others = by_type[row["type"]][:3]
            yield from (Forgery(archive, alteration) for alteration in alterations(row, others))


def _type(row: Row) -> str:
    return str(row["type"])


def _cause(row: Row) -> tuple[str, ...]:
    """The causes that make two events of one type differ in what they hold."""
    by = row["by"]
    return by["kind"], "ai" if "ai" in by else "", ",".join(sorted(row["secrets"])), ",".join(sorted(by.get("ai", {})))


def is_found(forgery: Forgery) -> bool:
    """Whether `wintercount verify --ai-moves 10000` would not end with 0; here one AI move is computed again."""
    archive = altered(archive_of(forgery.archive), forgery.alteration)
    if any(archive_faults(archive)):
        return True
    branch = forgery.archive.startswith("branched")
    checks = Checks(0, (lambda: parent_of(forgery.archive)) if branch else None)
    return decided(lambda: read_history(archive), checks).status is not Status.HOLDS or _chooses_otherwise(
        forgery, archive
    )


def _chooses_otherwise(forgery: Forgery, archive: tuple[bytes, ...]) -> bool:
    try:
        return explain(read_history(archive), forgery.alteration.version, think_here).same is False
    except Refused:
        return False


def missed(forgery: Forgery) -> list[str]:
    """The forgery in words if verification does not find it, although nothing keeps it from doing so."""
    if is_found(forgery) or reason_for(forgery.alteration):
        return []
    return [f"not found: {forgery.archive} version {forgery.alteration.version} {forgery.alteration.name}"]
