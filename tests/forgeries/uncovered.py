"""What no check can cover, and why: docs/log.md has the same rows."""

import re
from typing import NamedTuple

from tests.forgeries.altering import Alteration


class Uncovered(NamedTuple):
    """A field, by patterns of the types of event and of its name; `told` is its row in docs/log.md, with the reason.

    `way` is a pattern of how it is altered.
    """

    types: str
    field: str
    told: str
    way: str = ".*"


OPENED = "TableOpened|TableForked"
UNCOVERED = (
    Uncovered(".*", "at", "`at`, between the times before and behind it"),
    Uncovered(".*", "now", "`now`, where the table's time stood still"),
    Uncovered(".*", "request", "`request` of a person, and the milliseconds in that of a clock"),
    Uncovered(".*", r"opened\..*\.salt", "the salt of a secret"),
    Uncovered(OPENED, r"payload\.(visibility|arbiter)", "`visibility` and `arbiter`, where nothing came of them"),
    Uncovered(OPENED, r"payload\.(clock|disputes)(\..*)?", "`clock` and `disputes`, where nothing came of them"),
    Uncovered(
        OPENED,
        r"payload\.(lesson|rated|aids|ratings|idle_days)(\..*)?",
        "`rated`, `aids`, `ratings` and `idle_days`, and `lesson` where no AI has moved",
    ),
    Uncovered(OPENED, r"payload\.seats\.\*(\..*)?", "`seats`: for whom a seat was kept that the same person took"),
    Uncovered(OPENED, r"payload\.rules_version", "`rules_version`, between versions that decide the table alike"),
    Uncovered("SeatTaken", r"payload\.bot", "`bot` of who sits down"),
    Uncovered("SeatTaken", r"payload\.contribution", "`contribution`, where no draw followed"),
    Uncovered(
        "SeatTaken|SeatHandedOver|SeatResigned", r"payload\.ai\.version", "`ai.version` of a seat whose AI made no move"
    ),
    Uncovered("DeadlineExtended", r"payload\.deadline", "`deadline`: how many whole seconds were granted"),
    Uncovered("DisputeOpened", r"payload\.deadline", "`deadline` of a dispute, by less than a minute"),
    Uncovered(
        "DisputeOpened",
        r"payload\.(remedy(\..*)?|rule|version)",
        "what a dispute asks for, where the verdict is the same",
    ),
    Uncovered("DisputeVoted", r"payload\.overturn", "a vote, where the outcome is the same"),
    Uncovered(
        "Dispute.*|RulingCorrected",
        r"payload\.(claim|text|reason)(\.text)?",
        "`claim`, `text` and `reason`: what people wrote",
    ),
    Uncovered(
        "CardsCommitted|SpecialsChosen|PartyChosen|TilesTaken|CardsTaken",
        r"move\.(cards|keep|tiles)",
        "the order in which a person names cards, where it decides nothing",
        "is turned",
    ),
    Uncovered(".*", r"ai_used\.seen", "`seen` of an AI move, between versions at which the seat saw the same"),
    Uncovered(
        ".*",
        r"ai_used\.budget",
        "`budget` of an AI move, where its player chooses the same with another",
        "is more|is less",
    ),
    Uncovered(
        ".*",
        r"ai_used\.version",
        "`version` of an AI move, where a later version of its player chooses the same",
        "is more",
    ),
    Uncovered(
        ".*", r"ai_used\.iterations", "`iterations` of an AI move and the choice itself, of players that are gone"
    ),
)


def reason_for(alteration: Alteration) -> str | None:
    """The row of docs/log.md that says why nothing can find an alteration; None if there is none."""
    for row in UNCOVERED:
        told = zip((row.types, row.field, row.way), (alteration.type, alteration.field, alteration.way), strict=True)
        if all(re.fullmatch(pattern, text) for pattern, text in told):
            return row.told
    return None
