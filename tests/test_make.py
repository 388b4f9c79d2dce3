"""What each target of the Makefile installs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest


def make(*words: str) -> str:
    """What make says."""
    return subprocess.run(["make", *words], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("target", "locks"),
    [
        ("run", ["production", "build"]),
        ("test", ["production", "build", "", "node", "clients"]),
        ("check", ["production", "build", "", "browser", "node", "clients", "workflows"]),
        ("test-browser", ["production", "build", "", "browser", "node", "clients"]),
    ],
)
def test_a_target_installs_what_it_needs(target: str, locks: list[str], tmp_path: Path) -> None:
    """From locks with hashes, on a machine that has nothing yet, with a word before each slow step."""
    for name in ["Makefile", "pyproject.toml", "setup.py", *(path.name for path in Path().glob("*.lock"))]:
        shutil.copy(name, tmp_path)
    for name in ("openapi.yaml", "openapi-operations.yaml", "asyncapi.yaml"):
        shutil.copy(name, tmp_path)
    for folder in ("tools", "clients"):
        shutil.copytree(folder, tmp_path / folder, ignore=shutil.ignore_patterns("node_modules"))
    plan = make("--dry-run", "-C", str(tmp_path), target)
    installed = re.findall(r"--require-hashes -r requirements-?(\w*)\.lock", plan)
    assert list(dict.fromkeys(installed)) == locks
    assert plan.count("--no-deps --require-hashes") == plan.count("--require-hashes")
    assert plan.count('echo "Installing') >= len(set(locks) - {"node"}) - 1  # those linters take seconds
