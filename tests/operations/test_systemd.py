"""The units of systemd: what `systemd-analyze` says of them, and whether their commands and settings exist."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.config import settings_from

UNITS = sorted(Path("operations/systemd").glob("*.service"))
WINTERCOUNT = Path(".venv/bin/wintercount").absolute()
INSTALLED = "/opt/wintercount/bin/wintercount"
MOST_EXPOSED = 20  # tenths, of 100; what systemd-analyze calls OK begins below 50
by_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)


def analyze(*words: str | Path) -> str:
    """What systemd-analyze says; fails if it finds fault."""
    found = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout + found.stderr


def set_in(unit: Path) -> dict[str, str]:
    """The variables that a unit sets."""
    lines = re.findall(r"^Environment=(\w+)=(.*)$", unit.read_text(encoding="utf-8"), re.M)
    return dict(lines)


def test_there_is_a_unit_for_one_machine_and_three_for_several() -> None:
    """Of the second kind, one for each kind of process."""
    names = ["wintercount", "wintercount-dispatch", "wintercount-web", "wintercount-worker@"]
    assert sorted(unit.stem for unit in UNITS) == names


@by_unit
def test_its_command_exists(unit: Path) -> None:
    """With the options that it is given."""
    found = re.search(rf"^ExecStart={INSTALLED} (\w+)(.*)$", unit.read_text(encoding="utf-8"), re.M)
    assert found
    told = subprocess.run([WINTERCOUNT, found[1], "--help"], capture_output=True, text=True, check=True).stdout
    assert all(option in told for option in found[2].split())


@by_unit
def test_its_settings_are_settings(unit: Path) -> None:
    """Those that listen believe nginx on this machine alone."""
    found = set_in(unit)
    settings_from(found)
    assert found["MALLOC_ARENA_MAX"] == "2"
    assert found["WINTERCOUNT_DATA"] == "/var/lib/wintercount"
    assert ("WINTERCOUNT_TRUSTED_PROXIES" in found) is (unit.stem in ("wintercount", "wintercount-web"))


@by_unit
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_takes_it(unit: Path, tmp_path: Path) -> None:
    """And finds little that it may do."""
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text(encoding="utf-8").replace(INSTALLED, str(WINTERCOUNT)), encoding="utf-8")
    assert analyze("verify", "--man=no", copy) == ""
    analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED}", copy)
