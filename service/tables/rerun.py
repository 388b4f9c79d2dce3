"""Makes each batch of a record again with the use case that recorded it, and compares the two field by field.

What somebody brought is an input and is read from the record: a move, a claim, a verdict, the time. All else
follows from it and from the events before: who may do it, what is recorded of it and behind it, for whom it is secret,
and which draws it took. What neither an input nor an event before determines is listed in docs/log.md.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from events.canonical import canonical
from events.lifecycle import (
    LONGEST_S,
    TEXTS,
    DeadlineExtended,
    DisputeOpened,
    DisputeResolved,
    PersonalText,
    PlayerKind,
    PlayTakenBack,
    SeatHandedOver,
    SeatOffer,
    SeatTaken,
    TableForked,
    TableOpened,
)
from events.log import VersionRange
from events.recorded import Envelope, NewEvent, Recorded
from events.times import millis, stamp
from games.kernel import MoveRefused, OptionsRefused
from projections.disputes import Vote
from projections.folding import FAULTS
from projections.history import TableHistory
from projections.recording import as_of_today, lifecycle_of, read_event
from projections.table import Table
from rulings.replay import Batch
from service.accounts.callers import SCOPES, Caller, Player
from service.accounts.personal_texts import Keys, Texts, is_well_formed
from service.commands import CallerContext, CommandContext, Decision, Outcome, Request
from service.errors import Refused, refuse_first
from service.levels import LEVELS, NEWEST, STAND_INS
from service.tables import clocks, disputes, opening, takebacks
from service.tables.opening import FIRST, Opening, check_offers, depart, first_batch, game_of, opened_as
from service.tables.playing import Play, Provenance, play, play_ai

OFFERS = {"open": (False, False), "player": (True, False), "ai": (False, True)}  # whether a player, a level is named
SLACK_MS = 60_000  # between deciding and recording, on a machine that has much to do
OURS = ("ai|", "clock|", "lapse|")  # how the requests begin that the service itself makes


class Wrong(Exception):
    """Something in a batch that nobody can have recorded."""


class Reruns:
    """Makes the batches of one table again, in order: asked by `rulings.replay.replay`."""

    def __init__(self) -> None:
        self._requests: set[str | None] = set()

    def __call__(self, batch: Batch, before: TableHistory | None) -> str | None:
        """What is wrong with a batch, with its version; None if it would be recorded as it is."""
        first = batch.events[0].envelope
        where = f"version {batch.first}"
        try:
            rerun = Rerun(batch, before)
            _check_envelopes(rerun)
            if not first.request or first.request in self._requests:
                raise Wrong("`request` names none, or one that was answered before")
            self._requests.add(first.request)
            rerun.run()
            _check_request(rerun)
            _check_texts(rerun)
            return _difference(rerun)
        except Wrong as wrong:
            return f"{where}: {wrong}"
        except (Refused, MoveRefused, OptionsRefused) as refusal:
            return f"{where}: {first.type} would be refused: {refusal}"
        except FAULTS as error:
            return f"{where}: {first.type} makes no sense there ({type(error).__name__})"


class _AsRecorded(Texts):
    """Texts as they were recorded: what somebody wrote is an input, and nobody has to be able to read it."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(Keys())
        fields = ((event.payload, TEXTS.get(event.envelope.type, "")) for event in batch.events)
        self._text = next((payload[field] for payload, field in fields if payload.get(field)), None)

    def seal_in_event(self, table: str, type_: str, of: str, text: str) -> PersonalText:  # noqa: ARG002 - that is not known here
        """The recorded text; raises `Wrong` if there is none."""
        if not self._text:
            raise Wrong(f"what the {type_} of {of} is to hold is missing")
        return msgspec.convert(self._text, PersonalText)


class Rerun:
    """The service as it was before a batch, for the use case that recorded it: nothing is recorded."""

    def __init__(self, batch: Batch, before: TableHistory | None) -> None:
        self.batch, self.before, self.first = batch, before, batch.events[0].envelope
        self.texts: Texts = _AsRecorded(batch)
        self.recorded_ms = self.decided_ms = millis(self.first.counted_from)
        self.decided: Decision | None = None

    def now_ms(self) -> int:
        """The time at which it was decided."""
        return self.decided_ms

    def history(self, table: str) -> TableHistory:  # noqa: ARG002 - there is but one table here
        """The table before the batch; raises `Wrong` for the first one."""
        if self.before is None:
            raise Wrong(f"no table begins with {self.first.type}")
        return self.before

    def change(self, table: str, decide: Callable[[TableHistory], Decision], request: Request) -> Outcome:  # noqa: ARG002
        """Decides on the history before the batch."""
        history = self.history(table)
        self.decided = decide(history)
        return Outcome(history, VersionRange(0, 0))

    @property
    def table(self) -> Table:
        """The table before the batch."""
        return self.history("").table

    @property
    def id(self) -> str:
        """The id of the table."""
        return self.first.table

    @property
    def sent(self) -> CommandContext:
        """The request as its player sent it. An account's kind matters only where it sits down."""
        sat = self.batch.events[0].payload if self.first.type == "SeatTaken" else {}
        player = Player(str(self.first.by.get("player")), "", bot=sat.get("bot", False), at="")
        return CommandContext(player, Request())

    @property
    def asked(self) -> CallerContext:
        """The same with every scope, since the record does not say which token was used."""
        return CallerContext(Caller(self.sent.player, SCOPES), Request())

    def read(self) -> Any:
        """What the first event says; raises `Wrong` if it says more, less or in another form."""
        found = lifecycle_of(self.batch.events[0])
        told = {name: value for name, value in msgspec.to_builtins(found).items() if name != "type"}
        if canonical(told) != canonical(self.batch.events[0].payload):
            raise Wrong(f"{self.first.type} has other fields than it may have")
        return found

    def run(self) -> None:
        """Decides once more with the use case that records such a batch."""
        type_ = self.first.type
        if type_ in FIRST:
            if self.before is not None:
                raise Wrong("the table is open already")
            self.decided = opened_again(self.batch, self.read())
        elif type_ in CASES:
            CASES[type_](self, self.read())
        elif type_ in self.table.game.kinds:
            _move(self)
        else:
            raise Wrong(f"no batch begins with {type_}")


# The first batch of a table


def opened_again(batch: Batch, table: TableOpened) -> Decision:
    """A table or a branch as it would be opened, who sat down at once, and the start of the game; raises `Refused`."""
    game = game_of(table.game)
    for right, name in (
        (1 <= table.rules_version <= game.rules_version, "rules_version"),
        (all(_is_offer(offer, number) for number, offer in enumerate(table.seats, 1)), "seats"),
        (table.clock is None or table.clock.is_whole, "clock"),
        (table.ratings is None or table.ratings.is_whole, "ratings"),
    ):
        if not right:
            raise Refused("opening_refused", f"`{name}` is not what a table can be opened with")
    own = _own_seat(batch, table.opened_by)
    opener = Player(table.opened_by, "", bot=own.bot, at="")
    fields = {name: getattr(table, name) for name in Opening.__struct_fields__ if name != "contribution"}
    asked = Opening(**fields, contribution=own.contribution)
    check_offers(game, asked, opener)
    payload = opened_as(game, opener, asked) | {"seed": table.seed, "lesson": table.lesson}
    payload |= {"rules_version": table.rules_version}
    if isinstance(table, TableForked):
        _check_fork(table)
        payload = batch.events[0].payload | payload
    return first_batch(game, payload, asked, opener)


def _own_seat(batch: Batch, opener: str) -> SeatTaken:
    """The recorded seat of the opener who sits down; its kind comes from the account."""
    seats = (lifecycle_of(event) for event in batch.events if event.envelope.type == "SeatTaken")
    return next((seat for seat in seats if isinstance(seat, SeatTaken) and seat.player == opener), SeatTaken(0))


def _is_offer(offer: SeatOffer, number: int) -> bool:
    named = (offer.player is not None, offer.level is not None)
    return offer.seat == number and OFFERS.get(offer.kind) == named and (offer.level is None or offer.level in LEVELS)


def _check_fork(fork: TableForked) -> None:
    """A branch's claims about its parent can be checked only with the parent; here, that they are possible."""
    state = msgspec.convert(fork.state or {}, game_of(fork.game).state_type)
    refuse_first(
        "fork_refused",
        (not _is_chance(fork), "`chance` and its luck contradict each other"),
        (bool(fork.lesson or fork.rated or fork.ratings), "it is opened as no branch is"),
        (canonical(state) != canonical(fork.state), "`state` has other fields than it may have"),
        (canonical(fork.options) != canonical(state.options), "`state` has other house rules than the branch"),
    )
    for row in fork.past or ():
        read_event(game_of(fork.game).kinds[row["type"]], row["schema"], row["payload"])


def _is_chance(fork: TableForked) -> bool:
    if fork.chance == "anew":
        return (fork.parent_seed, fork.contributions, fork.draws) == (None, (), {})
    return fork.parent_seed is not None and len(fork.contributions) == fork.players and not fork.dealt_anew


# Envelopes, requests and texts


def _check_envelopes(rerun: Rerun) -> None:
    first, before = rerun.first, rerun.before
    due = (before.table.version if before else 0) + 1
    if first.version != due or first.batch != (first.version, rerun.batch.last):
        raise Wrong("the batch is torn")
    _check_times(first, before.table.at if before else "")
    for event in rerun.batch.events:
        envelope = event.envelope
        if before and envelope.table != before.table.id:
            raise Wrong("it belongs to another table")
        if _common(envelope) != _common(first):
            raise Wrong(f"version {envelope.version} of the same batch has another `at`, `now`, `by` or `request`")


def _check_times(first: Envelope, before: str) -> None:
    """A table's time never goes back: it stands still while the clock of the machine is behind it."""
    if stamp(millis(first.at)) != first.at or first.at < before:
        raise Wrong("`at` is no time behind the one before, as the record writes it")
    now = first.now
    if now is not None and not (first.at == before and stamp(millis(now)) == now < first.at):
        raise Wrong("`now` is no time of a machine behind a table's time that stood still")


def _common(envelope: Envelope) -> bytes:
    """The fields that all events of a batch share."""
    return canonical([envelope.at, envelope.now, envelope.by, envelope.request])


def _check_request(rerun: Rerun) -> None:
    """Checks that the service's own requests are named after what they do; raises `Wrong`."""
    by, request, payload = rerun.first.by, str(rerun.first.request), rerun.batch.events[0].payload
    if "ai" in by:
        decision = rerun.table.decision_of(by["seat"])
        right = decision is not None and request == f"ai|{decision.recorded_id}"
    elif by.get("kind") == "clock":
        name, _, ms = request.rpartition("|")
        expired = rerun.first.type == "ClockExpired"
        named = f"clock|{payload.get('decision')}" if expired else f"lapse|{payload.get('dispute')}"
        right = name == named and ms.isdecimal() and ms.isascii() and _is_then(rerun, int(ms))
    else:
        right = not request.startswith(OURS)
    if not right:
        raise Wrong("`request` is not what this is named")


def _is_then(rerun: Rerun, ms: int) -> bool:
    """Whether a time of decision fits the time of recording."""
    return rerun.recorded_ms - SLACK_MS <= ms <= rerun.recorded_ms


def _check_texts(rerun: Rerun) -> None:
    """Checks that encrypted texts are their writers' own; raises `Wrong`."""
    for event in rerun.batch.events:
        if (type_ := event.envelope.type) not in TEXTS:
            continue
        told, name = lifecycle_of(event), TEXTS[type_]
        text, writer = getattr(told, name), getattr(told, "player", rerun.first.by.get("player"))
        if isinstance(text, PersonalText) and (text.of != writer or not is_well_formed(text.text)):
            raise Wrong(f"`{name}` is not what {writer} can have written")


# The comparison


def _difference(rerun: Rerun) -> str | None:
    """Where the record differs from the decision, field by field."""
    decided, events = rerun.decided, rerun.batch.events
    if decided is None:
        raise Wrong("nothing would be recorded")
    if len(decided.new_events) != len(events):
        return (
            f"version {rerun.batch.first}: the batch has {len(events)} events, and would have {len(decided.new_events)}"
        )
    game = rerun.before.table.game if rerun.before else game_of(events[0].payload["game"])
    for event, will in zip(events, decided.new_events, strict=True):
        was = as_of_today(game, event)
        if was.type != will.type:
            return f"version {event.version}: {will.type} would be recorded, and not {was.type}"
        if other := _other_field(event, was, will, decided if event is events[0] else Decision((), decided.by)):
            return f"version {event.version}: `{other}` of {will.type} would be recorded otherwise"
    return None


def _other_field(event: Recorded, was: NewEvent, will: NewEvent, decided: Decision) -> str | None:
    """The first field that differs, all secrets opened; what was sealed and drawn stands at the first event."""
    envelope = event.envelope
    sealed = {name: seal.value for name, seal in event.sealed.items() if name not in envelope.readers}
    rows = (
        ("by", envelope.by, decided.by),
        ("payload", was.payload, _of_that_version(will, event)),
        ("readers", was.readers, will.readers),
        ("sealed", sealed, decided.sealed),
        ("draws", envelope.draws, decided.draws),
    )
    return next((name for name, one, other in rows if canonical(one) != canonical(other)), None)


def _of_that_version(new_event: NewEvent, event: Recorded) -> dict[str, Any]:
    """The payload with the recorded version of an AI player that sits down: its level may have a later one today."""
    payload, was = new_event.payload, event.payload.get("ai")
    will = payload.get("ai")
    if not isinstance(will, dict) or not isinstance(was, dict) or type(was.get("version")) is not int:
        return payload
    known = 1 <= was["version"] <= NEWEST[will["player"]]
    return payload | {"ai": will | {"version": was["version"]}} if known else payload


# Batches that begin with an event of the table


def _sit(rerun: Rerun, event: SeatTaken) -> None:
    if event.ai is None:
        sitting = opening.Sitting(event.contribution, rerun.table.opened.arbiter)
        opening.take_seat(rerun, rerun.id, event.seat, rerun.sent, sitting)
    else:
        opening.seat_ai(rerun, rerun.id, event.seat, rerun.sent, event.ai.level)


def _wait(rerun: Rerun, event: DeadlineExtended) -> None:
    """The time granted: an input, in whole seconds."""
    deadline = millis(event.deadline)
    seconds = -((rerun.recorded_ms - deadline) // 1000)
    if not 1 <= seconds <= LONGEST_S:
        raise Wrong(f"nobody grants {seconds} seconds")
    rerun.decided_ms = deadline - seconds * 1000
    clocks.wait(rerun, rerun.id, event.seat, rerun.sent, seconds)


def _hand_over(rerun: Rerun, event: SeatHandedOver) -> None:
    if event.player == rerun.sent.player.id:
        depart(rerun, rerun.id, rerun.sent, event.ai.level)
    else:
        clocks.hand_over(rerun, rerun.id, event.seat, rerun.sent, event.ai.level)


def _dispute(rerun: Rerun, event: DisputeOpened) -> None:
    """The time of the decision follows from the deadline."""
    if rules := rerun.table.opened.disputes:
        rerun.decided_ms = millis(event.deadline) - rules.answer_s * 1000
        if not _is_then(rerun, rerun.decided_ms):
            raise Wrong("`deadline` does not follow from `at`")
    contested = disputes.Contested(event.seat, event.version, event.rule, "", event.options)
    disputes.dispute(rerun, rerun.id, rerun.sent, contested)


def _resolve(rerun: Rerun, event: DisputeResolved) -> None:
    if event.outcome == "lapsed":
        disputes.lapse(rerun, rerun.id, event.dispute)
        return
    if event.outcome not in ("upheld", "overturned"):
        raise Wrong(f"no verdict is {event.outcome!r}")
    verdict = disputes.Verdict(event.outcome, "", event.options)
    disputes.resolve(rerun, rerun.id, rerun.asked, event.dispute, verdict)


def _take_back(rerun: Rerun, event: PlayTakenBack) -> None:
    """Where a ruling was overturned the resolution comes after the correction."""
    if event.reason == "takeback":
        takebacks.ask(rerun, rerun.id, rerun.sent, event.seat)
    else:
        _resolve(rerun, msgspec.convert(rerun.batch.events[1].payload, DisputeResolved))


CASES: dict[str, Callable[[Rerun, Any], object]] = {
    "SeatTaken": _sit,
    "SeatLeft": lambda rerun, event: opening.leave_seat(rerun, rerun.id, event.seat, rerun.sent),
    "ClockExpired": lambda rerun, event: clocks.expire(rerun, rerun.id, event.seat, event.decision),
    "DeadlineExtended": _wait,
    "SeatHandedOver": _hand_over,
    "DisputeOpened": _dispute,
    "DisputeCommented": lambda rerun, event: disputes.comment(rerun, rerun.id, rerun.asked, event.dispute, ""),
    "DisputeVoted": lambda rerun, event: disputes.vote(
        rerun, rerun.id, rerun.sent, event.dispute, Vote(event.seat, event.overturn)
    ),
    "ArbiterLooked": lambda rerun, event: disputes.look(rerun, rerun.id, rerun.asked, event.dispute, event.seat),
    "DisputeResolved": _resolve,
    "PlayTakenBack": _take_back,
    "TakebackAsked": lambda rerun, event: takebacks.ask(rerun, rerun.id, rerun.sent, event.seat),
    "TakebackAnswered": lambda rerun, event: takebacks.answer(
        rerun, rerun.id, rerun.sent, event.takeback, takebacks.Consent(event.seat, event.agrees)
    ),
}


# Moves


def _move(rerun: Rerun) -> None:
    """A recorded move, with what is told of the AI player that chose it."""
    by, sealed, table = rerun.first.by, rerun.batch.events[0].sealed, rerun.table
    if "move" not in sealed:
        raise Wrong(f"no move led to {rerun.first.type}")
    seat, move = by["seat"], sealed["move"].value
    if "ai" in by:
        decision = table.decision_of(seat)
        if decision is None:
            raise Wrong("`by.ai` is not who holds the seat")
        made = msgspec.convert(sealed["ai_used"].value | {"seed": sealed["ai_seed"].value}, Provenance)
        if not decision.opened <= made.seen < rerun.first.version:
            raise Wrong("`seen` of the AI is not a version at which the seat had to decide")
        _check_ai(made, table.seats[seat - 1].ai, by["ai"])
        play_ai(rerun, rerun.id, Play(seat, move, decision.recorded_id), made, Request())
    elif not isinstance(by.get("player"), str):
        raise Wrong("nobody made the move")
    else:
        play(rerun, rerun.id, Play(seat, move), by["player"], Request())


def _check_ai(made: Provenance, holder: PlayerKind | None, by: dict[str, Any]) -> None:
    if holder is None or by.get("level") != holder.level:
        raise Wrong("`by.ai` is not who holds the seat")
    _check_who(made, holder)
    searches = LEVELS[holder.level].searches and not made.instead_of
    if (made.budget > 0) != searches or (made.iterations and not searches):
        raise Wrong("`budget` and `iterations` of the AI are not those of its level")


def _check_who(made: Provenance, holder: PlayerKind) -> None:
    """The seat's own player is tried first, then those who stand in, each once and for a reason."""
    who = [(one.player, one.version) for one in made.instead_of] + [(made.player, made.version)]
    if who[0][0] != holder.player or not holder.version <= who[0][1] <= NEWEST[holder.player]:
        raise Wrong("`by.ai` is another player than the seat's")
    if any(player not in STAND_INS or not 1 <= version <= NEWEST[player] for player, version in who[1:]):
        raise Wrong("`by.ai` is nobody who stands in")
    if len(set(who)) != len(who):
        raise Wrong("`by.ai.instead_of` tells of nobody who was given up")
