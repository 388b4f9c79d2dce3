"""The words of a game: a sentence for every event, ruling and move, whatever its reader may know."""

from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import TemplateError

from games.kernel import AnyGame
from games.payloads import as_read, event_type, payload_of
from rulings import sentences
from wintercount.testing.played import games_of, plain

TRACES = ("{{", "{%", "}}", "None", "Undefined", "True", "False", "['", "[]", "  ")


def everything_has_words(game: AnyGame) -> None:
    """Every event, ruling and move has a sentence in each language that `words/` has, whatever its reader may know."""
    for language in sentences.LANGUAGES:
        if any(sentences.vocabulary(game.slug, language).values()):
            _types_have_words(game, language)
            everything_reads_well(game.slug, language)


def _types_have_words(game: AnyGame, language: str) -> None:
    table, events = sentences.vocabulary(game.slug, language), {event_type(kind): kind for kind in game.events}
    types = {"events": {*events}, "moves": {str(kind.__struct_config__.tag) for kind in game.moves}}
    for name, wanted in types.items():
        other = sorted(table[name].keys() ^ wanted)
        assert not other, f"words/{language}.toml, [{name}]: has no words for these, or they are no types: {other}"
    deciding = {name for name, kind in events.items() if "rules" in kind.__struct_fields__}
    assert table["rulings"].keys() <= deciding, f"words/{language}.toml, [rulings]: those of {sorted(deciding)} alone"


def everything_reads_well(slug: str, language: str) -> None:
    """What happens in some games reads well to everybody: no field is missing, and no trace of a template is left."""
    for name, payload in read_by_all(slug):
        said = _said(sentences.sentence, slug, name, payload, language)
        explained = _said(sentences.explanation, slug, name, payload, language)
        assert len(explained) >= len(said) or "rules" in payload, (name, explained)
    for outcomes in outcomes_of(slug):
        told = [_said(sentences.sentence, slug, *outcome, language) for outcome in outcomes]
        assert len({*told}) == len(told), f"outcomes of an adjudication that read alike: {told}"
    for move in {type(step.move): step.move for played in games_of(slug) for step in played.steps[1:]}.values():
        _said(sentences.move_words, slug, plain(move), language)


def _said(put_into_words: Callable[..., str], slug: str, *about: Any) -> str:
    """Returns a text without a trace of what it was made from; raises `AssertionError` for any other."""
    try:
        said = put_into_words(slug, *about)
    except TemplateError as error:
        raise AssertionError(f"words of {slug}: {error}, in {about}") from None
    assert said == said.strip() != "", about
    assert not any(trace in said for trace in TRACES), (said, about)
    return said


@cache
def read_by_all(slug: str) -> list[tuple[str, dict[str, Any]]]:
    """Events of those games as somebody reads them, each different set of fields and values of a type once."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for played in games_of(slug):
        for event, readers in zip(played.events, played.readers, strict=True):
            for read in [event, *(as_read(event, readers, seat) for seat in played.observers)]:
                payload = plain(payload_of(read))
                found.setdefault(_outline(payload, event_type(type(event))), (event_type(type(event)), payload))
    return list(found.values())


@cache
def outcomes_of(slug: str) -> list[list[tuple[str, dict[str, Any]]]]:
    """Adjudications of those games, each before the other outcomes that it could have had."""
    found = []
    for played in games_of(slug):
        for state, event in zip(played.states, played.events, strict=False):
            if others := played.game.outcomes(state, event):
                found.append([(event_type(type(one)), plain(payload_of(one))) for one in (event, *others)])
    return found


def _outline(payload: dict[str, Any], name: str) -> str:
    """What a template may distinguish: which fields there are, which are null or empty, and which words they hold."""
    parts = sorted(f"{key}={value if isinstance(value, str | bool) else bool(value)}" for key, value in payload.items())
    return f"{name} {' '.join(parts)} {payload.get('rules')}"
