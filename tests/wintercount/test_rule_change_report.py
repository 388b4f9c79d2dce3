"""What a change of rules would have done to games already played, from the command line and in the register."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from events.store import RedisLog
from games import GAMES
from rulings.archive_format import ArchiveRefused, lines, read_columns
from service.tables.archive_transfer import import_archive
from tests import corpus
from tests.long import quick_first
from tests.tables import Visit
from tests.wintercount.impacts import disagreements, some_table
from wintercount.cli import main as cli

NAME = "big-manitou-3-uniform"
OTHER = "big-manitou-2-uniform"
ARCHIVES = [str(corpus.path_of(name)) for name in (NAME, OTHER)]
REST = ("-o", "runner_up_share=rest")


def run(*words: str, **environment: str) -> Result:
    """What `wintercount impact` answers to these words."""
    return CliRunner().invoke(cli.main, ["impact", "--processes", "1", *words], env=environment)


def answered(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def test_it_tells_by_rule_what_differs_and_where() -> None:
    """Given two games, one with a tie for a large herd; when another share is asked for; then one decision differs."""
    table = corpus.history_of(NAME).table.id
    assert run(*ARCHIVES, *REST).stdout.splitlines() == [
        "195 decisions of 2 games decided again",
        "differing decisions: 1; games: 1",
        "games with other scores: 0; another winner: 0",
        "games that could not go on, as a rule refuses a later move: 1",
        "What follows a difference is hypothetical: the players decided in another situation.",
        f"  BM-5.7: decisions: 1, games: 1; first at version 62 of {table}: http://127.0.0.1:8000/#/tables/{table}/61",
    ]


def test_the_code_installed_here_decides_as_it_was_recorded() -> None:
    assert answered(run(*map(str, corpus.FOLDER.glob("*.ndjson.gz")), "--json"))["decisions_that_differ"] == 0


@corpus.by_name
def test_it_agrees_with_readjudication(name: str) -> None:
    """With each value of each house rule: every decision, the scores and the winners."""
    history = corpus.history_of(name)
    readings = [{option.name: value} for option in history.table.game.options for value in option.values]
    assert [told for options in ({}, *readings) for told in disagreements(history, options)] == []


@pytest.mark.parametrize("seed", quick_first(range(8), quick=2))
@pytest.mark.parametrize("slug", GAMES)
def test_it_agrees_on_random_tables(slug: str, seed: int) -> None:
    """`python -m tests.campaigns impact` asks it of many more."""
    assert disagreements(*some_table(slug, seed)) == []


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Given a run that was killed while it wrote; when it is started again; then it decides only what is missing."""
    out = tmp_path / "results.jsonl"
    whole = answered(run(*ARCHIVES, *REST, "--out", str(out), "--json"))
    kept = out.read_bytes()
    out.write_bytes(kept[:-40])
    assert answered(run(*ARCHIVES, *REST, "--out", str(out), "--json")) == whole
    assert sorted(out.read_bytes().splitlines()) == sorted(kept.splitlines())
    other = run(*ARCHIVES, "--out", str(out))
    assert (other.exit_code, "has the answers to another question" in other.output) == (1, True)


@pytest.mark.parametrize(("on", "status"), [("decision", 1), ("score", 1), ("winner", 1)])
def test_the_exit_status_tells_whether_something_differs(on: str, status: int) -> None:
    """Where play cannot go on, nobody can say that scores and winners are the same."""
    assert run(*ARCHIVES, *REST, "--fail-on", on).exit_code == status
    assert run(*ARCHIVES, "--fail-on", on).exit_code == 0


def test_tables_are_chosen_by_game_and_time(tmp_path: Path) -> None:
    every = [str(path) for path in corpus.FOLDER.glob("*.ndjson.gz")]
    found = answered(run(*every, "--game", "tomahawk", "--since", "2026-01-01T00:00:00Z", "--json"))
    assert found["games"] == sum(name.startswith("tomahawk") for name in corpus.NAMES)
    assert answered(run(*every, "--since", "2036-01-01T00:00:00Z", "--json"))["games"] == 0


def test_a_page_shows_the_summary(tmp_path: Path) -> None:
    page = tmp_path / "impact.html"
    run(*ARCHIVES, *REST, "--page", str(page), "--site", "https://games.example/")
    text = page.read_text(encoding="utf-8")
    table = corpus.history_of(NAME).table.id
    assert f'<a href="https://games.example/#/tables/{table}/61">event 62 of {table}</a>' in text
    assert "runner_up_share=rest" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "name archives, or use --archive, --dump or --all"),
        ((*ARCHIVES, "-o", "no_such_rule=1"), "no game has the house rule 'no_such_rule'"),
        ((*ARCHIVES, "--game", "chess"), "there is no game 'chess'"),
        ((*ARCHIVES, "--since", "yesterday"), "--since: "),
    ],
)
def test_a_wrong_question_is_refused(words: tuple[str, ...], sentence: str) -> None:
    result = run(*words)
    assert result.exit_code != 0
    assert sentence in result.output


def test_what_cannot_be_decided_is_told(tmp_path: Path) -> None:
    """And a value that the game does not have, table by table."""
    broken = tmp_path / "broken.ndjson"
    broken.write_text("{}\n")
    found = answered(run(str(broken), ARCHIVES[0], "-o", "runner_up_share=none", "--json"))
    reasons = sorted(one["reason"] for one in found["not_decided"])
    assert reasons[0].startswith("OptionValueRefused: `runner_up_share` is one of ")
    assert reasons[1].startswith("it cannot be read: ")


def test_all_tables_of_a_store_are_decided_and_the_register_counts_them(
    valkey_log: RedisLog, valkey_url: str, tmp_path: Path
) -> None:
    """Each once, running ones passed over."""
    visit = Visit(valkey_log)
    for name in (NAME, "tomahawk-2-greedy"):
        import_archive(visit.handler, corpus.lines_of(name))
    visit.open("manitou", "ann open")
    settings = {"WINTERCOUNT_REDIS_URL": valkey_url, "WINTERCOUNT_DATA": str(tmp_path)}
    assert answered(run("--all", "--json", **settings))["games"] == 2
    counted = answered(run("--register", "--json", **settings, WINTERCOUNT_DUMPS=str(tmp_path / "dumps")))["games"]
    assert set(counted) == {"big-manitou", "tomahawk"}
    assert counted["big-manitou"]["runner_up_share"]['"rest"'] == {"games": 1, "differ": 1, "winners": 0, "cut_off": 1}
    assert sum(map(len, counted["big-manitou"].values())) == sum(
        len(option.values) - 1 for option in GAMES["big-manitou"].options
    )


@pytest.mark.parametrize("name", ["manitou-4-greedy", "plenty-coups-3-corrected"])
def test_an_archive_is_read_unchecked_as_it_is_read_checked(name: str) -> None:
    """The same bytes again, from a packed table as from lines."""
    history = corpus.history_of(name)
    assert read_columns(lines(history, None, over=True)) == read_columns(corpus.lines_of(name))
    with pytest.raises(ArchiveRefused):
        read_columns([])
