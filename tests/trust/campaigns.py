"""The campaigns: what each shows, how much of it makes a whole one, and the command of a slice."""

import re
from pathlib import Path
from typing import NamedTuple

from games import GAMES


class Campaign(NamedTuple):
    """Something that is tried so often that one may believe what it shows.

    A slice is `module` run with a size and a seed that no other slice has; it exits with 0 if it found no fault.
    `counted` finds in what it prints how many there were (of each game, or kind of acknowledgement, `slice`); `whole`
    make a campaign.
    """

    name: str
    shows: str
    unit: str
    whole: int
    slice: int
    module: str
    words: str
    counted: str

    def command(self, number: int, folder: Path) -> list[str]:
        """The words of a slice behind `python -m`; what it writes goes to the folder."""
        words = self.words.format(count=self.slice, seed=number * self.slice, folder=folder)
        return [self.module, *words.split()]

    def count_in(self, told: str) -> int:
        """How many a slice says it had; 0 if it does not say."""
        return sum(int(found.replace(",", "")) for found in re.findall(self.counted, told, re.MULTILINE))


def _laws(slug: str) -> Campaign:
    title = GAMES[slug].title
    return Campaign(
        f"laws-{slug}",
        f"{title} keeps every law at any number of seats under any house rules",
        "games",
        10_000,
        500,
        "tests.games.run_laws",
        f"--only {slug} --games {{count}} --seed {{seed}}",
        r"(\d+) games \{",
    )


CAMPAIGNS = {
    campaign.name: campaign
    for campaign in (
        *map(_laws, GAMES),
        Campaign(
            "plays",
            "games that were recorded are decided today as they were, to the last secret",
            "plays",
            len(GAMES) * 2000,
            250,
            "tests.corpus.replay",
            "--games {count} --seed {seed}",
            r"(\d+) plays, ",
        ),
        Campaign(
            "worlds",
            "what an AI player imagines in late moments of Plenty Coups agrees with all that was seen",
            "moments",
            10_000,
            500,
            "tests.games.plenty_coups.run_worlds",
            "--moments {count} --seed {seed}",
            r"of (\d+) moments",
        ),
        Campaign(
            "twins",
            "no AI player of any level plays otherwise for what its seat cannot know",
            "pairs of worlds",
            2000,
            20,
            "tests.worker.run_twins",
            "--positions {count} --seed {seed}",
            r"(\d+) positions",
        ),
        Campaign(
            "pairs",
            "what an observer may not know changes no byte of any answer, stream, line or figure that he gets",
            "pairs of worlds",
            20_000,
            5000,
            "tests.service.api.run_pairs",
            "--pairs {count} --seed {seed}",
            r"^(\d+) pairs of worlds, ",
        ),
        Campaign(
            "leaks",
            "each leak that is planted by hand is seen",
            "leaks",
            30,
            30,
            "tests.service.api.run_leaks",
            "",
            r"(\d+) of \d+ caught",
        ),
        Campaign(
            "forgeries",
            "each alteration of an archive, hashed anew, is found, but for what nothing can find (docs/log.md)",
            "alterations",
            10_000,
            500,
            "tests.forgeries.campaign",
            "--share 0.007 --seed {seed}",
            r"(\d+) forgeries, ",
        ),
        Campaign(
            "kills",
            "nothing acknowledged is lost, torn or doubled if any process is killed at any moment",
            "kills",
            1000,
            50,
            "tests.chaos.run",
            "--kills {count} --seed {seed}",
            r": (\d+) kills \{",
        ),
        Campaign(
            "appends",
            "no event that the log acknowledged is lost, torn, doubled or out of order if its server is killed",
            "events",
            1_000_000,
            50_000,
            "tests.chaos.run_appends",
            "--events {count} --seed {seed}",
            r"^seed \d+: (\d+) events in ",
        ),
        Campaign(
            "replies",
            "each move is made once if answers are lost, cut or late and requests arrive twice, at web and store",
            "replies",
            100_000,
            5000,
            "tests.chaos.run_replies",
            "--replies {count} --seed {seed}",
            r": (\d+) replies \{",
        ),
        Campaign(
            "histories",
            "what many devices see of a table at the same time can have happened one after the other (linearizable)",
            "histories",
            1000,
            50,
            "tests.chaos.run_histories",
            "--histories {count} --seed {seed}",
            r": (\d+) histories, ",
        ),
        Campaign(
            "hours",
            "wrong clocks put off no deadline and no AI turn for longer than they are wrong",
            "hours",
            72,
            12,
            "tests.worker.run_hours",
            "--hours {count} --seed {seed}",
            r": (\d+) hours, ",
        ),
        Campaign(
            "requests",
            "whatever is sent, the answer is one that the OpenAPI document promises, and none is of 5xx",
            "requests",
            200_000,
            10_000,
            "tests.service.api.run_requests",
            "--requests {count} --seed {seed}",
            r"^seed \d+: (\d+) requests",
        ),
        Campaign(
            "failovers",
            "a cluster keeps what a replica has, and tells what it lost, whatever befalls its nodes",
            "faults",
            200,
            4,
            "tests.chaos.run_cluster",
            "--kills {count} --seed {seed} --output {folder}/cluster.md",
            r": (\d+) faults, ",
        ),
    )
}
