"""Takebacks: free as long as nobody has learned anything, else with the leave of those who have."""

from typing import Any

import pytest

from games import GAMES
from service.accounts.callers import Player
from service.tables import offers
from service.tables.offers import Consent
from tests.disputed_tables import Court, refusal, types_of
from tests.tables import ANN, BEN, CAT, DAN

pytestmark = pytest.mark.usefixtures("lucky")


def chosen(court: Court, table: str, player: Player) -> bool:
    """Whether a player has nothing to decide."""
    now = court.table(table)
    return now.decision_of(now.seat_of(player.id) or 0) is None


def in_play(court: Court, game: str = "manitou", seats: str = "ann ben cat", **opening: Any) -> str:
    """A table at which the parties are chosen, and it is somebody's turn."""
    table = court.open_disputable(game, seats, **opening)
    while court.table(table).state.phase != "play":
        court.step(table)
    return table


# A secret choice


@pytest.mark.parametrize("game", ["big-manitou", "manitou"])
def test_a_secret_choice_is_taken_back_without_asking(court: Court, game: str) -> None:
    """Nobody has learned which party it was; the seat decides anew, and what it chose stays in the record."""
    table = court.open_disputable(game, "ann ben cat")
    before = court.table(table)
    court.play(table, ANN)
    outcome = court.take_back(table, ANN)

    assert types_of(outcome) == ["PlayTakenBack"]
    payload = outcome.history.events[-1].envelope.payload
    version = before.version + 1
    assert (payload["to"], payload["first"], payload["last"]) == (before.version, version, version)
    assert (payload["reason"], payload["seat"], payload["again"], payload["options"]) == ("takeback", 1, [], {})
    assert outcome.table.state == before.state
    assert outcome.history.events[before.version].envelope.type == "PartyChosen"
    assert court.decision(table, ANN).recorded_id == f"{outcome.table.version}-1"


def test_the_choices_of_others_stay(court: Court) -> None:
    """What the others chose in secret meanwhile is chosen again as it was, under new versions; they are not asked."""
    table = court.open_disputable("big-manitou", "ann ben cat")
    court.play(table, ANN)
    court.play(table, BEN, seed=5)
    bens = court.table(table).state.seats[1]
    outcome = court.take_back(table, ANN)

    assert types_of(outcome) == ["PlayTakenBack", "PartyChosen"]
    assert outcome.table.state.seats[1] == bens
    assert (chosen(court, table, ANN), chosen(court, table, BEN)) == (False, True)
    court.finish(table)
    assert court.holds(table)


def test_a_choice_that_everybody_has_seen_the_consequence_of(court: Court) -> None:
    """With the last choice cards are drawn: the takeback of any of them needs everybody."""
    table = court.open_disputable("manitou", "ann ben")
    court.play(table, BEN)
    court.play(table, ANN)
    outcome = court.take_back(table, BEN)
    assert types_of(outcome) == ["OfferMade"]
    outcome = court.agree(table, ANN)
    assert types_of(outcome)[:2] == ["OfferAnswered", "PlayTakenBack"]
    assert chosen(court, table, BEN) is False


# A public move


def test_a_public_move_asks_those_who_saw_it(court: Court) -> None:
    """All the others at the table; with the last of them it is granted."""
    table = in_play(court)
    before, player = court.table(table), court.mover(table)
    court.play(table, player)
    outcome = court.take_back(table, player)

    others = [p for p in (ANN, BEN, CAT) if p is not player]
    asked = sorted(outcome.table.seat_of(p.id) or 0 for p in others)
    assert (types_of(outcome), outcome.history.events[-1].envelope.payload["of"]) == (["OfferMade"], asked)
    assert outcome.table.offer is not None
    assert outcome.table.offer.to == before.version
    assert types_of(court.agree(table, others[0])) == ["OfferAnswered"]
    outcome = court.agree(table, others[1])
    assert types_of(outcome) == ["OfferAnswered", "PlayTakenBack"]
    assert (outcome.table.state, outcome.table.offer) == (before.state, None)
    court.finish(table)
    assert court.holds(table)


def test_one_who_does_not_agree_ends_it(court: Court) -> None:
    """Nothing is undone; it may be asked again."""
    table = in_play(court)
    player = court.mover(table)
    court.play(table, player)
    state = court.table(table).state
    court.take_back(table, player)
    others = [p for p in (ANN, BEN, CAT) if p is not player]
    court.agree(table, others[0])
    outcome = court.agree(table, others[1], agrees=False)
    assert (types_of(outcome), outcome.table.offer, outcome.table.state) == (["OfferAnswered"], None, state)
    assert refusal(court.agree, table, others[0]) == "no_such_offer"
    assert types_of(court.take_back(table, player)) == ["OfferMade"]


def test_a_further_move_ends_it(court: Court) -> None:
    """Playing on counts as an answer."""
    table = in_play(court)
    player = court.mover(table)
    court.play(table, player)
    asked = court.take_back(table, player).table.offer
    assert asked is not None
    court.play(table, court.mover(table))
    assert court.table(table).offer is None
    said = Consent(court.table(table).seat_of(ANN.id) or 0, agrees=True)
    answer = (offers.answer, court.handler, table, court.sent(ANN), asked.offer, said)
    assert refusal(*answer) == "no_such_offer"


def test_only_those_asked_answer_and_once(court: Court) -> None:
    """Not who asks, not twice, not for another seat, nor for one that there is not."""
    table = in_play(court)
    player = court.mover(table)
    court.play(table, player)
    asked = court.take_back(table, player).table.offer
    assert asked is not None
    others = [p for p in (ANN, BEN, CAT) if p is not player]
    assert refusal(court.agree, table, player) == "not_allowed"
    court.agree(table, others[0])
    assert refusal(court.agree, table, others[0]) == "not_allowed"
    seat = court.table(table).seat_of(others[1].id) or 0
    for wrong in (seat, 0, 99):
        said = Consent(wrong, agrees=True)
        answer = (offers.answer, court.handler, table, court.sent(DAN), asked.offer, said)
        assert refusal(*answer) == "not_your_seat"


def test_moves_behind_it_are_undone_too(court: Court) -> None:
    """Their seats are asked, for it is their move as well."""
    table = in_play(court)
    before, first = court.table(table), court.mover(table)
    court.play(table, first)
    court.play(table, court.mover(table))
    court.take_back(table, first)
    for player in (p for p in (ANN, BEN, CAT) if p is not first):
        outcome = court.agree(table, player)
    assert (outcome.table.state, types_of(outcome)) == (before.state, ["OfferAnswered", "PlayTakenBack"])


def test_who_has_drawn_a_card_asks_everybody(court: Court) -> None:
    """MA-3.4: after the last party was chosen all draw; the others saw nothing of it, but the seat knows its hand."""
    table = court.open_disputable("manitou", "ann ben cat")
    for player in (CAT, BEN, ANN):
        court.play(table, player)
    assert court.table(table).state.phase == "play"
    assert court.take_back(table, ANN).history.events[-1].envelope.payload["of"] == [2, 3]


def _seat(court: Court, table: str) -> int:
    return court.table(table).decisions[0].seat


# AI seats


def test_ai_seats_need_not_agree(court: Court) -> None:
    """Against AI alone everything is taken back at once, their answers with it; they play on from there."""
    table = in_play(court, seats="ann ai ai")
    while court.table(table).decisions[0].seat != 1:
        court.step(table)
    before = court.table(table)
    court.play(table, ANN)
    while court.table(table).decisions[0].seat != 1:
        court.step(table)
    outcome = court.take_back(table, ANN)
    assert types_of(outcome)[0] == "PlayTakenBack"
    assert outcome.table.state == before.state
    court.finish(table)
    assert court.table(table).closed == "game_over"
    assert court.holds(table)


def test_only_the_people_are_asked(court: Court) -> None:
    """Of two others one is an AI."""
    table = in_play(court, seats="ann ben ai")
    while court.table(table).seats[_seat(court, table) - 1].ai:
        court.step(table)
    player = court.mover(table)
    court.play(table, player)
    outcome = court.take_back(table, player)
    other = court.table(table).seat_of((BEN if player is ANN else ANN).id)
    assert outcome.history.events[-1].envelope.payload["of"] == [other]


# What cannot be taken back


def test_without_a_move_nothing_is_taken_back(court: Court) -> None:
    """Before one's first move, before the game, after it, and for a seat that is not one's own."""
    table = court.open_disputable("manitou", "ann ben")
    assert refusal(court.take_back, table, ANN) == "nothing_to_take_back"
    for seat in (2, 0, 99):
        assert refusal(offers.make, court.handler, table, court.sent(ANN), "takeback", seat) == "not_your_seat"
    assert refusal(offers.make, court.handler, table, court.sent(DAN), "takeback", 1) == "not_your_seat"
    court.play(table, ANN)
    court.take_back(table, ANN)
    assert refusal(court.take_back, table, ANN) == "nothing_to_take_back"
    court.finish(table)
    assert refusal(court.take_back, table, ANN) == "table_finished"
    assert refusal(court.take_back, court.open("manitou", "ann open"), ANN) == "table_not_started"


def test_a_repeated_request_takes_back_once(court: Court) -> None:
    """The repeat gets the first answer and undoes no further move."""
    table = court.open_disputable("manitou", "ann ben cat")
    court.play(table, ANN)
    request = court.request()
    outcomes = [offers.make(court.handler, table, court.sent(ANN, request), "takeback", 1) for _ in range(2)]
    assert outcomes[0].span[:2] == outcomes[1].span[:2]
    assert sum(e.envelope.type == "PlayTakenBack" for e in court.history(table).events) == 1


@pytest.mark.parametrize("game", list(GAMES))
def test_what_is_taken_back_can_be_decided_otherwise(court: Court, game: str) -> None:
    """After every few moves the last is taken back, with the leave of all; the game ends and holds."""
    table = court.open_disputable(game, "ann ben")
    for _ in range(6):
        for _ in range(3):
            court.step(table)
        player = ANN if court.moves % 2 else BEN
        outcome = court.take_back(table, player)
        if outcome.table.offer:
            outcome = court.agree(table, BEN if player is ANN else ANN)
        assert "PlayTakenBack" in types_of(outcome)
    court.finish(table)
    assert court.table(table).closed == "game_over"
    assert court.holds(table)
