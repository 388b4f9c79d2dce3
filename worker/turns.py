"""Playing the turns of AI seats: a seat's view and feed go in, a move comes out and is played as any other."""

import hmac

from projections.history import History
from projections.table import Decision, Table
from service.errors import Refused
from service.house import House, Request
from service.levels import LEVELS
from service.tables.deciding import seed_of
from service.tables.playing import Play, Provenance, play_ai
from worker.players import choose

MOST_TURNS = 100  # played in one go before other tables have their turn
PLAYED = ("decision-closed", "table-finished")  # refusals of a turn that somebody has played meanwhile
WAITING = ("table-paused", "dispute-open")  # refusals of a turn that is due anew when a dispute is resolved


def play_turns(house: House, table: str, most: int = MOST_TURNS) -> int:
    """Plays what AI seats owe at a table until nothing is owed or may be played now, or `most` turns are played."""
    for played in range(most):
        history = house.history(table)
        decision = next((d for d in history.table.decisions if history.table.seats[d.seat - 1].ai), None)
        if decision is None or not play_turn(house, history, decision):
            return played
    return most


def play_turn(house: House, history: History, decision: Decision) -> bool:
    """Chooses and plays one move, unless another worker has; False if it has to wait for a dispute."""
    table, seat = history.table, decision.seat
    ai = table.seats[seat - 1].ai
    if ai is None:
        raise ValueError(f"seat {seat} is not held by an AI")
    seed = ai_seed(table, decision)
    view = table.game.view(table.state, seat)
    budget = LEVELS[ai.level].budget.get(table.opened.game, 0)
    chosen = choose((ai.player, ai.version), table.game, view, history.feed(seat), seed, budget)
    made = Provenance(ai.player, ai.version, ai.level, chosen.iterations, seed)
    try:
        asked = Play(seat, chosen.move, decision.id)
        play_ai(house, table.id, asked, made, Request(f"ai|{decision.id}", "ai"))
    except Refused as refusal:
        if refusal.code not in PLAYED + WAITING:
            raise
        return refusal.code in PLAYED
    return True


def ai_seed(table: Table, decision: Decision) -> str:
    """The seed of an AI's choice: nobody without the table's secret can work it out beforehand."""
    return hmac.digest(bytes.fromhex(seed_of(table)), f"ai|{decision.id}".encode(), "sha256").hex()
