"""A move taken again, with what is told of the AI that made it held against the seat's."""

from typing import Any

import msgspec

from events.recorded import Recorded
from projections.table import Decision
from service.house import Decided, Request
from service.levels import LEVELS
from service.tables.playing import Play, Provenance, play, play_ai
from service.tables.rerunning import Rerun, Taken, Wrong, done

TOLD_LATER = ("budget", "seen")  # the first events with AI moves lack both
STAND_INS = ("greedy", "uniform")  # who may stand in for a player that was given up
WHY = ("crashed", "failed", "overtime", "nonsense")
NEWEST = {level.player: level.version for level in LEVELS.values()}


def of_ai(event: Recorded) -> dict[str, Any]:
    """What is recorded of the AI that made a move, whether it is told at once or sealed; empty for a person's move."""
    sealed = {n: seal.value for n, seal in event.sealed.items() if n in Provenance.__struct_fields__}
    return event.envelope.by.get("ai", {}) | sealed if "ai" in event.envelope.by else {}


def moved(batch: Taken) -> Decided:
    """What the recorded move leads to; raises `Wrong` or `Refused`."""
    if "move" not in batch.first.sealed:
        raise Wrong(f"no move led to {batch.named}")
    seat, move = batch.by["seat"], batch.first.sealed["move"].value
    house = Rerun(batch)
    if "ai" in batch.by:
        decision = batch.table.decision_of(seat)
        made = _made(batch, decision)
        play_ai(house, batch.table.id, Play(seat, move, decision.id if decision else ""), made, Request())
        return _told_then(done(house), of_ai(batch.first))
    if not isinstance(batch.by.get("player"), str):
        raise Wrong("nobody made the move")
    play(house, batch.table.id, Play(seat, move), batch.by["player"], Request())
    return done(house)


def _told_then(decided: Decided, told: dict[str, Any]) -> Decided:
    """As it was recorded before more was told of an AI."""
    if any(name in told for name in TOLD_LATER) or told["version"] >= NEWEST[told["player"]]:
        return decided
    ai = {name: value for name, value in decided.by["ai"].items() if name not in TOLD_LATER}
    return msgspec.structs.replace(decided, by=decided.by | {"ai": ai})


def _made(batch: Taken, decision: Decision | None) -> Provenance:
    """What is told of the AI, if it can be so; raises `Wrong`."""
    told = {"budget": 0, "seen": batch.table.version} | of_ai(batch.first)
    made = msgspec.convert(told | {"seed": batch.first.sealed["ai_seed"].value}, Provenance)
    seat = batch.table.seats[batch.by["seat"] - 1].ai
    if seat is None or decision is None or made.level != seat.level:
        raise Wrong("`by.ai` is not who holds the seat")
    who = [(one.player, one.version) for one in made.instead_of] + [(made.player, made.version)]
    if who[0][0] != seat.player or not seat.version <= who[0][1] <= NEWEST[seat.player]:
        raise Wrong("`by.ai` is another player than the seat's")
    if any(player not in STAND_INS or not 1 <= version <= NEWEST[player] for player, version in who[1:]):
        raise Wrong("`by.ai` is nobody who stands in")
    if len(set(who)) != len(who) or any(row.why not in WHY for row in made.instead_of):
        raise Wrong("`by.ai.instead_of` tells of nobody who was given up")
    _check_figures(made, decision, batch)
    return made


def _check_figures(made: Provenance, decision: Decision, batch: Taken) -> None:
    told, searches = of_ai(batch.first), bool(LEVELS[made.level].budget) and not made.instead_of
    if not decision.opened <= made.seen < batch.first.version:
        raise Wrong("`by.ai.seen` is not a version at which the seat had to decide")
    if "budget" in told and (made.budget > 0) != searches:
        raise Wrong("`by.ai.budget` is not one of its level")
    if made.iterations < 0 or (made.iterations and not searches):
        raise Wrong("`by.ai.iterations` are not those of its level")
