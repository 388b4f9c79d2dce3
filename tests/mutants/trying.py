"""Mutants of a commit, made and tried by mutmut in a clone of it: the tree at work stays as it is.

What became of them is kept beside the results as well, and is committed with them: a sample of hours goes on anywhere.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path("var/mutants")
RESULTS = Path("benchmarks/results/mutants")
INSTALLED = Path(".venv/mutmut")
COMMAND = Path(__file__).with_name("hastened.py")
FEW = "events.times.*"  # a module of a few lines: with these all mutants are made, and each test is timed
VERDICT = re.compile(r"^ {4}(\S+): (.+)$", re.MULTILINE)  # a line of `mutmut results`
NOT_TRIED = "not checked"
AT_ONCE = 2 * (os.cpu_count() or 1)  # mutants: those that hang take no processor, and many tests wait for a store


class Mutants:
    """The mutants of a commit, in a clone beside those of other commits. `mutmut run` killed anywhere goes on."""

    def __init__(self, commit: str, folder: Path | None = None) -> None:
        self.commit, self.where = commit, ((folder or FOLDER) / commit).absolute()
        self.results = RESULTS.absolute() / f"{commit}.json"

    def prepare(self) -> None:
        """Clones the commit, makes all mutants, and finds out which tests reach which function."""
        if not self.where.exists():
            cloned = self.where.with_suffix(".new")
            subprocess.run(["git", "clone", "--quiet", "--shared", ".", str(cloned)], check=True)
            subprocess.run(["git", "-C", str(cloned), "checkout", "--quiet", "--detach", self.commit], check=True)
            cloned.rename(self.where)
        if not self._in_clone():
            self.tried([FEW])

    def verdicts(self) -> dict[str, str]:
        """What became of each mutant, by its name: `killed`, `survived`, `no tests`, `timeout`, `not checked` …"""
        elsewhere = json.loads(self.results.read_bytes()) if self.results.exists() else {}
        return self._in_clone() | elsewhere

    def keep(self) -> None:
        """Writes beside the results what became of those that were tried."""
        tried = {name: verdict for name, verdict in sorted(self.verdicts().items()) if verdict != NOT_TRIED}
        self.results.parent.mkdir(parents=True, exist_ok=True)
        self.results.write_text(json.dumps(tried, indent=0) + "\n", encoding="utf-8")

    def _in_clone(self) -> dict[str, str]:
        told = self._mutmut("results", "--all", "true") if (self.where / "mutants").exists() else ""
        return dict(VERDICT.findall(told))

    def sample(self, count: int, seed: int) -> list[str]:
        """So many of them, the same ones for a commit and a seed."""
        names = sorted(self.verdicts())
        return random.Random(seed).sample(names, min(count, len(names)))

    def tried(self, names: list[str], limit_s: float | None = None) -> None:
        """Runs for each mutant the tests that reach its function, until one fails; mutmut shows how far it has come.

        What was tried when the time is over is kept. Raises `CalledProcessError` if mutmut fails.
        """
        with self._started("run", "--max-children", str(AT_ONCE), *names) as ran:
            try:
                ran.wait(limit_s)
            except subprocess.TimeoutExpired:
                ran.send_signal(signal.SIGINT)
                return
        if ran.returncode:
            raise subprocess.CalledProcessError(ran.returncode, "mutmut run")

    def difference(self, name: str) -> str:
        """What was changed, as a unified diff."""
        return self._mutmut("show", name).partition("\n")[2].strip()

    def _mutmut(self, *words: str) -> str:
        """What a command of mutmut prints; raises `CalledProcessError` if it fails."""
        with self._started(*words, stdout=subprocess.PIPE, text=True) as ran:
            told, _ = ran.communicate()
        if ran.returncode:
            raise subprocess.CalledProcessError(ran.returncode, f"mutmut {words[0]}")
        return str(told)

    def _started(self, *words: str, **how: Any) -> "subprocess.Popen[Any]":
        path = os.pathsep.join(filter(None, [str(INSTALLED.absolute()), os.environ.get("PYTHONPATH")]))
        command, environment = [sys.executable, str(COMMAND), *words], os.environ | {"PYTHONPATH": path}
        return subprocess.Popen(command, cwd=self.where, env=environment, **how)
