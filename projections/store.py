"""Where projections keep their rows: per partition, in generations, with a checkpoint that moves with the rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.log import LogDamaged, Pointer
from events.scripts import Keys, script
from events.store import META, RedisLog

Operation = tuple[str, str, str, str] | tuple[str, str, str] | tuple[str, str]  # command, key name, arguments
NAMES = (  # what a projection may keep
    "rows",
    "open",
    "running",
    "finished",
    "by_player",
    "by_parent",
    "unfinished",
    "disputed",
    "closed",
    "seated",
    "unsummed",
    "totals",
    "leaders",
)
HASHES = ("rows", "totals")
LAST = "~"  # in an index that is ordered by letters: behind whatever a cursor may be
OF_ALL = ("totals", "leaders")  # what is made of the rows of all partitions
POSITION = "position"  # a score: the position up to which the feed is applied with this


class Checkpoint(NamedTuple):
    """A projection's place in a partition's feed: the position up to which everything is applied, and its event's hash.

    The hash is missing where nothing was applied.
    """

    position: int = 0
    hash: bytes = b""

    @classmethod
    def at(cls, pointer: Pointer) -> "Checkpoint":
        """The checkpoint after a pointer."""
        return cls(pointer.position, pointer.hash)

    @classmethod
    def read(cls, kept: bytes | None) -> "Checkpoint":
        """The checkpoint that `kept` wrote."""
        position, _, last_hash = (kept or b"0").partition(b" ")
        return cls(int(position), bytes.fromhex(last_hash.decode()))

    @property
    def kept(self) -> str:
        """The stored form."""
        return f"{self.position} {self.hash.hex()}".rstrip()

    def is_at(self, pointer: Pointer) -> bool:
        """Whether it was this pointer that was applied last."""
        return (pointer.position, pointer.hash) == (self.position, self.hash)


class ProjectionStore:
    """The rows of one generation of a projection."""

    def __init__(self, log: RedisLog, projection: str, generation: int) -> None:
        self.log, self.projection, self.generation = log, projection, generation

    def key(self, partition: int, name: str) -> str:
        """The key of rows, of an index or of the checkpoint in a partition."""
        return self.log.partition_key(partition, f"{self.projection}:{self.generation}:{name}")

    def checkpoint(self, partition: int) -> Checkpoint:
        """Its place in the partition's feed; raises `LogDamaged`."""
        key = self.key(partition, "checkpoint")
        try:
            return Checkpoint.read(self.log.client.get(key))
        except ValueError:
            told = f"{key} tells no place in a feed: `wintercount rebuild {self.projection}` makes all rows anew"
            raise LogDamaged(told) from None

    def behind(self) -> int:
        """How many batches of the feeds it has still to come to: all of a feed, where its place is damaged."""
        positions, ends = self.positions(), self.log.feed_ends()
        return sum(max(0, ends[partition] - position) for partition, position in positions.items())

    def positions(self) -> dict[int, int]:
        """How far it has come in each partition's feed: 0, where its place is damaged."""
        return {one: _position(kept) for one, kept in enumerate(self.everywhere("get", "checkpoint"))}

    def is_complete(self) -> bool:
        """Whether it has come to the end of every feed."""
        return self.behind() == 0

    def apply(self, partition: int, after: Checkpoint, upto: Checkpoint, operations: Sequence[Operation]) -> bool:
        """Applies the operations if the checkpoint still stands at `after`, and moves it."""
        return apply({partition: [Change(self, after, upto, operations)]})[0]

    def swap(self, partition: int, name: str, field: str, before: bytes, operations: Sequence[Operation]) -> bool:
        """Applies the operations if a row of `rows` or `totals` is still what it was: empty, if there was none."""
        keys = Keys()
        keys.number(self.key(partition, name))
        told = msgspec.json.encode(self.numbered(partition, operations, keys))
        return bool(script(self.log.client, "projections", "swap.lua")(keys=keys.names, args=[field, before, told]))

    def numbered(self, partition: int, operations: Sequence[Operation], keys: Keys) -> list[list[Any]]:
        """Operations as the scripts take them: each key by its number."""
        return [
            [command, keys.number(self.key(partition, name)), *arguments] for command, name, *arguments in operations
        ]

    def begin_anew(self, partition: int, after: Checkpoint, first: Sequence[Operation] = ()) -> bool:
        """Removes all rows of a partition if the checkpoint still stands at `after`, and applies the first new ones.

        What is made of the rows of all partitions stays: others write it meanwhile, whatever this checkpoint is.
        """
        removed = [name for name in NAMES if name not in OF_ALL]
        return self.apply(partition, after, Checkpoint(), [*(("DEL", name) for name in removed), *first])

    def row(self, partition: int, field: str) -> Any:
        """A row, or None."""
        kept = self.log.client.hget(self.key(partition, "rows"), field)
        return msgspec.json.decode(kept) if kept else None

    def found(self, name: str, fields: Sequence[str]) -> list[bytes | None]:
        """Rows of `rows` or `totals` as they are kept, each in the partition of its own name."""
        if not fields:
            return []
        with self.log.client.pipeline(transaction=False) as pipe:
            for field in fields:
                pipe.hget(self.key(self.log.partition(field), name), field)
            return list(pipe.execute())

    def everywhere(self, command: str, name: str, *arguments: Any, **options: Any) -> list[Any]:
        """What each partition answers to a command on its rows or on one of its indexes, in one trip."""
        with self.log.client.pipeline(transaction=False) as pipe:
            for partition in range(self.log.partitions):
                getattr(pipe, command)(self.key(partition, name), *arguments, **options)
            return list(pipe.execute())

    def rows(self, partition: int, name: str = "rows") -> Mapping[bytes, bytes]:
        """All rows of a partition, as they are kept."""
        kept: dict[bytes, bytes] = self.log.client.hgetall(self.key(partition, name))
        return kept

    def members(self, partition: int, index: str) -> list[str]:
        """All members of an index of a partition, in order."""
        return [member.decode() for member in self.log.client.zrange(self.key(partition, index), 0, -1)]

    def contents(self) -> Iterator[tuple[int, str, Any]]:
        """Everything stored, in a fixed order: two generations must agree in it byte for byte."""
        for partition in range(self.log.partitions):
            for name in NAMES:
                # Scores depend on how many batches were applied together.
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
    """What batches of a partition change in a projection, and from where to where its checkpoint moves."""

    store: ProjectionStore
    after: Checkpoint
    upto: Checkpoint
    operations: Sequence[Operation]

    def told(self, partition: int, keys: Keys) -> list[Any]:
        """The change as the script takes it."""
        checkpoint = keys.number(self.store.key(partition, "checkpoint"))
        return [checkpoint, self.after.kept, self.upto.kept, self.store.numbered(partition, self.operations, keys)]


def apply(changes: Mapping[int, Sequence[Change]]) -> list[bool]:
    """Applies changes by partition, in one trip; of each, whether the checkpoints still stood where they begin."""
    if not changes:
        return []
    client = next(iter(changes.values()))[0].store.log.client
    text = script(client, "projections", "apply.lua").script
    with client.pipeline(transaction=False) as pipe:  # a pipeline of a cluster takes no EVALSHA
        for partition, those in changes.items():
            keys = Keys()
            told = msgspec.json.encode([one.told(partition, keys) for one in those])
            pipe.execute_command("EVAL", text, len(keys.names), *keys.names, told)
        return [bool(answer) for answer in pipe.execute()]


def current(log: RedisLog, projection: str) -> ProjectionStore:
    """The generation that is read."""
    return all_current(log, [projection])[0]


def all_current(log: RedisLog, projections: Iterable[str]) -> list[ProjectionStore]:
    """Of each projection the generation that is read, in one trip."""
    names = list(projections)
    kept = log.client.hmget(META, [f"generation:{name}" for name in names])
    return [ProjectionStore(log, name, int(number or 1)) for name, number in zip(names, kept, strict=True)]


def make_current(store: ProjectionStore) -> None:
    """Switches readers and followers to this generation."""
    store.log.client.hset(META, f"generation:{store.projection}", store.generation)


def rebuilt(
    log: RedisLog, name: str, fill: Callable[[ProjectionStore], Any], come_up: Callable[[ProjectionStore], Any]
) -> ProjectionStore:
    """A new generation of a projection, once `fill` has advanced all its partitions; the old one is removed.

    Whoever follows the feeds looks where something happens: `come_up` applies what came before readers were turned.
    """
    old = current(log, name)
    new = ProjectionStore(log, name, old.generation + 1)
    new.clear()
    fill(new)
    make_current(new)
    old.clear()
    come_up(new)
    return new
