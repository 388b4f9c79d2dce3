"""Records each batch of a table again with the command that recorded it, and compares the two.

Inputs are read from the record: a move, a claim, a verdict, the time. Everything else follows from them and from the
events before: who may do it, what is recorded, who may read it, and which draws it took. docs/log.md lists what follows
from neither.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from events import lifecycle
from events.canonical import canonical
from events.envelopes import START, BatchMetadata, Envelope, Recorded, record
from events.log import VersionRange
from events.times import millis, stamp
from games.kernel import AnyGame, MoveRefused, OptionsRefused
from projections.disputes import Vote
from projections.event_conversion import as_of_today, lifecycle_of, read_event
from projections.folding import FAULTS
from projections.history import TableHistory
from projections.table import Table
from rulings.replay import Batch
from service.accounts.callers import SCOPES, Player
from service.accounts.key_store import Keys
from service.accounts.personal_texts import Texts, is_well_formed
from service.command_handler import CommandContext, Decision, Outcome, Request
from service.errors import Refused, refuse_first
from service.levels import LEVELS, NEWEST, STAND_INS
from service.tables import disputes, leaving, offers, opening
from service.tables import expired_clocks as clocks
from service.tables.opening import FIRST, Opening, check_offers, first_batch, game_of, table_opened
from service.tables.playing import Play, Provenance, play, play_ai

OFFERS = {"open": (False, False), "player": (True, False), "ai": (False, True)}  # whether a player, a level is named
SLACK_MS = 60_000  # between deciding and recording, on a busy machine
OURS = ("ai|", "clock|", "lapse|", "idle|")  # prefixes of the service's own idempotency keys


class Wrong(Exception):
    """Something in a batch that nobody can have recorded."""


class Reruns:
    """Records the batches of one table again, in order. Called by `rulings.replay.replay`."""

    def __init__(self) -> None:
        self._requests: set[str | None] = set()

    def __call__(self, batch: Batch, before: TableHistory | None) -> str | None:
        """Returns what is wrong with a batch, with its version; None if it would be recorded as it is."""
        first = batch.events[0].envelope
        where = f"version {batch.first}"
        try:
            rerun = Rerun(batch, before)
            _check_times(first, before.table.at if before else "")
            if not first.request or first.request in self._requests:
                raise Wrong("`request` is missing, or was answered before")
            self._requests.add(first.request)
            rerun.run()
            _check_request(rerun)
            _check_texts(rerun)
            return rerun.difference()
        except Wrong as wrong:
            return f"{where}: {wrong}"
        except (Refused, MoveRefused, OptionsRefused) as refusal:
            return f"{where}: {first.type} would be refused: {refusal}"
        except FAULTS as error:
            return f"{where}: {first.type} makes no sense there ({type(error).__name__})"


class _AsRecorded(Texts):
    """Returns texts as they were recorded: they are inputs, and need not be readable."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(Keys())
        found = ((event.envelope.type, event.payload) for event in batch.events)
        texts = ((type_, payload.get(lifecycle.TEXTS.get(type_, ""))) for type_, payload in found)
        self._texts = {type_: text for type_, text in texts if text}  # of several corrections, the last is new

    def seal_in_event(self, table: str, type_: str, of: str, text: str) -> lifecycle.PersonalText:  # noqa: ARG002 - unknown here
        """Returns the recorded text; raises `Wrong` if there is none."""
        if not (recorded := self._texts.get(type_)):
            raise Wrong(f"the text of {of} in {type_} is missing")
        return msgspec.convert(recorded, lifecycle.PersonalText)


class Rerun:
    """A command handler as it was before a batch, which only notes the decision."""

    def __init__(self, batch: Batch, before: TableHistory | None) -> None:
        self.batch, self.before, self.first = batch, before, batch.events[0].envelope
        self.texts: Texts = _AsRecorded(batch)
        self.recorded_ms = self.decided_ms = millis(self.first.counted_from)
        self.decision: Decision | None = None
        self.id = self.first.table

    def now_ms(self) -> int:
        """Returns the time of the decision."""
        return self.decided_ms

    def history(self, table: str = "") -> TableHistory:  # noqa: ARG002 - there is one table here
        """Returns the table before the batch; raises `Wrong` for the first one."""
        if self.before is None:
            raise Wrong(f"no table begins with {self.first.type}")
        return self.before

    def change(self, table: str, decide: Callable[[TableHistory], Decision], request: Request) -> Outcome:  # noqa: ARG002
        """Decides on the history before the batch."""
        history = self.history()
        self.decision = decide(history)
        return Outcome(history, VersionRange(0, 0))

    @property
    def table(self) -> Table:
        """The table before the batch."""
        return self.history().table

    @property
    def sent(self) -> CommandContext:
        """The request as its player sent it, with every scope, since the record does not name the token.

        Whether the player is a bot matters only where one sits down.
        """
        sat = self.batch.events[0].payload if self.first.type == "SeatTaken" else {}
        player = Player(str(self.first.by.get("player")), "", bot=sat.get("bot", False), at="")
        return CommandContext(player, Request(), SCOPES)

    def again(self, command: Callable[..., Outcome], *args: Any) -> None:
        """Gives a player's command again."""
        command(self, self.id, self.sent, *args)

    def read(self) -> Any:
        """Returns the first event, read; raises `Wrong` if it has other fields than its type."""
        found = lifecycle_of(self.batch.events[0])
        fields = {name: value for name, value in msgspec.to_builtins(found).items() if name != "type"}
        if canonical(fields) != canonical(self.batch.events[0].payload):
            raise Wrong(f"{self.first.type} has other fields than it may have")
        return found

    def run(self) -> None:
        """Decides again with the command that records such a batch."""
        type_ = self.first.type
        if type_ in FIRST:
            if self.before is not None:
                raise Wrong("the table is open already")
            self.decision = _opened_again(self.batch, self.read())
        elif type_ in CASES:
            CASES[type_](self, self.read())
        elif type_ in self.table.game.kinds:
            _move(self)
        else:
            raise Wrong(f"no batch begins with {type_}")

    def difference(self) -> str | None:
        """Returns the first field that differs between the record and the decision."""
        if (decision := self.decision) is None:
            raise Wrong("nothing would be recorded")
        first, before = self.first, self.before
        game = before.table.game if before else game_of(self.batch.events[0].payload["game"])
        table, head = (before.table.id, before.table.head) if before else (first.table, START)
        key = b""  # salts are not compared
        metadata = BatchMetadata(first.at, decision.by, key, first.request, decision.sealed, decision.draws, first.now)
        again, there = record(table, head, decision.new_events, metadata), self.batch.events
        if len(again) != len(there):
            return f"version {self.batch.first}: the batch has {len(there)} events, and would have {len(again)}"
        for event, will in zip(there, again, strict=True):
            was, now = _contents(game, event), _of_that_version(_contents(game, will), event)
            if other := next((name for name, value in now.items() if canonical(was[name]) != canonical(value)), None):
                return f"version {will.version}: `{other}` of {will.envelope.type} would be recorded otherwise"
        return None


def _contents(game: AnyGame, event: Recorded) -> dict[str, Any]:
    """Returns the envelope as today's release records it, with all secrets opened."""
    today, envelope = as_of_today(game, event), msgspec.structs.asdict(event.envelope)
    sealed = {name: seal.value for name, seal in event.sealed.items() if name not in today.readers}
    return envelope | {"payload": today.payload, "schema": today.schema, "secrets": sealed}


def _of_that_version(will: dict[str, Any], event: Recorded) -> dict[str, Any]:
    """Returns the contents with the recorded version of an AI that sits down: its level may have a later one today."""
    was, ai = event.payload.get("ai"), will["payload"].get("ai")
    if not isinstance(ai, dict) or not isinstance(was, dict) or type(was.get("version")) is not int:
        return will
    is_known = 1 <= was["version"] <= NEWEST[ai["player"]]
    return will | {"payload": will["payload"] | {"ai": ai | {"version": was["version"]}}} if is_known else will


# The first batch of a table


def _opened_again(batch: Batch, table: lifecycle.TableOpened) -> Decision:
    """Returns the table or branch as it would be opened; raises `Refused`."""
    game = game_of(table.game)
    for right, name in (
        (1 <= table.rules_version <= game.rules_version, "rules_version"),
        (all(_is_offer(offer, number) for number, offer in enumerate(table.seats, 1)), "seats"),
        (table.clock is None or table.clock.is_whole, "clock"),
        (table.ratings is None or table.ratings.is_whole, "ratings"),
    ):
        if not right:
            raise Refused("opening_refused", f"no table can be opened with these `{name}`")
    own = _own_seat(batch, table.opened_by)
    opener = Player(table.opened_by, "", bot=own.bot, at="")
    fields = {name: getattr(table, name) for name in Opening.__struct_fields__ if name != "contribution"}
    asked = Opening(**fields, contribution=own.contribution)
    check_offers(game, asked, opener)
    payload = table_opened(game, opener, asked) | {"seed": table.seed, "lesson": table.lesson}
    payload |= {"rules_version": table.rules_version}
    if isinstance(table, lifecycle.TableForked):
        _check_fork(table)
        payload = batch.events[0].payload | payload
    return first_batch(game, payload, asked, opener)


def _own_seat(batch: Batch, opener: str) -> lifecycle.SeatTaken:
    """Returns the seat that the opener took in this batch; seat 0 if none."""
    seats = (lifecycle_of(event) for event in batch.events if event.envelope.type == "SeatTaken")
    return next(
        (seat for seat in seats if isinstance(seat, lifecycle.SeatTaken) and seat.player == opener),
        lifecycle.SeatTaken(0),
    )


def _is_offer(offer: lifecycle.SeatOffer, number: int) -> bool:
    named = (offer.player is not None, offer.level is not None)
    return offer.seat == number and OFFERS.get(offer.kind) == named and (offer.level is None or offer.level in LEVELS)


def _check_fork(fork: lifecycle.TableForked) -> None:
    """Checks that a branch's claims about its parent are possible; `audit.origin_faults` compares them with it."""
    state = msgspec.convert(fork.state or {}, game_of(fork.game).state_type)
    if fork.chance == "anew":
        fits = (fork.parent_seed, fork.contributions, fork.draws) == (None, (), {})
    else:
        fits = fork.parent_seed is not None and len(fork.contributions) == fork.players and not fork.dealt_anew
    refuse_first(
        "fork_refused",
        (not fits, "`chance` and its luck contradict each other"),
        (bool(fork.lesson or fork.rated or fork.ratings), "no branch is a lesson, rated, or bounds ratings"),
        (canonical(state) != canonical(fork.state), "`state` has other fields than it may have"),
        (canonical(fork.options) != canonical(state.options), "`state` has other house rules than the branch"),
    )
    for row in fork.past or ():
        read_event(game_of(fork.game).kinds[row["type"]], row["schema"], row["payload"])


# Times, requests and texts


def _check_times(first: Envelope, before: str) -> None:
    """Checks that a table's time never goes back; it stands still while the machine's clock is behind it."""
    if stamp(millis(first.at)) != first.at or first.at < before:
        raise Wrong("`at` is not a time after the event before")
    now = first.now
    if now is not None and not (first.at == before and stamp(millis(now)) == now < first.at):
        raise Wrong("`now` is not an earlier time than `at`, where the table's time stood still")


def _check_request(rerun: Rerun) -> None:
    """Checks that the service's own requests have the keys that follow from what they do; raises `Wrong`."""
    by, request, payload = rerun.first.by, str(rerun.first.request), rerun.batch.events[0].payload
    if "ai" in by:
        decision = rerun.table.decision_of(by["seat"])
        right = decision is not None and request == f"ai|{decision.recorded_id}"
    elif by.get("kind") == "clock":
        name, _, ms = request.rpartition("|")
        of_type = {
            "ClockExpired": f"clock|{payload.get('decision')}",
            "DisputeResolved": f"lapse|{payload.get('dispute')}",
        }
        right = (
            name == of_type.get(rerun.first.type, "idle")
            and ms.isdecimal()
            and ms.isascii()
            and _is_then(rerun, int(ms))
        )
    else:
        right = not request.startswith(OURS)
    if not right:
        raise Wrong("`request` is not the key of this command")


def _is_then(rerun: Rerun, ms: int) -> bool:
    """Whether a time of decision fits the time of recording."""
    return rerun.recorded_ms - SLACK_MS <= ms <= rerun.recorded_ms


def _check_texts(rerun: Rerun) -> None:
    """Checks that encrypted texts are their writers' own; raises `Wrong`."""
    for event in rerun.batch.events:
        if (type_ := event.envelope.type) not in lifecycle.TEXTS:
            continue
        read, name = lifecycle_of(event), lifecycle.TEXTS[type_]
        text, writer = getattr(read, name), getattr(read, "player", rerun.first.by.get("player"))
        if isinstance(text, lifecycle.PersonalText) and (text.of != writer or not is_well_formed(text.text)):
            raise Wrong(f"`{name}` cannot be a text of {writer}")


# Batches that begin with an event of the table


def _sit(rerun: Rerun, event: lifecycle.SeatTaken) -> None:
    if event.ai is None:
        sitting = opening.Sitting(event.contribution, rerun.table.opened.arbiter)
        rerun.again(opening.take_seat, event.seat, sitting)
    else:
        rerun.again(opening.seat_ai, event.seat, event.ai.level)


def _wait(rerun: Rerun, event: lifecycle.DeadlineExtended) -> None:
    """The time granted is an input, in whole seconds."""
    deadline = millis(event.deadline)
    seconds = -((rerun.recorded_ms - deadline) // 1000)
    if not 1 <= seconds <= lifecycle.LONGEST_S:
        raise Wrong(f"nobody can grant {seconds} seconds")
    rerun.decided_ms = deadline - seconds * 1000
    rerun.again(clocks.wait, event.seat, seconds)


def _end(rerun: Rerun, _: lifecycle.SeedRevealed | lifecycle.TableClosed) -> None:
    """Ends the table early: by its opener, by somebody alone with AI, or as nobody has moved."""
    if rerun.first.by.get("kind") == "clock":
        leaving.abandon(rerun, rerun.id)
    else:
        rerun.again(offers.make, "abort", rerun.table.seat_of(rerun.sent.player.id))


def _dispute(rerun: Rerun, event: lifecycle.DisputeOpened) -> None:
    """The time of the decision follows from the deadline."""
    if rules := rerun.table.opened.disputes:
        rerun.decided_ms = millis(event.deadline) - rules.answer_s * 1000
        if not _is_then(rerun, rerun.decided_ms):
            raise Wrong("`deadline` does not follow from `at`")
    contested = disputes.Contested(event.seat, event.version, event.rule, "", msgspec.to_builtins(event.remedy))
    rerun.again(disputes.dispute, contested)


def _resolve(rerun: Rerun, event: lifecycle.DisputeResolved) -> None:
    if event.outcome == "lapsed":
        disputes.lapse(rerun, rerun.id, event.dispute)
        return
    if event.outcome not in ("upheld", "overturned"):
        raise Wrong(f"{event.outcome!r} is not a verdict")
    verdict = disputes.Verdict(event.outcome, "", msgspec.to_builtins(event.remedy))
    rerun.again(disputes.resolve, event.dispute, verdict)


def _take_back(rerun: Rerun, event: lifecycle.PlayTakenBack) -> None:
    """Where a ruling was overturned, the resolution follows the return of play and the corrections."""
    if event.reason == "takeback":
        rerun.again(offers.make, "takeback", event.seat)
    else:
        resolved = next(one for one in rerun.batch.events if one.envelope.type == "DisputeResolved")
        _resolve(rerun, msgspec.convert(resolved.payload, lifecycle.DisputeResolved))


CASES: dict[str, Callable[[Rerun, Any], object]] = {
    "SeatTaken": _sit,
    "SeatLeft": lambda rerun, event: rerun.again(opening.leave_seat, event.seat),
    "ClockExpired": lambda rerun, event: clocks.expire(rerun, rerun.id, event.seat, event.decision),
    "DeadlineExtended": _wait,
    "SeatHandedOver": lambda rerun, event: rerun.again(clocks.hand_over, event.seat, event.ai.level),
    "SeatResigned": lambda rerun, event: rerun.again(
        leaving.resign, event.seat, event.ai.level if event.ai else leaving.LEVEL
    ),
    "DisputeOpened": _dispute,
    "DisputeCommented": lambda rerun, event: rerun.again(disputes.comment, event.dispute, ""),
    "DisputeVoted": lambda rerun, event: rerun.again(disputes.vote, event.dispute, Vote(event.seat, event.overturn)),
    "ArbiterLooked": lambda rerun, event: rerun.again(disputes.look, event.dispute, event.seat),
    "DisputeResolved": _resolve,
    "PlayTakenBack": _take_back,
    "OfferMade": lambda rerun, event: rerun.again(offers.make, event.kind, event.seat),
    "OfferAnswered": lambda rerun, event: rerun.again(
        offers.answer, event.offer, offers.Consent(event.seat, event.agrees)
    ),
    "SeedRevealed": _end,
    "TableClosed": _end,
}


# Moves


def _move(rerun: Rerun) -> None:
    """A recorded move, by a person or by an AI player."""
    by, sealed, table = rerun.first.by, rerun.batch.events[0].sealed, rerun.table
    if "move" not in sealed:
        raise Wrong(f"no move led to {rerun.first.type}")
    seat, move = by["seat"], sealed["move"].value
    if "ai" in by:
        decision = table.decision_of(seat)
        if decision is None:
            raise Wrong("`by.ai` does not hold the seat")
        used = msgspec.convert(sealed["ai_used"].value | {"seed": sealed["ai_seed"].value}, Provenance)
        if not decision.opened <= used.seen < rerun.first.version:
            raise Wrong("at the version `seen` the AI did not have to decide")
        _check_ai(used, table.seats[seat - 1].ai, by["ai"])
        play_ai(rerun, rerun.id, Play(seat, move, decision.recorded_id), used, Request())
    elif not isinstance(by.get("player"), str):
        raise Wrong("nobody made the move")
    else:
        play(rerun, rerun.id, Play(seat, move), by["player"], Request())


def _check_ai(used: Provenance, holder: lifecycle.PlayerKind | None, by: dict[str, Any]) -> None:
    if holder is None or by.get("level") != holder.level:
        raise Wrong("`by.ai` does not hold the seat")
    _check_who(used, holder)
    searches = LEVELS[holder.level].searches and not used.instead_of
    if (used.budget > 0) != searches or (used.iterations and not searches):
        raise Wrong("`budget` and `iterations` of the AI are not those of its level")


def _check_who(used: Provenance, holder: lifecycle.PlayerKind) -> None:
    """Checks who chose: the seat's own player first, then stand-ins, each once."""
    who = [(one.player, one.version) for one in used.instead_of] + [(used.player, used.version)]
    if who[0][0] != holder.player or not holder.version <= who[0][1] <= NEWEST[holder.player]:
        raise Wrong("`by.ai` is another player than the seat's")
    if any(player not in STAND_INS or not 1 <= version <= NEWEST[player] for player, version in who[1:]):
        raise Wrong("`by.ai` is not a stand-in")
    if len(set(who)) != len(who):
        raise Wrong("`by.ai.instead_of` names a player twice")
