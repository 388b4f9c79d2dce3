"""The client of a cluster, whose errors are those of a single server: whoever handles `RedisError` handles them all."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import redis
from redis.backoff import ExponentialBackoff
from redis.cluster import PRIMARY, ClusterNode, ClusterPipeline
from redis.exceptions import ClusterError, RedisClusterException, RedisError
from redis.retry import Retry

ANSWER_S = 3.0  # for a node to answer: one that is cut off keeps a request waiting so long for each try
CONNECT_S = 1.0
TRIES = 2  # after the first one, each with what is known by then of who serves what


P = ParamSpec("P")
R = TypeVar("R")


def of_each_server(client: Any, ask: Callable[..., R]) -> list[R]:
    """What each server that takes writes answers; `ask` calls the client, on a cluster for one of its nodes."""
    if not isinstance(client, redis.RedisCluster):
        return [ask()]
    return [ask(target_nodes=node) for node in client.get_primaries()]


def told_as_redis_error(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which raises `ClusterError` where redis-py raises what is no `RedisError`.

    What it raises can be sent to another process.
    """

    @wraps(function)
    def told(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RedisClusterException as error:
            raise ClusterError(str(error)) from error
        except AttributeError as error:  # of None in the place of a node: redis-py knows none while it looks for them
            raise ClusterError("no node of the cluster is known") from error
        except RedisError as error:
            vars(error).pop("connection", None)  # redis-py notes it for its figures; it can be sent to no other process
            raise

    return told


class _Pipeline(ClusterPipeline):
    execute = told_as_redis_error(ClusterPipeline.execute)


class ClusterClient(redis.RedisCluster):
    """A client of a cluster whose nodes fail, fail over and hand slots to each other."""

    @classmethod
    @told_as_redis_error
    def connected(cls, url: str) -> "ClusterClient":
        """A client for the URL of any node; raises `ClusterError` if none answers."""
        retry = Retry(ExponentialBackoff(), TRIES)
        return cls(url=url, retry=retry, socket_timeout=ANSWER_S, socket_connect_timeout=CONNECT_S)

    @told_as_redis_error
    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        """The answer of the node that serves the keys."""
        return super().execute_command(*args, **kwargs)  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool | None = None, shard_hint: Any = None) -> Any:
        """A pipeline whose commands this client sends again, one by one, where they were sent to the wrong node."""
        pipe = super().pipeline(transaction, shard_hint)  # type: ignore[no-untyped-call]
        pipe.__class__ = _Pipeline  # redis-py makes it of a dozen parts of its own
        pipe.parent_execute_command = self.execute_command
        return pipe

    @told_as_redis_error
    def learn_nodes(self) -> None:
        """Asks the nodes anew who serves which slot."""
        self.nodes_manager.initialize()

    def get_node(self, host: str | None = None, port: int | None = None, node_name: str | None = None) -> Any:
        """A node; one that serves no slot yet, but is about to, is learned of by the first answer that names it."""
        known = super().get_node(host, port, node_name)  # type: ignore[no-untyped-call]
        if known is None and node_name is not None:
            address, _, its_port = node_name.rpartition(":")
            known = self.nodes_manager.nodes_cache.setdefault(node_name, ClusterNode(address, int(its_port), PRIMARY))
        return known
