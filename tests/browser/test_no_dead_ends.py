"""No decision of a recorded game is a dead end: something can be pressed until the move can be confirmed."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from service.tables.viewing import open_decisions
from tests import corpus
from tests.browser.clicks import MOST_PICKS, NEXT
from tests.browser.conftest import Opener

MOST_OF_A_SHAPE = 3  # decisions of a recorded game that leave the same parts of moves open

# Draws the board and the tray of each decision, and presses what comes next until the move is made.
PLAY = """async ({ tables, next, most }) => {
    const [{ el }, { gameModule }, { tray }, { Tools }, { createStore }, { composing, opening, reduce }] =
        await Promise.all(["dom", "views/games/index", "views/tray", "views/tools", "state/store", "state/table"]
            .map((name) => import(`/page/js/${name}.js`)));
    const attempt = async ({ table, decision }, turn) => {
        const game = await gameModule(table.game);
        const store = createStore(reduce, opening({ table: table.table, at: null, seat: null }));
        const does = (type, ...names) => (...values) =>
            store.dispatch({ type, ...Object.fromEntries(names.map((name, index) => [name, values[index]])) });
        let played = null;
        const act = {
            pick: does("picked", "fields", "value"), unpick: does("unpicked", "fields", "value"),
            choose: does("chose", "kind"), clear: does("cleared"), play: (move) => (played = move),
        };
        store.dispatch({ type: "known", table });
        store.dispatch({ type: "shown", document: table });
        store.dispatch({ type: "decided", decision });
        for (let picks = 0; picks < most; picks += 1) {
            const page = { state: store.state, act, game };
            const tools = new Tools(table, composing(store.state), act);
            const board = el("div", { class: "board" }, ...game.board(table, tools));
            const own = game.hand(table, tools);
            const drawn = el("div", {}, el("div", { class: "table-page" }, board, tray(page, tools, own)));
            const found = ["[data-confirm]:enabled", ...next]
                .map((wanted) => [...drawn.querySelectorAll(wanted)]).find(({ length }) => length);
            if (!found) return drawn.querySelector(".moves").innerText ?? drawn.textContent;
            found[(turn + picks) % found.length].click();
            if (played) return null;
        }
        return "never whole";
    };
    const stuck = [];
    for (const [turn, each] of tables.entries()) {
        const told = await attempt(each, turn);
        if (told !== null) stuck.push(`${JSON.stringify(each.decision.moves[0])}: ${told}`);
    }
    return stuck;
}"""


@pytest.mark.parametrize("name", corpus.NAMES)
def test_no_decision_is_a_dead_end(visit: Opener, in_modules: str, name: str) -> None:
    """Over the decisions of a recorded game, each as its seat sees it."""
    tables = list(decisions(name))

    stuck = visit(base=in_modules).evaluate(PLAY, {"tables": tables, "next": NEXT, "most": MOST_PICKS})

    assert len(tables) > 5
    assert stuck == []


def decisions(name: str) -> Iterator[dict[str, Any]]:
    """Decisions of a recorded game with the table's document as the seat reads it, some of each shape."""
    history = corpus.history_of(name)
    seen: Counter[frozenset[tuple[str, str, bool]]] = Counter()
    for table in history.walk(1, history.table.version):
        for decision in table.decisions if table.state is not None else ():
            (row,) = open_decisions(table, decision.seat)
            row = msgspec.json.decode(msgspec.json.encode(row))
            shape = shape_of(row["moves"])
            seen[shape] += 1
            if shape and seen[shape] <= MOST_OF_A_SHAPE:  # between the events of a move nothing can be decided
                yield {"table": document(table, decision.seat, row), "decision": row}


def shape_of(moves: list[dict[str, Any]]) -> frozenset[tuple[str, str, bool]]:
    """The kinds of moves with their parts, and whether there is a choice for each."""
    values: dict[tuple[str, str], set[str]] = {}
    for move in moves:
        for part, value in move.items():
            values.setdefault((move["type"], part), set()).add(str(value))
    return frozenset((*part, len(found) > 1) for part, found in values.items())


def document(table: Any, seat: int, row: dict[str, Any]) -> dict[str, Any]:
    """A table as one of its seats reads it, as far as it is drawn."""
    seats = [{"seat": number, "name": f"Player {number}"} for number in range(1, table.opened.players + 1)]
    view = msgspec.to_builtins(table.game.view(table.state, seat))
    scores = msgspec.to_builtins(table.game.scores(table.state))
    facts = {"table": "t_recorded", "game": table.opened.game, "version": table.version, "seats": seats, "seat": seat}
    return facts | {"view": view, "scores": scores, "decisions": [row], "status": "active"}
