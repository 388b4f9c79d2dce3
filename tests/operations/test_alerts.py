"""Each alert fires for what it is for, and none on a quiet day."""

import subprocess
from pathlib import Path

PROMTOOL = Path(".venv/operations/usr/bin/promtool")


def test_alerts_fire_for_what_they_are_for() -> None:
    """`operations/alerts.test.yaml` tells two days of figures, and what fires."""
    command: list[str | Path] = [PROMTOOL, "test", "rules", "operations/alerts.test.yaml"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
