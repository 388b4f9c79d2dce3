"""Generated clients play on the same service as the released ones."""

from tests.clients.conftest import address

__all__ = ["address"]
