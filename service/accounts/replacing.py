"""Records of accounts that are replaced or removed whole, by whoever has read them."""

from events.scripts import Client, script


def replace(client: Client, key: bytes, was: bytes, becomes: bytes) -> bool:
    """Replaces a record if it has not changed since it was read."""
    return bool(script(client, "service.accounts", "replace.lua")(keys=[key], args=[was, becomes]))


def remove(client: Client, key: bytes, was: bytes) -> bool:
    """Removes a record if it has not changed since it was read."""
    return bool(script(client, "service.accounts", "remove.lua")(keys=[key], args=[was]))
