"""Changes the code a little, one change at a time, and asks whether a test notices: `python -m tests.mutants.run`.

Stopped at any moment, the next run of the same commit goes on.
"""

import time
from pathlib import Path

import click
from tqdm import tqdm

from tests.mutants.page import PAGE, written
from tests.mutants.trying import NOT_TRIED, Mutants
from tests.trust.done import commit_at_work

SLICE = 25  # mutants that are tried by one run of mutmut, after which the page is written


@click.command()
@click.option("--sample", "count", default=1000, show_default=True, help="Of all mutants.")
@click.option("--seed", default=1, show_default=True, help="Draws the sample.")
@click.option("--minutes", type=float, help="Begin no slice after so long.")
@click.option("--page", type=click.Path(path_type=Path), default=PAGE, show_default=True, help="Where it is told.")
def main(count: int, seed: int, minutes: float | None, page: Path) -> None:
    """Tries what is missing of a sample of mutants, and writes the page of results."""
    ends = time.monotonic() + minutes * 60 if minutes else float("inf")
    try:
        mutants = Mutants(commit_at_work())
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    click.echo("Making mutants, and looking which tests reach what (half an hour for a new commit) …")
    mutants.prepare()
    sample, verdicts = mutants.sample(count, seed), mutants.verdicts()
    missing = [name for name in sample if verdicts[name] == NOT_TRIED]
    with tqdm(total=len(sample), initial=len(sample) - len(missing), unit=" mutants") as bar:
        for first in range(0, len(missing), SLICE):
            if time.monotonic() > ends:
                break
            mutants.tried(some := missing[first : first + SLICE])
            written(mutants, seed, sample, page)
            bar.update(len(some))


if __name__ == "__main__":
    main()
