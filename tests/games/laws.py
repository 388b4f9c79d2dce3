"""What holds in every game, with any number of players, under any house rules, whatever is played.

A law is a function of a game that was played; it raises `AssertionError`. `LAWS` lists them.
"""

import itertools
import operator
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import msgspec

from events.canonical import canonical
from games.disputes import MOST_OUTCOMES
from games.kernel import AnyGame, MoveRefused, MoveSet
from games.payloads import as_read, event_type, payload_of
from rulings import rulebook
from tests.games.random_play import chance_from, chance_of, continued, random_game, random_move, random_options
from tests.games.spec import event_from

LONGEST_GAME = 1000  # moves; the longest game of all has a proven bound below it
SMALL_SUMMARY = 500  # a summary of no more moves than this is expanded in full
MOMENTS = 12  # points of a game at which the laws about views, moves and imagination are tried
HANDFUL = 6  # worlds; of 120 imagined ones each of so few comes up, but for once in a thousand million
CORRECTED = 6  # corrected games that are played on
NOWHERE = "no-such-thing"


@dataclass(frozen=True)
class Played:
    """A game played at random from a seed, with the state after each event; version 0 is before the first."""

    game: AnyGame
    players: int
    options: dict[str, Any]
    seed: int

    @cached_property
    def steps(self) -> list[Any]:
        steps = random_game(self.game, self.players, self.options, random.Random(self.seed))
        return list(itertools.islice(steps, LONGEST_GAME + 2))

    @cached_property
    def events(self) -> list[Any]:
        return [event for step in self.steps for event in step.turn.events]

    @cached_property
    def states(self) -> list[Any]:
        return folded(self.game, None, self.events)

    @cached_property
    def readers(self) -> list[dict[str, list[int]]]:
        return [self.game.readers(state, event) for state, event in zip(self.states, self.events, strict=False)]

    @cached_property
    def decisions(self) -> list[int]:
        """The versions at which the game waits for somebody, or is over."""
        return list(itertools.accumulate(len(step.turn.events) for step in self.steps))

    @cached_property
    def moments(self) -> list[int]:
        """Some of those versions, the first and the last among them."""
        inner = self.decisions[1:-1]
        picked = random.Random(self.seed).sample(inner, min(MOMENTS, len(inner)))
        return sorted({self.decisions[0], self.decisions[-1], *picked})

    @property
    def seats(self) -> range:
        return range(1, self.players + 1)

    @property
    def observers(self) -> list[int | None]:
        return [None, *self.seats]

    def feed(self, version: int, seat: int | None) -> list[Any]:
        """The events so far as a seat, or a spectator, reads them."""
        if version == len(self.events):
            return list(self.events)
        return [as_read(*both, seat) for both in zip(self.events[:version], self.readers, strict=False)]

    def rng(self, *about: Any) -> random.Random:
        return random.Random(repr((self.seed, *about)))


def folded(game: AnyGame, state: Any, events: Sequence[Any]) -> list[Any]:
    """A state and those that it becomes, event by event."""
    states = [state]
    for event in events:
        states.append(game.evolve(states[-1], event))
    return states


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return msgspec.json.decode(as_json(value))


def normal(move: Any) -> bytes:
    """A move, or its JSON, as JSON, whatever the order of its lists: that order has no meaning."""
    return canonical(_sorted(plain(move) if isinstance(move, msgspec.Struct) else move))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        items = [_sorted(item) for item in value]
        try:
            return sorted(items)
        except TypeError:  # unlike ones, or objects
            return sorted(items, key=canonical)
    return value


# --- the record ---------------------------------------------------------------------------------------------------


def replay_equals_play(played: Played) -> None:
    """The events alone, folded from nothing, give the state that each decision led to, and those on its way there."""
    for step, version in zip(played.steps, played.decisions, strict=True):
        assert played.states[version] == step.turn.state, f"version {version}"
        before = played.states[version - len(step.turn.events) : version]
        assert list(step.turn.before) == before, f"on the way to version {version}"


def starts_and_ends(played: Played) -> None:
    """`GameStarted` with every house rule comes first, `GameEnded` last, each once; and an end comes."""
    names = [event_type(type(event)) for event in played.events]
    assert len(played.steps) <= LONGEST_GAME, "the game goes on and on"
    assert names[0] == "GameStarted"
    assert names[-1] == "GameEnded"
    assert names.count("GameStarted") == names.count("GameEnded") == 1
    started = payload_of(played.events[0])
    assert started["players"] == played.players
    assert list(started["options"]) == [option.name for option in played.game.options]
    assert started["options"] | played.options == started["options"]
    assert all(step.turn.events for step in played.steps), "a decision without an event"
    assert played.game.to_act(played.states[-1]) == ()


def owed_until_answered(played: Played) -> None:
    """Who must act goes on owing the same decision until it answers; only that seat's answer clears it."""
    for step in played.steps[1:]:
        before, after = played.game.to_act(step.state), played.game.to_act(step.turn.state)
        assert tuple(before) == tuple(sorted(before))
        assert len(set(before)) == len(before)
        assert set(before) <= set(played.seats)
        for seat in set(before) - {step.seat}:
            assert seat in after, f"seat {seat} no longer owes what it has not answered"
            owed = played.game.legal_moves(step.state, seat)
            assert played.game.legal_moves(step.turn.state, seat) == owed, f"seat {seat} owes something else"


def states_cannot_change(played: Played) -> None:
    """Everything in a state is immutable, so that it has a hash."""
    assert all(isinstance(hash(state), int) for state in played.states)


def encodings_round_trip(played: Played) -> None:
    """States, moves and events survive JSON; an event also when it is read without its hidden fields."""
    union = reduce(operator.or_, played.game.events)
    for version in played.moments:
        state = played.states[version]
        assert msgspec.json.decode(as_json(state), type=played.game.state_type) == state
    for step in played.steps[1:]:
        assert played.game.read_move(plain(step.move)) == step.move
        assert type(step.move) in played.game.moves
    for number, event in enumerate(played.events):
        assert type(event) in played.game.events
        for seat in played.observers:
            read = as_read(event, played.readers[number], seat)
            payload = plain(payload_of(read))
            assert event_from(event_type(type(read)), payload, union) == read


def readers_name_fields_and_seats(played: Played) -> None:
    """`readers` names fields that the payload has, each with seats of the table, ascending."""
    for event, readers in zip(played.events, played.readers, strict=True):
        assert set(readers) <= set(payload_of(event)), event
        for seats in readers.values():
            assert list(seats) == sorted(set(seats) & set(played.seats)), (event, readers)


def adjudications_cite_their_rules(played: Played) -> None:
    """The `rules` of an event are ids that the section on events lists, none of them twice."""
    declared = declared_rules(played.game.slug)
    for event in played.events:
        cited = plain(payload_of(event)).get("rules", [])
        assert len(set(cited)) == len(cited), event
        assert set(cited) <= declared, (event, set(cited) - declared)


def declared_rules(slug: str) -> set[str]:
    """The ids that stand in code font in section 5: those that an event's `rules` may hold."""
    sections = rulebook.document(slug).split("\n## ")
    events = next(section for section in sections if section.startswith("5. "))
    spans = [part for part in events.split("```")[::2] for part in part.split("`")[1::2]]
    return {rule_id for span in spans for rule_id in re.findall(rulebook.ID, span)}


def nothing_is_lost(played: Played) -> None:
    """Every card, tile and token of the box is somewhere, exactly once, at every version."""
    census = played.game.census(played.states[1])
    for version, state in enumerate(played.states[1:], 1):
        assert played.game.census(state) == census, f"version {version}: {event_type(type(played.events[version - 1]))}"


# --- moves ---------------------------------------------------------------------------------------------------------


class Listed:
    """The moves listed for a seat, and what they allow."""

    def __init__(self, listed: Sequence[Any], rng: random.Random) -> None:
        self.listed, self.rng = listed, rng
        self.large: list[Any] = []
        self.moves: list[Any] = []
        for entry in listed:
            expanded = list(itertools.islice(expansions(entry), SMALL_SUMMARY + 1))
            if len(expanded) > SMALL_SUMMARY:
                self.large.append(entry)
            else:
                self.moves += expanded
        self.allowed = {normal(move) for move in self.moves}
        self.shapes = {shape(self.sample(entry)) for entry in self.large}

    def sample(self, entry: Any) -> Any:
        return entry.sample(chance_from(self.rng)) if isinstance(entry, MoveSet) else entry

    def some(self, count: int) -> list[Any]:
        """Some of the moves: of the large summaries their first ones and samples, of the rest a sample."""
        few = self.rng.sample(self.moves, min(count, len(self.moves)))
        for entry in self.large:
            few += [*itertools.islice(entry.expansions(), 2), *(self.sample(entry) for _ in range(count))]
        return few

    def allows(self, raw: Any) -> bool | None:
        """Whether a move is among those listed; None where only the rules themselves could tell."""
        text = normal(raw)
        if text in self.allowed:
            return True
        return None if self.shapes and NOWHERE.encode() not in text and shape(raw) in self.shapes else False


def expansions(entry: Any) -> Iterator[Any]:
    return entry.expansions() if isinstance(entry, MoveSet) else iter([entry])


def shape(move: Any) -> str:
    """The form of a move without its values, save its type."""
    raw = plain(move) if isinstance(move, msgspec.Struct) else move
    return f"{raw.get('type')} {_form(raw)}" if isinstance(raw, dict) else _form(raw)


def _form(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_form(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(sorted(map(_form, value))) + "]"
    return type(value).__name__


def mutants(value: Any, pool: Sequence[str], rng: random.Random) -> Iterator[Any]:
    """JSON values that differ from `value` in one place."""
    yield None
    if isinstance(value, dict):
        yield {**value, "why": 1}
        for key, item in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            yield from ({**value, key: other} for other in mutants(item, pool, rng))
    elif isinstance(value, list):
        yield from ([], value[:-1], value + value[-1:], [*value, NOWHERE], NOWHERE, list(reversed(value)))
        for index in rng.sample(range(len(value)), min(2, len(value))):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in mutants(value[index], pool, rng))
    elif isinstance(value, bool):
        yield from (not value, int(value), str(value))
    elif isinstance(value, int):
        yield from (value - 1, value + 1, 0, 99, True, str(value), value + 0.5)
    else:
        yield from ("", NOWHERE, 7, [value], *rng.sample(pool, min(4, len(pool))))


def strings(value: Any) -> set[str]:
    """All strings in a JSON value."""
    if isinstance(value, dict):
        return set().union(*map(strings, value.values()))
    if isinstance(value, list):
        return set().union(*map(strings, value))
    return {value} if isinstance(value, str) else set()


@contextmanager
def unchanged(state: Any) -> Iterator[None]:
    """Whatever is tried in a state leaves it as it was."""
    before = as_json(state)
    yield
    assert as_json(state) == before, "a move changed the state that it was made in"


def refusal(played: Played, state: Any, seat: Any, move: Any) -> str | None:
    """The rule that refuses a move, or None if it is accepted."""
    turn = attempt(played, state, seat, move, luck=0)
    if not isinstance(turn, MoveRefused):
        return None
    assert turn.rule in rulebook.rules(played.game.slug), turn
    assert turn.rule.startswith(f"{played.game.prefix}-4."), turn
    assert turn.detail, turn
    return turn.rule


def attempt(played: Played, state: Any, seat: Any, move: Any, luck: float, **corrected: Any) -> Any:
    """What a move leads to, or the refusal."""
    try:
        return played.game.play(state, seat, move, chance_of(luck), **corrected)
    except MoveRefused as refused:
        return refused


def listed_is_accepted(played: Played) -> None:
    """What is listed is accepted, as a move and as JSON, in whatever order; a summary itself is no move."""
    for version in played.moments[:-1]:
        with unchanged(played.states[version]):
            for seat in played.game.to_act(played.states[version]):
                _accepts_what_is_listed(played, version, seat)


def _accepts_what_is_listed(played: Played, version: int, seat: int) -> None:
    state = played.states[version]
    entries = played.game.legal_moves(state, seat)
    assert entries, f"seat {seat} must act and may do nothing"
    listed = Listed(entries, played.rng(version, seat))
    assert len(listed.allowed) == len(listed.moves), "listed twice"
    assert len({as_json(entry) for entry in entries}) == len(entries), "listed twice"
    for move in listed.some(12):
        raw = plain(move)
        assert refusal(played, state, seat, move) is None, (version, seat, raw)
        assert refusal(played, state, seat, raw) is None, (version, seat, raw)
    for entry in entries:
        if isinstance(entry, MoveSet):
            refused = refusal(played, state, seat, plain(entry))
            assert refused == f"{played.game.prefix}-4.1a", (version, seat, entry)


def the_rest_is_refused(played: Played) -> None:
    """What is not listed is refused, as JSON and built as a move alike; near a listed move all is listed or refused."""
    pool = sorted(set().union(*(strings(plain(step.move)) for step in played.steps[1:])))
    made = [plain(step.move) for step in played.steps[1:]]
    for version in played.moments[:-1]:
        state, rng = played.states[version], played.rng("rest", version)
        for seat in played.game.to_act(state):
            listed = Listed(played.game.legal_moves(state, seat), rng)
            near = [plain(move) for move in listed.some(2)]
            tried = [other for raw in near for other in mutants(raw, pool, rng)] + rng.sample(made, min(20, len(made)))
            with unchanged(state):
                for raw in [*tried, [], "pass", 7, {}]:
                    allowed, refused = listed.allows(raw), refusal(played, state, seat, raw)
                    assert allowed is None or allowed == (refused is None), (version, seat, raw, refused)
                    assert refused == refusal(played, state, seat, built(played.game, raw)), (version, seat, raw)


def built(game: AnyGame, raw: Any) -> Any:
    """A move as a program builds it, with values of any kind; JSON whose fields are not those of a move as it is."""
    fields = {name: value for name, value in raw.items() if name != "type"} if isinstance(raw, dict) else None
    kinds = [kind for kind in game.moves if isinstance(raw, dict) and kind.__struct_config__.tag == raw.get("type")]
    return kinds[0](**fields) if kinds and fields is not None and {*fields} == {*kinds[0].__struct_fields__} else raw


def only_seats_that_must_act_may(played: Played) -> None:
    """A seat that need not act has no moves; the first checks name who may not, whatever else is wrong."""
    check = f"{played.game.prefix}-4.1".__add__
    for version in played.moments[:-1]:
        state = played.states[version]
        acting = played.game.to_act(state)
        move = random_move(played.game, state, acting[0], played.rng(version))
        with unchanged(state):
            for seat in set(played.seats) - set(acting):
                assert played.game.legal_moves(state, seat) == [], (version, seat)
                assert refusal(played, state, seat, move) == check("e"), (version, seat)
            for nobody in (0, played.players + 1, -1, None, "1", True, 1.0):
                assert refusal(played, state, nobody, move) == check("b"), (version, nobody)
                assert refusal(played, state, nobody, {"type": "no_such_move"}) == check("a")
    over = played.states[-1]
    with unchanged(over):
        for step in played.steps[1:]:
            assert refusal(played, over, step.seat, step.move) == check("c")
        assert refusal(played, over, 0, step.move) == check("b")
    assert all(played.game.legal_moves(over, seat) == [] for seat in played.seats)


# --- sight ---------------------------------------------------------------------------------------------------------


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


# --- the end -------------------------------------------------------------------------------------------------------


def scores_have_one_shape(played: Played) -> None:
    """A row a seat with total and rank, places from first to last, winners of rank 1: running and at the end.

    A game in which seats first choose what they play may have an empty sheet until then.
    """
    for version in [*played.moments[:-1], len(played.events)]:
        scores = plain(played.game.scores(played.states[version]))
        if not scores["scores"] and version in played.decisions[: played.players]:
            assert scores["ranking"] == scores["winners"] == []
            continue
        rank_of = {row["seat"]: row["rank"] for row in scores["scores"]}
        assert list(rank_of) == list(played.seats)
        assert all(isinstance(row["total"], int) for row in scores["scores"])
        assert all(rank == 1 + sum(other < rank for other in rank_of.values()) for rank in rank_of.values())
        places = [
            {"rank": rank, "seats": [seat for seat in played.seats if rank_of[seat] == rank]}
            for rank in sorted(set(rank_of.values()))
        ]
        assert scores["ranking"] == places
        assert scores["winners"] == places[0]["seats"]
        totals = [row["total"] for row in sorted(scores["scores"], key=lambda row: row["rank"])]
        assert totals == sorted(totals, reverse=True)


def the_end_hides_nothing(played: Played) -> None:
    """When the game is over everybody's view is the same, and the whole state can be had from it."""
    over, version = played.states[-1], len(played.events)
    views = [{**plain(played.game.view(over, seat)), "seat": None} for seat in played.observers]
    assert all(view == views[0] for view in views), "somebody sees less"
    assert plain(played.game.open_view(over)) == views[0]
    for seat in played.observers:
        assert imagine(played, version, seat, played.rng("end")) == over


OF_PLAY: tuple[Callable[[Played], None], ...] = (
    replay_equals_play,
    starts_and_ends,
    owed_until_answered,
    states_cannot_change,
    encodings_round_trip,
    readers_name_fields_and_seats,
    adjudications_cite_their_rules,
    nothing_is_lost,
    listed_is_accepted,
    the_rest_is_refused,
    only_seats_that_must_act_may,
    views_say_whose_they_are,
    house_rules_may_change_midway,
    play_goes_on_from_what_is_corrected,
    what_is_not_read_is_not_seen,
    scores_have_one_shape,
    the_end_hides_nothing,
)
OF_WORLDS: tuple[Callable[[Played], None], ...] = (
    imagined_worlds_look_the_same,
    worlds_can_be_imagined_within_a_move,
    open_views_hide_nothing,
    forked_tables_look_the_same,
    where_few_worlds_are_possible_one_is_real,
    imagined_worlds_answer_the_same,
)
LAWS = OF_PLAY + OF_WORLDS
