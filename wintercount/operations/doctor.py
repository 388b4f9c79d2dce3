"""`wintercount doctor`: checks everything that the service needs, and says what is wrong and what to do.

It writes nothing. A check that cannot be made is a warning.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import redis
import requests
from redis.exceptions import RedisError
from rq import Worker

from events.archiving import segments
from events.connections import ask_each_server
from events.disk import UMASK
from events.failures import place_of
from events.log import LogDamaged, LogUnreadable
from events.scripts import REPLICA, Client
from events.store import META, RedisLog, connect
from events.waiting_for_store import StoreTooOld, why_not
from projections.archived_tables import segments_from
from projections.due_timers import all_timers
from projections.runner import PROJECTIONS
from projections.store import current
from service.accounts.key_store import FILE, MARK, KeysUnavailable, keys_of
from service.accounts.sealing import SEAL, SecretUnusable, sealer_for
from service.config import Settings, misspelt
from service.moderation.actions import Actions
from service.stores import archive_of
from wintercount.processes import embedded
from worker.rq_worker import queues

LITTLE_BYTES = 1 << 30  # on the disk of the data directory
FULL = 0.9  # of the memory that the store may use
SKEW_S = 1.0  # between the clocks of two machines
NEWEST = 20  # segments of the archive to check
LATE_S = 30.0  # after which a due timer means that no dispatcher is running
LOOK_S = 1.5  # in which projections advance if a dispatcher is running
READY_S = 10.0
ADVICE = {
    "damage": "the store does not hold what was written: `wintercount verify TABLE` says more; restore a backup",
    "replica": "start a replica with appendonly yes and appendfsync always, or set WINTERCOUNT_ACK=local",
    "eviction": "CONFIG SET maxmemory-policy noeviction, then CONFIG REWRITE",
    "archive": "WINTERCOUNT_ARCHIVE has to name the same archive for all processes; if it does, put its files back",
    "dispatch": "is `wintercount dispatch` running? Its log names tables that it cannot read",
    "web": "start `wintercount serve`, or set WINTERCOUNT_HOST and WINTERCOUNT_PORT as for the server",
    "own store": "`wintercount run` starts it; WINTERCOUNT_DATA says where, WINTERCOUNT_REDIS_URL names another store",
    "half restored": "a restore has not ended: wait for it; if it was cut off, run `wintercount restore` again",
    "other store": "start it, or wait; WINTERCOUNT_REDIS_URL says where it is",
}


class Diagnosis(IntEnum):
    """A verdict. The exit status is 1 if there is a fault, else 2 if there is a warning."""

    GOOD = 0
    FAULT = 1
    WARNING = 2


GOOD, FAULT, WARNING = Diagnosis
ON_DISK = "CONFIG SET appendonly yes and appendfsync always, then CONFIG REWRITE"
DURABLE = {
    "fsync": (GOOD, "acknowledged writes are on disk", ""),
    "unknown": (WARNING, "the server does not show its configuration", "ask its provider for appendfsync always"),
    "fsync every second": (WARNING, "a crash may lose the writes of the last second", ON_DISK),
    "none": (FAULT, "a crash may lose everything since the last snapshot", ON_DISK),
}


class Finding(NamedTuple):
    """The result of a check, and what to do."""

    subject: str
    verdict: Diagnosis
    detail: str
    advice: str = ""


def _finding(subject: str, detail: str, advice: str, *, wrong: bool, verdict: Diagnosis = FAULT) -> Finding:
    """Returns a finding with its advice, or a good one if nothing is wrong."""
    return Finding(subject, verdict, detail, advice) if wrong else Finding(subject, GOOD, detail)


class Patient(NamedTuple):
    """A store that answers, and the settings of the processes."""

    settings: Settings
    client: Client

    @property
    def log(self) -> RedisLog:
        """The log in the store."""
        return RedisLog(self.client, 1, archive_of(self.settings))

    def info(self, section: str) -> list[dict[str, Any]]:
        """Returns a section of INFO from each primary."""
        return ask_each_server(self.client, partial(self.client.info, section))


def findings(settings: Settings, url: str) -> Iterator[Finding]:
    """Yields the results of all checks; without a store those that need none."""
    yield from _settings()
    yield from _data(settings)
    try:
        waits = why_not(url)
    except StoreTooOld as refused:
        yield Finding("store", FAULT, *str(refused).split("; "))
        return
    if waits:
        own = "half restored" if embedded.half_restored(Path(settings.data)) else "own store"
        yield Finding("store", FAULT, waits.detail + waits.where, ADVICE["other store" if settings.redis_url else own])
        return
    patient = Patient(settings, connect(url))
    if not patient.client.exists(META):
        detail = "it answers and is empty: nothing has been played here, or it is another store"
        yield Finding("store", WARNING, detail, "is WINTERCOUNT_REDIS_URL right?")
        return
    for check in CHECKS:
        yield from _made(check, patient)


def _made(check: Callable[[Patient], Iterator[Finding]], patient: Patient) -> Iterator[Finding]:
    name = check.__name__.removeprefix("_")
    try:
        yield from check(patient)
    except (RedisError, OSError) as error:
        yield Finding(name, WARNING, f"could not be checked: {error}", "try again, then read the store's log")
    except LogUnreadable as damage:
        yield Finding(name, FAULT, str(damage), ADVICE["damage"])
    except Exception as error:  # noqa: BLE001 - the other checks are made in any case
        yield Finding(name, FAULT, f"the store's data cannot be read: {place_of(error)}", ADVICE["damage"])


def _settings() -> Iterator[Finding]:
    for variable, meant in (found := misspelt(os.environ)).items():
        advice = f"did you mean {meant}?" if meant else "`wintercount settings` lists all settings"
        yield Finding("settings", WARNING, f"{variable} is set but is not a setting", advice)
    if not found:
        yield Finding("settings", GOOD, "each that is set is known")


def _data(settings: Settings) -> Iterator[Finding]:
    """Whether the data directory is private and has room, and the embedded store can read it."""
    data = Path(settings.data).absolute()
    if not data.is_dir():
        if not (settings.redis_url and settings.secret and settings.keys_url):
            advice = "set WINTERCOUNT_DATA as for the processes"
            yield Finding("data", WARNING, f"there is no directory {data}", advice)
        return
    if refused := embedded.refused(data):
        detail, _, advice = refused.partition(". ")
        yield Finding("append-only", FAULT, detail, advice)
    if data.stat().st_mode & UMASK:
        yield Finding("data", FAULT, f"other users of this machine can read {data}", f"chmod 700 {data}")
    free = shutil.disk_usage(data).free
    detail, advice = f"{free >> 20} MiB are free at {data}", "make room: a store whose disk is full refuses writes"
    yield _finding("data", detail, advice, wrong=free < LITTLE_BYTES, verdict=WARNING)


def _store(patient: Patient) -> Iterator[Finding]:
    """The version of each server (an old one is refused before), and whether every slot of a cluster is served."""
    for found in patient.info("server"):
        valkey, version = found.get("valkey_version"), found["redis_version"]
        yield Finding("store", GOOD, f"{f'Valkey {valkey}' if valkey else f'Redis {version}'} answers")
    if isinstance(patient.client, redis.RedisCluster):
        states = {str(found["cluster_state"]) for found in ask_each_server(patient.client, patient.client.cluster_info)}
        advice = "CLUSTER INFO and CLUSTER NODES show what is missing"
        yield _finding("cluster", f"its state is {', '.join(sorted(states))}", advice, wrong=states != {"ok"})


def _durability(patient: Patient) -> Iterator[Finding]:
    """What a crash of the store may lose, and whether each primary has a replica if moves wait for one."""
    yield Finding("durability", *DURABLE[patient.log.durability()])
    if patient.settings.ack != REPLICA:
        return
    lonely = sum(not found["connected_slaves"] for found in patient.info("replication"))
    yield _finding("replicas", f"{lonely} of the primaries have none", ADVICE["replica"], wrong=lonely > 0)


def _memory(patient: Patient) -> Iterator[Finding]:
    """Whether a server is nearly full, and whether it then refuses writes."""
    try:
        kept = ask_each_server(patient.client, partial(patient.client.config_get, "maxmemory-policy"))
    except redis.ResponseError:  # managed servers do not show it
        kept = []
    if any(one.get("maxmemory-policy", "noeviction") != "noeviction" for one in kept):
        yield Finding("memory", FAULT, "a full store deletes keys, and games with them", ADVICE["eviction"])
    for found in patient.info("memory"):
        used, most = found["used_memory"], found["maxmemory"]
        says = f"{used >> 20} MiB are used" + (f" of {most >> 20}" if most else "; there is no limit")
        advice = "give it memory: a full store refuses every write"
        yield _finding("memory", says, advice, wrong=0 < most < used / FULL, verdict=WARNING)


def _clock(patient: Patient) -> Iterator[Finding]:
    """How far this machine's clock differs from that of each server."""
    for seconds, micros in ask_each_server(patient.client, patient.client.time):
        ahead_s = time.time() - (seconds + micros / 1e6)
        detail = f"this machine is {abs(ahead_s):.1f} s {'ahead of' if ahead_s > 0 else 'behind'} the store"
        advice = "synchronise the clocks: deadlines use the clock of the process that records a move"
        yield _finding("clock", detail, advice, wrong=abs(ahead_s) > SKEW_S, verdict=WARNING)


def _moderation(patient: Patient) -> Iterator[Finding]:
    """Whether moderation actions can be read, without which no name is shown."""
    yield Finding("moderation", GOOD, f"{len(Actions(patient.client).current().actions)} actions can be read")


def _archive(patient: Patient) -> Iterator[Finding]:
    """Whether the newest segments that the store names can be read."""
    known, objects = segments_from(patient.client, 1), archive_of(patient.settings)
    if objects is None:
        detail = f"WINTERCOUNT_ARCHIVE is not set; the store names {len(known)} segments of an archive"
        yield _finding("archive", detail, ADVICE["archive"], wrong=bool(known))
        return
    try:
        for segment in known[-NEWEST:]:
            segments.read_listing(patient.log.archive, segment.name)
        yield Finding("archive", GOOD, f"{objects.where} has {len(known)} segments, the newest of them whole")
    except LogDamaged as damage:
        yield Finding("archive", FAULT, f"{objects.where}: {damage}", ADVICE["archive"])


def _secret(patient: Patient) -> Iterator[Finding]:
    """Whether the keys open what is sealed. It creates no missing key, as a new one would open nothing."""
    if not patient.client.exists(SEAL):
        yield Finding("secret", GOOD, "nothing is sealed yet")
        return
    file = Path(patient.settings.data).absolute() / FILE
    try:
        sealer = sealer_for(patient.client, patient.settings)
        if patient.client.exists(MARK):
            if not patient.settings.keys_url and not file.exists():
                raise SecretUnusable(f"{file} is missing. Put its newest copy back: names and texts need it")
            keys_of(patient.client, patient.settings, sealer)
        yield Finding("secret", GOOD, "the keys open what the store keeps sealed")
    except (SecretUnusable, KeysUnavailable) as error:
        detail, _, advice = str(error).partition(". ")
        yield Finding("secret", FAULT, detail, advice)


def _workers(patient: Patient) -> Iterator[Finding]:
    """Whether there are workers for the turns of AI seats."""
    if patient.settings.gives_rq_a_cluster:
        yield Finding("workers", FAULT, "rq cannot use a cluster", "set WINTERCOUNT_QUEUE_URL to a server of its own")
        return
    url = patient.settings.queue_url
    client: Any = redis.Redis.from_url(url) if url else patient.client  # which is not a cluster
    count = Worker.count(connection=client)
    detail = f"{count} running, {sum(len(queue) for queue in queues(client))} tables in the queue"
    yield _finding("workers", detail, "start `wintercount worker`", wrong=not count)


def _due(patient: Patient) -> Iterator[Finding]:
    """How long due timers have waited for a dispatcher."""
    now_ms = time.time_ns() // 1_000_000
    late = [entry.at_ms for entry in all_timers(patient.log) if entry.at_ms <= now_ms]
    oldest_s = (now_ms - min(late, default=now_ms)) / 1000
    detail = f"{len(late)} timers are due" + (f", the oldest for {oldest_s:.0f} s" if late else "")
    yield _finding("due", detail, ADVICE["dispatch"], wrong=oldest_s > LATE_S)


def _projections(patient: Patient) -> Iterator[Finding]:
    """Whether lobby and standings follow the log."""
    log = patient.log
    for name in PROJECTIONS:
        behind = current(log, name).behind()
        detail = f"{name}: {behind} batches behind" if behind else f"{name}: up to date"
        if behind:
            time.sleep(LOOK_S)
        stays = behind and current(log, name).behind() >= behind
        yield _finding("projections", detail, ADVICE["dispatch"], wrong=bool(stays))


def _web(patient: Patient) -> Iterator[Finding]:
    """Whether the web server is ready."""
    address = patient.settings.address
    try:
        answer = requests.get(f"{address}/readyz", timeout=READY_S)
    except requests.RequestException:
        yield Finding("web", FAULT, f"nothing answers at {address}", ADVICE["web"])
        return
    detail = f"{address} answers {answer.status_code}"
    yield _finding("web", detail, "its answer at /readyz says why", wrong=not answer.ok)


CHECKS = (_store, _durability, _memory, _clock, _moderation, _archive, _secret, _workers, _due, _projections, _web)
