"""Renews what a process remembers shortly before it expires, so that busy tables stay on the event loop."""

import logging
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from redis.exceptions import RedisError

from service.errors import Refused

Key = TypeVar("Key", bound=Hashable)

RENEW_S = 1.5  # before it expires

log = logging.getLogger(__name__)


class Renewal(Generic[Key]):
    """Looks keys up again in a thread of its own, each once at a time."""

    def __init__(self, look_up: Callable[[Key], object]) -> None:
        self._look_up, self._renewing = look_up, set[Key]()
        self._thread = ThreadPoolExecutor(1, "renewal")

    def start(self, key: Key) -> None:
        """Looks a key up soon, unless that is under way."""
        if key not in self._renewing:
            self._renewing.add(key)
            self._thread.submit(self._renew, key)

    def _renew(self, key: Key) -> None:
        try:
            self._look_up(key)
        except (Refused, RedisError) as error:  # the next request that needs it asks, and says so
            log.debug("not renewed: %s", error)
        finally:
            self._renewing.discard(key)
