"""Times in JSON are those of UTC, to the millisecond, wherever the machine stands."""

import time
from collections.abc import Iterator

import pytest

from events.times import millis, stamp


@pytest.fixture(params=["UTC", "America/Denver", "Pacific/Kiritimati"])
def _stands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_stands")
@pytest.mark.parametrize(
    ("ms", "told"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_793_491_199_999, "2026-10-31T23:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_is_read_as_it_was_written(ms: int, told: str) -> None:
    assert stamp(ms) == told
    assert millis(told) == ms
