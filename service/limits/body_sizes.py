"""The largest bodies that are read, in bytes: whoever sends more is refused before all of it has come."""

LARGEST_BODY = 64 * 1024
LARGEST_ARCHIVE = 32 * 1024 * 1024  # of a body that is an archive, which operators alone may send
