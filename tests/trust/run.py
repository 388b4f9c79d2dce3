"""Runs the campaigns slice by slice, by turns: `python -m tests.trust.run --minutes 60`.

Each slice is a process of its own and is written down when it has ended: stopped at any moment, the next run goes on.
"""

import subprocess
import sys
import time
from collections.abc import Iterator

import click
from tqdm import tqdm

from tests.trust.campaigns import CAMPAIGNS, Campaign
from tests.trust.done import LAST_LINES, SCRATCH, Done, Slice, commit_at_work
from tests.trust.page import written


def sliced(campaign: Campaign, done: Done) -> Slice:
    """Makes the next slice of a campaign."""
    number = len(done.of(campaign.name))
    SCRATCH.mkdir(parents=True, exist_ok=True)
    words = campaign.command(number, SCRATCH)
    began = time.monotonic()
    ran = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False)
    told = f"{ran.stderr if ran.returncode else ''}\n{ran.stdout}"  # what was found comes last, behind any progress
    lines = [line for line in told.splitlines() if line.strip()][-LAST_LINES:]
    tried, seconds = campaign.count_in(f"{ran.stdout}\n{ran.stderr}"), time.monotonic() - began
    return Slice(campaign.name, number, " ".join(words), tried, ran.returncode == 0, round(seconds, 1), lines)


def by_turns(campaigns: list[Campaign], done: Done, share: float) -> Iterator[Campaign]:
    """Campaigns that are not whole yet, by turns, until all are; a slice that says no count is the last of its own."""
    open_ = list(campaigns)
    while open_:
        for campaign in list(open_):
            found = done.of(campaign.name)
            if done.tried(campaign.name) >= campaign.whole * share or (found and not found[-1].tried):
                open_.remove(campaign)
            else:
                yield campaign


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(CAMPAIGNS)), help="These campaigns alone.")
@click.option("--share", default=1.0, show_default=True, help="Of a whole campaign of each.")
@click.option("--minutes", type=float, help="Begin no slice after so long.")
def main(only: tuple[str, ...], share: float, minutes: float | None) -> None:
    """Makes what is missing of the campaigns, and writes benchmarks/results/trust.md."""
    try:
        done = Done(commit_at_work())
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    wanted = [CAMPAIGNS[name] for name in only or CAMPAIGNS]
    ends = time.monotonic() + minutes * 60 if minutes else float("inf")
    with tqdm(total=sum(int(one.whole * share) for one in wanted), unit="") as bar:
        bar.update(sum(done.tried(one.name) for one in wanted))
        for campaign in by_turns(wanted, done, share):
            if time.monotonic() > ends:
                break
            bar.set_description(campaign.name)
            done.add(found := sliced(campaign, done))
            written(done)
            bar.update(found.tried)
            if not found.is_whole:
                bar.write(f"a fault: python -m {found.command}\n" + "\n".join(found.told))
    sys.exit(not all(found.is_whole for found in done.slices))


if __name__ == "__main__":
    main()
