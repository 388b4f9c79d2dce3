"""The reference games of section 9, event by event as far as the document states them."""

from typing import Any

import pytest

from tests.games.tomahawk import reference as r
from tests.games.tomahawk.spec import Table, types

GAMES = {"A": (r.game_a, r.GAME_A), "B": (r.game_b, r.GAME_B), "C": (r.game_c, r.GAME_C)}
TURNS = [(name, turn) for name in GAMES for turn in range(1, 7)]


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """The three games, played out."""
    return {name: play() for name, (play, _) in GAMES.items()}


@pytest.mark.parametrize(("name", "turn"), TURNS)
def test_each_turn_of_a_reference_game_is_as_the_document_has_it(
    tables: dict[str, Table], name: str, turn: int
) -> None:
    """Reference games: scalps, battles, looks and points of each turn are those of the document."""
    table, row = tables[name], r.rows(GAMES[name][1])[turn - 1]
    found = [r.scalps(table, turn), r.battles(table, turn), r.looks(table, turn), r.points(table, turn)]
    assert found == row[1:]


@pytest.mark.parametrize(
    ("name", "events", "totals", "winners"),
    [("A", 143, [23, 26], [2]), ("B", 146, [36, 23], [1]), ("C", 138, [34, 24], [1])],
)
def test_a_reference_game_ends_as_the_document_has_it(
    tables: dict[str, Table], name: str, events: int, totals: list[int], winners: list[int]
) -> None:
    """Reference games: number of events, final points and winner."""
    table = tables[name]
    (ended,) = table.payloads("GameEnded")
    assert len(table.events) == events
    assert [row["total"] for row in ended["scores"]] == totals
    assert ended["winners"] == winners


def test_unchanged_populations_give_the_stated_territories(tables: dict[str, Table]) -> None:
    """Reference games: unchanged populations give the stated territories (TO-2.7)."""
    (built,) = tables["A"].payloads("TerritoryPilesBuilt")
    assert {row["territory"]: row["face"] for row in built["faces"]} == r.TERRITORIES
    assert [row["territory"] for row in built["faces"]] == list(r.TERRITORIES)


def test_order_at_set_up(tables: dict[str, Table]) -> None:
    """TO-5.1: the order of events at set-up."""
    opening = ["GameStarted", *["TribeFacesAssigned"] * 2, *["SpecialsDealt"] * 2, "SpecialSetAside"]
    mustering = ["ArmyShuffled"] * 2 + ["CardsDrawn"] * 2 + ["TerritoryPilesBuilt"] + ["TerritoryRevealed"] * 4
    chosen = ["SpecialsChosen"] * 2
    assert types(tables["A"].events[:18]) == [*opening, *chosen, *mustering, "TurnStarted"]
    assert types(tables["B"].events[:19]) == [*opening, *chosen, *mustering, "MostWantedRevealed", "TurnStarted"]


def test_luck_is_asked_for_in_the_order_of_the_table(tables: dict[str, Table]) -> None:
    """TO-5.14: what is asked for, in the order of the table, with its population."""
    asked = tables["B"].script.asked
    assert " ".join(kind for kind, _, _ in asked) == (
        "tribe_faces_1 tribe_faces_2 specials army_1 army_2 "
        "territories_3 territories_2 territories_1 most_wanted dusk_dance"
    )
    populations = {kind: population for kind, population, _ in asked}
    assert populations["most_wanted"] == ("u3", "u2", "u1")
    assert populations["territories_2"] == ("T06", "T07", "T08", "T09", "T10")
    assert list(populations["army_1"]) == sorted(populations["army_1"])
    assert "a21" in populations["dusk_dance"]
    assert list(populations["dusk_dance"]) == sorted(populations["dusk_dance"])


FORCED = [
    ("A", {"turn": 2, "by_card": "x3", "pile": 1, "seat": 2, "for_turn": 3, "hand_count": 4}, "b15"),
    ("B", {"turn": 2, "by_card": "x5", "pile": 1, "seat": 1, "for_turn": 2, "hand_count": 8}, "a21"),
]


@pytest.mark.parametrize(("name", "says", "card"), FORCED)
def test_dusk_dance_forces_a_card_at_once_and_next_turn(
    tables: dict[str, Table], name: str, says: dict[str, object], card: str
) -> None:
    """Reference games A and B: the dusk dance, at once and next turn."""
    (forced,) = tables[name].payloads("NextCardForced")
    assert says.items() <= forced.items()
    assert forced["forced_card"]["card"] == card
    assert forced["rules"] == ["TO-5.4", "TO-R12", "TO-R13", "TO-R14"]


def test_pending_dance_follows_turn_started(tables: dict[str, Table]) -> None:
    """Reference game B: the card is drawn right after `TurnStarted` 2 (TO-R13)."""
    names = types(tables["B"].events)
    place = names.index("NextCardForced")
    assert names[place - 1] == "TurnStarted"
    (pending,) = [p for p in tables["B"].payloads("CharacterEffectApplied") if p["effect"] == "next_card_pending"]
    assert (pending["turn"], pending["slot"], pending["card"]) == (1, 1, "x5")
    assert (pending["target_card"], pending["value_before"], pending["value_after"]) == (None, None, None)
    assert pending["rules"] == ["TO-5.4", "TO-R13"]


def effects(table: Table) -> list[tuple[object, ...]]:
    keys = ("turn", "pile", "slot", "card", "effect", "target_card", "value_before", "value_after")
    return [tuple(payload[key] for key in keys) for payload in table.payloads("CharacterEffectApplied")]


def test_characters_change_values_as_the_document_has_it(tables: dict[str, Table]) -> None:
    """Reference games: x1 counts 7 and x6 charms a19 in A, x1 charms b21 in B."""
    assert (6, 3, 1, "x1", "value_copied", "x1", 6, 7) in effects(tables["A"])
    assert (6, 2, 3, "x6", "opponent_charmed", "a19", 7, 0) in effects(tables["A"])
    assert (6, 2, 2, "x1", "opponent_charmed", "b21", 8, 0) in effects(tables["B"])


def judged(table: Table, turn: int, pile: int) -> dict[str, Any]:
    (found,) = [event for event in table.payloads("TerritoryJudged", turn=turn) if event["pile"] == pile]
    return found


PUMAS = [("A", 3, ["a17", "b17", "b15"]), ("B", 3, ["a21"]), ("C", 3, ["a24"])]


@pytest.mark.parametrize(("name", "turn", "affected"), PUMAS)
def test_the_puma_takes_what_the_document_says(
    tables: dict[str, Table], name: str, turn: int, affected: list[str]
) -> None:
    """Reference games: what the puma of T02 takes."""
    assert judged(tables[name], turn, 1)["affected"] == affected


def test_remarks_of_game_b(tables: dict[str, Table]) -> None:
    """Reference game B: pair bonus of x2 and a04, eagles 4 against 2, 3 tokens left."""
    table = tables["B"]
    assert [row["pair_bonus"] for row in judged(table, 6, 1)["totals"]] == [5, 0]
    (wanted,) = table.payloads("MostWantedJudged")
    assert wanted == {
        "species": "eagle",
        "counts": [{"seat": 1, "animals": 4, "bonus": 3}, {"seat": 2, "animals": 2, "bonus": 0}],
        "rules": ["TO-6.3", "TO-R29"],
    }
    assert table.state.supply == 3
    assert table.payloads("GameEnded")[0]["rules"] == ["TO-6.1", "TO-6.2", "TO-6.3", "TO-6.4"]


def test_remarks_of_game_c(tables: dict[str, Table]) -> None:
    """Reference game C: the skull doubles 3, the heart doubles 4 caribou, the puma takes both 7s, pair bonus."""
    table = tables["C"]
    duel = next(d for d in table.payloads("ScalpDuelJudged", turn=2) if d["tokens"] == 6)
    assert (duel["hair"], duel["multiplier"], duel["rules"]) == (3, 2, ["TO-5.5", "TO-R10", "TO-5.5c"])
    won = next(w for w in table.payloads("TerritoryWon", turn=6) if w["pile"] == 3)
    assert (won["animals"], won["multiplier"], won["points"]) == (4, 2, 8)
    last = judged(table, 6, 4)
    assert [row["pair_bonus"] for row in last["totals"]] == [0, 5]
    assert len(last["affected"]) == 2


def test_simultaneous_order_does_not_matter() -> None:
    """TO-3.4: the two seats may answer in either order; only the order of their own events differs."""
    other_order = Table(r.script_a()).choose(2, "x6/b01 x5/b06").choose(1, "x3/a09 x1/a16")
    for row in r.rows(r.GAME_A):
        first, second = row[0].split("; ")
        r.play_turn(other_order, f"{second}; {first}")
    assert other_order.state == r.game_a().state
