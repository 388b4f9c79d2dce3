"""Records of accounts that are replaced whole, by whoever has read them."""

from events.scripts import Client, script


def replace(client: Client, key: bytes, was: bytes, becomes: bytes) -> bool:
    """Replaces a record if it has not changed since it was read."""
    return bool(script(client, "service.accounts", "replace.lua")(keys=[key], args=[was, becomes]))
