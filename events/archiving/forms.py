"""The forms of archived files. What a later release wrote in another form is whole, and is told as newer.

A later form says so by `format_version`, or lies under another name.
"""

from contextlib import suppress

import msgspec

from events.log import LogNewer


class Form(msgspec.Struct):
    """What every form tells; packed tables of the first one do not."""

    format_version: int = 1


_form = msgspec.json.Decoder(Form)


def check_known(told: bytes, newest: int, what: str) -> None:
    """Raises `LogNewer` for the JSON of a later form than the newest that is known here; any other may be read."""
    with suppress(msgspec.MsgspecError, RecursionError):
        form = _form.decode(told).format_version
        if form > newest:
            raise LogNewer(f"{what} is of form {form}, which a later release wrote; this one reads up to {newest}")
