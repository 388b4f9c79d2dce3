"""What several processes share out among them: each claims what it works on, and the others leave that alone.

A claim keeps nobody from doing the work a second time, and need not: what is claimed here is safe to do twice. A
process that is killed keeps its claims until they lapse, however far ahead its clock ran.
"""

from collections.abc import Callable, Sequence

from events.scripts import Client

CLAIM_MS = 600_000  # how long a claim holds
LONGEST_MS = 2 * CLAIM_MS  # beyond which one was made by a clock that ran ahead, and holds nothing


class Claims:
    """The claims under one key of the store: a sorted set of what is claimed, by the time at which the claim lapses."""

    def __init__(self, client: Client, key: str, now_ms: Callable[[], int]) -> None:
        self._client, self._key, self._now_ms = client, key, now_ms

    def held(self) -> set[str]:
        """What is claimed."""
        now_ms = self._now_ms()
        found = self._client.zrange(self._key, f"({now_ms}", now_ms + LONGEST_MS, byscore=True)
        return {name.decode() for name in found}

    def claim(self, names: Sequence[str]) -> list[str]:
        """Claims those that nobody has, and returns them.

        Where the store's answer is lost, redis-py asks again and is told that they are claimed: they wait until the
        claim lapses.
        """
        if not names:
            return []
        now_ms = self._now_ms()
        with self._client.pipeline(transaction=True) as pipe:
            pipe.zremrangebyscore(self._key, "-inf", now_ms)
            pipe.zremrangebyscore(self._key, f"({now_ms + LONGEST_MS}", "+inf")
            for name in names:
                pipe.zadd(self._key, {name: now_ms + CLAIM_MS}, nx=True)
            _, _, *added = pipe.execute()
        return [name for name, is_new in zip(names, added, strict=True) if is_new]

    def release(self, names: Sequence[str]) -> None:
        """Gives claims back."""
        if names:
            self._client.zrem(self._key, *names)
