"""What a search plays with is the game: on random games, under every house rule, the fast models follow the engine."""

import random
from typing import Any

import msgspec
import pytest

from games.big_manitou.components import DECK
from games.kernel import MoveSet
from games.manitou.scoring import earnings
from games.tomahawk import game as tomahawk
from games.tomahawk.moves import PlayCards
from games.tomahawk.scoring import total
from tests.games.big_manitou.spec import given
from wintercount.testing.random_games import chance_from, random_options
from worker.players.search import big_manitou, manitou
from worker.players.search.big_manitou import BigHunt
from worker.players.search.manitou_family import Deals
from worker.players.search.manitou_family_hunt import kind
from worker.players.search.tomahawk_model import Fighter, skirmish_of

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


MODELS = {"manitou": manitou.TITLE, "big-manitou": big_manitou.TITLE}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_hunt_follows_the_engine(name: str, seed: int) -> None:
    """The same moves are legal and lead to the same table, hunt by hunt."""
    follow_hunts(MODELS[name], seed)


def test_a_search_draws_anything_that_its_seat_has_not_looked_at() -> None:
    """BM-R5: a pile that was drawn blind, from the reserve too; its own hand stays as it is."""
    hand = "hunter-5 chief-1"
    blind = given(hand={2: hand}, pile={2: "scout-1 hunter-2"}, options={"party_selection": "blind"})
    view, title = big_manitou.TITLE.game.view(blind.state, 2), big_manitou.TITLE
    deals = Deals(title, view, (), random.Random(1))
    piles = [deals().piles[1] for _ in range(200)]
    assert {len(pile) for pile in piles} == {2}
    assert {card for pile in piles for card in pile} == {kind(card) for card in DECK if card not in hand.split()}


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


def agrees_at_the_end(hunt: Any, state: Any) -> None:
    """What the hunt brought is what the engine says."""
    if isinstance(hunt, BigHunt):
        after = big_manitou.hunt_of(state)
        assert (hunt.tiles, hunt.totem, hunt.horse, hunt.gains) == (after.tiles, after.totem, after.horse, after.gains)
    else:
        assert hunt.scores() == [row.total for row in earnings(state)]


@pytest.mark.parametrize("seed", range(GAMES))
def test_skirmish_follows_the_engine(seed: int) -> None:
    """Both placements lead to the same territories, scalps and points."""
    rng = random.Random(seed)
    follow_skirmish(rng, random_options(tomahawk, rng))


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
            shown = {row.card: (row.name, row.value, row.hair) for row in msgspec.structs.astuple(state.cards)}
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
