"""The page of results: what each campaign tried, what it found, and what is missing of what was asked for."""

from pathlib import Path

from benchmarks.machine import how_players_run, processor
from tests.trust.campaigns import CAMPAIGNS, Campaign
from tests.trust.done import Done, Slice

PAGE = Path("benchmarks/results/trust.md")
HEAD = """# Campaigns of trust

`make trust` made this page: commit {commit}, {processor}, AI players {how}. Its slices are in
`benchmarks/results/trust/`; one that found a fault can be run alone by its command.

| campaign | tried | of | what it shows | slices with faults | hours |
| --- | ---: | ---: | --- | ---: | ---: |
"""


def written(done: Done, path: Path = PAGE) -> None:
    """Writes the page."""
    head = HEAD.format(commit=done.commit[:10], processor=processor(), how=how_players_run())
    rows = [_row(campaign, done) for campaign in CAMPAIGNS.values()]
    path.write_text(head + "".join(rows) + _faults(done) + _missing(done), encoding="utf-8")


def _row(campaign: Campaign, done: Done) -> str:
    found = done.of(campaign.name)
    faults, hours = sum(not one.is_whole for one in found), sum(one.seconds for one in found) / 3600
    return (
        f"| {campaign.name} | {done.tried(campaign.name):,} | {campaign.whole:,} {campaign.unit} | {campaign.shows} "
        f"| {faults} of {len(found)} | {hours:.2f} |\n"
    )


def _faults(done: Done) -> str:
    faulty = [one for one in done.slices if not one.is_whole]
    return "\n## Faults\n\n" + ("".join(map(_fault, faulty)) or "None.\n")


def _fault(found: Slice) -> str:
    told = "\n".join(found.told)
    return f"`python -m {found.command}`\n\n```\n{told}\n```\n\n"


def _missing(done: Done) -> str:
    short = [one for one in CAMPAIGNS.values() if done.tried(one.name) < one.whole]
    lines = [f"- {one.name}: {one.whole - done.tried(one.name):,} {one.unit}\n" for one in short]
    return "\n## Missing of whole campaigns\n\n" + ("".join(lines) or "Nothing.\n")
