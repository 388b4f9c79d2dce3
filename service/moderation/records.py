"""What is recorded of moderation: reports by players, and actions by operators. Neither is ever changed.

An action ends by another one that reverses it.
"""

import msgspec

from events.lifecycle import PersonalText

REASONS = ("abuse", "name", "collusion", "cheating", "stalling", "spam", "other")
WARNED, HIDDEN, SUSPENDED = "AccountWarned", "NameHidden", "AccountSuspended"
DISMISSED, REVERSED = "ReportsDismissed", "ActionReversed"
SANCTIONS = (WARNED, HIDDEN, SUSPENDED)  # what stands against an account until it is reversed
ACTIONS = {
    "warn": WARNED,
    "hide_name": HIDDEN,
    "suspend": SUSPENDED,
    "dismiss": DISMISSED,
    "reverse": REVERSED,
}
REASONS_OF = dict.fromkeys(SANCTIONS, REASONS) | {
    DISMISSED: ("unfounded", "duplicate", "settled"),
    REVERSED: ("mistaken", "appealed", "served"),
}
LONGEST = 1000  # characters of a text: what is reported, or told to a player
ALL_REASONS = tuple(dict.fromkeys(reason for reasons in REASONS_OF.values() for reason in reasons))


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report `by` a player about another `player`, about a table, or about what an event there holds (`version`).

    The text is sealed under the key of whoever wrote it and, within that, of whom it is about: whichever is erased,
    nobody can read it any more.
    """

    id: str
    by: str
    at: str
    reason: str
    text: PersonalText
    player: str | None = None
    table: str | None = None
    version: int | None = None


class Action(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an operator did, about which items of the queue; `text` is told to the `player`, under whose key it lies.

    `reverses` is the number of the action that it ends.
    """

    id: str
    type: str
    at: str
    reason: str
    items: tuple[str, ...] = ()
    player: str | None = None
    text: PersonalText | None = None
    reverses: int | None = None
