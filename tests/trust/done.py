"""What was done of the campaigns, a line a slice, for each commit in a file of its own: no two are mixed.

The files are results and are committed as such, so that a campaign of hours goes on in any clone.
"""

import subprocess
from pathlib import Path

import msgspec

FOLDER = Path("benchmarks/results/trust")
SCRATCH = Path("var/trust")  # for what slices write beside what they say
RESULTS = ":(exclude)benchmarks/results"
LAST_LINES = 12


class Slice(msgspec.Struct, frozen=True):
    """A slice of a campaign as it ended: how many it tried, whether none was a fault, and the end of what it said."""

    campaign: str
    number: int
    command: str
    tried: int
    is_whole: bool
    seconds: float
    told: list[str]


class Done:
    """The slices that were made of a commit."""

    def __init__(self, commit: str, folder: Path = FOLDER) -> None:
        self.commit, self.folder = commit, folder
        self.path = folder / f"{commit}.jsonl"
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        self.slices = [msgspec.json.decode(line, type=Slice) for line in lines]

    def of(self, campaign: str) -> list[Slice]:
        """The slices of a campaign."""
        return [found for found in self.slices if found.campaign == campaign]

    def tried(self, campaign: str) -> int:
        """How many were tried in a campaign."""
        return sum(found.tried for found in self.of(campaign))

    def add(self, found: Slice) -> None:
        """A slice has ended."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(found) + b"\n")
        self.slices.append(found)


def commit_at_work() -> str:
    """The commit whose code runs: the last that changed more than results.

    Raises `ValueError` if files differ from it, as nobody could say what was tried.
    """
    if changed := _git("status", "--porcelain", "--untracked-files=no", "--", ".", RESULTS):
        files = ", ".join(line.split()[-1] for line in changed.splitlines())
        raise ValueError(f"commit first: {files} would not be told")
    return _git("log", "-1", "--first-parent", "--format=%H", "--", ".", RESULTS)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.strip()
