"""What `impact` says of a table, beside each decision taken again by itself and the table readjudicated."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from games import GAMES
from games.kernel import OptionsRefused
from projections.event_conversion import as_of_today
from projections.history import TableHistory
from rulings.archive_format import lines, read_columns
from rulings.replay import Batch, Decider, ReplayState, batches, compare, corrected_moves, replay
from rulings.rule_change_impact import Impact, impact
from service.errors import Refused
from tests.disputed_tables import Court, NeverCameError, luck
from tests.tables import ANN, BEN
from wintercount.testing.random_games import random_options

SEATS = ("ann", "ben", "cat", "dan", "ai", "ai")
Differing = tuple[int, str]  # the version of the first event that differs, and the rule


def disagreements(history: TableHistory, options: Mapping[str, Any]) -> list[str]:
    """Where `impact` says something else of a table than readjudication does."""
    found = impact(read_columns(lines(history, None, over=True)), options, lambda: history)
    try:
        report = replay(history, options)
    except OptionsRefused:
        return [f"{options}: decided"] if isinstance(found, Impact) else []
    if not isinstance(found, Impact):
        return [f"{options}: {found.reason}"]
    alone = list(decided_alone(history, options))
    differing = [one for one in alone if one]
    was, now = report.scores_recorded, report.scores_decided
    first = report.divergence or report.stop
    expected = {
        "decisions": len(alone),
        "differing": len(differing),
        "rules": dict(Counter(rule for _, rule in differing)),
        "firsts": {rule: version for version, rule in reversed(differing)},
        "hypothetical_from": first.version if first else None,
        "scores": None if report.stop else was != now,
        "winners": None if report.stop else was["winners"] != now["winners"],
    }
    if first and differing[:1] != [(first.version, differing[0][1])]:
        return [f"{options}: the first difference is at {first.version}, not in {differing[:1]}"]
    values = {name: (getattr(found, name), value) for name, value in expected.items()}
    return [f"{options}: {name} {told}, not {value}" for name, (told, value) in values.items() if told != value]


def decided_alone(history: TableHistory, options: Mapping[str, Any]) -> Iterator[Differing | None]:
    """Each decision, taken again from the table before it: how it differs from the record, if it does."""
    tables = [None, *history.walk(1, history.table.version)]
    for batch in batches(history):
        if batch.played:
            yield _decided(batch, tables[batch.before], tables[batch.last], options)


def _decided(batch: Batch, before: Any, after: Any, options: Mapping[str, Any]) -> Differing | None:
    decider, version = Decider(after), batch.played[0].version
    in_force = decider.options({**msgspec.to_builtins(after.state.options), **options})
    if batch.moves:
        world = ReplayState(before.state, before.draws).under(in_force)
        corrected = corrected_moves(after.game, [event.payload for event in batch.corrections])
        again = decider.play_again(world, batch.moves, corrected)
        if again.refused:
            return version, again.refused.rule
        decided = again.new_events
    else:
        decided = decider.begin(in_force).new_events
    recorded = [as_of_today(after.game, event) for event in batch.played]
    found = compare(version, recorded, decided, ignore_options=bool(options))
    return (found.version, next(iter(found.rules), found.type)) if found else None


# Tables of random games


def random_reading(slug: str, rng: random.Random, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The ruling of a house rule, and another value of it than in these options."""
    option = rng.choice([option for option in GAMES[slug].options if len(option.values) > 1])
    return option.ruling, {option.name: rng.choice([one for one in option.values if one != options[option.name]])}


def some_table(slug: str, seed: int) -> tuple[TableHistory, dict[str, Any]]:
    """A table of any number of seats under any house rules, and another reading of one.

    At one of two tables people take moves back, or dispute the first ruling of which a reading changes.
    """
    rng = random.Random(f"{slug} {seed}")
    options, players = random_options(GAMES[slug], rng), rng.choice(GAMES[slug].players)
    with luck(f"impact {slug} {seed}"):
        court = Court()
        table = court.open_disputable(slug, " ".join(SEATS[:players]), options=options)
        if rng.random() < 1 / 2:
            _argue(court, table, rng, *random_reading(slug, rng, options))
        court.finish(table)
        return court.history(table), random_reading(slug, rng, options)[1]


def _argue(court: Court, table: str, rng: random.Random, rule: str, reading: Mapping[str, Any]) -> None:
    """Ann takes moves back, with Ben's consent where it is needed; or she disputes a ruling, and is right."""
    with suppress(NeverCameError, Refused):  # there was none until the game was over
        if rng.random() < 1 / 2:
            for _ in range(rng.randrange(40)):
                court.step(table)
            court.take_back(table, ANN)
            court.agree(table, BEN)
        else:
            ruling = court.play_until(table, court.changed_by(rule, reading))
            court.resolve(table, court.dispute(table, ANN, ruling, rule, reading), "overturned")
