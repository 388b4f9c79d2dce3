"""The store of projections: rows per partition, in generations, with a checkpoint that moves with the rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.connections import send_together
from events.log import LogDamaged, Pointer
from events.scripts import Keys, script
from events.store import META, RedisLog

Operation = tuple[str, str, str, str] | tuple[str, str, str] | tuple[str, str]  # command, key name, arguments
NAMES = (  # of rows, totals and indexes
    *("rows", "open", "running", "finished", "by_player", "by_parent", "unfinished", "disputed", "closed", "seated"),
    *("unsummed", "totals", "leaders"),
)
HASHES = ("rows", "totals")
LAST = "~"  # after all members of an index in lexical order
OF_ALL = ("totals", "leaders")  # computed from the rows of all partitions
POSITION = "position"  # as a score: the position in the feed up to which this is applied


class Checkpoint(NamedTuple):
    """A projection's position in a partition's feed, up to which everything is applied, and the hash there.

    There is no hash before anything was applied.
    """

    position: int = 0
    hash: bytes = b""

    @classmethod
    def at(cls, pointer: Pointer) -> "Checkpoint":
        """Returns the checkpoint after a pointer."""
        return cls(pointer.position, pointer.hash)

    @classmethod
    def read(cls, kept: bytes | None) -> "Checkpoint":
        """Parses the stored form."""
        position, _, last_hash = (kept or b"0").partition(b" ")
        return cls(int(position), bytes.fromhex(last_hash.decode()))

    @property
    def kept(self) -> str:
        """The stored form."""
        return f"{self.position} {self.hash.hex()}".rstrip()

    def is_at(self, pointer: Pointer) -> bool:
        """Whether this pointer was applied last."""
        return (pointer.position, pointer.hash) == (self.position, self.hash)


class ProjectionStore:
    """The rows of one generation of a projection."""

    def __init__(self, log: RedisLog, projection: str, generation: int) -> None:
        self.log, self.projection, self.generation = log, projection, generation

    def key(self, partition: int, name: str) -> str:
        """Returns the key of rows, of an index or of the checkpoint in a partition."""
        return self.log.partition_key(partition, self._name(name))

    def _name(self, name: str) -> str:
        return f"{self.projection}:{self.generation}:{name}"

    def checkpoint(self, partition: int) -> Checkpoint:
        """Returns the checkpoint of a partition; raises `LogDamaged`."""
        key = self.key(partition, "checkpoint")
        try:
            return Checkpoint.read(self.log.client.get(key))
        except ValueError:
            told = f"{key} is not a checkpoint: `wintercount rebuild {self.projection}` builds all rows again"
            raise LogDamaged(told) from None

    def behind(self) -> int:
        """Returns how many batches are not applied yet: all of a feed if its checkpoint is damaged."""
        positions, ends = self.positions(), self.log.feed_ends()
        return sum(max(0, ends[partition] - position) for partition, position in positions.items())

    def positions(self) -> dict[int, int]:
        """Returns the position in each partition's feed: 0 if the checkpoint is damaged."""
        return {one: _position(kept) for one, kept in enumerate(self.everywhere("get", "checkpoint"))}

    def is_complete(self) -> bool:
        """Whether everything in the feeds is applied."""
        return self.behind() == 0

    def apply(self, partition: int, after: Checkpoint, upto: Checkpoint, operations: Sequence[Operation]) -> bool:
        """Applies the operations and moves the checkpoint, if it is still `after`; returns whether it was."""
        return apply({partition: [Change(self, after, upto, operations)]})[0]

    def swap(self, partition: int, name: str, field: str, before: bytes, operations: Sequence[Operation]) -> bool:
        """Applies the operations if a row of `rows` or `totals` is as it was read (empty for none); returns whether."""
        keys = Keys()
        keys.number(self.key(partition, name))
        encoded = msgspec.json.encode(self.numbered(partition, operations, keys))
        return bool(
            script(self.log.client, "projections", "swap_row.lua")(keys=keys.names, args=[field, before, encoded])
        )

    def numbered(self, partition: int, operations: Sequence[Operation], keys: Keys) -> list[list[Any]]:
        """Returns operations as the scripts take them: each key by its number."""
        return [
            [command, keys.number(self.key(partition, name)), *arguments] for command, name, *arguments in operations
        ]

    def restart(self, partition: int, after: Checkpoint, first: Sequence[Operation] = ()) -> bool:
        """Removes all rows of a partition if the checkpoint is still `after`, and applies the first new operations.

        Totals of all partitions stay: other processes write them, whatever this checkpoint is.
        """
        removed = [name for name in NAMES if name not in OF_ALL]
        return self.apply(partition, after, Checkpoint(), [*(("DEL", name) for name in removed), *first])

    def row(self, partition: int, field: str) -> Any:
        """Returns a row, or None."""
        kept = self.log.client.hget(self.key(partition, "rows"), field)
        return msgspec.json.decode(kept) if kept else None

    def found(self, name: str, fields: Sequence[str]) -> list[bytes | None]:
        """Returns stored rows of `rows` or `totals`, each from the partition of its own name."""
        if not fields:
            return []
        with self.log.client.pipeline(transaction=False) as pipe:
            for field in fields:
                pipe.hget(self.key(self.log.partition(field), name), field)
            return list(pipe.execute())

    def everywhere(self, command: str, name: str, *arguments: Any, **options: Any) -> list[Any]:
        """Returns the answer of each partition to a command on its rows or an index, in one trip."""
        return self.log.everywhere(command, self._name(name), *arguments, **options)

    def rows(self, partition: int, name: str = "rows") -> Mapping[bytes, bytes]:
        """Returns all stored rows of a partition."""
        kept: dict[bytes, bytes] = self.log.client.hgetall(self.key(partition, name))
        return kept

    def members(self, partition: int, index: str) -> list[str]:
        """Returns all members of a partition's index, in order."""
        return [member.decode() for member in self.log.client.zrange(self.key(partition, index), 0, -1)]

    def contents(self) -> Iterator[tuple[int, str, Any]]:
        """Yields everything stored in a fixed order, in which two generations must agree byte for byte."""
        for partition in range(self.log.partitions):
            for name in NAMES:
                # Without scores: they depend on how many batches were applied together.
                kept = self.rows(partition, name).items() if name in HASHES else self.members(partition, name)
                yield partition, name, sorted(kept)

    def clear(self) -> None:
        """Removes the generation."""
        for partition in range(self.log.partitions):
            for name in ("checkpoint", *NAMES):
                self.log.client.delete(self.key(partition, name))


def _position(kept: bytes | None) -> int:
    try:
        return Checkpoint.read(kept).position
    except ValueError:
        return 0


class Change(NamedTuple):
    """The operations of some batches of a partition on a projection, and how its checkpoint moves."""

    store: ProjectionStore
    after: Checkpoint
    upto: Checkpoint
    operations: Sequence[Operation]

    def as_argument(self, partition: int, keys: Keys) -> list[Any]:
        """Returns the change as the script takes it."""
        checkpoint = keys.number(self.store.key(partition, "checkpoint"))
        return [checkpoint, self.after.kept, self.upto.kept, self.store.numbered(partition, self.operations, keys)]


def apply(changes: Mapping[int, Sequence[Change]]) -> list[bool]:
    """Applies changes by partition, in one trip; returns for each whether the checkpoints were as expected."""
    if not changes:
        return []
    client = next(iter(changes.values()))[0].store.log.client
    found, calls = script(client, "projections", "apply.lua"), list[tuple[Any, ...]]()
    for partition, those in changes.items():
        keys = Keys()
        argument = msgspec.json.encode([one.as_argument(partition, keys) for one in those])
        calls.append((len(keys.names), *keys.names, argument))
    answers = send_together(client, *(("EVALSHA", found.sha, *call) for call in calls))
    if answers is None:  # a pipeline of a cluster takes no EVALSHA
        with client.pipeline(transaction=False) as pipe:
            for call in calls:
                pipe.execute_command("EVAL", found.script, *call)
            answers = pipe.execute()
    return [bool(answer) for answer in answers]


def current(log: RedisLog, projection: str) -> ProjectionStore:
    """Returns the generation that readers use."""
    return all_current(log, [projection])[0]


def all_current(log: RedisLog, projections: Iterable[str]) -> list[ProjectionStore]:
    """Returns the generation of each projection that readers use, in one trip."""
    names = list(projections)
    kept = log.client.hmget(META, [f"generation:{name}" for name in names])
    return [ProjectionStore(log, name, int(number or 1)) for name, number in zip(names, kept, strict=True)]


def make_current(store: ProjectionStore) -> None:
    """Switches readers and followers to this generation."""
    store.log.client.hset(META, f"generation:{store.projection}", store.generation)


def replace_generation(
    log: RedisLog, name: str, fill: Callable[[ProjectionStore], Any], catch_up: Callable[[ProjectionStore], Any]
) -> ProjectionStore:
    """Builds a new generation beside the old one, switches readers to it, and removes the old one (blue/green).

    `fill` applies the feeds before the switch; `catch_up` applies what came during it.
    """
    old = current(log, name)
    new = ProjectionStore(log, name, old.generation + 1)
    new.clear()
    fill(new)
    make_current(new)
    old.clear()
    catch_up(new)
    return new
