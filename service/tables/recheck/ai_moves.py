"""Plays a recorded move again and compares what it says about its AI player with the seat's."""

from typing import Any

import msgspec

from events.lifecycle import PlayerKind
from events.recorded import Recorded
from projections.table import Decision
from service.commands import Decided, Request
from service.levels import LEVELS, NEWEST, STAND_INS, Level
from service.tables.playing import Play, Provenance, play, play_ai
from service.tables.recheck.batch import Rerun, done
from service.tables.recheck.recorded import Taken, Wrong

USED = "ai_used"
TOLD_LATER = ("budget", "seen")  # the first events with AI moves lack both
WHY = ("crashed", "failed", "overtime", "nonsense")


def of_ai(event: Recorded) -> dict[str, Any]:
    """The record of how an AI player chose a move: sealed, or in earlier releases in `by`; empty for people."""
    if USED in event.sealed:
        used: dict[str, Any] = event.sealed[USED].value
        return used
    return {name: value for name, value in event.envelope.by.get("ai", {}).items() if name != "level"}


def moved(batch: Taken) -> Decided:
    """What the recorded move leads to; raises `Wrong` or `Refused`."""
    if "move" not in batch.first.sealed:
        raise Wrong(f"no move led to {batch.named}")
    seat, move = batch.by["seat"], batch.first.sealed["move"].value
    handler = Rerun(batch)
    if "ai" in batch.by:
        decision = batch.table.decision_of(seat)
        made = _made(batch, decision)
        play_ai(handler, batch.table.id, Play(seat, move, decision.recorded_id if decision else ""), made, Request())
        return done(handler) if USED in batch.first.sealed else _told_then(done(handler), of_ai(batch.first))
    if not isinstance(batch.by.get("player"), str):
        raise Wrong("nobody made the move")
    play(handler, batch.table.id, Play(seat, move), batch.by["player"], Request())
    return done(handler)


def _told_then(decided: Decided, told: dict[str, Any]) -> Decided:
    """The record as earlier releases wrote it, which sealed only the seed and at first said less about the AI."""
    sealed = dict(decided.sealed)
    used = sealed.pop(USED)
    if not any(name in told for name in TOLD_LATER) and told["version"] < NEWEST[told["player"]]:
        used = {name: value for name, value in used.items() if name not in TOLD_LATER}
    ai = used | {"level": decided.by["ai"]["level"]}
    return msgspec.structs.replace(decided, by=decided.by | {"ai": ai}, sealed=sealed)


def _made(batch: Taken, decision: Decision | None) -> Provenance:
    """The record of the AI player, if it is possible; raises `Wrong`."""
    told = {"budget": 0, "seen": batch.table.version} | of_ai(batch.first)
    made = msgspec.convert(told | {"seed": batch.first.sealed["ai_seed"].value}, Provenance)
    seat = batch.table.seats[batch.by["seat"] - 1].ai
    if seat is None or decision is None or batch.by["ai"].get("level") != seat.level:
        raise Wrong("`by.ai` is not who holds the seat")
    _check_who(made, seat)
    _check_figures(made, decision, batch, LEVELS[seat.level])
    return made


def _check_who(made: Provenance, seat: PlayerKind) -> None:
    """The seat's own player is tried first, then those who stand in, each once and for a reason."""
    who = [(one.player, one.version) for one in made.instead_of] + [(made.player, made.version)]
    if who[0][0] != seat.player or not seat.version <= who[0][1] <= NEWEST[seat.player]:
        raise Wrong("`by.ai` is another player than the seat's")
    if any(player not in STAND_INS or not 1 <= version <= NEWEST[player] for player, version in who[1:]):
        raise Wrong("`by.ai` is nobody who stands in")
    if len(set(who)) != len(who) or any(row.why not in WHY for row in made.instead_of):
        raise Wrong("`by.ai.instead_of` tells of nobody who was given up")


def _check_figures(made: Provenance, decision: Decision, batch: Taken, level: Level) -> None:
    told, searches = of_ai(batch.first), level.searches and not made.instead_of
    if not decision.opened <= made.seen < batch.first.version:
        raise Wrong("`seen` of the AI is not a version at which the seat had to decide")
    if made.budget < 0 or ("budget" in told and (made.budget > 0) != searches):
        raise Wrong("`budget` of the AI is not one of its level")
    if made.iterations < 0 or (made.iterations and not searches):
        raise Wrong("`iterations` of the AI are not those of its level")
