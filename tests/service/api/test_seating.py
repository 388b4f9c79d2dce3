"""Tables for a range of ratings: who sits down at them, and who finds them."""

from typing import Any

import pytest

from projections.finished_games.index import FinishedGames, NotFilled
from tests.disputed_tables import luck
from tests.service.api.world import Somebody, World, accepted, refused

GAME = "tomahawk"


@pytest.fixture(scope="module")
def world(own: World) -> World:
    return own


class Club:
    """Ann and Ben have played a rated game of Tomahawk, Cat has played none, and Dan opens tables."""

    def __init__(self, world: World) -> None:
        self.world = world
        ann, ben, self.cat, self.dan = (world.somebody(name) for name in ("Ann", "Ben", "Cat", "Dan"))
        table = world.open(ann, ben, game=GAME)
        world.finish(table)
        world.catch_up()
        self.strong, self.weak = (ann, ben) if self.rating(ann) > self.rating(ben) else (ben, ann)

    def rating(self, somebody: Somebody) -> int:
        [found] = self.world.nobody.get(f"/v1/players/{somebody.player}/ratings").json["ratings"]
        return int(found["rating"])

    def open(self, least: int | None = None, most: int | None = None, **more: Any) -> str:
        """A table that Dan has opened for a range."""
        provisional = more.pop("provisional", True)
        ratings = {"least": least, "most": most, "provisional": provisional}
        seats = more.pop("seats", [{"kind": "me"}, {"kind": "open"}])
        body = {"game": GAME, "seats": seats, "ratings": ratings} | more
        return str(accepted(self.dan.post("/v1/tables", body), 201)["id"])

    def sit(self, somebody: Somebody, table: str, seat: int = 2, **shown: Any) -> Any:
        return somebody.post(f"/v1/tables/{table}/seats/{seat}", shown)

    def finds(self, somebody: Somebody) -> set[str]:
        """The tables that somebody finds open to them."""
        self.world.catch_up()
        rows = accepted(somebody.get("/v1/tables?open_to=me&limit=200"))["tables"]
        return {row["id"] for row in rows}


@pytest.fixture(scope="module")
def club(world: World) -> Club:
    """The same game each time: luck could let it end in a tie."""
    with luck("club"):
        return Club(world)


def test_a_rating_outside_the_range_is_told_why(club: Club) -> None:
    """After one game: 1658 and 1342; a casual table bounds alike."""
    assert (club.rating(club.strong), club.rating(club.weak)) == (1658, 1342)
    table = club.open(1400, 1600, rated=False)
    told = refused(club.sit(club.strong, table), 403, "rating_out_of_range")
    assert told["detail"] == (
        "the open seats are for ratings from 1400 up to 1600; "
        "yours is 1658 (provisional) for this game and number of seats"
    )
    assert (told["rating"], told["provisional"]) == (1658, True)
    refused(club.sit(club.weak, table), 403, "rating_out_of_range")
    assert accepted(club.sit(club.cat, table))["status"] == "running"  # nobody's rating is 1500


@pytest.mark.parametrize(
    ("least", "most", "sits"), [(1658, None, 200), (1659, None, 403), (None, 1658, 200), (None, 1657, 403)]
)
def test_bounds_belong_to_the_range(club: Club, least: int | None, most: int | None, sits: int) -> None:
    assert club.sit(club.strong, club.open(least, most)).status_code == sits


def test_a_rating_is_that_for_the_game_and_number_of_seats(club: Club) -> None:
    """A strong player of one game is as new as anybody at another."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    assert club.sit(club.strong, club.open(1500, 1500, game="manitou", seats=seats)).status_code == 200


def test_provisional_ratings_are_kept_out_where_the_table_says_so(club: Club) -> None:
    table = club.open(provisional=False)
    for somebody in (club.strong, club.cat):
        told = refused(club.sit(somebody, table), 403, "rating_out_of_range")
        assert "for ratings not provisional" in told["detail"]


def test_neither_ai_nor_kept_seats_nor_the_opener_are_bounded(club: Club) -> None:
    seats: list[dict[str, Any]] = [{"kind": "open"}, {"kind": "player", "player": club.weak.player}]
    table = club.open(9000, seats=seats)
    assert club.sit(club.weak, table).status_code == 200
    assert club.sit(club.dan, table, 1).status_code == 200
    assert club.sit(club.dan, club.open(9000), kind="ai", level="uniform").status_code == 200


def test_an_invitation_of_the_opener_goes_past_the_range_once(club: Club) -> None:
    """Not one of somebody else who sits there, nor one to another table, nor one that is accepted already."""
    open_seat = {"kind": "open"}
    table = club.open(1600, seats=[{"kind": "me"}, open_seat, open_seat, open_seat], game="manitou", most=None)
    other = club.open(1600)
    path = f"/v1/tables/{table}/invitations"
    link = accepted(club.dan.post(path, {"name": "Cat"}), 201)["id"]
    refused(club.sit(club.cat, other, invitation=link), 404, "no_such_invitation")
    refused(club.sit(club.cat, table, invitation="i_nothing"), 404, "no_such_invitation")
    refused(club.sit(club.cat, table), 403, "rating_out_of_range")
    assert accepted(club.sit(club.cat, table, invitation=link))["seats"][1]["name"] == "Cat"
    [told] = accepted(club.dan.get(path))["invitations"]
    assert (told["state"], told["player"]) == ("accepted", club.cat.player)
    refused(club.sit(club.weak, table, 3, invitation=link), 403, "rating_out_of_range")
    of_cat = accepted(club.cat.post(path, {"name": "Weak"}), 201)["id"]
    refused(club.sit(club.weak, table, 3, invitation=of_cat), 403, "rating_out_of_range")
    refused(club.sit(club.dan, table, 3, invitation=link, kind="ai", level="uniform"), 422, "invalid")


def test_the_lobby_shows_ranges_and_lists_what_is_open_to_me(club: Club) -> None:
    high, low, free = club.open(1600), club.open(most=1400), club.open(0)
    kept = club.open(9000, seats=[{"kind": "open"}, {"kind": "player", "player": club.weak.player}])
    found = {who: club.finds(getattr(club, who)) & {high, low, free, kept} for who in ("strong", "weak", "cat", "dan")}
    assert found == {"strong": {high, free}, "weak": {low, free, kept}, "cat": {free}, "dan": {kept}}
    rows = {row["id"]: row for row in accepted(club.dan.get("/v1/tables?status=open&limit=200"))["tables"]}
    assert rows[high]["ratings"] == {"least": 1600, "most": None, "provisional": True}
    assert accepted(club.cat.get(f"/v1/tables/{high}"))["ratings"] == rows[high]["ratings"]
    assert accepted(club.weak.get("/v1/tables?open_to=me&status=running"))["tables"] == []
    mine = accepted(club.weak.get("/v1/tables?open_to=me&mine=true&limit=200"))["tables"]
    assert [row["id"] for row in mine] == [kept]
    refused(club.world.nobody.get("/v1/tables?open_to=me"), 401, "unauthenticated")


@pytest.mark.parametrize(
    "ratings",
    [{}, {"least": 2, "most": 1}, {"least": -1}, {"most": 10_000}, {"least": "1"}, {"provisional": True}, {"mean": 3}],
)
def test_a_range_that_says_nothing_is_refused(club: Club, ratings: dict[str, Any]) -> None:
    body = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}], "ratings": ratings}
    refused(club.dan.post("/v1/tables", body), 422, "invalid")


def test_a_range_is_for_open_seats(club: Club) -> None:
    seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]
    body = {"game": GAME, "seats": seats, "ratings": {"least": 1}}
    assert "open seats" in refused(club.dan.post("/v1/tables", body), 422, "opening_refused")["detail"]


def test_who_has_to_wait_for_the_index_is_told_so(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without a range does not ask it."""
    table, seats = club.open(0), [{"kind": "me"}, {"kind": "open"}]
    plain = accepted(club.dan.post("/v1/tables", {"game": GAME, "seats": seats}), 201)["id"]

    def not_yet(*_: object) -> None:
        raise NotFilled

    monkeypatch.setattr(FinishedGames, "read", not_yet)
    refused(club.sit(club.cat, table), 503, "too_busy")
    refused(club.cat.get("/v1/tables?open_to=me"), 503, "too_busy")
    assert club.sit(club.cat, plain).status_code == 200
