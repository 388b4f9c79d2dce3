"""Cursors of lists: a place in a list as clients send it back, which none of them reads or builds."""

import base64


def cursor_at(place: str) -> str:
    """Returns the cursor of a place, safe in a URL."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def place_of(cursor: str) -> str:
    """Returns the place of a cursor; an empty text for anything else."""
    try:
        return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:
        return ""
