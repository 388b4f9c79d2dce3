"""The events of a table outside its game: seats, clocks, disputes. They share the game events' stream and numbering."""

from typing import Annotated, Any, ClassVar

import msgspec

DAY_S = 86_400
LONGEST_S = 30 * DAY_S  # for a decision, an initial bank, or a dispute
MOST_RATING = 9999  # points: more than anybody reaches

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_S)]
Points = Annotated[int, msgspec.Meta(ge=0, le=MOST_RATING)]


class TimeControl(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person's time to decide, by `kind`.

    `decision`: `decision_s` seconds for each decision. `days`: a number of days for each. `fischer`: a bank of
    `initial_s` seconds for the whole game, which gains `increment_s` with each decision.
    """

    kind: str
    decision_s: Seconds | None = None
    initial_s: Seconds | None = None
    increment_s: Seconds | None = None
    days: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_S // DAY_S)] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it has exactly the fields of its kind, none of them negative, and gives any time."""
        times = {name: value for name in CLOCK_TIMES if (value := getattr(self, name)) is not None}
        return times.keys() == CLOCK_FIELDS.get(self.kind) and min(times.values()) >= 0 and self.whole_s > 0

    @property
    def whole_s(self) -> int:
        """Seconds for a decision, or in the initial bank."""
        return self.decision_s or self.initial_s or (self.days or 0) * DAY_S

    @property
    def bank_ms(self) -> int | None:
        """Milliseconds in the initial bank; None if there are no banks."""
        return None if self.initial_s is None else self.initial_s * 1000

    @property
    def increment_ms(self) -> int:
        """Milliseconds that the bank gains with each decision."""
        return (self.increment_s or 0) * 1000


CLOCK_FIELDS = {"decision": {"decision_s"}, "fischer": {"initial_s", "increment_s"}, "days": {"days"}}
"""The fields that go with each kind of clock."""
CLOCK_TIMES = sorted(set().union(*CLOCK_FIELDS.values()))


class RatingRange(msgspec.Struct, frozen=True):
    """The ratings, in whole points, with which a player may take an open seat; None means no bound.

    Provisional ratings, and the initial rating of a new player, count like others; if `provisional` is false, those
    players may not sit down.
    """

    least: Points | None = None
    most: Points | None = None
    provisional: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether it restricts anything and admits anybody."""
        bounds = self.least is not None or self.most is not None or not self.provisional
        return bounds and (self.least is None or self.most is None or self.least <= self.most)


Hidden = msgspec.UnsetType


class Lifecycle(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An event of the table; its fields are the payload. `schema` numbers the versions of that set of fields."""

    schema: ClassVar[int] = 1


class PersonalText(msgspec.Struct, frozen=True, gc=False):
    """Something a person wrote, encrypted under the key of its author `of`; `text` is the ciphertext.

    The log never changes it. The key is stored elsewhere; deleting it erases the text.
    """

    of: str
    text: str


Text = PersonalText | str  # plain text only if it is not personal


class PlayerKind(msgspec.Struct, frozen=True):
    """An AI player: its name and version, and the level that determines its budget."""

    player: str
    version: int
    level: str


class SeatOffer(msgspec.Struct, frozen=True):
    """Who a seat is for when the table opens; `kind`: `open` to anybody, reserved for one `player`, or an `ai`."""

    seat: int
    kind: str
    player: str | None = None
    level: str | None = None


class DisputeRules(msgspec.Struct, frozen=True):
    """How rulings may be disputed.

    `by` is who decides: `arbiter` or `vote` (of the people seated). `play` meanwhile `pauses` or `goes_on`. A ruling
    may be disputed for `window_s` seconds; a dispute not decided within `answer_s` lapses, and the ruling stands.
    """

    by: Annotated[str, msgspec.Meta(pattern="^(arbiter|vote)$")] = "arbiter"
    play: Annotated[str, msgspec.Meta(pattern="^(pauses|goes_on)$")] = "pauses"
    window_s: Seconds = 3600
    answer_s: Seconds = 86400


class TableOpened(Lifecycle, frozen=True, kw_only=True, omit_defaults=True):
    """First event. Nobody may read `seed` until the game is over; its commitment binds the server to it.

    A `lesson` is a prepared deal with a public seed. `rated`: whether the result counts in ratings; `aids`: whether
    seats get probabilities of hidden cards; `ratings`: who may take open seats. `idle_days`: days without a move after
    which the table is closed where no clock runs; if absent, it never is.
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
    idle_days: Annotated[int, msgspec.Meta(ge=1)] = 0
    seed: Digest | Hidden = msgspec.UNSET


class TableForked(TableOpened, frozen=True, kw_only=True):
    """First event of a branch, which continues the table `parent` from version `parent_version`.

    `parent_head` is the hash of the parent's event there. `chance` is `anew` or `continued`; then luck comes from the
    parent's revealed seed (`parent_seed`), its `contributions` and its counts of `draws`. If `dealt_anew`, all that
    the forking player could not see was dealt again. `state` is the state that play continues from, `past` the game's
    earlier events as the forking player read them; nobody may read either until the branch is over.
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


class SeatTaken(Lifecycle, frozen=True):
    """A person (`player`) or an AI (`ai`) sits down; `contribution` is mixed into the table's luck."""

    seat: int
    player: str | None = None
    bot: bool = False
    ai: PlayerKind | None = None
    contribution: str | None = None


class SeatLeft(Lifecycle, frozen=True):
    """A person leaves the seat before the game has begun."""

    seat: int
    player: str


class PlayContinued(Lifecycle, frozen=True):
    """Every seat of a branch is taken: play continues from the branch's initial state."""


class ClockExpired(Lifecycle, frozen=True):
    """The time for a decision is up; the other seats may now hand the seat over or wait."""

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
    """An AI takes over for a person whose time was up."""

    seat: int
    player: str | None
    ai: PlayerKind
    by_seat: int | None


class SeatResigned(Lifecycle, frozen=True):
    """A person gives the seat up and comes last. `ai` plays on; null: one seat is left, which wins the game."""

    seat: int
    player: str
    ai: PlayerKind | None


class Remedy(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a dispute asks for: another reading (house rules by name), or a correction (the payload that is right)."""

    reading: dict[str, Any] | None = None
    correction: dict[str, Any] | None = None


class DisputeOpened(Lifecycle, frozen=True):
    """A seat disputes the rule `rule` of the ruling `version`, and asks for a remedy."""

    dispute: str
    seat: int
    version: int
    rule: str
    claim: PersonalText
    remedy: Remedy
    deadline: str


class DisputeCommented(Lifecycle, frozen=True):
    """A comment on a dispute by a seated player (`seat`) or the arbiter."""

    dispute: str
    player: str
    seat: int | None
    text: PersonalText


class ArbiterLooked(Lifecycle, frozen=True):
    """The arbiter `player` may see what a seat saw, up to version `until`, until the dispute is resolved."""

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
    """The outcome of a dispute: `upheld`, `overturned`, `lapsed` (out of time) or `moot` (undone, or the game is over).

    `by`: `arbiter`, `vote`, `clock`, `correction` or `end`; `remedy` is what it decides instead, null unless it
    overturns.
    """

    dispute: str
    outcome: str
    by: str
    player: str | None
    text: Text
    remedy: Remedy | None


class PlayTakenBack(Lifecycle, frozen=True):
    """Play returns to version `to`; the events `first` to `last` are undone but stay readable.

    `reason`: `dispute` or `takeback`, asked for by `seat`; `options` are the house rules that it amends; `state` is
    the state to continue from, which nobody may read until the game is over. The moves of the seats in `again` are
    then repeated (the seal `again` holds them); `draws` are the counts of draws after that.
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


class RulingCorrected(Lifecycle, frozen=True):
    """Follows `PlayTakenBack`: another outcome of the ruling `version` takes its place when its move is played again.

    `ruling` is the type of that event. Of the moves played again, `move` caused it, as the event number `event` of that
    move, both counted from 0. `decided` is the payload that the rules lead to, `corrected` the one that holds now, and
    `reason` what the arbiter says. A correction is recorded again whenever its move is.
    """

    dispute: str
    version: int
    rule: str
    ruling: str
    move: int
    event: int
    decided: dict[str, Any]
    corrected: dict[str, Any]
    player: str | None
    reason: Text


class OfferMade(Lifecycle, frozen=True):
    """A seat offers to take back its last move (returning to version `to`), to abort the game, or to end it as a draw.

    The seats in `of` must agree. A newer offer replaces it.
    """

    offer: str
    kind: Annotated[str, msgspec.Meta(pattern="^(takeback|abort|draw)$")]
    seat: int
    to: int | None
    of: tuple[int, ...]


class OfferAnswered(Lifecycle, frozen=True):
    """A seat's answer to an offer. A refusal ends it.

    So does any further move if it is a takeback, or else a move by a seat that has not answered.
    """

    offer: str
    seat: int
    agrees: bool


class SeedRevealed(Lifecycle, frozen=True):
    """The game is over: the seed that the first event committed to; the salt is opened there."""

    seed: str


class TableClosed(Lifecycle, frozen=True):
    """Last event. `reason`: why there are no more, one of `ENDS`.

    - `game_over`: the game ended by its rules. `resigned`: all seats but one resigned. `drawn`: people agreed on it.
    - `aborted`: people agreed on it, or the opener ended it early. `abandoned`: everybody left before the start, or
      nobody moved for `idle_days`. Neither has a result.
    - `end_of_text`: the text of a transcript ends before the game does.
    """

    reason: str


LIFECYCLE: tuple[type[Lifecycle], ...] = tuple(
    [kind for kind in vars().values() if isinstance(kind, type) and issubclass(kind, Lifecycle) and kind != Lifecycle]
)
"""All of them, in the order of their definition."""
TYPES: dict[str, type[Lifecycle]] = {event.__name__: event for event in LIFECYCLE}
ENDS = ("game_over", "resigned", "drawn", "aborted", "abandoned", "end_of_text")
RANKED = ("resigned", "drawn")  # the ends before the game's own that have a result
TEXTS = {"DisputeOpened": "claim", "DisputeCommented": "text", "DisputeResolved": "text", "RulingCorrected": "reason"}
"""The field of each event type that holds a personal text."""
