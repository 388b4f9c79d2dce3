"""Games played and ratings over HTTP: what is told, to whom, and what is refused."""

from typing import Any

import pytest

from tests.disputed_tables import luck
from tests.servers import data_beside
from tests.service.api.world import Somebody, World, refused


@pytest.fixture(scope="module")
def world(own: World) -> World:
    return own


class Evening:
    """Ann and Ben have played a rated, a casual and a private game of Tomahawk, and Ann one against an AI."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ann, self.ben = world.somebody("Ann"), world.somebody("Ben")
        self.rated = self.played(visibility="public")
        self.casual = self.played(rated=False)
        self.private = self.played(visibility="private")
        self.against_ai = self.played(ai="uniform")
        world.catch_up()

    def played(self, ai: str | None = None, **more: Any) -> str:
        """A game from its opening to its end."""
        if ai is None:
            table = self.world.open(self.ann, self.ben, game="tomahawk", **more)
        else:
            seats = [{"kind": "me"}, {"kind": "ai", "level": ai}]
            table = str(
                self.ann.post("/v1/tables", {"game": "tomahawk", "seats": seats, "rated": True} | more).json["id"]
            )
        self.world.finish(table)
        return table

    def found(self, query: str, who: Somebody | None = None) -> list[str]:
        """The tables that somebody finds."""
        answer = (who or self.world.nobody).get(f"/v1/games-played?{query}")
        assert answer.status_code == 200, answer.json
        return [row["table"] for row in answer.json["games"]]


@pytest.fixture(scope="module")
def evening(world: World) -> Evening:
    """The same evening each time: luck could let a game end in a tie."""
    with luck("one evening"):
        return Evening(world)


def test_games_are_listed_as_they_ended(evening: Evening) -> None:
    """With names, places, points and what each rating was before and is behind it."""
    rows = evening.world.nobody.get(f"/v1/games-played?player={evening.ben.player}&limit=10").json["games"]
    casual, rated = rows

    assert [casual["table"], rated["table"]] == [evening.casual, evening.rated]
    assert (casual["rated"], [seat["rating"] for seat in casual["seats"]]) == (False, [None, None])
    assert [seat["name"] for seat in rated["seats"]] == ["Ann", "Ben"]
    assert sorted(seat["place"] for seat in rated["seats"]) == [1, 2]
    assert {seat["rating"]["before"] for seat in rated["seats"]} == {1500}
    assert {seat["rating"]["after"] for seat in rated["seats"]} == {1658, 1342}
    table = evening.world.nobody.get(f"/v1/tables/{evening.rated}").json
    assert rated["winners"] == table["scores"]["winners"]
    assert [seat["points"] for seat in rated["seats"]] == [row["total"] for row in table["scores"]["scores"]]


def test_private_games_exist_for_those_they_name(evening: Evening) -> None:
    """Whose token may watch; a stranger, and a token that may not, find what everybody finds."""
    asked = f"player={evening.ann.player}"
    everybody = [evening.against_ai, evening.casual, evening.rated]

    assert evening.found(asked) == everybody
    assert evening.found(asked, evening.world.somebody("Eve")) == everybody
    assert evening.found(asked, evening.world.again(evening.ann, ["play"])) == everybody
    assert evening.found(asked, evening.ben) == [evening.against_ai, evening.private, evening.casual, evening.rated]


def test_filters_are_read_from_the_query(evening: Evening) -> None:
    ann = f"player={evening.ann.player}"
    assert evening.found(f"{ann}&rated=false") == [evening.casual]
    assert evening.found(f"{ann}&level=uniform") == [evening.against_ai]
    assert evening.found(f"{ann}&game=manitou") == []
    assert evening.found(f"{ann}&seats=3") == []
    assert evening.found(f"{ann}&moves_to=1") == []
    assert evening.found(f"{ann}&until=2020-01-01T00:00:00Z") == []
    won, lost = evening.found(f"{ann}&result=won"), evening.found(f"{ann}&result=lost")
    assert sorted(won + lost) == sorted(evening.found(ann))
    options = evening.world.nobody.get(f"/v1/tables/{evening.rated}").json["options"]
    name, value = next((name, value) for name, value in options.items() if isinstance(value, str))
    assert evening.found(f'{ann}&options={{"{name}":"{value}"}}') == evening.found(ann)
    assert evening.found(f'{ann}&options={{"{name}":"nothing like it"}}') == []


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("result=won", "result"),
        ("options=[]", "options"),
        ("options={oops}", "options"),
        ('options={"ü":1}', "options"),
        ('options={"a b":1}', "options"),
        ("level=genius", "level"),
        ("cursor=x", "cursor"),
        ("rating_from=many", "rating_from"),
    ],
)
def test_a_query_that_says_nothing_is_refused(evening: Evening, query: str, where: str) -> None:
    answer = evening.world.nobody.get(f"/v1/games-played?{query}")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert ("query", f"/{where}") in [(error["in"], error["pointer"]) for error in answer.json["errors"]]


def test_pages_follow_on_each_other(evening: Evening) -> None:
    first = evening.world.nobody.get(f"/v1/games-played?player={evening.ann.player}&limit=2")
    behind = evening.world.nobody.get(first.headers["Link"].partition(">")[0].lstrip("<"))

    assert first.json["next"]
    assert len(first.json["games"] + behind.json["games"]) == 3
    assert behind.json["next"] is None


def test_a_player_has_a_rating_by_game_and_seats_with_its_history(evening: Evening) -> None:
    """It follows from public rated games alone; who has played none has none."""
    path = f"/v1/players/{evening.ben.player}/ratings"
    (told,) = evening.world.nobody.get(path).json["ratings"]
    points = evening.world.nobody.get(f"{path}/tomahawk/2").json["points"]

    assert (told["game"], told["seats"], told["games"], told["provisional"]) == ("tomahawk", 2, 1, True)
    assert [(point["table"], point["rating"]) for point in points] == [(evening.rated, told["rating"])]
    assert points[0]["change"] == told["rating"] - 1500
    refused(evening.world.nobody.get("/v1/players/p_nobody/ratings"), 404, "no_such_player")
    for unknown in ("chess/2", "tomahawk/5"):
        assert evening.world.nobody.get(f"{path}/{unknown}").json["code"] == "no_such_game"


def test_leaderboards_are_by_game_and_seats(evening: Evening) -> None:
    """People and levels on one scale, the highest first; nobody is settled after so few games."""
    asked = "/v1/ratings?game=tomahawk&seats=2"
    assert evening.world.nobody.get(asked).json == {"ratings": [], "next": None}
    rows = evening.world.nobody.get(f"{asked}&provisional=true").json["ratings"]

    assert {row["name"] for row in rows} == {"Ann", "Ben", None}
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    assert "ai:uniform" in {row["player"] for row in rows}
    first = evening.world.nobody.get(f"{asked}&provisional=true&limit=1").json
    assert first["ratings"] == rows[:1]
    behind = evening.world.nobody.get(f"{asked}&provisional=true&cursor={first['next']}").json
    assert behind == {"ratings": rows[1:], "next": None}
    assert evening.world.nobody.get("/v1/ratings?game=tomahawk&seats=5").json["ratings"] == []


def test_a_private_table_cannot_be_rated(evening: Evening) -> None:
    """It says so; and a table tells whether it is rated."""
    seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]
    asked = {"game": "tomahawk", "seats": seats, "visibility": "private", "rated": True}
    answer = evening.ann.post("/v1/tables", asked)

    assert (answer.status_code, answer.json["code"]) == (422, "opening_refused")
    assert "a private table cannot be rated" in answer.json["detail"]
    told = {table: evening.ann.get(f"/v1/tables/{table}").json["rated"] for table in (evening.rated, evening.private)}
    assert told == {evening.rated: True, evening.private: False}
    assert evening.ann.get(f"/v1/tables/{evening.casual}").json["rated"] is False


def test_the_index_holds_no_name(evening: Evening) -> None:
    """It has what the log has: a name under its person's key. Who is erased is told as somebody from then on."""
    game = next(
        row for row in evening.world.nobody.get("/v1/games-played").json["games"] if row["table"] == evening.rated
    )
    assert [seat["name"] for seat in game["seats"]] == ["Ann", "Ben"]
    kept = b"".join(file.read_bytes() for file in data_beside(evening.world.url).glob("played.sqlite*"))
    assert evening.ann.player is not None
    assert evening.ann.player.encode() in kept
    assert b"Ann" not in kept


def test_statistics_tell_features_with_intervals(evening: Evening) -> None:
    """Of the public games: what seats of people kept and won, and nothing of the private one."""
    told = evening.world.nobody.get("/v1/statistics?game=tomahawk").json
    assert (told["game"], told["games"]) == ("tomahawk", 3)
    found = {(one["of"], one["name"]): one for one in told["features"]}
    winners = found["game", "winners"]
    assert (winners["seats"], winners["values"][0]["value"]) == (6, "1")
    assert winners["values"][0]["share"] == {"share": 1.0, "low": 0.6097, "high": 1.0}
    assert [one["seat"] for one in winners["values"][0]["by_seat"]] == [1, 2]
    assert sum(value["won"] for value in winners["values"]) == 3
    assert found["option", "tie_break"]["values"][0]["value"] == '"shared"'
    assert {name for of, name in found if of == "seat"} >= {"specials_kept", "most_wanted"}

    people = evening.world.nobody.get("/v1/statistics?game=tomahawk&level=people&rated=true").json
    assert (people["games"], {one["seats"] for one in people["features"] if one["of"] == "option"}) == (2, {3})
    assert evening.world.nobody.get("/v1/statistics?game=tomahawk&seats=3").json["features"] == []


@pytest.mark.parametrize("query", ["", "game=chess", "game=tomahawk&level=genius", "game=tomahawk&rated=1"])
def test_statistics_are_of_a_game_that_is_hosted(evening: Evening, query: str) -> None:
    answer = evening.world.nobody.get(f"/v1/statistics?{query}")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
