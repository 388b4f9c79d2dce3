"""A table's own events: what happens to it besides the game. They share stream and numbering with the game's."""

from typing import Annotated, Any, ClassVar

import msgspec

DAY_S = 86_400
LONGEST_S = 30 * DAY_S  # of a decision, a bank when the game begins, or a dispute
MOST_RATING = 9999  # points: more than anybody reaches

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_S)]
Points = Annotated[int, msgspec.Meta(ge=0, le=MOST_RATING)]


class TimeControl(msgspec.Struct, frozen=True, omit_defaults=True):
    """How long a person has, by its `kind`.

    `decision`: `decision_s` seconds for each decision. `days`: so many days for each. `fischer`: a bank of `initial_s`
    seconds for the game, which gains `increment_s` with each decision that is taken.
    """

    kind: str
    decision_s: Seconds | None = None
    initial_s: Seconds | None = None
    increment_s: Seconds | None = None
    days: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_S // DAY_S)] | None = None

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


class RatingRange(msgspec.Struct, frozen=True):
    """The ratings, in whole points, with which a player may take an open seat; None: no bound.

    A provisional rating counts like any other, as does the first rating of a new player; if `provisional` is false,
    such players may not sit down.
    """

    least: Points | None = None
    most: Points | None = None
    provisional: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether it bounds anything, and leaves somebody in."""
        bounds = self.least is not None or self.most is not None or not self.provisional
        return bounds and (self.least is None or self.most is None or self.least <= self.most)


Hidden = msgspec.UnsetType


class Lifecycle(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An event of the table; its fields are the payload. `schema` numbers the sets of fields that it has had."""

    schema: ClassVar[int] = 1


class PersonalText(msgspec.Struct, frozen=True, gc=False):
    """What a person wrote, encrypted under the key of the person `of`; `text` is the ciphertext.

    The log holds it like this for ever. Without the key, which lies elsewhere, nobody can read it.
    """

    of: str
    text: str


Text = PersonalText | str  # in plain only if it says nothing


class PlayerKind(msgspec.Struct, frozen=True):
    """An AI player as it is recorded: its name and version, and the level that names its budget."""

    player: str
    version: int
    level: str


class SeatOffer(msgspec.Struct, frozen=True):
    """What a seat is meant for when the table opens: `open` to anybody, kept for one `player`, or an `ai`."""

    seat: int
    kind: str
    player: str | None = None
    level: str | None = None


class DisputeRules(msgspec.Struct, frozen=True):
    """How rulings may be disputed: who decides, whether play pauses meanwhile, and the time for either (seconds).

    `by`: `arbiter` or `vote` (of the persons seated); `play`: `pauses` or `goes_on`. A ruling may be disputed for
    `window_s` after it fell; a dispute that is not decided within `answer_s` lapses, and the ruling stands.
    """

    by: Annotated[str, msgspec.Meta(pattern="^(arbiter|vote)$")] = "arbiter"
    play: Annotated[str, msgspec.Meta(pattern="^(pauses|goes_on)$")] = "pauses"
    window_s: Seconds = 3600
    answer_s: Seconds = 86400


class TableOpened(Lifecycle, frozen=True, kw_only=True):
    """First event. Nobody may read `seed` until the game is over: its commitment binds the server to it.

    A `lesson` is a prepared deal, whose seed anybody may know. `rated` is whether its result is to count in ratings,
    `aids` whether a seat is told what to believe of hidden cards, `ratings` for whom open seats are.
    """

    game: str
    rules_version: int
    players: int
    options: dict[str, Any]
    visibility: Annotated[str, msgspec.Meta(pattern="^(public|private)$")]
    opened_by: Annotated[str, msgspec.Meta(min_length=1)]
    seats: tuple[SeatOffer, ...]
    clock: TimeControl | None
    arbiter: str | None
    disputes: DisputeRules | None
    lesson: bool
    rated: bool
    aids: bool
    ratings: RatingRange | None
    seed: Digest | Hidden = msgspec.UNSET


class TableForked(TableOpened, frozen=True, kw_only=True):
    """First event of a branch: it plays on from version `parent_version` of the table `parent`.

    `parent_head` is the hash of the parent's event there. `chance` is `anew` or `continued`: then luck is drawn from
    `parent_seed` (revealed by the parent) and `contributions`, the parent's, from its counts of `draws` on. If
    `dealt_anew`, what the forking player might not see was dealt anew. `state` is what play goes on from and `past`
    the game's events that led there, each with type, payload and readers, as the forking player had read them: both
    are for nobody until the branch is over.
    """

    parent: str
    parent_version: Annotated[int, msgspec.Meta(ge=1)]
    parent_head: Digest
    chance: Annotated[str, msgspec.Meta(pattern="^(anew|continued)$")]
    parent_seed: Digest | None
    contributions: tuple[str | None, ...]
    draws: dict[str, Annotated[int, msgspec.Meta(ge=0)]]
    dealt_anew: bool
    state: dict[str, Any] | Hidden = msgspec.UNSET
    past: tuple[dict[str, Any], ...] | Hidden = msgspec.UNSET


class PlayContinued(Lifecycle, frozen=True):
    """Every seat of a branch is taken: play goes on from the state with which the branch began."""


class SeatTaken(Lifecycle, frozen=True):
    """A person (`player`) or an AI (`ai`) sits down; `contribution` is mixed into the table's luck."""

    seat: int
    player: str | None = None
    bot: bool = False
    ai: PlayerKind | None = None
    contribution: str | None = None


class SeatLeft(Lifecycle, frozen=True):
    """A person gives the seat up before the game has begun."""

    seat: int
    player: str


class ClockExpired(Lifecycle, frozen=True):
    """The time for a decision is over; the other seats may now hand the seat over or wait."""

    seat: int
    decision: str
    deadline: str


class DeadlineExtended(Lifecycle, frozen=True):
    """The other seats wait: the decision has a new deadline."""

    seat: int
    decision: str
    deadline: str
    by_seat: int | None


class SeatHandedOver(Lifecycle, frozen=True):
    """An AI plays on for a person whose time was over."""

    seat: int
    player: str | None
    ai: PlayerKind
    by_seat: int | None


class SeedRevealed(Lifecycle, frozen=True):
    """After `GameEnded`: the seed that the first event committed to; its salt is opened beside that commitment."""

    seed: str


class TableClosed(Lifecycle, frozen=True):
    """Last event of the stream. `reason`: `game_over` or `abandoned` (everybody left before the game began).

    At a transcript also `end_of_text`: the text ends before the game does.
    """

    reason: str


class DisputeOpened(Lifecycle, frozen=True):
    """A seat disputes rule `rule` of the ruling `version`; `options` is the reading that it asks for instead."""

    dispute: str
    seat: int
    version: int
    rule: str
    claim: PersonalText
    options: dict[str, Any]
    deadline: str


class DisputeCommented(Lifecycle, frozen=True):
    """A comment on a dispute by a seated player (`seat`) or the arbiter."""

    dispute: str
    player: str
    seat: int | None
    text: PersonalText


class ArbiterLooked(Lifecycle, frozen=True):
    """The arbiter `player` looks through a seat for a dispute: until it is resolved, and up to version `until`."""

    dispute: str
    seat: int
    player: str
    until: int


class DisputeVoted(Lifecycle, frozen=True):
    """A seat's vote on whether to overturn the ruling."""

    dispute: str
    seat: int
    overturn: bool


class DisputeResolved(Lifecycle, frozen=True):
    """How a dispute ends: `upheld`, `overturned`, `lapsed` (time was over) or `moot` (the ruling is undone anyway).

    `by`: `arbiter`, `vote`, `clock` or `correction`; `options` are the house rules amended by it.
    """

    dispute: str
    outcome: str
    by: str
    player: str | None
    text: Text
    options: dict[str, Any]


class PlayTakenBack(Lifecycle, frozen=True):
    """Play is again where it was at version `to`; the events `first` to `last` are undone, and stay readable.

    `reason`: `dispute` or `takeback`, asked for by `seat`; `options` are the house rules amended; `state` is the state
    to go on from, for nobody until the game is over. The moves of the seats in `again` are taken again behind it (the
    seal `again` holds them); `draws` are the counts of draws after that.
    """

    to: int
    first: int
    last: int
    reason: str
    seat: int
    dispute: str | None
    options: dict[str, Any]
    again: tuple[int, ...]
    draws: dict[str, int]
    state: dict[str, Any] | Hidden = msgspec.UNSET


class TakebackAsked(Lifecycle, frozen=True):
    """A seat asks to take its last move back, to version `to`; the seats in `of` must agree."""

    takeback: str
    seat: int
    to: int
    of: tuple[int, ...]


class TakebackAnswered(Lifecycle, frozen=True):
    """A seat's answer to that. A refusal ends the request; so does any further move."""

    takeback: str
    seat: int
    agrees: bool


LIFECYCLE: tuple[type[Lifecycle], ...] = (
    TableOpened,
    TableForked,
    SeatTaken,
    SeatLeft,
    PlayContinued,
    ClockExpired,
    DeadlineExtended,
    SeatHandedOver,
    DisputeOpened,
    DisputeCommented,
    ArbiterLooked,
    DisputeVoted,
    DisputeResolved,
    PlayTakenBack,
    TakebackAsked,
    TakebackAnswered,
    SeedRevealed,
    TableClosed,
)
TYPES: dict[str, type[Lifecycle]] = {event.__name__: event for event in LIFECYCLE}
TEXTS = {"DisputeOpened": "claim", "DisputeCommented": "text", "DisputeResolved": "text"}
"""The field of each type of event that holds what a person wrote."""
