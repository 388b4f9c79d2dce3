"""What statistics count of games played: house rules and features of seats, who won with them, and how sure that is."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from games import GAMES
from projections.finished_games.games import SCHEMA
from projections.finished_games.index import FinishedGames
from projections.finished_games.statistics import Counted, Of, Share, add, share, statistics
from projections.lobby_rows import features_of
from projections.sqlite_files import open_database
from service.tables import offers
from tests.archives import Archive
from tests.long import quick_first
from tests.projections.finished_games.synthetic import game
from tests.tables import ANN
from worker.play_turn import play_turns

FEATURES = [{"first_ground": "1", "took_prisoners": "yes"}, {"first_ground": "3"}]
DOCUMENT = (Path(__file__).parents[3] / "docs" / "statistics.md").read_text(encoding="utf-8")
GROUNDS = {"big-manitou": 3, "manitou": 3}


@pytest.fixture
def database() -> sqlite3.Connection:
    return open_database(None, SCHEMA)


def counted(database: sqlite3.Connection, name: str, of: Of = Of("manitou")) -> dict[str, list[Counted]]:  # noqa: B008 - immutable
    """The values of a feature, and the seats that had them."""
    _, features = statistics(database, of)
    return {value.value: value.by_seat for one in features if one.name == name for value in one.values}


def test_seats_are_counted_by_feature_and_by_who_won(database: sqlite3.Connection) -> None:
    """Of two games: in the second, seats and places are the other way round."""
    add(database, [game(1, 1, ["p_ann", "ai:greedy"], [1, 2], winners=[1])])
    first = game(2, 2, ["p_ann", "ai:greedy"], [2, 1], winners=[2])
    first.row["result"]["features"] = FEATURES
    add(database, [first])

    assert statistics(database, Of("manitou"))[0] == 2
    assert counted(database, "winners") == {"1": [Counted(1, 2, 1), Counted(2, 2, 1)]}
    assert counted(database, "first_ground") == {"1": [Counted(1, 1, 0)], "3": [Counted(2, 1, 1)]}
    assert counted(database, "took_prisoners") == {"yes": [Counted(1, 1, 0)]}


def test_statistics_are_of_seats_rated_or_not_and_by_who_held_them(database: sqlite3.Connection) -> None:
    """Games are counted at which such seats were; a seat that somebody left is not."""
    add(database, [game(1, 1, ["p_ann", "ai:greedy"], [1, 2]), game(2, 2, ["ai:greedy", "ai:uniform"], [1, 2])])
    add(database, [game(3, 3, ["p_ann", "p_ben", "p_cat"], [1, 2, 3], rated=False, left=["p_dan", None, None])])

    games = {
        "all": Of("manitou"),
        "two": Of("manitou", players=2),
        "casual": Of("manitou", rated=False),
        "greedy": Of("manitou", level="greedy"),
        "people": Of("manitou", level="people"),
        "bots": Of("manitou", level="bots"),
        "another": Of("tomahawk"),
    }
    found = {name: statistics(database, of) for name, of in games.items()}
    assert {name: number for name, (number, _) in found.items()} == {
        "all": 3, "two": 2, "casual": 1, "greedy": 2, "people": 2, "bots": 0, "another": 0
    }  # fmt: skip
    seats = {name: next((one.seats for one in told if one.name == "winners"), 0) for name, (_, told) in found.items()}
    assert seats == {"all": 6, "two": 4, "casual": 2, "greedy": 2, "people": 3, "bots": 0, "another": 0}


def test_private_games_and_branches_are_not_counted(database: sqlite3.Connection) -> None:
    private = game(1, 1, ["p_ann", "p_ben"], [1, 2], visibility="private")
    branch = game(2, 2, ["p_ann", "p_ben"], [1, 2], forked_from={"table": "t_x"})
    add(database, [private, branch])
    assert database.execute("select count(*) from counted").fetchone() == (0,)


def test_a_game_that_goes_takes_away_what_it_told(database: sqlite3.Connection) -> None:
    """What remains are the same rows as without it."""
    kept, gone = game(1, 1, ["p_ann", "ai:greedy"], [1, 2]), game(2, 2, ["ai:uniform", "p_ben", "p_cat"], [1, 2, 3])
    add(database, [kept])
    before = database.execute("select * from counted").fetchall()
    add(database, [gone])
    assert len(database.execute("select * from counted").fetchall()) > len(before)
    add(database, [gone], -1)
    assert database.execute("select * from counted").fetchall() == before


def test_house_rules_are_told_by_their_listed_values(database: sqlite3.Connection) -> None:
    """A value that is none of the listed ones is `other`, so that nobody makes the counts grow."""
    option = GAMES["manitou"].options[0]
    rules = msgspec.to_builtins(GAMES["manitou"].read_options({}, 2)) | {option.name: "a value of my own"}
    add(database, [game(1, 1, ["p_ann", "p_ben"], [1, 2], options=rules)])
    _, features = statistics(database, Of("manitou"))
    assert [value.value for one in features if one.name == option.name for value in one.values] == ["other"]
    assert {one.name for one in features if one.of == "option"} == {
        option.name for option in GAMES["manitou"].options if option.values
    }


@pytest.mark.parametrize(
    ("number", "of", "found"),
    [
        (0, 0, None),
        (0, 10, Share(0.0, 0.0, 0.2775)),
        (1, 10, Share(0.1, 0.0179, 0.4042)),
        (5, 10, Share(0.5, 0.2366, 0.7634)),
        (10, 10, Share(1.0, 0.7225, 1.0)),
        (500, 1000, Share(0.5, 0.4691, 0.5309)),
    ],
)
def test_an_interval_is_wilsons(number: int, of: int, found: Share | None) -> None:
    """Figures as R gives them: `binom::binom.wilson(5, 10)`."""
    assert share(number, of) == found


@pytest.mark.parametrize("slug", quick_first(GAMES))
def test_every_game_tells_features_of_its_seats(archive: Archive, slug: str) -> None:
    """As the events of a game that was played tell them."""
    history = archive.played(slug, "ann greedy")
    table = history.table
    found = features_of(table)
    assert [set(one) for one in found] == [set(found[0])] * 2 or slug in ("tomahawk", "plenty-coups")
    assert all(f"`{name}`" in DOCUMENT for one in found for name in one)
    assert set(GAMES[slug].features) <= {event.__name__ for event in GAMES[slug].events}
    if slug in GROUNDS:
        laid = [event for event in history.events if event.envelope.type == "CardPlayed"]
        for seat, told in enumerate(found, 1):
            first = next(event.payload for event in laid if event.payload["seat"] == seat)
            assert told["first_ground"] == str(first["ground"])
    archive.project()
    games, features = FinishedGames(archive.log).read(lambda database: statistics(database, Of(slug)))
    assert games == 1
    assert {one.name for one in features if one.of == "seat"} == {name for told in found for name in told}


def test_what_is_taken_back_is_not_told(archive: Archive) -> None:
    """Ann takes her party back: what was chosen and laid behind it is gone, and the party of the AI is chosen again."""
    visit = archive.visit
    table = visit.open("manitou", "ann greedy")
    while not any(event.envelope.type == "CardPlayed" for event in visit.history(table).events):
        visit.play(table, ANN)
        play_turns(visit.handler, table)
    history = visit.history(table)
    party = {"heroes_in_first_party", "first_party", "hunters_strength_in_first_party"}
    assert [set(told) for told in features_of(history.table)] == [party, {*party, "first_ground", "first_card"}]
    taken = offers.make(visit.handler, table, visit.sent(ANN), "takeback", 1).table
    assert [set(told) for told in features_of(taken)] == [set(), party]
