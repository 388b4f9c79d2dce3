"""What a check finds, and what checks look at."""

from enum import IntEnum
from functools import partial
from typing import Any, NamedTuple

import redis

from events.clusters import of_each_server
from events.scripts import Client
from events.store import RedisLog
from service.config import Settings
from service.stores import archive_of


class Diagnosis(IntEnum):
    """How it is. The exit status is 1 if anything is a fault, else 2 if anything is a warning."""

    GOOD = 0
    FAULT = 1
    WARNING = 2


class Finding(NamedTuple):
    """What was looked at, how it is, and what to do."""

    subject: str
    verdict: Diagnosis
    told: str
    advice: str = ""


def good(subject: str, told: str) -> Finding:
    """It is as it should be."""
    return Finding(subject, Diagnosis.GOOD, told)


def warning(subject: str, told: str, advice: str) -> Finding:
    """It works, and may not for long, or could not be looked at."""
    return Finding(subject, Diagnosis.WARNING, told, advice)


def fault(subject: str, told: str, advice: str) -> Finding:
    """It does not work, or what is acknowledged may be lost."""
    return Finding(subject, Diagnosis.FAULT, told, advice)


class Patient(NamedTuple):
    """What is looked at: a store that answers, and the settings by which the processes run."""

    settings: Settings
    client: Client

    @property
    def log(self) -> RedisLog:
        """The log in it, which knows how many partitions it has."""
        return RedisLog(self.client, 1, archive_of(self.settings))

    @property
    def clustered(self) -> bool:
        """Whether the store is a cluster."""
        return isinstance(self.client, redis.RedisCluster)

    @property
    def anywhere(self) -> dict[str, Any]:
        """For a command that any server may answer."""
        return {"target_nodes": redis.RedisCluster.RANDOM} if self.clustered else {}

    def info(self, section: str) -> list[dict[str, Any]]:
        """What each server that takes writes tells of itself."""
        return of_each_server(self.client, partial(self.client.info, section))

    def configured(self, name: str) -> set[str]:
        """What the servers that take writes are configured to; nothing of one that does not tell."""
        try:
            found = of_each_server(self.client, partial(self.client.config_get, name))
        except redis.ResponseError:  # managed servers keep it to themselves
            return set()
        return {str(one[name]) for one in found if name in one}
