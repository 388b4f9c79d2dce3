"""What an observer may not know changes no byte that he gets: two worlds that differ in it answer everything alike."""

import contextlib
import re
from typing import Any

import pytest

from events.commitments import commitment
from games import GAMES
from tests.long import long_but_for
from tests.service.api.document import DOCUMENT
from tests.service.api.interference import (
    Seen,
    a_table,
    audits,
    found,
    leaks,
    newest_of,
    observers,
    requests,
    twin_of,
    without_hashes,
)
from tests.service.api.leaks import GAME, PLANTS, SHORT, Plant, is_caught, owner_of
from tests.service.api.twins import Pair
from tests.service.api.world import World

by_game = pytest.mark.parametrize("game", list(GAMES))
HOLDERS = {False: "people", True: "an AI"}
TABLES = [(game, ai) for game in GAMES for ai in HOLDERS]
SHORT_OF_AI = {"big-manitou", "tomahawk"}  # in a short run an AI chooses otherwise in these, people in the others
SLOW = {"big-manitou", "tomahawk", "plenty-coups"}
SLOW_PLANTS = {
    "a branch begins with the real hands",
    "a refusal to explain tells the move",
    "a stream tells the seals",
    "the log has the hands when a move is refused",
    "what an AI took is public",
}
VERSIONS = ("the newest", "every")
SIGHTS = [(*table, versions) for table in TABLES for versions in VERSIONS]


@pytest.fixture(scope="module")
def world(own: World) -> World:
    """A service on a store in which nobody else records anything meanwhile: a cursor of the feed tells of all tables.

    The web server on the store of the other tests finishes erasures by and by, which has seats left.
    """
    return own


@pytest.mark.parametrize(
    "sight",
    long_but_for(
        lambda sight: sight[1] != (sight[0] in SHORT_OF_AI) and sight[2] == "the newest",
        SIGHTS,
        lambda sight: f"{sight[0]}-{HOLDERS[sight[1]]}-{sight[2]}",
        is_slow=lambda sight: sight[0] in SLOW,
    ),
)
def test_secrets_change_no_byte(world: World, sight: tuple[str, bool, str]) -> None:
    """Every endpoint, every version, every observer: other hands, other choices and another order of the cards."""
    game, ai, versions = sight
    seen = a_table(world, game, int(ai), ai=ai)
    at = newest_of(seen) if versions == "the newest" else None
    for seat in observers(seen):
        assert leaks(seen.answers(seat, at=at), twin_of(seen, seat, 1).answers(seat, at=at)) == [], f"seen by {seat}"


@pytest.mark.slow
def test_what_is_kept_of_one_answer_is_in_no_other(world: World) -> None:
    """Given seats and a spectator who ask in turns, twice, then each is answered as by a process that only he asks.

    Before the end of the game, and after it, when all lies open.
    """
    seen = a_table(world, GAME, 3)
    with contextlib.closing(World(world.url)) as shared:
        for moves in (0, 10_000):
            world.play(seen.table, *seen.players, moves=moves)
            now = Seen(shared.services, seen.table, seen.players)
            at, asked = newest_of(now), [*observers(now), *reversed(observers(now))]
            now.answers(1, at=at)  # whoever asks for an analysis first orders it
            answers = [(seat, now.answers(seat, at=at)) for seat in asked]
            for seat in observers(now):
                with contextlib.closing(World(world.url)) as own_process:
                    alone = Seen(own_process.services, seen.table, seen.players).answers(seat, at=at)
                told = [leaks(alone, answer) for asker, answer in answers if asker == seat]
                assert [set(one) - {"metrics"} for one in told] == [set(), set()], f"seen by {seat}"
    assert now.history.table.over


@by_game
def test_a_twin_is_another_world(world: World, game: str) -> None:
    """So that the tests here compare something: nobody sees the same table when the game lies open."""
    seen = a_table(world, game, 0)
    for seat in observers(seen):
        twin = twin_of(seen, seat, 0)
        assert twin.history.table.state != seen.history.table.state
        assert [event.sealed for event in twin.history.events] != [event.sealed for event in seen.history.events]


@pytest.mark.parametrize(
    "table",
    long_but_for(
        lambda table: table[1] == (table[0] in SHORT_OF_AI),
        TABLES,
        lambda table: f"{table[0]}-{HOLDERS[table[1]]}",
        is_slow=lambda table: table[0] in SLOW,
    ),
)
def test_a_secret_choice_changes_no_byte(
    world: World, table: tuple[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat chooses otherwise, and the game goes on until it is its turn: nobody else can tell.

    An AI also takes more iterations for it, after another player was given up.
    """
    game, ai = table
    pair = Pair(world, monkeypatch, game, 7, ai=ai)
    one, other = (Seen(side.services, side.id, pair.players) for side in pair.sides)
    assert one.history.table.state != other.history.table.state
    for seat in {*observers(one)} - {pair.secretive}:
        answers = (without_hashes(side.answers(seat, audit=True)) for side in (one, other))
        assert leaks(*answers) == [], f"seen by {seat}"
    assert leaks(*(without_hashes(side.played) for side in pair.sides)) == []


def test_every_operation_on_a_table_is_asked_for(world: World) -> None:
    """A new resource of a table has to be asked for here too."""
    seen = a_table(world, "big-manitou", 0)
    asked = {path for _, path, _, _ in [*requests(seen, 1), *audits(seen)]}
    paths = DOCUMENT["paths"]
    readable = [path for path, item in paths.items() if "{table}" in path and "get" in item]
    for path in readable:
        place = path.replace("{table}", seen.table).replace("{version}", "[0-9]+").replace("{dispute}", "d9")
        form = re.compile(place + r"(\?.*)?")
        assert any(form.fullmatch(one) for one in asked), path


@pytest.mark.parametrize("value", [None, 0, "hunter-1", ["hunter-1"] * 60, {"card": "chief-1", "ground": 3}])
def test_a_commitment_tells_nothing_of_the_size_of_a_secret(value: Any) -> None:
    first, other = (commitment(salt * 16, value) for salt in ("5e", "5f"))
    assert len(first) == len(other) == 64
    assert first != other


@pytest.mark.slow
def test_nothing_is_told_where_nothing_is_planted(world: World) -> None:
    """So that what is found below was planted."""
    assert list(found(world, GAME)) == []


@pytest.mark.parametrize(
    "plant", long_but_for(bool, SHORT, lambda plant: plant.name, is_slow=lambda plant: plant.name in SLOW_PLANTS)
)
def test_a_planted_leak_is_found(world: World, plant: Plant) -> None:
    """A few of them; `make leaks` plants all."""
    assert is_caught(world, plant)


def test_leaks_are_planted_everywhere() -> None:
    """Thirty at least, each under a name of its own."""
    assert len({plant.name for plant in PLANTS}) == len(PLANTS) >= 30
    assert len({plant.where for plant in PLANTS}) >= 25


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_leak_that_is_planted_has_its_place(plant: Plant) -> None:
    """What was renamed since is not looked for in vain, and unseen until all are planted."""
    owner, attribute = owner_of(plant.where)
    assert callable(getattr(owner, attribute))
