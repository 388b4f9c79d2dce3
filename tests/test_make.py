"""The Makefile: what it tells of itself, and what each target installs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path("Makefile").read_text(encoding="utf-8")


def make(*words: str) -> str:
    """What make says."""
    return subprocess.run(["make", *words], capture_output=True, text=True, check=True).stdout


def test_make_alone_lists_the_targets_with_what_they_do() -> None:
    """In the words that stand beside them; a target without words is a part of others."""
    listed = dict(re.findall(r"^  make (\S+) +(\S.*)$", make(), re.M))
    assert set(listed) == set(re.findall(r"^([a-z][a-z-]*):.*## ", MAKEFILE, re.M))
    assert listed["run"].startswith("run everything on this machine")
    assert make("help") == make()


@pytest.mark.parametrize(
    ("target", "locks"),
    [
        ("run", ["production", "build"]),
        ("test", ["production", "build", "", "node", "clients"]),
        ("check", ["production", "build", "", "browser", "node", "clients"]),
        ("test-browser", ["production", "build", "", "browser", "node", "clients"]),
    ],
)
def test_a_target_installs_what_it_needs(target: str, locks: list[str], tmp_path: Path) -> None:
    """From locks with hashes, on a machine that has nothing yet, with a word before each slow step."""
    for name in ["Makefile", "pyproject.toml", "setup.py", *(path.name for path in Path().glob("*.lock"))]:
        shutil.copy(name, tmp_path)
    for name in ("openapi.yaml", "asyncapi.yaml"):
        shutil.copy(name, tmp_path)
    for folder in ("tools", "clients"):
        shutil.copytree(folder, tmp_path / folder, ignore=shutil.ignore_patterns("node_modules"))
    plan = make("--dry-run", "-C", str(tmp_path), target)
    installed = re.findall(r"--require-hashes -r requirements-?(\w*)\.lock", plan)
    assert list(dict.fromkeys(installed)) == locks
    assert plan.count("--no-deps --require-hashes") == plan.count("--require-hashes")
    assert plan.count('echo "Installing') >= len(set(locks) - {"node"}) - 1  # those linters take seconds


def test_what_has_to_pass_before_a_change_lands_is_there() -> None:
    """Each step of `.ci/run` is a target."""
    steps = re.findall(r"^make ([a-z-]+)", Path(".ci/run").read_text(encoding="utf-8"), re.M)
    assert {"check", "test", "test-slow", "test-browser", "test-wheel"} <= set(steps)
    assert set(steps) <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))
