"""Other packages with our names: `wintercount` works or says what to do, and is never broken without a word."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.servers import data_directory, free_port

pytestmark = pytest.mark.slow

ADVICE = "Install Wintercount into an environment of its own"


@pytest.fixture
def site(unpacked: Path, tmp_path: Path) -> Path:
    """A folder with what our wheel brings, as pip unpacks it; what we depend on is that of this environment."""
    return shutil.copytree(unpacked, tmp_path / "site")


def unpack(wheel: Path, site: Path) -> Path:
    """A wheel, put over what is there."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def other_wheel(folder: Path, *files: str) -> Path:
    """A distribution by somebody else with these files."""
    path = folder / "calendars-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in files:
            archive.writestr(name, "DATES = ()\n")
        archive.writestr("calendars-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: calendars\nVersion: 1\n")
        archive.writestr(
            "calendars-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        record = "".join(f"{name},,\n" for name in files)
        archive.writestr("calendars-1.dist-info/RECORD", record)
    return path


def package(folder: Path, name: str) -> Path:
    """A package of that name by somebody else, in a folder that is given back."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text("DATES = ()\n", encoding="utf-8")
    return folder


def run(*words: str, cwd: Path, path: tuple[Path, ...] = (), **variables: str) -> "subprocess.CompletedProcess[str]":
    """Python with these words, looking for packages in these folders first."""
    variables["PYTHONPATH"] = ":".join(map(str, path))
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True, check=False, timeout=120)


def wintercount(*words: str, cwd: Path, path: tuple[Path, ...], **variables: str) -> "subprocess.CompletedProcess[str]":
    """The command, as its script runs it: without a look into the working directory."""
    return run("-P", "-m", "wintercount", *words, cwd=cwd, path=path, **variables)


def refused(done: "subprocess.CompletedProcess[str]", *words: str) -> bool:
    """Whether a command ended with 1, one line, the advice and these words."""
    return done.returncode == 1 and done.stderr.count("\n") == 1 and all(w in done.stderr for w in (*words, ADVICE))


def test_alone_it_runs(site: Path, tmp_path: Path) -> None:
    """Even where the folder it is run from has packages of such names: its processes do not look there."""
    crowded = package(package(tmp_path / "crowded", "service"), "worker")
    with data_directory() as data:
        settings = {"DATA": str(data), "PORT": str(free_port()), "WORKERS": "1"}
        variables = {f"WINTERCOUNT_{name}": value for name, value in settings.items()}
        done = wintercount("run", "--no-demo", "--no-stay", cwd=crowded, path=(site,), **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Wintercount serves at http://127.0.0.1:")


def test_a_distribution_that_adds_to_a_package_is_named(site: Path, tmp_path: Path) -> None:
    """A folder within `games` would pass for a game."""
    unpack(other_wheel(tmp_path, "games/chess/__init__.py"), site)
    done = wintercount("run", cwd=tmp_path, path=(site,))
    assert refused(done, "games/chess/__init__.py does not belong to Wintercount (installed by calendars)")


def test_a_file_that_is_another_or_gone_is_named(site: Path, tmp_path: Path) -> None:
    """pip writes over a file of the same name without a word, and may take it away again: whose it is, is said."""
    unpack(other_wheel(tmp_path, "service/errors.py"), site)
    said = "service/errors.py is not the file that came with Wintercount (installed by calendars)"
    assert refused(wintercount("run", cwd=tmp_path, path=(site,)), said)
    (site / "service" / "errors.py").unlink()
    assert refused(wintercount("run", cwd=tmp_path, path=(site,)), "service/errors.py is not the file")


def test_a_package_earlier_on_the_path_is_named(site: Path, tmp_path: Path) -> None:
    """Where Python looks first, by its path or by the folder that a module is run from."""
    other = package(tmp_path / "other", "service")
    found = f"Python finds the package 'service' at {other}"
    assert refused(wintercount("run", cwd=tmp_path, path=(other, site)), found)
    assert refused(run("-m", "wintercount", "run", cwd=other, path=(site,)), found)


def test_a_program_that_imports_it_is_told(site: Path, tmp_path: Path) -> None:
    """By an ImportError, before anything else of it is imported."""
    other = package(tmp_path / "other", "games")
    done = run("-c", "from wintercount import games", cwd=tmp_path, path=(other, site))
    assert done.returncode == 1
    assert "wintercount.installation_check.PackagesMixed: Python finds the package 'games'" in done.stderr


def test_another_distribution_beside_it_does_no_harm(site: Path, tmp_path: Path) -> None:
    """As long as it has packages of its own."""
    unpack(other_wheel(tmp_path, "calendars/__init__.py"), site)
    assert wintercount("--help", cwd=tmp_path, path=(site,)).returncode == 0
