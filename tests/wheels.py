"""The built package, for the tests that install it."""

import compileall
import fcntl
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.bundling import LIBRARY

ROOT = Path(__file__).parent.parent
UNSHIPPED = ("tests/", "benchmarks/")


def copy_tree(folder: Path) -> Path:
    """A copy of the files that the package is built from, with the library of the API reference."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in [*names.strip("\0").split("\0"), str(LIBRARY)]:
        if not name.startswith(UNSHIPPED) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def made_once(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first worker of a run makes, while the others wait for it."""
    own = folders.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_suffix(f".{os.getpid()}")
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once."""
    (found,) = made_once(tmp_path_factory, "wheel", _build).glob("*.whl")
    return found


def _build(folder: Path) -> None:
    tree = copy_tree(folder / "tree")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(tree)], check=True)


@pytest.fixture(scope="session")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel holds, compiled once rather than by each process that runs it; tests that change it copy it."""

    def unpack(folder: Path) -> None:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        assert compileall.compile_dir(folder, quiet=1, stripdir=str(folder), prependdir=str(folder.with_suffix("")))

    return made_once(tmp_path_factory, "unpacked", unpack)
