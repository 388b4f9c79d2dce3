"""Where projections keep their rows: per partition, in generations, with a checkpoint that moves with the rows."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from events.store import META, RedisLog

Operation = tuple[str, str, str, str] | tuple[str, str, str]  # command, key name, arguments
NAMES = ("rows", "open", "running", "finished", "by_player", "by_parent")  # what a projection may keep


class Shelf:
    """The rows of one generation of a projection."""

    def __init__(self, log: RedisLog, projection: str, generation: int) -> None:
        self.log, self.projection, self.generation = log, projection, generation
        self._apply = log.client.register_script(files("projections").joinpath("apply.lua").read_text())

    def key(self, partition: int, name: str) -> str:
        """The key of rows, of an index or of the checkpoint in a partition."""
        return self.log.partition_key(partition, f"{self.projection}:{self.generation}:{name}")

    def checkpoint(self, partition: int) -> int:
        """The position in the partition's feed up to which everything is applied."""
        return int(self.log.client.get(self.key(partition, "checkpoint")) or 0)

    def apply(self, partition: int, after: int, position: int, operations: Sequence[Operation]) -> bool:
        """Applies the operations if the checkpoint still stands at `after`, and moves it to `position`."""
        keys = [self.key(partition, name) for name in ("checkpoint", *NAMES)]
        numbered = [[command, 2 + NAMES.index(name), *rest] for command, name, *rest in operations]
        return bool(self._apply(keys=keys, args=[after, position, msgspec.json.encode(numbered)]))

    def row(self, partition: int, field: str) -> Any:
        """A row, or None."""
        kept = self.log.client.hget(self.key(partition, "rows"), field)
        return msgspec.json.decode(kept) if kept else None

    def rows(self, partition: int) -> Mapping[bytes, bytes]:
        """All rows of a partition, as they are kept."""
        kept: dict[bytes, bytes] = self.log.client.hgetall(self.key(partition, "rows"))
        return kept

    def contents(self) -> Iterator[tuple[int, str, Any]]:
        """Everything kept, in a fixed order: what two generations must agree in, byte for byte."""
        for partition in range(self.log.partitions):
            yield partition, "rows", sorted(self.rows(partition).items())
            for name in NAMES[1:]:
                yield partition, name, self.log.client.zrange(self.key(partition, name), 0, -1)

    def clear(self) -> None:
        """Removes the generation."""
        for partition in range(self.log.partitions):
            for name in ("checkpoint", *NAMES):
                self.log.client.delete(self.key(partition, name))


def current(log: RedisLog, projection: str) -> Shelf:
    """The generation that is read."""
    return Shelf(log, projection, int(log.client.hget(META, f"generation:{projection}") or 1))


def make_current(shelf: Shelf) -> None:
    """Lets readers and followers turn to this generation."""
    shelf.log.client.hset(META, f"generation:{shelf.projection}", shelf.generation)
