"""Many random requests: `python -m tests.service.api.run_requests --requests 20000 --seed 3`.

What is asked of the answers is what the tests of the document ask; here it is counted, and other requests are made up
for each seed.
"""

import contextlib
import random
import sys

import click

from service.accounts.callers import OWN_SCOPES
from tests.service.api.schemathesis_runs import ENDS_THE_ACCOUNT, FOR_PEOPLE, Run, failures, requests_in, some_tables
from tests.service.api.world import ADMIN, World, embedded_store
from tests.service.web import serving

EXAMPLES = 10  # of each operation in one run: so many that each phase has some
UNBOUNDED = {name: str(10**9) for name in ("READS", "QUESTIONS", "CHANGES", "OPEN_TABLES", "ACCOUNTS", "AI_SEATS")}


@click.command()
@click.option("--requests", default=20_000, show_default=True, help="At least so many.")
@click.option("--seed", default=lambda: random.randrange(1 << 16), type=int, help="Of what is made up.")
def main(requests: int, seed: int) -> None:
    """Sends random requests to a web server in runs, in turn by an operator and by people, until they are enough."""
    sent, found = 0, list[str]()
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(embedded_store())
        world = stack.enter_context(contextlib.closing(World(url)))
        address = stack.enter_context(serving(url, ADMIN_TOKEN=ADMIN, **UNBOUNDED))
        for number in range(requests):
            events = _run(world, number, seed).asked(address)
            sent += requests_in(events)
            found += [failure for event in events for failure in failures(event)]
            click.echo(f"run {number} of seed {seed}: {sent} so far, {len(found)} faults", err=True)
            if sent >= requests:
                break
    click.echo(f"seed {seed}: {sent} requests, {len(found)} faults")
    for fault in found:
        click.echo(fault)
    sys.exit(bool(found))


def _run(world: World, number: int, seed: int) -> Run:
    """The operator may do most, people what the operator cannot."""
    if number % 2 == 0:
        known = {"player": [str(world.somebody().player)]}
        return Run(world, world.operator, EXAMPLES, some_tables(world, world.operator), known, seed=seed + number)
    ann, bob = world.somebody(scopes=list(OWN_SCOPES)), world.somebody("Bob")
    known = {"player": [str(bob.player)]}
    tables = some_tables(world, ann)
    return Run(world, ann, EXAMPLES, tables, known, only=FOR_PEOPLE, never=ENDS_THE_ACCOUNT, seed=seed + number)


if __name__ == "__main__":
    main()
