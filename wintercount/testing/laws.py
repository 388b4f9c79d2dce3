"""What holds in every game, with any number of players, under any house rules, whatever is played.

A law is a function of a game that was played; it raises `AssertionError`. `LAWS` lists them.
"""

import itertools
import operator
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

import msgspec

from games.kernel import AnyGame, MoveSet
from games.payloads import as_read, event_type, payload_of
from rulings import rulebook
from wintercount.testing.played import (
    LONGEST_GAME,
    NOWHERE,
    Played,
    as_json,
    event_from,
    mutants,
    plain,
    refusal,
    strings,
    unchanged,
)
from wintercount.testing.random_games import chance_from, random_move
from wintercount.testing.worlds import (
    forked_tables_look_the_same,
    house_rules_may_change_midway,
    imagine,
    imagined_worlds_answer_the_same,
    imagined_worlds_look_the_same,
    open_views_hide_nothing,
    play_goes_on_from_what_is_corrected,
    views_say_whose_they_are,
    what_is_not_read_is_not_seen,
    where_few_worlds_are_possible_one_is_real,
    worlds_can_be_imagined_within_a_move,
)
from worker.analysis.evaluating import key_of

SMALL_SUMMARY = 500  # a summary of no more moves than this is expanded in full

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
        self.allowed = {key_of(move) for move in self.moves}
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
        text = key_of(raw)
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
            tried += _next_moves(played, version, seat)
            with unchanged(state):
                for raw in [*tried, [], "pass", 7, {}]:
                    allowed, refused = listed.allows(raw), refusal(played, state, seat, raw)
                    assert allowed is None or allowed == (refused is None), (version, seat, raw, refused)
                    assert refused == refusal(played, state, seat, built(played.game, raw)), (version, seat, raw)


def _next_moves(played: Played, version: int, seat: int) -> list[Any]:
    """What the seat does next, with what it may hold already but not play yet."""
    own = zip(played.steps[1:], played.decisions, strict=False)
    return [plain(step.move) for step, before in own if step.seat == seat and before >= version][:5]


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
