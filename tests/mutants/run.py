"""Changes the code a little, one change at a time, and asks whether a test notices: `python -m tests.mutants.run`.

Stopped at any moment, the next run of the same commit goes on.
"""

from pathlib import Path

import click

from tests.mutants.page import PAGE, written
from tests.mutants.trying import NOT_TRIED, Mutants
from tests.trust.done import commit_at_work


@click.command()
@click.option("--sample", "count", default=1000, show_default=True, help="Of all mutants.")
@click.option("--seed", default=1, show_default=True, help="Draws the sample.")
@click.option("--minutes", type=float, help="Stop after so long; of a new commit ten go by before the first.")
@click.option("--page", type=click.Path(path_type=Path), default=PAGE, show_default=True, help="Where it is told.")
def main(count: int, seed: int, minutes: float | None, page: Path) -> None:
    """Tries what is missing of a sample of mutants, and writes the page of results."""
    try:
        mutants = Mutants(commit_at_work())
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    mutants.prepare()
    sample, verdicts = mutants.sample(count, seed), mutants.verdicts()
    if missing := [name for name in sample if verdicts[name] == NOT_TRIED]:
        mutants.tried(missing, minutes and minutes * 60)
        mutants.keep()
    written(mutants, seed, sample, page)


if __name__ == "__main__":
    main()
