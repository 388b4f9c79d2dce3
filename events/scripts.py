"""Scripts of the store, and writes that are acknowledged only when a replica has them on disk.

`WAITAOF` waits for what its own connection has written. A repeat writes nothing: what it finds may be on no replica
yet. So a write that changes nothing goes between. `WAIT` goes before, because a replica reports at once what it has
received, but what it has on disk only when it is asked again, or after a second.

All of it is one pipeline on one connection to one server. Where a server has failed over in between, none of it holds.
"""

import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import redis
from redis.commands.core import Script
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)

from events.connections import ClusterClient

Client = Any  # redis.Redis and redis.RedisCluster share commands but no type


class Keys:
    """The keys that a script is called with, each once; operations name them by number."""

    def __init__(self, first: Sequence[str] = ()) -> None:
        self._numbers = {key: number for number, key in enumerate(first, 1)}

    @property
    def names(self) -> list[str]:
        """The keys, in the order of their numbers."""
        return list(self._numbers)

    def number(self, key: str) -> int:
        """The number of a key, from 1."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)


def script(client: Client, package: str, name: str) -> Script:
    """A script that lies beside the modules of a package; the text of a script is read once."""
    found: Script = client.register_script(_text(package, name))
    return found


def promising_script(client: Client, package: str, name: str) -> Callable[..., Any]:
    """A script whose answer is a promise to people: it holds where the client's writes are acknowledged."""
    found = script(client, package, name)
    return ScriptOnReplica(found, client) if waits_for_replica(client) else found


def promised(client: Client, key: str, *command: Any) -> Any:
    """The answer to a command on a key, as a promise to people: it holds where the client's writes are acknowledged."""
    return OnReplica(client).answer(key, *command) if waits_for_replica(client) else client.execute_command(*command)


@cache
def _text(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text()


LOCAL, REPLICA = "local", "replica"  # who has a write on disk before it is acknowledged
WAIT_MS = 1000  # for the replica to have it, and again to have it on disk
WAITED = "waited"  # the end of the key that is there to be written
PATIENCE_S = 5.0  # where slots move, or a node has failed
PAUSE_S = 0.05
ELSEWHERE = (
    AskError,
    MovedError,
    ClusterDownError,
    TryAgainError,
    ReadOnlyError,
    redis.ConnectionError,
    redis.TimeoutError,
)


class NotReplicated(RedisError):
    """It is recorded, unless the store loses it, but no replica has it on disk yet."""


def waits_for_replica(client: Any) -> bool:
    """Whether what is written through a client for people is acknowledged by a replica."""
    return getattr(client, "acknowledged_by", LOCAL) == REPLICA


class OnReplica:
    """Asks the store in such a way that the answer holds on a replica's disk too."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._clustered = isinstance(client, ClusterClient)

    def answer(self, key: str, *command: Any) -> Any:
        """The answer to a command on a key; raises `NotReplicated` and the store's own errors."""
        end, asked = time.monotonic() + PATIENCE_S, None
        while True:
            answer, *waited = self._sent(key, command, asked)
            if not self._clustered or not isinstance(answer, ELSEWHERE) or time.monotonic() > end:
                return _checked(answer, waited)
            asked = self._go_elsewhere(answer)

    def _sent(self, key: str, command: Sequence[Any], asked: AskError | None) -> list[Any]:
        """What is answered to the command, to the write, and to the two that wait."""
        with self._node(key, asked).pipeline(transaction=False) as pipe:
            for words in (command, ("SET", _waited(key), 1, "PX", 1)):
                if asked:
                    pipe.execute_command("ASKING")
                pipe.execute_command(*words)
            pipe.execute_command("WAIT", 1, WAIT_MS)
            pipe.execute_command("WAITAOF", 1, 1, WAIT_MS)
            try:
                answers: list[Any] = pipe.execute(raise_on_error=False)
            except (redis.ConnectionError, redis.TimeoutError) as error:
                if not self._clustered:
                    raise
                answers = [error]
        return answers[1:2] + answers[3:] if asked and len(answers) > 1 else answers

    def _node(self, key: str, asked: AskError | None) -> Any:
        """A client of the server that serves the key."""
        if not self._clustered:
            return self._client
        if asked:
            node = self._client.get_node(node_name=f"{asked.host}:{asked.port}")
        else:
            node = self._client.get_node_from_key(key)
        return self._client.get_redis_connection(node)

    def _go_elsewhere(self, answer: RedisError) -> AskError | None:
        """Learns which node serves the slot now; waits a moment if none does, or if the slot is being moved."""
        if isinstance(answer, MovedError):  # which redis-py takes for a kind of `AskError`
            self._client.nodes_manager.move_slot(answer)
            return None
        if isinstance(answer, AskError):
            return answer
        time.sleep(PAUSE_S)
        if not isinstance(answer, TryAgainError):
            self._client.learn_nodes()
        return None


def _checked(answer: Any, waited: Sequence[Any]) -> Any:
    """The answer, if a replica has on disk what it tells; a refusal promises nothing, and is given at once."""
    if isinstance(answer, RedisError):
        raise answer
    if _is_promise(answer) and not _is_on_replica(*waited):
        told = "; ".join(str(one) for one in waited if isinstance(one, RedisError))
        raise NotReplicated(f"no replica told that it has it on disk{': ' if told else ''}{told}")
    return answer


def _is_promise(answer: Any) -> bool:
    """Whether an answer of a script tells that something is kept, or that nothing is any more.

    A number is a refusal: how many there are.
    """
    if isinstance(answer, list):
        return answer[0] in (b"appended", b"repeated")
    return answer is None or (isinstance(answer, bytes) and answer != b"")


def _is_on_replica(written: Any, received: Any, on_disk: Any) -> bool:
    """Both counts are looked at: `WAITAOF` answers in time, whether it has come to them or not."""
    if any(isinstance(one, RedisError) for one in (written, received, on_disk)):
        return False
    here, on_replicas = on_disk
    return bool(here >= 1 and on_replicas >= 1)


def _waited(key: str) -> str:
    """A key in the same slot, to be written; it ends at once, as a slot that moves may have no key on both sides."""
    return f"{key[: key.index('}') + 1]}:{WAITED}"


class ScriptOnReplica:
    """A script that is called as redis-py's own, and whose answer holds on a replica's disk."""

    def __init__(self, found: Script, client: Any) -> None:
        self._script, self._store = found, OnReplica(client)

    def __call__(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """The script's answer; raises `NotReplicated`."""
        written = (len(keys), *keys, *args)
        try:
            return self._store.answer(keys[0], "EVALSHA", self._script.sha, *written)
        except NoScriptError:
            return self._store.answer(keys[0], "EVAL", self._script.script, *written)
