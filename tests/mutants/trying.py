"""Mutants of a commit, made and tried by mutmut in a clone of it: the tree at work stays as it is."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path("var/mutants")
INSTALLED = Path(".venv/mutmut")
FEW = "events.times.*"  # a module of a few lines: with these all mutants are made, and each test is timed
VERDICT = re.compile(r"^ {4}(\S+): (.+)$", re.MULTILINE)  # a line of `mutmut results`
NOT_TRIED = "not checked"


class Mutants:
    """The mutants of a commit, in a clone beside those of other commits. `mutmut run` killed anywhere goes on."""

    def __init__(self, commit: str, folder: Path | None = None) -> None:
        self.commit, self.where = commit, ((folder or FOLDER) / commit).absolute()

    def prepare(self) -> None:
        """Clones the commit, makes all mutants, and finds out which tests reach which function."""
        if not self.where.exists():
            cloned = self.where.with_suffix(".new")
            subprocess.run(["git", "clone", "--quiet", "--shared", ".", str(cloned)], check=True)
            subprocess.run(["git", "-C", str(cloned), "checkout", "--quiet", "--detach", self.commit], check=True)
            cloned.rename(self.where)
        if not self.verdicts():
            self.tried([FEW])

    def verdicts(self) -> dict[str, str]:
        """What became of each mutant, by its name: `killed`, `survived`, `no tests`, `timeout`, `not checked` …"""
        told = self._mutmut("results", "--all", "true") if (self.where / "mutants").exists() else ""
        return dict(VERDICT.findall(told))

    def sample(self, count: int, seed: int) -> list[str]:
        """So many of them, the same ones for a commit and a seed."""
        names = sorted(self.verdicts())
        return random.Random(seed).sample(names, min(count, len(names)))

    def tried(self, names: list[str]) -> None:
        """Runs for each mutant the tests that reach its function, until one fails."""
        self._mutmut("run", "--max-children", str(os.cpu_count() or 1), *names)

    def difference(self, name: str) -> str:
        """What was changed, as a unified diff."""
        return self._mutmut("show", name).partition("\n")[2].strip()

    def _mutmut(self, *words: str) -> str:
        """What a command of mutmut prints; raises `RuntimeError` with its end if it fails."""
        path = os.pathsep.join(filter(None, [str(INSTALLED.absolute()), os.environ.get("PYTHONPATH")]))
        ran = subprocess.run(
            [sys.executable, "-m", "mutmut", *words],
            cwd=self.where,
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            raise RuntimeError(f"mutmut {words[0]}: {ran.stdout[-2000:]}{ran.stderr[-2000:]}")
        return ran.stdout
