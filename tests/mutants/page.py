"""The page of results: how many of a sample of mutants the tests notice, and those that they do not."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.chances import wilson
from benchmarks.machine import processor
from tests.mutants.trying import NOT_TRIED, Mutants

PAGE = Path("benchmarks/results/mutants.md")
NOTICED = ("killed", "timeout", "segfault")
PARTS = ("games", "events", "projections", "service")
HEAD = """# Mutants

`make mutants` made this page: commit {commit}, {processor}. Tried were {tried:,} of a sample of {sample:,} that
seed {seed} drew from {all:,} mutants. One is noticed if a test that reaches its function fails, or goes on for ever.
Those whose tests are quick are tried first, so a part of a sample says less than its intervals.

| what is changed | tried | noticed | % (95 % interval) | survived | reached by no test |
| --- | ---: | ---: | --- | ---: | ---: |
"""


def written(mutants: Mutants, seed: int, sample: Sequence[str], path: Path) -> None:
    """Writes the page."""
    verdicts = mutants.verdicts()
    tried = {name: verdicts[name] for name in sample if verdicts[name] != NOT_TRIED}
    head = HEAD.format(
        commit=mutants.commit[:10],
        processor=processor(),
        tried=len(tried),
        sample=len(sample),
        seed=seed,
        all=len(verdicts),
    )
    rows = [_row(part, _of(part, tried)) for part in PARTS]
    path.write_text(head + "".join([*rows, _row("all", tried), *_unnoticed(mutants, tried)]), encoding="utf-8")


def _of(part: str, tried: Mapping[str, str]) -> dict[str, str]:
    return {name: verdict for name, verdict in tried.items() if name.startswith(f"{part}.")}


def _row(title: str, tried: Mapping[str, str]) -> str:
    found = Counter(tried.values())
    noticed = sum(found[verdict] for verdict in NOTICED)
    share = "–"
    if tried:
        low, high = wilson(noticed / len(tried), len(tried))
        share = f"{100 * noticed / len(tried):.1f} ({100 * low:.1f} to {100 * high:.1f})"
    return f"| {title} | {len(tried)} | {noticed} | {share} | {found['survived']} | {found['no tests']} |\n"


def _unnoticed(mutants: Mutants, tried: Mapping[str, str]) -> Iterator[str]:
    """Each mutant that no test noticed, with what it changes."""
    yield "\n## Not noticed\n"
    for name in sorted(name for name, verdict in tried.items() if verdict not in NOTICED):
        yield f"\n`{name}`: {tried[name]}\n\n```diff\n{mutants.difference(name)}\n```\n"
