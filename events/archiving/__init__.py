"""Closed tables outside the store: packed, many to a segment, in a directory or an object storage."""
