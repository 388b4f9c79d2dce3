"""`make trust`: slices by turns, nothing twice, faults told with the command that shows them again."""

import importlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.trust import run
from tests.trust.campaigns import CAMPAIGNS, Campaign
from tests.trust.done import Done, commit_at_work
from tests.trust.page import written

TRIES = Campaign("tries", "that it tries", "tries", 10, 4, "json.tool", "", r"")
CODE = "import sys; print(f'{sys.argv[2]} tries'); sys.exit(int(sys.argv[1]))"


def tries(name: str, status: int) -> Campaign:
    """A campaign of ten, four at once; its module is a file that ends with this status."""
    return TRIES._replace(name=name, module="tried", words=f"{status} {{count}}", counted=r"(\d+) tries")


@pytest.fixture
def done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Done:
    (tmp_path / "tried.py").write_text(CODE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(run, "SCRATCH", tmp_path / "scratch")
    return Done("0f1e2d3c4b5a", tmp_path / "trust")


def test_slices_go_by_turns_until_all_are_whole(done: Done) -> None:
    """Ten are tried in slices of four: three slices each."""
    campaigns = [tries("good", 0), tries("bad", 1)]
    for campaign in run.by_turns(campaigns, done, 1.0):
        done.add(run.sliced(campaign, done))
    assert [found.campaign for found in done.slices] == ["good", "bad"] * 3
    assert (done.tried("good"), done.tried("bad")) == (12, 12)
    assert list(run.by_turns(campaigns, done, 1.0)) == []
    assert [found.is_whole for found in done.of("bad")] == [False] * 3


def test_another_run_goes_on(done: Done) -> None:
    """Of the same commit alone, and with other seeds."""
    campaign = tries("good", 0)._replace(words="0 {count} {seed}")
    done.add(run.sliced(campaign, done))
    again = Done(done.commit, done.folder)
    assert again.slices == done.slices
    again.add(run.sliced(campaign, again))
    assert [found.command for found in again.slices] == ["tried 0 4 0", "tried 0 4 4"]
    assert Done("another", done.folder).slices == []


def test_the_commit_at_work_is_the_last_that_changed_more_than_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So what was tried may be committed, and goes on. A merge is one if it brought code; changed code is refused."""
    monkeypatch.chdir(tmp_path)
    results = tmp_path / "benchmarks/results/page.md"
    results.parent.mkdir(parents=True)

    def git(*words: str) -> str:
        who = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
        return subprocess.run(["git", *who, *words], capture_output=True, text=True, check=True).stdout.strip()

    def committed(path: Path) -> str:
        path.write_text(str(path))
        git("add", ".")
        git("commit", "-qm", path.name)
        return git("rev-parse", "HEAD")

    git("init", "-qb", "main")
    first = committed(tmp_path / "one.py")
    committed(results)
    assert commit_at_work() == first
    results.write_text("further")
    assert commit_at_work() == first
    git("checkout", "-q", ".")
    git("checkout", "-qb", "side", first)
    committed(tmp_path / "two.py")
    git("checkout", "-q", "main")
    git("merge", "-q", "--no-edit", "side")
    assert commit_at_work() == git("rev-parse", "HEAD")
    (tmp_path / "two.py").write_text("changed")
    with pytest.raises(ValueError, match=r"commit first: two\.py would"):
        commit_at_work()


def test_a_slice_that_says_no_count_is_the_last(done: Done) -> None:
    """Else it would be made for ever."""
    campaign = tries("mute", 0)._replace(counted=r"(\d+) never said")
    done.add(run.sliced(campaign, done))
    assert list(run.by_turns([campaign], done, 1.0)) == []


def test_the_page_tells_faults_and_what_is_missing(done: Done, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command of each faulty slice, and its last words."""
    bad = tries("bad", 1)
    monkeypatch.setattr("tests.trust.page.CAMPAIGNS", {"bad": bad})
    done.add(run.sliced(bad, done))
    written(done, tmp_path / "page.md")
    told = (tmp_path / "page.md").read_text()
    assert "| bad | 4 | 10 tries | that it tries | 1 of 1 |" in told
    assert "`python -m tried 1 4`\n\n```\n4 tries\n```" in told
    assert "- bad: 6 tries" in told


@pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=CAMPAIGNS)
def test_a_campaign_names_a_command_that_is_there(campaign: Campaign) -> None:
    """And options that its module has."""
    module, *words = campaign.command(1, Path("folder"))
    text = Path(importlib.import_module(module).__file__ or "").read_text()
    assert all(f'"{word}"' in text for word in words if word.startswith("--"))
    assert re.compile(campaign.counted).groups == 1
    assert campaign.whole >= campaign.slice > 0


def test_every_slice_has_a_seed_of_its_own() -> None:
    """Games that were tried are not tried again, as far as a slice has a seed at all."""
    for campaign in CAMPAIGNS.values():
        commands = {json.dumps(campaign.command(number, Path())) for number in range(5)}
        assert len(commands) == (5 if "{seed}" in campaign.words else 1)
