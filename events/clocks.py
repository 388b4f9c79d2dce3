"""The clock that a table is opened with: how long a person has."""

import msgspec

DAY_S = 86_400
LONGEST_S = 30 * DAY_S  # of a decision, a bank when the game begins, or a dispute


class TimeControl(msgspec.Struct, frozen=True, omit_defaults=True):
    """How long a person has, by its `kind`.

    `decision`: `decision_s` seconds for each decision. `days`: so many days for each. `fischer`: a bank of `initial_s`
    seconds for the game, which gains `increment_s` with each decision that is taken.
    """

    kind: str
    decision_s: int | None = None
    initial_s: int | None = None
    increment_s: int | None = None
    days: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it has the fields of its kind and no others, none of them negative, and gives any time."""
        told = {name: getattr(self, name) for name in CLOCK_TIMES}
        held = {name for name, value in told.items() if value is not None}
        return held == CLOCK_FIELDS.get(self.kind) and all(told[name] >= 0 for name in held) and self.whole_s > 0

    @property
    def whole_s(self) -> int:
        """Seconds for a decision, or in a bank when the game begins."""
        return self.decision_s or self.initial_s or (self.days or 0) * DAY_S

    @property
    def bank_ms(self) -> int | None:
        """Milliseconds in a bank when the game begins; None if there are no banks."""
        return None if self.initial_s is None else self.initial_s * 1000

    @property
    def increment_ms(self) -> int:
        """Milliseconds that a bank gains with each decision."""
        return (self.increment_s or 0) * 1000


CLOCK_FIELDS = {"decision": {"decision_s"}, "fischer": {"initial_s", "increment_s"}, "days": {"days"}}
"""The fields that go with each kind of clock."""
CLOCK_TIMES = sorted(set().union(*CLOCK_FIELDS.values()))
