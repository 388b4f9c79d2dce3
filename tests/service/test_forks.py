"""Branches: they go on as the game was, tell nobody what is secret, and hold by themselves."""

import json
from typing import Any

import msgspec
import pytest

from events.lifecycle import DisputeRules, SeatOffer
from events.verify import archive_faults
from games import GAMES
from projections.history import TableHistory
from projections.table import Table
from rulings.archive_format import lines, read_history
from rulings.replay import replay
from service.accounts.callers import NOBODY, Caller, Player
from service.command_handler import CommandContext, Outcome
from service.errors import Refused
from service.tables import opening
from service.tables.audit import audit, origin_faults
from service.tables.authorisation import Viewer, authorise_table, viewer_of
from service.tables.forks import Forking, comparison, fork
from service.tables.playing import Play, play
from service.tables.table_documents import is_ruling
from tests.disputed_tables import ARBITER, Court, holds, refusal
from tests.tables import ANN, BEN, CAT, DAN

SEATS = {"big-manitou": "ann ben cat", "manitou": "ann ben cat", "tomahawk": "ann ben", "plenty-coups": "ann ben cat"}
MOVES = {"big-manitou": 20, "manitou": 24, "tomahawk": 7, "plenty-coups": 30}
CHANGED = {  # a house rule of each game that does not shape the set-up
    "big-manitou": {"pair_attack_weaker": "illegal"},
    "manitou": {"hero_limit": "all"},
    "tomahawk": {"picto_scope": "each_player"},
    "plenty-coups": {"raid_return": "any"},
}


pytestmark = pytest.mark.usefixtures("lucky")
replace = msgspec.structs.replace


def caller(player: Player) -> Caller:
    return Caller(player, ("play", "watch"))


def running(court: Court, game: str, seats: str | None = None, **opened: Any) -> str:
    """A table in the middle of its game."""
    table = court.open_disputable(game, seats or SEATS[game], **opened)
    for _ in range(MOVES[game]):
        court.step(table)
    assert court.table(table).status == "running"
    return table


def finished(court: Court, game: str, seats: str | None = None) -> str:
    table = court.open_disputable(game, seats or SEATS[game])
    court.finish(table)
    assert court.table(table).over
    return table


def forked(court: Court, table: str, who: Player | Caller, **forking: Any) -> Outcome:
    """A branch of a table, from its newest version unless one is named."""
    asking = who if isinstance(who, Caller) else caller(who)
    parent = court.history(table)
    wanted = {"version": parent.table.version} | forking
    return fork(
        court.handler, parent, CommandContext(asking.needs(), court.request(), asking.scopes), Forking(**wanted)
    )


def fork_of(branch: Table) -> Any:
    """What the first event of a branch says."""
    assert branch.fork is not None
    return branch.fork


def people(*players: Player) -> tuple[SeatOffer, ...]:
    return tuple(SeatOffer(number, "player", player.id) for number, player in enumerate(players, 1))


def opens(number: int) -> tuple[SeatOffer, ...]:
    return tuple(SeatOffer(seat, "open") for seat in range(1, number + 1))


def ais(number: int, level: str = "greedy") -> tuple[SeatOffer, ...]:
    return tuple(SeatOffer(seat, "ai", level=level) for seat in range(1, number + 1))


def middle(history: TableHistory) -> int:
    """The version in the middle of the game's moves."""
    moves = [event.envelope.batch[1] for event in history.events if "move" in event.sealed]
    return moves[len(moves) // 2]


def replayed(court: Court, parent: TableHistory, branch: str, after: int) -> None:
    """Takes the parent's moves behind a version at the branch."""
    for event in parent.events[after:]:
        if "move" in event.sealed:
            asked = Play(event.envelope.by["seat"], event.sealed["move"].value)
            play(court.handler, branch, asked, court.table(branch).seats[asked.seat - 1].player, court.request())


def new_events(history: TableHistory, after: int) -> list[Any]:
    """What the game recorded behind a version, secrets included."""
    names = {kind.__name__ for kind in history.table.game.events}
    found = (e for e in history.events[after:] if e.envelope.type in names)
    return [(e.envelope.type, e.payload, e.envelope.readers) for e in found]


# Once the game is over


@pytest.mark.parametrize("game", list(GAMES))
def test_with_the_same_luck_and_moves_a_branch_is_the_game_itself(court: Court, game: str) -> None:
    """Given a finished game, when it is forked with continued luck and the same moves are made, then it ends alike."""
    table = finished(court, game)
    parent = court.history(table)
    version = middle(parent)

    branch = forked(court, table, ANN, version=version, chance="continued", seats=opens(parent.table.opened.players))
    for seat, player in enumerate((ANN, BEN, CAT)[: parent.table.opened.players], 1):
        court.sit(branch.table.id, seat, player)
    assert court.table(branch.table.id).state == parent.at(version).state
    replayed(court, parent, branch.table.id, version)

    history = court.history(branch.table.id)
    assert new_events(history, 0) == new_events(parent, version)
    assert history.table.state == parent.table.state
    assert history.feed(2) == parent.feed(2)
    assert holds(history)


@pytest.mark.parametrize("game", list(GAMES))
def test_with_new_luck_and_house_rules_ai_play_it_to_another_end(court: Court, game: str) -> None:
    """Given a finished game, when AI play on from its middle, then the branch ends, holds, and travels."""
    table = finished(court, game)
    version = middle(court.history(table))
    branch = forked(court, table, DAN, version=version, options=CHANGED[game], seats=ais(len(SEATS[game].split())))
    assert branch.table.options == court.table(table).options | CHANGED[game]

    history = court.play_to_the_end(branch.table.id)

    assert msgspec.to_builtins(history.table.state.options) == history.table.options
    assert holds(history)
    archive = list(lines(history, None, over=True))
    assert list(archive_faults(archive)) == []
    assert replay(read_history(archive)).same


def test_a_branch_tells_where_it_comes_from(court: Court) -> None:
    """Its first event names parent, version, head and luck; what it starts from is sealed until it is over."""
    table = finished(court, "manitou")
    parent = court.history(table)
    version = middle(parent)
    branch = forked(court, table, ANN, version=version)

    first = branch.history.events[0]
    assert first.envelope.type == "TableForked"
    told = first.envelope.payload
    assert (told["parent"], told["parent_version"]) == (table, version)
    assert told["parent_head"] == parent.events[version - 1].hash.hex()
    assert (told["chance"], told["dealt_anew"], told["draws"]) == ("anew", False, {})
    assert set(first.envelope.readers) == {"seed", "state", "past"}
    assert not any(first.envelope.readers.values())
    assert [event.envelope.type for event in branch.history.events[1:]] == [*["SeatTaken"] * 3, "PlayContinued"]


def test_who_sat_there_sits_there_again(court: Court) -> None:
    """Without seats named the player keeps the own one, and AI take the others: the same ones, or greedy for people."""
    table = finished(court, "manitou", "ai ann ben")
    branch = forked(court, table, ANN, version=middle(court.history(table)))
    seats = branch.table.seats
    assert [seat.player for seat in seats] == [None, ANN.id, None]
    assert [seat.ai.level if seat.ai else None for seat in seats] == ["uniform", None, "greedy"]


def test_a_version_within_a_move_stands_for_the_moment_before_it(court: Court) -> None:
    """Given a move that led to several events, when a branch is made at one of them, then the move is not made yet."""
    table = finished(court, "manitou")
    history = court.history(table)
    event = next(e for e in history.events if "move" in e.sealed and e.envelope.batch[1] > e.version)
    assert fork_of(forked(court, table, ANN, version=event.version).table).parent_version == event.version - 1
    last = event.envelope.batch[1]
    assert fork_of(forked(court, table, ANN, version=last).table).parent_version == last


def test_a_branch_that_does_not_begin_where_it_says_is_found(court: Court) -> None:
    """Held against its parent: another hash, another state, another past, another luck."""
    table = finished(court, "tomahawk")
    parent = court.history(table)
    history = forked(court, table, ANN, version=middle(parent), chance="continued").history
    assert list(origin_faults(history.table, parent)) == []
    strays: dict[str, Any] = {
        "parent_head": "00" * 32,
        "parent_version": parent.table.version + 1,
        "state": dict(fork_of(history.table).state) | {"turn": 99},
        "past": fork_of(history.table).past[1:],
        "draws": {"deal": 99},
        "parent_seed": "00" * 32,
    }
    for name, value in strays.items():
        opened = msgspec.structs.replace(fork_of(history.table), **{name: value})
        stray = TableHistory(history.events, msgspec.structs.replace(history.table, opened=opened))
        report = audit(stray, Viewer(None, over=True), parent=parent)
        assert len(report["origin"]["faults"]) == 1, name
        assert not report["holds"]


# While the game runs


@pytest.mark.parametrize("game", list(GAMES))
def test_a_player_branches_with_what_the_player_knows(court: Court, game: str) -> None:
    """Given a running game, when a player branches, then the own view is the same and the rest is dealt anew."""
    table = running(court, game)
    parent = court.table(table)
    worlds = [forked(court, table, ANN).table for _ in range(4)]

    for world in worlds:
        assert world.opened.visibility == "private"
        assert [seat.player for seat in world.seats] == [ANN.id, *[None] * (world.opened.players - 1)]
        assert fork_of(world).dealt_anew
        assert world.game.view(world.state, 1) == parent.game.view(parent.state, 1)
        assert world.game.census(world.state) == parent.game.census(parent.state)
    assert any(world.state != parent.state for world in worlds)


@pytest.mark.parametrize("game", list(GAMES))
def test_what_a_branch_begins_with_is_worked_out_from_what_the_player_read(court: Court, game: str) -> None:
    """Given two worlds that a seat cannot tell apart, then its branches begin alike, sealed parts and all."""
    table = running(court, game)
    history = court.history(table)
    seat = history.table.seat_of(BEN.id)
    begun = fork_of(forked(court, table, BEN).table)

    told = history.feed(seat)
    assert [row["type"] for row in begun.past] == [type(event).__name__ for event in told]
    hidden = {name for row in begun.past for name, seats in row["readers"].items() if seat not in seats}
    assert hidden
    for row in begun.past:
        assert all(seat in row["readers"].get(name, [seat]) for name in row["payload"])


@pytest.mark.parametrize("game", list(GAMES))
def test_other_seats_of_such_a_branch_play_by_what_they_are_told(court: Court, game: str) -> None:
    """Given a branch of a running game, when AI play the other seats, then it goes on to its end and holds."""
    table = running(court, game)
    branch = forked(court, table, CAT if "cat" in SEATS[game] else BEN)
    history = court.play_to_the_end(branch.table.id)
    assert history.table.over
    assert holds(history)
    assert court.table(table).status == "running"


def test_such_a_branch_is_private_and_without_company(court: Court) -> None:
    """Nobody else sits, watches or arbitrates where a player's real hand can be seen; luck is not told beforehand."""
    table = running(court, "manitou")
    assert refusal(forked, court, table, ANN, visibility="public") == "fork_refused"
    assert refusal(forked, court, table, ANN, seats=people(ANN, BEN, CAT)) == "fork_refused"
    assert refusal(forked, court, table, ANN, seats=(*ais(1), *opens(3)[1:])) == "fork_refused"
    ann_twice = (*ais(1), SeatOffer(2, "player", ANN.id), *ais(3)[2:])
    assert refusal(forked, court, table, ANN, seats=ann_twice) == "fork_refused"
    assert refusal(forked, court, table, ANN, arbiter=DAN.id) == "fork_refused"
    assert refusal(forked, court, table, ANN, chance="continued") == "fork_refused"
    branch = forked(court, table, ANN, seats=ais(3)).table.id
    with pytest.raises(Refused, match="no_such_table"):
        authorise_table(court.handler, branch, ARBITER)


def test_a_spectator_branches_with_everything_dealt_anew(court: Court) -> None:
    """Who sees no secret may do as at any table."""
    table = running(court, "manitou")
    branch = forked(court, table, DAN, seats=opens(3)).table
    assert (branch.opened.visibility, branch.status, fork_of(branch).dealt_anew) == ("public", "open", True)
    court.sit(branch.id, 2, BEN)
    court.sit(branch.id, 1, ANN)
    assert court.sit(branch.id, 3, DAN).table.status == "running"


def test_the_arbiter_branches_as_a_spectator(court: Court) -> None:
    """Whatever was looked at in a dispute: the hands of a running game are dealt anew."""
    table, ruling = court.table_with(is_ruling, "manitou", "ann ben cat")
    dispute = court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0])
    for seat in (1, 2, 3):
        court.look(table, dispute, seat)
    branch = forked(court, table, ARBITER).table
    assert (fork_of(branch).dealt_anew, branch.opened.visibility) == (True, "public")
    assert branch.state != court.table(table).state
    stranger = Caller(DAN, ("play", "watch"))
    now = court.table(table)
    assert viewer_of(now, ARBITER) == viewer_of(now, stranger)


def test_a_private_table_has_private_branches(court: Court) -> None:
    """What few may see does not become public by a branch."""
    court_table = court.open("tomahawk", "ann ai", visibility="private")
    court.play_to_the_end(court_table)
    version = middle(court.history(court_table))
    assert refusal(forked, court, court_table, ANN, version=version, visibility="public") == "fork_refused"
    assert forked(court, court_table, ANN, version=version).table.opened.visibility == "private"


# What a branch may do


def test_continued_luck_takes_no_contribution(court: Court) -> None:
    """It is settled; new luck takes one as at any table."""
    table = finished(court, "tomahawk")
    version = middle(court.history(table))
    offers = (SeatOffer(1, "player", ANN.id), SeatOffer(2, "open"))
    with_luck = {"version": version, "seats": offers, "contribution": "north wind"}
    assert refusal(forked, court, table, ANN, chance="continued", **with_luck) == "fork_refused"
    branch = forked(court, table, ANN, version=version, chance="continued", seats=offers).table.id
    with pytest.raises(Refused, match="contradictory"):
        opening.take_seat(court.handler, branch, court.sent(BEN), 2, opening.Sitting("south wind"))
    anew = forked(court, table, ANN, **with_luck).table.id
    court.sit(anew, 2, BEN, "south wind")
    assert court.table(anew).luck_source == (court.table(anew).opened.seed, ("north wind", "south wind"))


def test_rulings_of_a_branch_are_disputed_and_moves_taken_back(court: Court) -> None:
    """A branch is a table like any other: what is set right there is set right there alone."""
    table = finished(court, "manitou", "ann ben")
    rules = DisputeRules(by="vote")
    before = court.table(table).version
    branch = forked(
        court, table, ANN, version=middle(court.history(table)), seats=people(ANN, BEN), disputes=rules
    ).table.id
    court.sit(branch, 2, BEN)
    ruling = court.play_until(branch, lambda event: "rules" in event.envelope.payload and event.version > 5)
    dispute = court.dispute(branch, ANN, ruling, ruling.envelope.payload["rules"][0])
    court.vote(branch, ANN, dispute, True)
    court.vote(branch, BEN, dispute, True)
    assert court.the(branch, dispute).outcome == "overturned"
    court.finish(branch)
    assert holds(court.history(branch))
    assert court.table(table).version == before


# Branches compared


def compared(court: Court, one: str, other: str, by: Caller = NOBODY) -> dict[str, Any]:
    found = comparison(court.handler, court.history(one), court.history(other), by, "en")
    told: dict[str, Any] = json.loads(msgspec.json.encode(found))
    return told


def test_branches_are_compared_from_where_they_part(court: Court) -> None:
    """Given a branch of a finished game, then the comparison tells the common version, the scores and what differs."""
    table = finished(court, "manitou")
    version = middle(court.history(table))
    branch = forked(court, table, DAN, version=version, seats=ais(3)).table.id
    court.play_to_the_end(branch)

    found = compared(court, table, branch)
    assert found["common"] == {"table": table, "version": version}
    assert [row["id"] for row in found["branches"]] == [table, branch]
    assert found["branches"][0]["events"] == len(new_events(court.history(table), version))
    for row in found["branches"]:
        now = court.table(row["id"])
        assert row["scores"] == json.loads(msgspec.json.encode(now.game.scores(now.state)))
    number = found["first_difference"]["number"]
    one, other = new_events(court.history(table), version), new_events(court.history(branch), 0)
    assert one[: number - 1] == other[: number - 1]
    assert one[number - 1] != other[number - 1]
    assert [event["table"] for event in found["first_difference"]["events"]] == [table, branch]
    assert all(event["words"] for event in found["first_difference"]["events"])


def test_sisters_and_granddaughters_are_compared(court: Court) -> None:
    """What they have in common is the earlier of the versions at which they left the line of their eldest."""
    table = finished(court, "big-manitou")
    history = court.history(table)
    version = middle(history)
    later = next(e.envelope.batch[1] for e in history.events[version:] if "move" in e.sealed)
    one = forked(court, table, DAN, version=version, seats=ais(3)).table.id
    two = forked(court, table, DAN, version=later, seats=ais(3)).table.id
    court.play_to_the_end(one)
    three = forked(court, one, DAN, version=middle(court.history(one)), seats=ais(3)).table.id
    assert compared(court, one, two)["common"] == {"table": table, "version": version}
    assert compared(court, three, two)["common"] == {"table": table, "version": version}
    assert compared(court, three, one)["common"] == {
        "table": one,
        "version": fork_of(court.table(three)).parent_version,
    }
    assert compared(court, one, one)["first_difference"] is None


def test_a_comparison_tells_no_secret_of_a_running_parent(court: Court) -> None:
    """Each event is told as the caller may read it at its own table."""
    table = running(court, "manitou")
    version = court.table(table).version
    branch = forked(court, table, ANN).table.id
    while new_events(court.history(table), version) == []:
        court.step(table)
    found = compared(court, table, branch, caller(ANN))
    event = found["first_difference"]["events"][0]
    assert not set(event["payload"]) & {name for name, seats in event["readers"].items() if 1 not in seats}
