"""The built package, for the tests that install it."""

import compileall
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
UNSHIPPED = ("tests/", "docs/", "benchmarks/")


def copy_tree(folder: Path) -> Path:
    """What is under version control and concerns the package, in a folder of its own."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.strip("\0").split("\0"):
        if not name.startswith(UNSHIPPED) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = copy_tree(folder / "tree")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(tree)], check=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel holds, compiled once rather than by each process that runs it; tests that change it copy it."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    assert compileall.compile_dir(folder, quiet=1)
    return folder
