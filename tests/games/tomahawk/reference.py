"""The three reference games of section 9, as the document states them."""

# ruff: noqa: E501  # the rows stand as in the document's tables

from typing import Any

from tests.games.tomahawk.spec import Script, Table

TERRITORIES = {
    **{"p1-1": "T02", "p1-2": "T01"},
    **{"p2-1": "T11", "p2-2": "T06", "p2-3": "T03"},
    **{"p3-1": "T07", "p3-2": "T12", "p3-3": "T04"},
    **{"p4-1": "T14", "p4-2": "T13", "p4-3": "T09", "p4-4": "T08"},
    **{"u3": "T05", "u2": "T10", "u1": "T15"},
}


def script_a() -> Script:
    return Script(
        specials="sky_power sequoia_heart dusk_dance windswept_skull great_spirit teasing_cloud shifting_spirit",
        army_1="x1 a02 a21 a23 a17 a11 a04 a20 a06 a10 x3 a03 a22 a01 a12 a13 a14 a15 a19 a05 a24 a08 a18 a07",
        army_2="b14 b13 b07 b10 b21 b11 b17 x5 b09 b03 b22 b15 b23 b19 b16 b20 b12 b08 b04 b02 b05 b18 b24 x6",
        dusk_dance="b15",
    )


def script_b() -> Script:
    return Script(
        specials="teasing_cloud shifting_spirit sequoia_heart sky_power dusk_dance windswept_skull great_spirit",
        army_1="a05 a18 a14 a10 a21 a01 a16 a20 a08 a19 a13 a12 a11 a22 a06 a15 x2 a24 a07 a17 x1 a23 a04 a09",
        army_2="b11 b20 x5 b16 b14 b22 b18 b06 b13 b07 x4 b19 b08 b03 b23 b17 b05 b10 b04 b21 b01 b24 b12 b02",
        most_wanted="u2",
        dusk_dance="a21",
    )


def script_c() -> Script:
    return Script(
        specials="sky_power windswept_skull great_spirit shifting_spirit teasing_cloud sequoia_heart dusk_dance",
        army_1="a12 a04 a03 a16 a15 x2 a06 a22 a18 x3 a17 a08 a24 a23 a13 a09 a01 a19 a10 a11 a02 a20 a14 a05",
        army_2="b18 b19 b14 b17 b11 b16 b22 b07 b15 b01 b23 b03 b08 b02 b24 x6 b09 b20 b06 b21 b10 b13 x4 b05",
    )


OPTIONS_B = {"most_wanted": True, "mountain_look": "ask", "dusk_dance_timing": "next_turn", "scalp_supply": "limited"}

# Each row: moves | scalps | battles | look | points after.

GAME_A = """
2: x5 11 07 13; 1: 17 21 20 11 | 1.1: s1 2; 2.1: s1 2; 4.1: s2 2 | 2 T11: 8–4, s1, 2; 4 T14: 4–5, s2, 2 | s2 sees a20 | 2+4, 2+2
2: 17 22 21 14; 1: x3 03 02 04 | 1.2: s2 2 | 3 T07: 9–11, s2, 3; 4 T13: 2–5, s2, 1 | | 2+4, 6+4
1: 06 22 12 23; 2: - 10 20 16 | 2.2: s1 1; 4.1: s1 1 | 1 T02: 7–3, great spirit: s2, 4; 2 T06: 13–13, tie; 3 T12: 5–0, s1, 1 | | 3+6, 10+4
1: 10 01 x1 14; 2: 09 08 19 04 | | 4 T09: 14–8, s1, 4 | s1 sees b08, b19 | 7+6, 10+4
1: 05 18 13 15; 2: 24 03 12 05 | 1.2: s2 1 | | | 7+6, 10+5
2: 23 x6 02 18; 1: 08 19 07 24 | 1.3: s2 2; 2.3: s2 2; 4.1: s1 1 | 1 T01: 9–23, s2, 5; 2 T03: 8–6, s1, 5; 3 T04: 15–13, s1, 4; 4 T08: 6–9, s2, 2 | | 16+7, 17+9
"""

GAME_B = """
1: 14 01 10 18; 2: x5 18 22 20; 2: look | 1.1: s1 2 | 2 T11: 1–7, s2, 2; 4 T14: 7–8, s2, 2 | s2 sees a10 | 0+2, 4+0
2: 13 16 19 06; 1: - 19 12 20 | 1.2: s1 1; 2.1: s1 1; 3.1: s2 1 | 3 T07: 9–16, s2, 3; 4 T13: 8–3, s1, 1 | | 1+4, 7+1
1: 05 08 11 06; 2: 07 23 11 14 | 1.3: s2 1; 2.2: s2 2 | 1 T02: 7–12, s2, 4; 2 T06: 13–15, s2, 3; 3 T12: 0–0, tie | | 1+4, 14+4
1: 16 22 17 24; 2: 10 08 04 17; 1: decline | 1.1: s1 1; 4.2: s1 3 | 4 T09: 13–11, s1, 4 | s1 declines | 5+8, 14+4
2: 12 21 24 01; 1: x2 x1 23 13 | 1.2: s2 1 | | | 5+8, 14+5
1: 04 09 07 15; 2: 05 x4 02 03 | 2.1: s1 2; 2.2: s1 2; 3.2: s2 4 | 1 T01: 15–11, s1, 5; 2 T03: 14–7, s1, 5; 3 T04: 18–13, s1, 4; 4 T08: 5–3, s1, 2 | | 21+12, 14+9
"""

GAME_C = """
2: 07 16 17 11; 1: 03 15 x2 22 | 4.1: s1 2 | 2 T11: 6–6, tie; 4 T14: 9–4, s1, 2 | s1 sees b17 | 2+2, 0+0
2: 19 18 15 22; 1: x3 06 16 12 | 1.2: s2 2; 3.1: s1 6 | 3 T07: 14–12, s1, 3; 4 T13: 5–9, s2, 1 | | 5+8, 1+2
1: 24 08 13 04; 2: 14 03 23 02 | 1.3: s1 2; 3.1: s2 1 | 1 T02: 5–15, great spirit: s1, 4; 2 T06: 6–11, s2, 3; 3 T12: 5–0, s1, 1 | | 10+10, 4+3
2: 09 08 x6 06; 1: 09 01 23 11 | | 4 T09: 6–4, s1, 4 | s1 sees b08, x6 | 14+10, 4+3
1: 14 05 10 19; 2: 10 21 24 x4 | 1.2: s1 1 | | | 14+11, 4+3
1: 17 20 02 18; 2: 13 20 01 05 | 1.3: s1 1; 2.2: s2 1; 3.1: s1 1; 3.2: s2 1; 4.1: s1 1; 4.2: s1 1 | 1 T01: 15–13, s1, 5; 2 T03: 12–19, s2, 5; 3 T04: 14–16, s2, 8; 4 T08: 0–9, s2, 2 | | 19+15, 19+5
"""

LOOKS = {"look": "look_in_forests", "decline": "decline_forest_look"}


def rows(game: str) -> list[list[str]]:
    """The rows of a game, each cut into its five columns."""
    return [[cell.strip() for cell in row.split("|")] for row in game.strip().splitlines()]


def play_turn(table: Table, moves: str) -> None:
    """Play the moves of one row."""
    for move in moves.split("; "):
        seat, _, what = move.partition(": ")
        if what in LOOKS:
            table.move(int(seat), {"type": LOOKS[what]})
        else:
            table.place(move)


def game_a(turns: int = 6) -> Table:
    """Reference game A up to the end of a turn."""
    table = Table(script_a()).choose(1, "x1/a16 x3/a09").choose(2, "x5/b06 x6/b01")
    return _played(table, GAME_A, turns)


def game_b(turns: int = 6) -> Table:
    """Reference game B up to the end of a turn."""
    table = Table(script_b(), **OPTIONS_B).choose(2, "x4/b15 x5/b09").choose(1, "x1/a02 x2/a03")
    return _played(table, GAME_B, turns)


def game_c(turns: int = 6) -> Table:
    """Reference game C up to the end of a turn."""
    table = Table(script_c()).choose(2, "x4/b04 x6/b12").choose(1, "x2/a21 x3/a07")
    return _played(table, GAME_C, turns)


def _played(table: Table, game: str, turns: int) -> Table:
    for row in rows(game)[:turns]:
        play_turn(table, row[0])
    return table


# The document's way of writing, made from the events of a turn


def scalps(table: Table, turn: int) -> str:
    """`1.1: s1 2`: who took how many tokens in which slot."""
    duels = table.payloads("ScalpDuelJudged", turn=turn)
    return "; ".join(f"{d['pile']}.{d['slot']}: s{d['winner']} {d['tokens']}" for d in duels if d["winner"])


def battles(table: Table, turn: int) -> str:
    """`2 T11: 8–4, s1, 2`: totals, winner and points of each battle."""
    won = {event["pile"]: event["points"] for event in table.payloads("TerritoryWon", turn=turn)}
    return "; ".join(_battle(judged, won) for judged in table.payloads("TerritoryJudged", turn=turn))


def _battle(judged: dict[str, Any], won: dict[int, int]) -> str:
    text = f"{judged['pile']} {judged['face']}: " + "–".join(str(row["total"]) for row in judged["totals"])
    if judged["winner"] is None:
        return f"{text}, tie"
    how = "great spirit: " if judged["reason"] == "great_spirit" else ""
    return f"{text}, {how}s{judged['winner']}, {won[judged['pile']]}"


def looks(table: Table, turn: int) -> str:
    """`s2 sees a20` or `s1 declines`."""
    seen = [
        f"s{event['seat']} sees {', '.join(row['card'] for row in event['cards'])}"
        for event in table.payloads("ForestCardsSeen", turn=turn)
    ]
    declined = [f"s{event['seat']} declines" for event in table.payloads("ForestLookDeclined", turn=turn)]
    return "; ".join(seen + declined)


def points(table: Table, turn: int) -> str:
    """`2+4, 2+2`: territories and scalps of both seats."""
    (ended,) = table.payloads("TurnEnded", turn=turn)
    return ", ".join(f"{row['territories']}+{row['scalps']}" for row in ended["points"])
