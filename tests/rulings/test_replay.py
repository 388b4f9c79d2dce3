"""Tables decided again: under today's rules to the same bytes, under other house rules to the first difference."""

import json
import random
from collections.abc import Iterator
from itertools import groupby, zip_longest
from typing import Any

import msgspec
import pytest

from events.canonical import canonical
from events.envelopes import Recorded
from events.verifiable_luck import Luck
from games import GAMES
from games.kernel import MoveRefused, OptionsRefused
from games.payloads import event_type, payload_of
from projections.folding import more
from projections.history import TableHistory
from rulings.replay import Divergence, Stop, replay
from tests import corpus
from tests.disputed_tables import Court, ruling_by
from tests.long import long_but_for, quick_first
from tests.tables import ANN, BEN
from wintercount.testing.random_games import random_options

pytestmark = pytest.mark.usefixtures("lucky")


CORRECTED = ("corrected", "disputed", "overturned", "taken-back", "plenty-coups-4-uniform")
PLAIN = [name for name in corpus.NAMES if not name.endswith(CORRECTED)]
READINGS = [
    (game.slug, option.name, value) for game in GAMES.values() for option in game.options for value in option.values
]


@pytest.mark.parametrize(
    "seats", quick_first(["ann ben cat dan", "greedy greedy greedy greedy"]), ids=["random", "greedy"]
)
@pytest.mark.parametrize("slug", list(GAMES))
def test_a_game_is_decided_again_as_it_was(slug: str, seats: str) -> None:
    """Whatever the house rules: every event, every draw and the scores."""
    court, game, rng = Court(), GAMES[slug], random.Random(f"{slug} {seats}")
    players = rng.choice([number for number in game.players if number <= 4])
    table = court.open_disputable(slug, " ".join(seats.split()[:players]), options=random_options(game, rng))
    court.finish(table)

    report = replay(court.history(table))

    assert (report.same, report.counterfactual_from, report.draws_other) == (True, None, 0)
    assert report.scores_decided == report.scores_recorded
    assert report.draws_recorded == sum(court.table(table).draws.values())


# The first difference, found in another way


def decided_under(history: TableHistory, options: dict[str, Any]) -> Iterator[tuple[tuple[Recorded, ...], list[bytes]]]:
    """For each decision the recorded events and the facts that the recorded move leads to. Knows no corrections."""
    game, opened = history.table.game, history.table.opened
    read = game.read_options({**opened.options, **options}, opened.players)
    state: Any = None
    draws: dict[str, int] = {}
    for _, batch in groupby(history.events, key=lambda event: event.envelope.batch):
        first, *_ = events = tuple(batch)
        own = tuple(event for event in events if event.envelope.type in game.kinds)
        if not own:
            continue
        luck = Luck(str(opened.seed), [seat.contribution for seat in history.table.seats], draws)
        if state is None:
            turn = game.start(opened.players, read, luck)
        else:
            move = game.read_move(first.sealed["move"].value)
            turn = game.play(state, first.envelope.by["seat"], move, luck)
        new_events = []
        for new_event in turn.events:
            new_events.append(canonical([event_type(new_event), payload_of(new_event), game.readers(state, new_event)]))
            state = game.evolve(state, new_event)
        draws = more(draws, luck.drawn)
        yield own, new_events


def recorded_facts(history: TableHistory) -> dict[int, bytes]:
    """The recorded events by version."""
    return {
        event.version: canonical([event.envelope.type, event.payload, event.envelope.readers])
        for event in history.events
    }


def first_difference(
    history: TableHistory, options: dict[str, Any], told: dict[int, bytes]
) -> tuple[int | None, str | None]:
    """The version at which the facts are others than told, and the rule at which the moves end.

    `GameStarted` is passed over.
    """
    found: int | None = None
    try:
        for events, new_events in decided_under(history, options):
            recorded = [told[event.version] for event in events]
            for number, (was, now) in enumerate(zip_longest(recorded, new_events)):
                if found is None and was != now and not (number == 0 and events[0].envelope.type == "GameStarted"):
                    found = events[0].version + number
    except MoveRefused as refusal:
        return found, refusal.rule
    return found, None


# a table of each game
SHORT = {"big-manitou-2-uniform", "manitou-2-greedy", "plenty-coups-2-uniform", "tomahawk-2-greedy"}


@pytest.mark.parametrize(
    "name", long_but_for(SHORT.__contains__, PLAIN, is_slow=lambda name: name.startswith("plenty-coups"))
)
def test_every_reading_of_every_ruling_is_told_from_the_recorded_one(name: str) -> None:
    """For each value of each house rule: the first version that comes out otherwise, and where the moves stop."""
    history = corpus.history_of(name)
    told = recorded_facts(history)
    others = [(option, value) for slug, option, value in READINGS if slug == history.table.opened.game]
    for option, value in others:
        report = replay(history, {option: value})
        version, rule = first_difference(history, {option: value}, told)
        if report.divergence is None or report.divergence.type != "GameStarted":
            assert (report.divergence.version if report.divergence else None) == version, (option, value)
        assert (report.stop.rule if report.stop else None) == rule, (option, value)
        same = value == history.table.opened.options.get(option)
        assert not same or report.same, (option, value)
        begins = [found.version for found in (report.divergence, report.stop) if found]
        assert report.counterfactual_from == min(begins, default=None)


# One case of each game, by hand


def new_events_of(divergence: Divergence | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was recorded and what is decided, as JSON values."""
    assert divergence is not None
    assert divergence.recorded is not None
    assert divergence.decided is not None
    return tuple(json.loads(canonical(new_event["payload"])) for new_event in (divergence.recorded, divergence.decided))


def test_the_runner_up_takes_the_rest() -> None:
    """BM-R14: of four tiles two are left for seat 1; it took one, which is refused where two are its due."""
    report = replay(corpus.history_of("big-manitou-3-uniform"), {"runner_up_share": "rest"})

    recorded, decided = new_events_of(report.divergence)
    assert report.divergence is not None
    assert (report.divergence.version, report.divergence.type) == (62, "GroundEvaluated")
    assert report.divergence.rules == ("BM-5.7", "BM-R14")
    assert [(row["seat"], row["total"]) for row in recorded["totals"]] == [(1, 15), (2, 20), (3, 10)]
    assert [(row["seat"], row["count"]) for row in recorded["awards"]] == [(2, 2), (1, 1)]
    assert [(row["seat"], row["count"]) for row in decided["awards"]] == [(2, 2), (1, 2)]
    assert report.stop == Stop(65, 1, "BM-4.9b", "the award is 2 tiles, not 1")
    assert (report.counterfactual_from, report.over) == (62, False)
    assert (report.draws_recorded, report.draws_other) == (4, 0)


def test_a_weaker_hero_may_not_attack_a_pair() -> None:
    """BM-R6: nothing came out otherwise before the move that is refused, which is another world all the same."""
    report = replay(corpus.history_of("big-manitou-2-uniform"), {"pair_attack_weaker": "illegal"})

    refusal = "chief-1 is weaker than matriarch-2 of seat 2's pair on ground 2"
    assert (report.divergence, report.stop) == (None, Stop(84, 1, "BM-4.5c", refusal))
    assert (report.same, report.counterfactual_from) == (False, 84)


def test_the_first_of_a_pair_is_attacked() -> None:
    """MA-R10: a medicine man meets the other medicine man instead of the chief, and falls again; the game goes on."""
    report = replay(corpus.history_of("manitou-3-online"), {"attacked_of_pair": "first_played"})

    recorded, decided = new_events_of(report.divergence)
    assert report.counterfactual_from == 40
    assert (recorded["attacker"]["card"], recorded["defender"]["card"]) == ("medicine_man-1", "chief-1")
    assert (recorded["relation"], len(recorded["turned_down"])) == ("defender_beats", 1)
    assert (decided["defender"]["card"], decided["defender"]["protected"]) == ("medicine_man-2", "chief-1")
    assert (decided["relation"], len(decided["turned_down"])) == ("identical", 1)
    assert (report.stop, report.over) == (None, True)
    totals = [[row["total"] for row in found["scores"]] for found in (report.scores_recorded, report.scores_decided)]
    assert totals == [[40, 24, 19], [40, 24, 19]]


def test_gathering_doubles_both_sides() -> None:
    """TO-R22: 6 against twice 3 was a tie; with both sides doubled seat 1 has 12 and takes the territory."""
    report = replay(corpus.history_of("tomahawk-2-greedy"), {"picto_scope": "each_player"})

    recorded, decided = new_events_of(report.divergence)
    assert (report.counterfactual_from, recorded["territory"], recorded["picto"]) == (30, "p2-1", "gathering")
    assert ([row["total"] for row in recorded["totals"]], recorded["winner"]) == ([6, 6], None)
    assert ([row["total"] for row in decided["totals"]], decided["winner"]) == ([12, 6], 1)
    territories = [
        [row["territories"] for row in found["scores"]] for found in (report.scores_recorded, report.scores_decided)
    ]
    assert territories == [[4, 30], [13, 22]]


def test_the_display_is_swept() -> None:
    """PC-R3: what was refilled is cleared away first, so the cards that seat 2 took next are no longer there."""
    report = replay(corpus.history_of("plenty-coups-4-uniform"), {"display_refresh": "sweep"})

    recorded, decided = new_events_of(report.divergence)
    assert report.divergence is not None
    assert (report.divergence.version, report.divergence.rules) == (26, ("PC-3.11", "PC-R3"))
    assert recorded["display"] == ["warrior-green-3", "warrior-red-1", "warrior-white-2", "warrior-black-2"]
    assert decided["cards"] == ["warrior-green-3", "warrior-red-1"]
    assert report.stop is not None
    assert (report.stop.version, report.stop.seat, report.stop.rule) == (28, 2, "PC-4.15")


def test_draws_from_other_populations_are_labelled() -> None:
    """BM-R1: the grounds are stocked from other tiles; the parties are shuffled as they were."""
    report = replay(corpus.history_of("big-manitou-3-uniform"), {"tile_set": "plenty"})
    assert (report.draws_recorded, report.draws_other) == (3, 1)
    assert report.divergence is not None
    assert (report.divergence.type, report.stop and report.stop.rule) == ("GameStarted", "BM-4.9d")


def test_an_unknown_house_rule_is_refused() -> None:
    """And a value that it does not have."""
    for options in ({"moon": "full"}, {"runner_up_share": "none"}):
        with pytest.raises(OptionsRefused):
            replay(corpus.history_of("big-manitou-3-uniform"), options)


# Corrections


def test_a_correction_is_an_input() -> None:
    """A ruling that was overturned stays so; asked for from the start, its reading differs at the ruling undone."""
    court = Court()
    table, ruling = court.table_with(ruling_by("BM-R9"), "big-manitou", "ann ben cat")
    court.resolve(
        table, court.dispute(table, ANN, ruling, "BM-R9", {"penalty_strength": "with_tomahawks"}), "overturned"
    )
    court.finish(table)

    assert replay(court.history(table)).same
    report = replay(court.history(table), {"penalty_strength": "with_tomahawks"})
    assert report.divergence is not None
    assert (report.divergence.version, report.divergence.type) == (ruling.version, "ForcePenaltyAssessed")
    assert replay(court.history(table), {"penalty_strength": "printed"}).options["penalty_strength"] == "printed"


def test_play_goes_back_to_a_version_of_the_tables_own() -> None:
    """The move undone came directly behind events that decide nothing of the game, such as a dispute upheld."""
    court = Court()
    table, ruling = court.table_with(ruling_by("BM-5.4"), "big-manitou", "ann ben")
    court.resolve(table, court.dispute(table, ANN, ruling, "BM-5.4"), "upheld")
    mover = ANN if court.table(table).decisions[0].seat == 1 else BEN
    court.play(table, mover, 5)
    court.take_back(table, mover)
    court.agree(table, BEN if mover is ANN else ANN)
    court.finish(table)

    assert replay(court.history(table)).same


def test_a_correction_to_another_state_is_found() -> None:
    """Who writes a state of his own into the correction is found there, with everything sealed and chained anew."""
    history = corpus.history_of("manitou-2-taken-back")
    version = next(event.version for event in history.events if event.envelope.type == "PlayTakenBack")

    def other(payload: dict[str, Any]) -> dict[str, Any]:
        return payload | {"draws": payload["draws"] | {"shuffle_party": 7}}

    report = replay(rewritten(history, version, other))
    assert report.divergence is not None
    assert (report.divergence.version, report.divergence.type) == (version, "PlayTakenBack")


def rewritten(history: TableHistory, version: int, change: Any) -> TableHistory:
    """The history with another payload at a version; folded and decided as if it had been so."""
    event = history.events[version - 1]
    payload = change(event.envelope.payload)
    other = msgspec.structs.replace(event, envelope=msgspec.structs.replace(event.envelope, payload=payload))
    return TableHistory((*history.events[: version - 1], other, *history.events[version:]), history.table)
