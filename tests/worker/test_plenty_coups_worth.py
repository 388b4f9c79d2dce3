"""What a standing in Plenty Coups is worth to the searching player, by the number of seats."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec import structs

from games.kernel import first_of_all
from games.plenty_coups import game, scoring
from games.plenty_coups import state as states
from games.plenty_coups.components import TRIBES
from games.plenty_coups.events.ties import AllianceSealed, ProposalExpired
from games.plenty_coups.moves import AcceptAlliance, Defend, ProposeAlliance, Raid, ReturnRaid
from games.plenty_coups.play import defence, raids, scribe
from games.plenty_coups.state import Camp, Proposal, StandingRaid, State
from tests.long import quick_first
from tests.worker.twins import Position, positions
from worker.players.greedy import plenty_coups as greedy
from worker.players.search import plenty_coups as search
from worker.players.search import plenty_coups_alliances as alliances
from worker.players.search import plenty_coups_worth_of_many as worth_of_many
from worker.players.search.plenty_coups_alliances import hopes_of
from worker.players.search.plenty_coups_values import VALUES
from worker.players.search.plenty_coups_worth import lead, lead_of_two
from worker.players.search.plenty_coups_worth_of_many import lead_of_many

Rule = Callable[[State, Camp], float]


def rules_of(players: int) -> list[Rule]:
    """What judges a camp by itself at a table of so many seats."""
    return [greedy.standing, *([worth_of_many.standing] if players in VALUES else [])]


def first_sights(position: Position) -> list[tuple[float, float]]:
    """What the searching and the greedy player think at first sight of each move."""
    state = greedy.table_seen(position.game.view(position.state, position.seat))
    searching, greedily = search.gains(state, position.seat), greedy.gains(state, position.seat)
    return [(searching(move), greedily(move)) for move in game.legal_moves(state, position.seat)]


def in_play(players: int) -> list[Position]:
    """Some decisions after the tribes are chosen."""
    found = (p for p in positions("plenty-coups", players, "standing", every=4) if p.state.phase != "choose_tribe")
    return list(islice(found, 6))


def table(*camps: Camp, round_: int = 5, seats: int = 4, **held: Any) -> State:
    """Tribes in the given round of the game, those not given with a horse each."""
    others = [Camp(tribe, seat, 1) for seat, tribe in enumerate(TRIBES[:seats], 1)][len(camps) :]
    every = (*camps, *others)
    tribes = tuple(camp.tribe for camp in every)
    options = game.read_options({}, seats)
    return State(
        seats, options, 20, (), "actions", tribes, tribes, every, round=round_, turn="black", actions=2, **held
    )


def black(horses: int = 1, **held: Any) -> Camp:
    return Camp("black", 1, horses, **held)


def raid(tribe: str, target: str, round_: int = 4, attack: int = 3) -> StandingRaid:
    return StandingRaid(tribe, target, (f"warrior-blue-{attack}",), attack, 0, "raid", round_)


def strong() -> Camp:
    return Camp("yellow", 2, 1, prestige_markers=3)


def allied(ally: Camp, round_: int) -> State:
    """Black with two off the herd, and its ally, among five."""
    return table(black(prestige_markers=2, ally="yellow"), structs.replace(ally, ally="black"), round_=round_, seats=5)


def proposed_by(camp: Camp, to: str) -> State:
    """This tribe has proposed an alliance to a strong one of five, or to another."""
    return table(camp, strong(), seats=5, proposals=(Proposal(camp.tribe, to, f"warrior-{to}-1"),))


def proposed_to(camp: Camp) -> State:
    """A strong tribe of five has proposed an alliance to this one."""
    return table(camp, strong(), seats=5, proposals=(Proposal("yellow", "black", "warrior-black-1"),))


BETTER = {
    "a point off the herd": (table(black(prestige_markers=1, raid_markers=3)), table(black())),
    "a horse": (table(black(2)), table(black())),
    "a horse that scores": (table(black(7)), table(black(6))),
    "a raid": (table(black(), raids=(raid("black", "green"),)), table(black())),
    "a raid on a camp with a horse": (
        table(black(), Camp("yellow", 2, 1), Camp("green", 3, 0), raids=(raid("black", "yellow"),)),
        table(black(), Camp("yellow", 2, 1), Camp("green", 3, 0), raids=(raid("black", "green"),)),
    ),
    "a raid on a camp whose horses score": (
        table(black(), Camp("yellow", 2, 6), Camp("green", 3, 5), raids=(raid("black", "yellow"),)),
        table(black(), Camp("yellow", 2, 6), Camp("green", 3, 5), raids=(raid("black", "green"),)),
    ),
    "a coup-stick for it": (
        table(black(hand=("coup-stick",)), round_=12, raids=(raid("black", "green", 11),)),
        table(black(hand=("horse",)), round_=12, raids=(raid("black", "green", 11),)),
    ),
    "a stronger raid": (
        table(black(), raids=(raid("black", "green", attack=4),)),
        table(black(), raids=(raid("black", "green"),)),
    ),
    "a raid on another": (
        table(black(), raids=(raid("green", "red"),)),
        table(black(), raids=(raid("green", "black"),)),
    ),
    "a raid on it that comes to nothing": (
        table(black(), round_=12, raids=(raid("green", "black", 12),)),
        table(black(), round_=12, raids=(raid("green", "black", 11),)),
    ),
    "an ally": (table(black(ally="green")), table(black())),
    "a neutral ally": (table(black(ally="blue")), table(black())),
    "a proposal": (table(black(), proposals=(Proposal("black", "red", "warrior-red-1"),)), table(black())),
    "the best rival with less": (
        table(black(), Camp("yellow", 2, 3), Camp("green", 3, 4)),
        table(black(), Camp("yellow", 2, 2), Camp("green", 3, 5)),
    ),
    "another rival with less": (
        table(black(), Camp("yellow", 2, 2), Camp("green", 3, 5)),
        table(black(), Camp("yellow", 2, 3), Camp("green", 3, 5)),
    ),
    "an ally who has more": (allied(strong(), round_=12), allied(Camp("yellow", 2, 1, prestige_markers=2), round_=12)),
    "an ally who has two off the herd": (
        allied(Camp("yellow", 2, 1, prestige_markers=2), round_=12),
        allied(Camp("yellow", 2, 1, prestige_markers=1), round_=12),
    ),
    "an ally who has yet time for it": (
        allied(Camp("yellow", 2, 1, prestige_markers=1), round_=7),
        allied(Camp("yellow", 2, 1, prestige_markers=1), round_=12),
    ),
    "an ally and no rival": (
        allied(strong(), round_=12),
        table(black(prestige_markers=2), strong(), round_=12, seats=5),
    ),
    "a proposal to who has more": (proposed_by(black(), "yellow"), proposed_by(black(), "green")),
    "the card to accept a proposal": (
        proposed_to(black(hand=("warrior-yellow-1",))),
        proposed_to(black(hand=("warrior-green-1",))),
    ),
    "a better warrior": (table(black(hand=("warrior-red-4",))), table(black(hand=("warrior-red-2",)))),
    "a warrior of its own": (table(black(hand=("warrior-black-3",))), table(black(hand=("warrior-red-3",)))),
    "two cards of two kinds": (
        table(black(hand=("coup-stick", "horse"))),
        table(black(hand=("coup-stick", "coup-stick"))),
    ),
}


@pytest.mark.parametrize("better", list(BETTER))
def test_among_many_a_seat_is_better_off_with(better: str) -> None:
    """What a tribe of four has, or its rivals have not, makes its lead greater."""
    one, other = BETTER[better]
    assert lead(one, 1) > lead(other, 1)


def test_a_tribe_accepts_a_proposal_at_first_sight() -> None:
    """With the card for it in hand, and both with what the points of allies need, nothing is as good."""
    hand = ("warrior-yellow-1", "horse", "horse", "weapon-4")
    yellow = Camp("yellow", 2, 1, prestige_markers=2)
    proposals = (Proposal("yellow", "black", "warrior-black-1"),)
    state = table(black(hand=hand, prestige_markers=2), yellow, seats=5, proposals=proposals)
    gain = search.gains(state, 1)
    assert isinstance(max(game.legal_moves(state, 1), key=gain), AcceptAlliance)


def test_with_four_seats_an_ally_is_a_rival() -> None:
    """What it has does not count as the tribe's own there."""
    poor, rich = Camp("yellow", 2, 1, ally="black"), Camp("yellow", 2, 1, prestige_markers=3, ally="black")
    assert lead(table(black(ally="yellow"), rich, round_=12), 1) < lead(table(black(ally="yellow"), poor, round_=12), 1)


LAPSE = ProposalExpired(seat=1, tribe="black", to="yellow", card="warrior-yellow-1", rules=())
OF_OTHERS = structs.replace(LAPSE, seat=3, tribe="green")
SEALED = AllianceSealed(
    seat=3,
    tribe="green",
    card="warrior-red-1",
    value=1,
    proposer="red",
    proposer_card="warrior-green-1",
    needed=None,
    rules=(),
)
ACCEPTED = structs.replace(SEALED, seat=1, tribe="black")
ABLE = table(black(), Camp("yellow", 2, 1, hand=("warrior-black-2", "horse", "horse")), seats=5)
UNABLE = table(black(), Camp("yellow", 2, 1, hand=("warrior-red-2", "horse", "horse")), seats=5)
BOUND = table(black(), Camp("yellow", 2, 1, ally="red", ally_card="warrior-red-3", hand=("warrior-black-2",)), seats=5)


def test_a_seat_hopes_of_those_who_may_hold_the_card() -> None:
    """By how many tables have it so; a tribe with an ally needs a warrior no worse than that one's."""
    every, half, none, bound = (
        hopes_of(worlds, [])["yellow"] for worlds in ([ABLE], [ABLE, UNABLE], [UNABLE], [BOUND])
    )
    assert every == 2 * half == alliances.WILLING > none == bound == 0
    assert hopes_of([ABLE], [])["green"] == 0


@pytest.mark.parametrize(
    ("feed", "willing"),
    [
        ([LAPSE], alliances.WILLING * alliances.LAPSED),
        ([LAPSE, LAPSE], alliances.WILLING * alliances.LAPSED**2),
        ([OF_OTHERS, ACCEPTED], alliances.WILLING),
        ([LAPSE, SEALED], 1.0),
    ],
    ids=["one lapsed", "two lapsed", "others' lapsed, and one that it accepted itself", "another tribe accepted"],
)
def test_a_seat_hopes_the_less_the_more_proposals_lapsed(feed: list[Any], willing: float) -> None:
    """And all the more where another tribe has accepted one."""
    assert hopes_of([ABLE], feed)["yellow"] == pytest.approx(willing)


@pytest.mark.parametrize(("level", "proposes"), [("skilled", False), ("expert", True)])
def test_who_searches_long_proposes_to_who_holds_the_card(level: str, proposes: bool) -> None:
    """One of six tribes may propose to one with its warrior; a short search does not look for that."""
    state = table(
        black(hand=("warrior-yellow-4", "weapon-2", "weapon-2"), prestige_markers=2),
        Camp("yellow", 2, 1, prestige_markers=2, hand=("warrior-black-4", "horse", "horse")),
        round_=8,
        seats=6,
    )
    assert search.asks(state, 1, search.ITERATIONS[level]) == proposes
    hopes = hopes_of([state], [SEALED]) if proposes else None
    gain = search.gains(state, 1, hopes)
    best = max(game.legal_moves(state, 1), key=gain)
    assert isinstance(best, ProposeAlliance) == proposes


def test_cards_are_worth_nothing_in_the_last_round() -> None:
    """A hand counts for less and less towards the end of the winter, and then not at all."""
    leads = [lead(table(black(hand=("horse",)), round_=n), 1) - lead(table(black(), round_=n), 1) for n in range(9, 13)]
    assert leads == sorted(leads, reverse=True)
    assert leads[-1] == 0 < leads[-2]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_many_seats_are_judged_by_what_was_tried(players: int) -> None:
    """With more than two seats the values are not the greedy player's."""
    assert any(own != pytest.approx(other) for position in in_play(players) for own, other in first_sights(position))


@pytest.mark.parametrize("players", quick_first(game.players, quick=2))
def test_standings_after_a_move_are_those_worked_out_anew(players: int) -> None:
    """What is kept of the table before a move is what the table after it has, to the last digit."""
    for position in islice(positions("plenty-coups", players, "kept", every=3), 20, None):
        state, seat = position.state, position.seat
        tables = [game.play(state, seat, move, first_of_all).state for move in game.legal_moves(state, seat)]
        for rule in rules_of(players):
            standings = greedy.Standings(state, rule)
            assert [standings.after(after) for after in tables] == [[rule(t, camp) for camp in t.camps] for t in tables]


@pytest.mark.parametrize("players", [2, 4])
def test_among_many_every_move_is_tried_with_the_same_luck(players: int) -> None:
    """Two playouts of a move on a table of many come to the same; with two seats luck goes on."""
    luck = Random(1)
    lucks = search.lucks_of(in_play(players)[0].state, luck)
    assert (lucks().random() == lucks().random()) == (players > 2)


def test_two_seats_are_judged_by_what_was_learnt() -> None:
    """With two seats the values are those of the regression, which are not the greedy player's."""
    assert any(own != pytest.approx(other) for position in in_play(2) for own, other in first_sights(position))


ARMED = table(black(hand=("weapon-2", "weapon-4")), raids=(raid("green", "black", attack=4),))
RAIDING = table(black(hand=("coup-stick",)), raids=(raid("black", "green"),))
LATE = table(black(hand=("warrior-red-2",)), round_=12, raids=(raid("green", "black", 12),))
RICH = table(black(), Camp("yellow", 2, 7), raids=(raid("black", "yellow"),))
OTHER_RULES: dict[str, tuple[State, Any, Any]] = {  # where it matters, the function that has the rule, and another
    "what repels a raid": (ARMED, defence.repels, lambda weapons, attack: False),
    "what a raid brings home": (RAIDING, scribe.booty, lambda horses: 0),
    "who may mark a coup": (RAIDING, raids.has_stick, lambda hand: False),
    "which marker a coup turns": (RAIDING, raids.can_turn, lambda marker: False),
    "which raids are lost": (LATE, states.returns, lambda launched: True),
    "which horses score": (RICH, scoring.herd_points, lambda horses: 0),
}


@pytest.mark.parametrize("rule", OTHER_RULES)
def test_a_rule_that_is_changed_is_changed_for_the_players_too(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What raids, weapons and horses come to stands in the game alone, and whoever judges a standing asks it there."""
    state, function, other = OTHER_RULES[rule]
    before = [*judged(state), decided(state)]
    monkeypatch.setattr(function, "__code__", other.__code__)
    assert all(was != now for was, now in zip(before, [*judged(state), decided(state)], strict=True))


def judged(state: State) -> Iterator[list[float]]:
    """What the greedy player thinks of each tribe's standing, and the searching one at tables of two and of many."""
    yield [greedy.with_bonds(state, camp, greedy.standing(state, camp)) for camp in state.camps]
    yield [lead_of_two(state, seat, None) for seat in range(1, 5)]
    yield [lead_of_many(state, seat, None) for seat in range(1, 5)]


def decided(state: State) -> Any:
    """What the engine makes of it: which moves are legal, what some of them lead to, and the points."""
    tried = [m for m in game.legal_moves(state, 1) if isinstance(m, Defend | Raid | ReturnRaid)]
    events = [game.play(state, 1, move, first_of_all).events for move in tried]
    return tried, events, game.scores(state)
