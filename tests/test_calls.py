"""What a request costs in Python calls, beside the record in the repository."""

import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="each version of Python counts otherwise")
def test_no_request_costs_more_than_recorded() -> None:
    """By more than 5 %. In a process of its own: tests before this one left things warm that are cold elsewhere."""
    counted = subprocess.run([sys.executable, "-m", "benchmarks.calls"], capture_output=True, text=True, check=False)
    assert counted.returncode == 0, counted.stdout + counted.stderr
