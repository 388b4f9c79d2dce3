"""The package `wintercount`, the door for programs that use the games as a library."""

import copy
import doctest
import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import wintercount
from games.manitou.moves import PlayCard
from games.payloads import payload_of
from games.tomahawk.moves import DeclineForestLook
from wintercount import ArchiveRefused, Match, MoveRefused, OptionsRefused, games, read_archive, redecide

CORPUS = Path(__file__).parents[1] / "corpus"
DISPUTED = CORPUS / "big-manitou-5-disputed.ndjson.gz"


def test_its_examples_are_so() -> None:
    """Every example of the docstrings."""
    found = doctest.testmod(wintercount)
    assert found.attempted > 10
    assert found.failed == 0


def test_the_page_about_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The code of `docs/library.md`, with an archive of the corpus, and every public name."""
    page = (CORPUS.parent.parent / "docs" / "library.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    exec(code.replace("t_5f0c….ndjson", str(CORPUS / "big-manitou-2-uniform.ndjson.gz")), {})  # noqa: S102 - our own
    assert "Rank(rank=1" in capsys.readouterr().out
    assert {name for name in wintercount.__all__ if f"`{name}`" in page} == set(wintercount.__all__) - {"__version__"}


def test_every_name_is_there() -> None:
    """All that `__all__` promises is imported from where it lives; nothing else is."""
    assert all(getattr(wintercount, name) is not None for name in wintercount.__all__)
    assert set(wintercount.HOMES) == set(wintercount.__all__)
    with pytest.raises(AttributeError, match="chess"):
        _ = wintercount.chess


@pytest.mark.parametrize("slug", games)
def test_a_match_is_played_to_its_end(slug: str) -> None:
    """With the fewest players, and as many as may be; the same seed plays the same match."""
    for players in (games[slug].players[0], games[slug].players[-1]):
        one, other = (Match(games[slug], players, seed=3) for _ in range(2))
        for match in (one, other):
            while match.to_act:
                match.play(match.to_act[0], match.random_move(match.to_act[0]))
        assert one.events == other.events
        assert one.scores.winners
        assert one.events[-1].scores == one.scores.scores


def test_a_seat_is_told_what_it_may_read() -> None:
    """Of the party that seat 1 chooses, seat 1 reads the cards; seat 2 and a spectator do not."""
    match = Match(games["big-manitou"], players=2)
    (chosen,) = match.play(1, match.random_move(1))[:1]
    behind = len(match.events) - 1
    assert payload_of(match.feed(1)[behind])["cards"] == chosen.cards
    assert match.feed(2)[behind].cards is match.feed(None)[behind].cards is msgspec.UNSET
    assert match.view(1) != match.view(2)


@pytest.mark.parametrize("slug", games)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])  # noqa: S301 - our own
def test_a_copy_of_a_match_continues_on_its_own(slug: str, copied: Callable[[Any], Any]) -> None:
    """It has events of its own and the same luck: looking ahead in it does not change the match."""

    def play(match: Any) -> None:
        for _ in range(5):
            match.play(match.to_act[0], match.random_move(match.to_act[0]))

    match: Any = Match(games[slug], players=2, seed=5)
    play(match)
    before = match.events
    ahead, again = copied(match), copied(copied(match))
    play(ahead)
    assert match.events == before
    assert match.feed(1) == ahead.feed(1)[: len(before)]
    play(again)
    play(match)
    assert match.events == ahead.events == again.events


@pytest.mark.fault
def test_a_match_refuses_what_the_rules_forbid() -> None:
    """With the rule's number, and nothing has changed; unknown house rules and numbers of players are refused too."""
    match = Match(games["manitou"], players=2)
    state = match.state
    grounds: tuple[Any, ...] = (0, 7, True, "1", object())
    for move in ({"type": "castle"}, *[PlayCard("hunter-1", ground) for ground in grounds], DeclineForestLook()):
        with pytest.raises(MoveRefused, match=r"MA-4\.1a"):
            match.play(1, move)
    assert match.state is state
    with pytest.raises(OptionsRefused):
        Match(games["manitou"], players=2, options={"gravity": "none"})
    with pytest.raises(OptionsRefused):
        Match(games["manitou"], players=9)


def test_an_archive_is_read_at_any_version() -> None:
    """Views and feeds as they were; what there is not is said."""
    archive = read_archive(DISPUTED)
    assert archive.view(2, version=57) == archive.view(2, version=57) != archive.view(2)
    assert len(archive.feed(2, version=57)) < len(archive.feed(2))
    assert archive.events[56].version == 57
    with pytest.raises(LookupError, match="has not begun"):
        archive.view(2, version=1)
    with pytest.raises(LookupError, match=f"1 to {archive.version}"):
        archive.view(2, version=archive.version + 1)


def test_an_archive_is_read_whatever_its_name_is(tmp_path: Path) -> None:
    """What gzip has packed is known by its first bytes; what it has packed and was cut off is refused."""
    packed, plain, cut = (tmp_path / name for name in ("packed.ndjson", "plain.gz", "cut.gz"))
    packed.write_bytes(DISPUTED.read_bytes())
    plain.write_bytes(gzip.decompress(DISPUTED.read_bytes()))
    cut.write_bytes(DISPUTED.read_bytes()[:-100])
    assert read_archive(packed).events == read_archive(plain).events == read_archive(DISPUTED).events
    with pytest.raises(ArchiveRefused, match="cannot be unpacked"):
        read_archive(cut)


def test_an_archive_is_decided_again_under_another_reading() -> None:
    """The report names the first move that is refused then; without other house rules everything is as recorded."""
    archive = read_archive(CORPUS / "big-manitou-2-uniform.ndjson.gz")
    assert redecide(archive).same
    stop = redecide(archive, {"pair_attack_weaker": "illegal"}).stop
    assert stop
    assert (stop.version, stop.rule) == (84, "BM-4.5c")


def test_an_altered_archive_is_refused(tmp_path: Path) -> None:
    """One byte of it."""
    text = gzip.decompress(DISPUTED.read_bytes())
    altered = tmp_path / "altered.ndjson"
    altered.write_bytes(text.replace(b'"hunt":1', b'"hunt":2', 1))
    with pytest.raises(ArchiveRefused):
        read_archive(altered)
