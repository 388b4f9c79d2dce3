"""What no check can cover, and why: docs/log.md has the same rows."""

import re
from typing import NamedTuple

from tests.forgeries.altering import Alteration


class Uncovered(NamedTuple):
    """A field, by patterns of the types of event and of its name; `told` is its row in docs/log.md, with the reason."""

    types: str
    field: str
    told: str


OPENED = "TableOpened|TableForked"
UNCOVERED = (
    Uncovered(".*", "at", "`at`, between the times before and behind it"),
    Uncovered(".*", "now", "`now`, where the table's time stood still"),
    Uncovered(".*", "request", "`request` of a person, and the milliseconds in that of a clock"),
    Uncovered(".*", r"opened\..*\.salt", "the salt of a secret"),
    Uncovered(OPENED, r"payload\.(visibility|arbiter)", "`visibility` and `arbiter`, where nothing came of them"),
    Uncovered(OPENED, r"payload\.(clock|disputes)(\..*)?", "`clock` and `disputes`, where nothing came of them"),
    Uncovered(OPENED, r"payload\.seats\.\*(\..*)?", "`seats`: for whom a seat was kept that the same person took"),
    Uncovered(OPENED, r"payload\.rules_version", "`rules_version`, between versions that decide the table alike"),
    Uncovered("SeatTaken", r"payload\.(name(\.text)?|bot)", "`name` and `bot` of who sits down"),
    Uncovered("SeatTaken", r"payload\.contribution", "`contribution`, where no draw followed"),
    Uncovered("SeatTaken|SeatHandedOver", r"payload\.ai\.version", "`ai.version` of a seat whose AI made no move"),
    Uncovered("DeadlineExtended", r"payload\.deadline", "`deadline`: how many whole seconds were granted"),
    Uncovered("DisputeOpened", r"payload\.deadline", "`deadline` of a dispute, by less than a minute"),
    Uncovered(
        "DisputeOpened",
        r"payload\.(options(\..*)?|rule|version)",
        "what a dispute asks for, where the verdict is the same",
    ),
    Uncovered("DisputeVoted", r"payload\.overturn", "a vote, where the outcome is the same"),
    Uncovered("Dispute.*", r"payload\.(claim|text)(\.text)?", "`claim` and `text`: what people wrote"),
    Uncovered(".*", r"by\.ai\.seen", "`by.ai.seen`, between versions at which the seat saw the same"),
    Uncovered(".*", r"by\.ai\.iterations", "`by.ai.iterations` and the choice itself, of players that are gone"),
)


def reason_for(alteration: Alteration) -> str | None:
    """The row of docs/log.md that says why nothing can find an alteration; None if there is none."""
    for row in UNCOVERED:
        if re.fullmatch(row.types, alteration.type) and re.fullmatch(row.field, alteration.field):
            return row.told
    return None
