"""What a search plays with is the game: on random games, under every house rule, the fast models follow the engine."""

import random
from itertools import product
from typing import Any

import pytest

from games import parties, trials
from games.big_manitou import scoring as big
from games.big_manitou.play import cylinders, order, tiles
from games.big_manitou.scoring import hunts
from games.kernel import MoveSet
from games.manitou import scoring as small
from games.manitou.scoring import earnings, placed
from games.tomahawk import game as tomahawk
from games.tomahawk import scoring
from games.tomahawk.moves import PlayCards
from games.tomahawk.play import characters, scalps, totals
from games.tomahawk.scoring import total
from tests.games.random_play import chance_from, random_options
from tests.long import long_but_for
from worker.players.search import big_manitou_course, big_manitou_model, majorities, manitou_model
from worker.players.search.big_manitou import BigManitou
from worker.players.search.big_manitou_hunt import BigHunt
from worker.players.search.manitou import Manitou
from worker.players.search.skirmish import Fighter, skirmish_of
from worker.players.search.tiles import Outlook, pairs_worth, tomahawks_worth

GAMES = 40
TABLE = ("taken", "totals", "force", "cards", "owners", "heroes")
BIG_TABLE = (*TABLE, "phase", "tiles", "ground_tiles", "totem", "horse", "gains", "owing", "evaluating", "awards")


def asked(game: Any, state: Any, rng: random.Random) -> tuple[int, Any]:
    """A random move of a seat that has to act."""
    seat = rng.choice(game.to_act(state))
    listed = rng.choice(game.legal_moves(state, seat))
    return seat, listed.sample(chance_from(rng)) if isinstance(listed, MoveSet) else listed


def rows(hunt: Any, fields: tuple[str, ...]) -> dict[str, Any]:
    """What must agree, hands in any order."""
    return {field: getattr(hunt, field) for field in fields} | {"hands": [sorted(hand) for hand in hunt.hands]}


MODELS = {"manitou": Manitou(), "big-manitou": BigManitou()}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_hunt_follows_the_engine(name: str, seed: int) -> None:
    """The same moves are legal and lead to the same table, hunt by hunt."""
    follow_hunts(MODELS[name], seed)


def follow_hunts(title: Any, seed: int) -> Any:
    """A random game played by the engine and by its model, which must agree; the scores in the end."""
    game, rng = title.game, random.Random(seed)
    players = rng.choice(game.players)
    state = game.start(players, game.read_options(random_options(game, rng), players), chance_from(rng)).state
    hunt = title.hunt_of(state)
    fields = BIG_TABLE if isinstance(hunt, BigHunt) else TABLE
    while game.to_act(state):
        seat, move = asked(game, state, rng)
        if state.phase != "party":
            assert hunt.mover() == seat - 1
            codes = {title.code(legal) for legal in game.legal_moves(state, seat)}
            assert codes == set(hunt.actions())
            hunt.apply(title.code(move))
        was, state = state, game.play(state, seat, move, chance_from(rng)).state
        if state.hunt != was.hunt or state.phase == "over":
            assert hunt.mover() == -1
            agrees_at_the_end(hunt, state)
        if state.phase == "party" or state.hunt != was.hunt or was.phase == "party":
            hunt = title.hunt_of(state)
        elif state.phase in ("play", "extra_card"):
            assert rows(hunt, fields) == rows(title.hunt_of(state), fields)
    return game.scores(state)


# Another rule by name: the game, the function that has it, and a function that takes its place.
OTHER_WAYS: dict[str, tuple[str, Any, Any]] = {
    "who falls in a trial": ("manitou", trials.falls, lambda found, is_pair, equal_suffices: (False, True)),
    "who of a pair is attacked": (
        "manitou",
        trials.attacked,
        lambda defenders, attacks_last: (defenders[0], defenders[1] if len(defenders) == 2 else None),
    ),
    "who is penalised": ("manitou", parties.penalised, lambda totals, order: tuple(order[:1])),
    "who comes second": (
        "manitou",
        small.placed,
        lambda totals: (totals.index(max(totals)) if any(totals) else -1, -1),
    ),
    "who takes which card of a ground": ("manitou", small.takers, lambda totals, alone: (placed(totals)[0], -1)),
    "how many heroes are too many": ("manitou", trials.has_two, lambda counts_all, laid, face_up: laid >= 1),
    "how many heroes of a big hunt are too many": (
        "big-manitou",
        trials.has_two,
        lambda counts_all, laid, face_up: face_up >= 1,
    ),
    "what follows what": (
        "big-manitou",
        order.step_after,
        lambda step, hunt: {"turns": "extra_card", "extra_card": "hunter_move", "hunter_move": "grounds"}.get(
            step, "penalty" if step == "grounds" else "end"
        ),
    ),
    "when the turns are over": ("big-manitou", order.turns_are_over, lambda turns, players: turns >= 5 * players),
    "who has the extra card": (
        "big-manitou",
        order.no_extra_card,
        lambda holder, dealer: "no_holder" if holder is None else None,
    ),
    "who moves a hunter": ("big-manitou", order.no_hunter_move, lambda holder, has_hunters: "no_holder"),
    "what the only contender takes": ("manitou", small.takes_all, lambda alone, present: present > 1),
    "what hero, majority and runner-up take": (
        "big-manitou",
        hunts.shares,
        lambda options, tiles, *, hero, hunters, places: (0, places > 0, places > 1 and tiles > 1),
    ),
    "who is struck out": ("big-manitou", hunts.untied_totals, lambda totals: sorted({*totals} - {0})),
    "what is discarded": ("big-manitou", tiles.payable, lambda tiles, pays_first: tuple(tiles)),
    "who takes a cylinder": ("big-manitou", cylinders.takes_cylinder, lambda own, holders: holders is None),
    "who loses a cylinder": ("big-manitou", cylinders.holder_after_loss, lambda counts, holder, gains: None),
}


@pytest.mark.parametrize("rule", long_but_for(lambda rule: rule != "who loses a cylinder", OTHER_WAYS))
def test_a_rule_of_a_hunt_that_is_changed_is_changed_for_the_search_too(rule: str) -> None:
    """What heroes, penalties and awards come to stands in the game alone, and in some game it matters."""
    name, function, other = OTHER_WAYS[rule]
    title = MODELS[name]
    assert any(follow_hunts(title, seed) != under(function, other, title, seed) for seed in range(GAMES))


def under(function: Any, other: Any, title: Any, seed: int) -> Any:
    """The scores of a game where the rule of the other function holds, for whoever has imported it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(function, "__code__", other.__code__)
        forget_laws()
        scores = follow_hunts(title, seed)
    forget_laws()
    return scores


def forget_laws() -> None:
    """Trials of strength, the order of steps and who takes what are asked of the game once."""
    majorities.margins.cache_clear()
    manitou_model.law_of.cache_clear()
    manitou_model.alone_of.cache_clear()
    big_manitou_course.AFTER.update(
        {True: big_manitou_course.phases_after(1), False: big_manitou_course.phases_after(2)}
    )
    big_manitou_model.law_of.cache_clear()


WORTHS: dict[str, tuple[Any, Any, list[int]]] = {  # the function that has the rule, another, and a seat's tiles
    "what pairs are worth": (big.pairs, lambda tipi, bison: tipi + bison, [1, 0, 0, 0, 1, 0, 0, 0, 0]),
    "who has most tomahawks": (big.has_most_tomahawks, lambda options, own, others_most: False, [0] * 8 + [2]),
}


@pytest.mark.parametrize("rule", WORTHS)
def test_what_tiles_are_worth_in_the_end_is_what_the_game_says(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The points of BM-6.1 and BM-6.2 are the game's, for the search as well."""
    function, other, own = WORTHS[rule]
    outlook = Outlook.of(BigManitou().game.read_options({}, 2), 0, 5)
    before = pairs_worth(own, outlook) + tomahawks_worth(own, 1, outlook)
    assert before == pytest.approx(1.1 if rule == "what pairs are worth" else 1.0)
    monkeypatch.setattr(function, "__code__", other.__code__)
    assert pairs_worth(own, outlook) + tomahawks_worth(own, 1, outlook) != before


@pytest.mark.parametrize("rivals", [1, 2, 3])
@pytest.mark.parametrize("alone", [False, True])
def test_an_order_of_totals_stands_for_all_totals_in_that_order(rivals: int, alone: bool) -> None:
    """What the cards of a ground bring by the order of totals is what the game says of these very totals (MA-5.7)."""
    margins = majorities.margins(8.0, 3.0, rivals, alone)
    for every in product((0, 1, 2, 5, 9), repeat=rivals + 1):
        first, second = small.takers(every, alone)
        takes = [8.0 * (first == place) + 3.0 * (second == place) for place in range(rivals + 1)]
        others = sorted(every[1:], reverse=True) + [0] * (rivals == 1)
        expected = takes[0] - sum(takes[1:]) / rivals
        assert margins[majorities.order_of(every[0], others)] == pytest.approx(expected), every


def agrees_at_the_end(hunt: Any, state: Any) -> None:
    """What the hunt brought is what the engine says."""
    if isinstance(hunt, BigHunt):
        after = BigManitou().hunt_of(state)
        assert (hunt.tiles, hunt.totem, hunt.horse, hunt.gains) == (after.tiles, after.totem, after.horse, after.gains)
    else:
        assert hunt.scores() == [row.total for row in earnings(state)]


@pytest.mark.parametrize("seed", range(GAMES))
def test_skirmish_follows_the_engine(seed: int) -> None:
    """Both placements lead to the same territories, scalps and points."""
    rng = random.Random(seed)
    follow_skirmish(rng, random_options(tomahawk, rng))


SKULL_TAKES_FIVE = {"windswept_skull": 5}
OTHER_RULES: dict[str, tuple[int, Any, str, Any]] = {  # a game in which it matters; what stands where; and what instead
    "the pair's bonus": (55, totals, "PAIR_BONUS", 50),
    "who is charmed": (6, characters, "CHARMED", range(1, 5)),
    "what the picto weighs": (0, totals, "WEIGHTS", {"none": 1, "puma": 3, "gathering": -2}),
    "the scalps of the skull": (2, scalps, "multiplier", lambda name: SKULL_TAKES_FIVE.get(name, 1)),
    "what is most wanted": (0, scoring, "MOST_WANTED_BONUS", 40),
}


@pytest.mark.parametrize("rule", OTHER_RULES)
def test_a_rule_that_is_changed_is_changed_for_the_search_too(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What warriors, scalps and animals come to stands in the game alone."""
    seed, module, name, other = OTHER_RULES[rule]
    before = follow_skirmish(random.Random(seed), {"most_wanted": True})
    monkeypatch.setattr(module, name, other)
    assert follow_skirmish(random.Random(seed), {"most_wanted": True}) != before


def follow_skirmish(rng: random.Random, house_rules: dict[str, Any]) -> list[int]:
    """A random game played by the engine and by a skirmish, which must agree; the points in the end."""
    options = tomahawk.read_options(house_rules, 2)
    state = tomahawk.start(2, options, chance_from(rng)).state
    placed: dict[int, list[Fighter]] = {}
    skirmish = None
    while tomahawk.to_act(state):
        seat, move = asked(tomahawk, state, rng)
        if isinstance(move, PlayCards):
            skirmish = skirmish_of(state) if not placed else skirmish
            shown = {card: (row.name, row.value, row.hair) for card, row in state.cards.items()}
            placed[seat] = [shown[row.card] for row in sorted(move.cards, key=lambda row: row.pile)]
        was, state = state, tomahawk.play(state, seat, move, chance_from(rng)).state
        if skirmish is not None and (state.turn != was.turn or state.phase == "over"):
            skirmish.play(placed[1], placed[2], rng)
            after, placed = skirmish_of(state), {}
            assert (skirmish.counts, skirmish.won, skirmish.supply) == (after.counts, after.won, after.supply)
            if state.phase != "over":
                assert (skirmish.points, skirmish.slots) == (after.points, after.slots)
                assert skirmish.turn == after.turn
    assert skirmish is not None
    if options.tie_break != "most_territories":
        assert skirmish.margin() == total(state.sides[0]) - total(state.sides[1])
    return [total(side) for side in state.sides]
