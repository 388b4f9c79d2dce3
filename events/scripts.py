"""Scripts of the store: each lies beside the modules of a package, and is called with its keys by number."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from redis.commands.core import Script

from events.acknowledging import OnReplica, ScriptOnReplica, waits_for_replica

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
