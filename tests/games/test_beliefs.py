"""Beliefs are held against the exact likelihoods of positions in which these can be counted."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, islice, permutations
from typing import Any

import pytest

from games import GAMES
from games.beliefs import BATCHES, HiddenPlace, beliefs, faces
from games.kernel import AnyGame
from games.manitou.components import CARDS
from tests.games.manitou.spec import Table as Manitou
from tests.games.plenty_coups.moments import agrees, look_at, looks
from tests.long import quick_first
from wintercount.testing.played import Played
from wintercount.testing.random_games import chance_of

WORLDS = 800
Shares = Mapping[tuple[str, str], float]  # by path and card


def luck(seed: int = 1) -> Any:
    return chance_of(seed)


def shares(places: tuple[HiddenPlace, ...]) -> dict[tuple[str, str], float]:
    return {(place.path, row.card): row.likelihood for place in places for row in place.cards}


def errors(exact: Shares, found: Shares) -> float:
    """The mean absolute error over all cards that may lie in the places that were counted."""
    paths = {path for path, _ in exact}
    rows = {*exact, *[row for row in found if row[0] in paths]}
    return sum(abs(exact.get(row, 0) - found.get(row, 0)) for row in rows) / len(rows)


def late(game: AnyGame, players: int) -> Iterator[tuple[Any, list[Any]]]:
    """Moments of games played at random, the latest of each first, as seat 1 sees them."""
    for seed in range(100):
        played = Played(game, players, {}, seed)
        for version in reversed(played.decisions[1:-1]):
            yield game.view(played.states[version], 1), played.feed(version, 1)


# --- exact likelihoods ---


@pytest.mark.parametrize("slug", quick_first(["manitou", "big-manitou"]))
def test_the_last_cards_of_a_hunt(slug: str) -> None:
    """BM-7.3, MA-7.2: who did not pass holds any of the cards unseen: each hand that they make up is counted."""
    game = GAMES[slug]
    view, feed = next(row for row in late(game, 2) if _has_hidden_hand(*row))
    seat = view.seats[1]
    found = beliefs(game, view, feed, luck(), WORLDS)
    unseen = sorted({card for path, card in shares(found) if path.startswith("/seats/1/")})
    hands = list(combinations(unseen, seat.hand_count))
    exact = {("/seats/1/hand", card): sum(card in hand for hand in hands) / len(hands) for card in unseen}
    assert 0 < errors(exact, shares(found)) < 0.02


def _has_hidden_hand(view: Any, feed: list[Any]) -> bool:
    passed = any(type(event).__name__ == "TurnPassed" and event.seat == 2 for event in feed)
    return not passed and view.seats[1].hand_count > 1


@pytest.mark.slow
def test_a_hand_that_was_passed_with() -> None:
    """MA-4.4, MA-R14: every order of drawing the cards out of reserve and pile is counted that explains the pass."""
    table = Manitou(3, pair_attack_weaker="illegal")
    table.events = [_event("HuntStarted", 1, 1, (2, 3, 1), (), ())]
    table.events.append(_event("CardsDrawn", hunt=1, seat=2, count=2, pile_left=1, phase="play"))
    table.lays(1, "chief chief", 1).lays(3, "chief chief", 2).lays(1, "medicine_man medicine_man", 3)
    table.holds(2, "rainmaker-1", "rainmaker-2", pile=("hunter-1",)).turn_of(2).plays(2, {"type": "pass_turn"})
    table.lays(3, "matriarch", 1).turn_of(2, turn=2)
    table.plays(2, {"type": "play_card", "card": "rainmaker-1", "ground": 1})
    manitou = GAMES["manitou"]
    view = manitou.view(table.state, 1)
    stuck = {"rainmaker-1", "rainmaker-2"}  # only these could be laid nowhere when seat 2 passed
    unseen = [card for card in CARDS if card in view.seats[1].unseen_cards]
    hands: Counter[tuple[str, ...]] = Counter()
    for drawn in permutations([*unseen, "rainmaker-1"], 3):
        if set(drawn[:2]) <= stuck and "rainmaker-1" in drawn:
            hands[tuple(sorted(set(drawn) - {"rainmaker-1"}))] += 1
    exact = _marginals("/seats/1/hand", hands)
    assert errors(exact, shares(beliefs(manitou, view, table.events, luck(), WORLDS))) < 0.02


def _event(name: str, *values: Any, **fields: Any) -> Any:
    return next(event for event in GAMES["manitou"].events if event.__name__ == name)(*values, **fields)


def _marginals(path: str, hands: Mapping[tuple[str, ...], int]) -> Shares:
    total = sum(hands.values())
    cards = {card for hand in hands for card in hand}
    return {(path, card): sum(ways for hand, ways in hands.items() if card in hand) / total for card in cards}


# --- what holds of all ---


def test_cards_are_told_by_what_they_show() -> None:
    """TO-1.7: cards of one face are alike, whatever their ids."""
    hand = [{"card": card, "name": "warrior", "value": 6, "hair": 3} for card in ("a17", "a18")]
    assert faces([hand, "chief-1"]) == ["warrior-6-3", "warrior-6-3", "chief-1"]


@pytest.mark.parametrize("slug", list(GAMES))
def test_twin_worlds_are_believed_alike(slug: str) -> None:
    """A belief follows from the seat's view and feed, and luck: the true cards change nothing."""
    game = GAMES[slug]
    played = Played(game, min(game.players), {}, 3)
    version = played.decisions[len(played.decisions) // 2]
    view, feed = game.view(played.states[version], 1), played.feed(version, 1)
    twin = game.imagine(view, feed, luck(5))
    assert beliefs(game, game.view(twin, 1), feed, luck(), 40) == beliefs(game, view, feed, luck(), 40)


@pytest.mark.parametrize("slug", list(GAMES))
def test_places_are_those_that_the_view_hides(slug: str) -> None:
    """Every card of a place counts once: the expected numbers add up to the cards that lie there."""
    game = GAMES[slug]
    played = Played(game, min(game.players), {}, 4)
    version = played.decisions[len(played.decisions) // 2]
    found = beliefs(game, game.view(played.states[version], 1), played.feed(version, 1), luck(), 40)
    assert found
    hands = [place for place in found if place.path.endswith("/hand")]
    assert hands
    assert all(row.error == 0 for place in found for row in place.cards if row.likelihood == 1)
    for place in hands:
        holder = game.view(played.states[version], 1)
        for step in place.path.split("/")[1:-1]:
            holder = holder[int(step)] if step.isdigit() else getattr(holder, step)
        assert sum(row.expected for row in place.cards) == pytest.approx(holder.hand_count)


@pytest.mark.parametrize("slug", list(GAMES))
def test_nothing_is_hidden_when_the_game_is_over(slug: str) -> None:
    game = GAMES[slug]
    played = Played(game, min(game.players), {}, 3)
    assert beliefs(game, game.view(played.states[-1], 1), played.events, luck(), BATCHES) == ()


@pytest.mark.slow
def test_late_worlds_of_plenty_coups_agree_with_all_that_was_seen() -> None:
    """PC-7.3: four moments for which a short search finds no world, and four others."""
    stuck = [(5, 248, 2), (33, 351, 2), (26, 433, 2), (37, 343, 1)]
    assert all(agrees(look_at(*moment)) for moment in stuck)
    assert all(agrees(look) for look in islice(looks(), 4))
