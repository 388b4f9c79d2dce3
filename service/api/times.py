"""Times as a query names them, and days as an answer does."""

from datetime import date

from events.times import millis, stamp
from service.errors import Refused

EPOCH = date(1970, 1, 1).toordinal()


def time_of(text: str | None, name: str) -> str | None:
    """A time in the form in which it is recorded, None without one; raises `Refused` for what is no time."""
    if text is None:
        return None
    try:
        return stamp(millis(text.replace(" ", "+")))
    except (ValueError, OverflowError) as error:
        raise Refused("invalid", f"{name}: {error}") from None


def day_of(day: int | None) -> str | None:
    """A day, counted from 1970, as a date."""
    return None if day is None else date.fromordinal(EPOCH + day).isoformat()
