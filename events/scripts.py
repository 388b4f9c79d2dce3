"""Lua scripts, and writes that are acknowledged only when a replica has them on disk.

`WAITAOF` waits for the writes of its own connection. A repeated request writes nothing, and what it finds may not have
reached a replica yet; so each command is followed by a write of a dummy key. `WAIT` comes before `WAITAOF`, because a
replica reports at once what it has received, but what it has on disk only when asked again, or after a second.

All of these go to one server in one pipeline on one connection, so that a failover in between fails all of them.
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
    """The keys of a script call, each once; operations refer to them by number."""

    def __init__(self, first: Sequence[str] = ()) -> None:
        self._numbers = {key: number for number, key in enumerate(first, 1)}

    @property
    def names(self) -> list[str]:
        """The keys in the order of their numbers."""
        return list(self._numbers)

    def number(self, key: str) -> int:
        """Returns the number of a key, counted from 1."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)


def script(client: Client, package: str, name: str) -> Script:
    """Registers the script in a file of a package."""
    found: Script = client.register_script(_text(package, name))
    return found


def acknowledged_script(client: Client, package: str, name: str) -> Callable[..., Any]:
    """Returns a script whose writes are acknowledged by a replica if the client asks for that."""
    found = script(client, package, name)
    return ReplicatedScript(found, client) if waits_for_replica(client) else found


def acknowledged_answer(client: Client, key: str, *command: Any) -> Any:
    """Returns the answer to a command on a key, acknowledged by a replica if the client asks for that."""
    return (
        ReplicatedStore(client).answer(key, *command) if waits_for_replica(client) else client.execute_command(*command)
    )


@cache
def _text(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text()


LOCAL, REPLICA = "local", "replica"  # where a write is on disk before it is acknowledged
WAIT_MS = 1000  # for the replica to receive it, and again to have it on disk
WAITED = "waited"  # the end of the dummy key
PATIENCE_S = 5.0  # for migrating slots and failovers
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
    """The write is in the store, but no replica has it on disk yet."""


def waits_for_replica(client: Any) -> bool:
    """Returns whether a client's acknowledged writes wait for a replica."""
    return getattr(client, "acknowledged_by", LOCAL) == REPLICA


class ReplicatedStore:
    """Sends commands whose answers wait until a replica has the data on disk."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._clustered = isinstance(client, ClusterClient)

    def answer(self, key: str, *command: Any) -> Any:
        """Returns the answer to a command on a key; raises `NotReplicated` and the store's own errors."""
        end, asked = time.monotonic() + PATIENCE_S, None
        while True:
            answer, *waited = self._sent(key, command, asked)
            if not self._clustered or not isinstance(answer, ELSEWHERE) or time.monotonic() > end:
                return _checked(answer, waited)
            asked = self._go_elsewhere(answer)

    def _sent(self, key: str, command: Sequence[Any], asked: AskError | None) -> list[Any]:
        """Returns the answers to the command, the dummy write, `WAIT` and `WAITAOF`."""
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
        """Returns a client of the server that serves the key."""
        if not self._clustered:
            return self._client
        if asked:
            node = self._client.get_node(node_name=f"{asked.host}:{asked.port}")
        else:
            node = self._client.get_node_from_key(key)
        return self._client.get_redis_connection(node)

    def _go_elsewhere(self, answer: RedisError) -> AskError | None:
        """Learns which node serves the slot now; pauses if none does, or if the slot is migrating."""
        if isinstance(answer, MovedError):  # in redis-py a subclass of `AskError`
            self._client.nodes_manager.move_slot(answer)
            return None
        if isinstance(answer, AskError):
            return answer
        time.sleep(PAUSE_S)
        if not isinstance(answer, TryAgainError):
            self._client.learn_nodes()
        return None


def _checked(answer: Any, waited: Sequence[Any]) -> Any:
    """Returns the answer once a replica has the data on disk; refusals need no replica."""
    if isinstance(answer, RedisError):
        raise answer
    if _needs_replica(answer) and not _is_on_replica(*waited):
        errors = "; ".join(str(one) for one in waited if isinstance(one, RedisError))
        raise NotReplicated(f"no replica confirmed that it has the write on disk{': ' if errors else ''}{errors}")
    return answer


def _needs_replica(answer: Any) -> bool:
    """Whether an answer says that something is stored, or no longer is; a number is a refusal with a count."""
    if isinstance(answer, list):
        return answer[0] in (b"appended", b"repeated")
    return answer is None or (isinstance(answer, bytes) and answer != b"")


def _is_on_replica(written: Any, received: Any, on_disk: Any) -> bool:
    """Whether both counts are at least 1: `WAITAOF` also answers when its time is up."""
    if any(isinstance(one, RedisError) for one in (written, received, on_disk)):
        return False
    here, on_replicas = on_disk
    return bool(here >= 1 and on_replicas >= 1)


def _waited(key: str) -> str:
    """Returns a dummy key in the same slot. It expires at once: a migrating slot may not have a key on both nodes."""
    return f"{key[: key.index('}') + 1]}:{WAITED}"


class ReplicatedScript:
    """A script with redis-py's interface whose answer waits for a replica."""

    def __init__(self, found: Script, client: Any) -> None:
        self._script, self._store = found, ReplicatedStore(client)

    def __call__(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Returns the script's answer; raises `NotReplicated`."""
        arguments = (len(keys), *keys, *args)
        try:
            return self._store.answer(keys[0], "EVALSHA", self._script.sha, *arguments)
        except NoScriptError:
            return self._store.answer(keys[0], "EVAL", self._script.script, *arguments)
