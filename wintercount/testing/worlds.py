"""The laws about what a seat may know: views, imagined worlds, and games that go on from them."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import msgspec

from games.kernel import MoveRefused
from games.other_outcomes import MOST_OUTCOMES
from games.payloads import as_read, event_type, payload_of
from wintercount.testing.played import (
    LONGEST_GAME,
    MOMENTS,
    Played,
    as_json,
    attempt,
    folded,
    mutants,
    plain,
    refusal,
    strings,
    unchanged,
)
from wintercount.testing.random_games import chance_from, chance_of, continued, random_move, random_options

HANDFUL = 6  # worlds; of 120 imagined ones each of so few comes up, but for once in a thousand million
CORRECTED = 6  # corrected games that are played on


def views_say_whose_they_are(played: Played) -> None:
    """A view names the game, the seat and who must act, survives JSON, and can be had at every version."""
    for version in {*played.moments, *played.rng("views").sample(range(1, len(played.states)), MOMENTS)}:
        state = played.states[version]
        for seat in played.observers:
            view = played.game.view(state, seat)
            shown = plain(view)
            assert shown["game"] == played.game.slug
            assert (shown["players"], shown["seat"]) == (played.players, seat)
            assert shown["to_act"] == list(played.game.to_act(state))
            assert shown["over"] is (version == len(played.events))
            assert msgspec.json.decode(as_json(view), type=played.game.view_type) == view


def imagined_worlds_look_the_same(played: Played) -> None:
    """A world imagined from a view and a feed has that view, those moves, those cards; and it plays on alike."""
    differs = False
    for version in played.moments[:-1]:
        for seat in played.observers:
            rng, state = played.rng("imagine", version, seat), played.states[version]
            imagined = imagine(played, version, seat, rng)
            differs |= imagined != state
            assert_looks_the_same(played, state, imagined, seat, f"version {version}, seat {seat}")
            assert played.game.view(imagined, None) == played.game.view(state, None), (version, seat)
            assert played.game.census(imagined) == played.game.census(state), (version, seat)
            assert msgspec.json.decode(as_json(imagined), type=played.game.state_type) == imagined
            assert imagine(played, version, seat, played.rng("imagine", version, seat)) == imagined
            if seat is not None:
                plays_on_alike(played, state, imagined, seat, rng)
    assert differs, "an imagined world is always the real one: a view gives everything away"


def worlds_can_be_imagined_within_a_move(played: Played) -> None:
    """After every kind of event, also where nobody is to act yet, spectators and seats imagine what they see."""
    after: dict[type, list[int]] = {}
    for version, event in enumerate(played.events[:-1], 1):
        after.setdefault(type(event), []).append(version)
    rng = played.rng("within")
    for kind, versions in after.items():
        version = rng.choice(versions)
        for seat in (None, rng.choice(played.seats)):
            state, imagined = played.states[version], imagine(played, version, seat, rng)
            where = (version, event_type(kind), seat)
            assert as_json(played.game.view(imagined, seat)) == as_json(played.game.view(state, seat)), where
            assert played.game.census(imagined) == played.game.census(state), where


def open_views_hide_nothing(played: Played) -> None:
    """Worlds that a seat cannot tell apart are told apart by the open view, unless they are the same."""
    for version in played.moments[:-1]:
        rng, state = played.rng("open", version), played.states[version]
        for seat in played.observers:
            world = imagine(played, version, seat, rng)
            same = as_json(played.game.open_view(world)) == as_json(played.game.open_view(state))
            assert same is (world == state), f"version {version}, seat {seat}"


def imagine(played: Played, version: int, seat: int | None, rng: random.Random) -> Any:
    """A world as a seat may imagine it at a version."""
    view = played.game.view(played.states[version], seat)
    return played.game.imagine(view, played.feed(version, seat), chance_from(rng))


def assert_looks_the_same(played: Played, one: Any, other: Any, seat: int | None, where: str) -> None:
    game = played.game
    assert as_json(game.view(one, seat)) == as_json(game.view(other, seat)), f"{where}: another view"
    assert game.to_act(one) == game.to_act(other), where
    if seat is not None:
        assert game.legal_moves(one, seat) == game.legal_moves(other, seat), f"{where}: other moves"


def plays_on_alike(played: Played, one: Any, other: Any, seat: int, rng: random.Random) -> None:
    """As long as a seat reads the same in two worlds, it sees the same in both."""
    for _ in range(5):
        acting = played.game.to_act(one)
        if not acting:
            return
        actor, luck = rng.choice(acting), rng.random()
        move = random_move(played.game, one, actor, rng)
        first, second = (attempt(played, state, actor, move, luck) for state in (one, other))
        if isinstance(second, MoveRefused):
            assert actor != seat, f"seat {seat} could tell two worlds apart by asking: {second}"
            return
        if read(played, one, first.events, seat) != read(played, other, second.events, seat):
            return
        before, one, other = one, first.state, second.state
        if not played.game.to_act(one) or has_come_to_see(played, before, one, other, seat):
            return
        assert_looks_the_same(played, one, other, seat, f"after {move} of seat {actor}, seat {seat}")


def has_come_to_see(played: Played, before: Any, one: Any, other: Any, seat: int) -> bool:
    """Whether a seat's views of two worlds differ in nothing but hands that its view before had no place for.

    Who plays a hand by turns with others sees it from then on, and no event tells what it holds (PC-R43, PC-7.6).
    """
    had, first, second = (plain(played.game.view(state, seat)) for state in (before, one, other))
    places = list(differences(first, second))
    return bool(places) and all("hand" in place and not has_place(had, place) for place in places)


def differences(one: Any, other: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places at which two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], (*place, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for key, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, (*place, key))
    elif one != other:
        yield place


def has_place(value: Any, place: tuple[Any, ...]) -> bool:
    """Whether a JSON value has the fields that lead to a place; how long its lists are does not matter."""
    for key in place:
        if isinstance(value, list):
            if key >= len(value):
                return True
        elif not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True


def read(played: Played, state: Any, events: Sequence[Any], seat: int | None) -> list[Any]:
    """What a seat reads of some events that begin at a state."""
    states = folded(played.game, state, events)
    return [as_read(event, played.game.readers(s, event), seat) for s, event in zip(states, events, strict=False)]


def forked_tables_look_the_same(played: Played) -> None:
    """A table that begins with a world somebody imagined can be imagined by each of its seats, as it goes on too.

    The past that a seat reads there is what the asker read of it, as far as the seat may read it: fields that it once
    knew itself may be missing. What follows it reads in full. The house rules may be others, and such a table can be
    forked like any other.
    """
    for version in played.rng("forks").sample(played.moments[:-1], 2):
        rng = played.rng("forks", version)
        for asker in rng.sample(played.observers, 2):
            fork = Table.of(played, version).forked(asker, rng)
            if rng.random() < 0.5:
                fork.change_rules(random_options(played.game, rng))
            fork.play(rng.choice((0, 1, 2, 4, 8)), rng)
            fork.check(rng, f"version {version}, forked by {asker}")
            again = rng.choice(played.observers)
            fork.forked(again, rng).check(rng, f"version {version}, forked by {asker}, then by {again}")
            fork.play_to_the_end(rng, f"version {version}, forked by {asker} and played on")


@dataclass
class Table:
    """A state, and the events so far: who may read what of them, and what each observer reads."""

    played: Played
    state: Any
    readers: list[dict[str, list[int]]]
    feeds: dict[int | None, list[Any]]

    @classmethod
    def of(cls, played: Played, version: int) -> "Table":
        feeds = {seat: played.feed(version, seat) for seat in played.observers}
        return cls(played, played.states[version], played.readers[:version], feeds)

    def imagined(self, seat: int | None, rng: random.Random) -> Any:
        game = self.played.game
        return game.imagine(game.view(self.state, seat), self.feeds[seat], chance_from(rng))

    def forked(self, asker: int | None, rng: random.Random) -> "Table":
        """A table that begins with a world of the asker, and with what the asker has read."""
        past = list(zip(self.feeds[asker], self.readers, strict=True))
        feeds = {seat: [as_read(event, readers, seat) for event, readers in past] for seat in self.feeds}
        return Table(self.played, self.imagined(asker, rng), list(self.readers), feeds)

    def change_rules(self, changes: dict[str, Any]) -> None:
        """Other house rules from now on, save those that shape the set-up."""
        may_change = {option.name for option in self.played.game.options if not option.shapes_setup}
        changed = {name: value for name, value in changes.items() if name in may_change}
        options = msgspec.structs.replace(self.state.options, **changed)
        self.state = msgspec.structs.replace(self.state, options=options)

    def play(self, moves: int, rng: random.Random) -> None:
        """So many moves at random; the last move of a game is not made."""
        game = self.played.game
        for step in itertools.islice(continued(game, self.state, rng), moves):
            if not game.to_act(step.turn.state):
                return
            self.adopt(step.turn)

    def adopt(self, turn: Any) -> None:
        """What a decision has led to."""
        self.readers += map(self.played.game.readers, turn.before, turn.events)
        for seat in self.feeds:
            self.feeds[seat] += read(self.played, self.state, turn.events, seat)
        self.state = turn.state

    def play_to_the_end(self, rng: random.Random, where: str) -> None:
        """The game ends; until then nothing is lost, and every state and move is as good as any."""
        game, census = self.played.game, self.played.game.census(self.state)
        for step in itertools.islice(continued(game, self.state, rng), LONGEST_GAME):
            with unchanged(step.state):
                assert refusal(self.played, step.state, step.seat, plain(step.move)) is None, (where, step.move)
            assert reduce(game.evolve, step.turn.events, step.state) == step.turn.state, (where, step.move)
            self.state = step.turn.state
            assert game.census(self.state) == census, (where, step.move)
            assert msgspec.json.decode(as_json(self.state), type=game.state_type) == self.state
        assert game.to_act(self.state) == (), where
        assert event_type(type(step.turn.events[-1])) == "GameEnded", where
        ended, scores = plain(payload_of(step.turn.events[-1])), plain(game.scores(self.state))
        assert {name: ended[name] for name in scores} == scores, where

    def check(self, rng: random.Random, where: str, observers: Sequence[int | None] = ()) -> None:
        """Each observer, or each of these, imagines a table that it cannot tell from this one."""
        game = self.played.game
        for seat in observers or self.feeds:
            imagined = self.imagined(seat, rng)
            assert_looks_the_same(self.played, self.state, imagined, seat, f"{where}, imagined by {seat}")
            assert game.census(imagined) == game.census(self.state), (where, seat)
            assert msgspec.json.decode(as_json(imagined), type=game.state_type) == imagined
            if seat is not None:
                plays_on_alike(self.played, self.state, imagined, seat, rng)


def house_rules_may_change_midway(played: Played) -> None:
    """A house rule that does not shape the set-up may be replaced at any moment: the game goes on by the new one."""
    rng = played.rng("rules")
    changes = [
        {option.name: value}
        for option in played.game.options
        if not option.shapes_setup
        for value in option.values
        if value != getattr(played.states[1].options, option.name)
    ]
    for change in rng.sample(changes, min(3, len(changes))):
        version = rng.choice(played.moments[:-1])
        table = Table.of(played, version)
        table.change_rules(change)
        table.check(rng, f"version {version}, now {change}", rng.sample(played.observers, 2))
        table.play(rng.choice((1, 4, 16)), rng)
        table.check(rng, f"version {version}, {change} and played on", rng.sample(played.observers, 2))
        table.play_to_the_end(rng, f"version {version}, {change}")


def play_goes_on_from_what_is_corrected(played: Played) -> None:
    """An adjudication can be replaced by each of its other outcomes; some of those games are imagined and played on."""
    rng, corrections = played.rng("corrections"), []
    for step, version in zip(played.steps[1:], played.decisions, strict=False):
        turn = attempt(played, step.state, step.seat, step.move, version)
        for index, (state, event, _) in enumerate(turn.steps):
            others = played.game.outcomes(state, event)
            assert len({event, *others}) == len(others) + 1 <= MOST_OUTCOMES + 1, event
            corrections += [(step, version, index, other) for other in others]
            for other in others:
                corrected = attempt(played, step.state, step.seat, step.move, version, corrected={index: other})
                assert corrected.events[: index + 1] == (*turn.events[:index], other)
                assert reduce(played.game.evolve, corrected.events, step.state) == corrected.state, other
    for step, version, index, other in rng.sample(corrections, min(CORRECTED, len(corrections))):
        table = Table.of(played, version)
        table.adopt(attempt(played, step.state, step.seat, step.move, version, corrected={index: other}))
        assert played.game.census(table.state) == played.game.census(step.state), other
        if played.game.to_act(table.state):
            table.check(rng, f"version {version}, corrected {other}", [rng.choice(played.observers)])
            table.play_to_the_end(rng, f"version {version}, corrected {other}")


def where_few_worlds_are_possible_one_is_real(played: Played) -> None:
    """Where what a seat has read leaves a handful of worlds, the real one comes up among those that it imagines."""
    for version in sorted({*played.rng("few").sample(played.moments[:-1], 2), *played.decisions[-4:-1]}):
        for seat in played.rng("few", version).sample(played.seats, 2):
            rng, real = played.rng("few", version, seat), as_json(played.states[version])
            worlds: set[bytes] = set()
            for _ in range(20 * (HANDFUL + 1)):
                worlds.add(as_json(imagine(played, version, seat, rng)))
                if len(worlds) > HANDFUL or real in worlds:
                    break
            assert len(worlds) > HANDFUL or real in worlds, (version, seat, len(worlds))


def imagined_worlds_answer_the_same(played: Played) -> None:
    """A seat gets the same answers in a world it imagines as in the real one, refusals included."""
    pool = sorted(set().union(*(strings(plain(step.move)) for step in played.steps[1:])))
    for version in played.moments[:-1]:
        state = played.states[version]
        for seat in played.game.to_act(state):
            rng = played.rng("answers", version, seat)
            imagined = imagine(played, version, seat, rng)
            raw = plain(random_move(played.game, state, seat, rng))
            with unchanged(state), unchanged(imagined):
                for other in mutants(raw, pool, rng):
                    real = refusal(played, state, seat, other)
                    assert refusal(played, imagined, seat, other) == real, (version, seat, other)


def what_is_not_read_is_not_seen(played: Played) -> None:
    """Where two moves, or two outcomes of luck, read the same to a seat, its view and its moves are the same."""
    for version in played.moments[:-1]:
        state, rng = played.states[version], played.rng("twins", version)
        for actor in played.game.to_act(state):
            turns = [
                played.game.play(state, actor, move, chance_of(luck))
                for move in [random_move(played.game, state, actor, rng) for _ in range(4)]
                for luck in (1, 2)
            ]
            assert_twins_look_the_same(played, state, turns)
    options = played.game.read_options(played.options, played.players)
    starts = [played.game.start(played.players, options, chance_of(luck)) for luck in range(4)]
    assert_twins_look_the_same(played, None, starts)


def assert_twins_look_the_same(played: Played, state: Any, turns: Sequence[Any]) -> None:
    going_on = [turn for turn in turns if played.game.to_act(turn.state)]
    for seat in played.observers:
        seen: dict[bytes, Any] = {}
        for turn in going_on:
            twin = seen.setdefault(as_json(read(played, state, turn.events, seat)), turn.state)
            assert_looks_the_same(played, twin, turn.state, seat, f"seat {seat} sees what it may not read")
