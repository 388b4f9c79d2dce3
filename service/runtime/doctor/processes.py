"""The keys, and whether web server, dispatcher and workers do what they are for."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis
import requests
from rq import Worker

from events.store import RedisLog
from projections.dues import all_due
from projections.registry import PROJECTIONS
from projections.store import current
from service.accounts.key_stores import FILE, KeysUnavailable
from service.accounts.person_keys import MARK, keys_of
from service.accounts.sealing import SEAL, SecretUnusable, sealer_for
from service.runtime.doctor.findings import Finding, Patient, fault, good
from worker.turn_queue import queues

LATE_S = 30.0  # nobody looks after what has been due for so long
LOOK_S = 1.5  # in which projections move if somebody follows the feeds
READY_S = 10.0
DISPATCHING = "is `wintercount dispatch` running? Its log names the tables that it cannot read"


def secret(patient: Patient) -> Iterator[Finding]:
    """Whether the keys open what is sealed. None is made that is missing: a new one would open nothing."""
    if not patient.client.exists(SEAL):
        yield good("secret", "nothing is sealed yet")
        return
    try:
        sealer = sealer_for(patient.client, patient.settings)
        if patient.client.exists(MARK):
            _check_key_file(patient)
            keys_of(patient.client, patient.settings, sealer)
        yield good("secret", "the keys open what the store keeps sealed")
    except (SecretUnusable, KeysUnavailable) as error:
        told, _, advice = str(error).partition(". ")
        yield fault("secret", told, advice)


def _check_key_file(patient: Patient) -> None:
    file = Path(patient.settings.data).absolute() / FILE
    if not patient.settings.keys_url and not file.exists():
        raise SecretUnusable(f"{file} is missing. Put its newest copy back: without it names and texts cannot be read")


def workers(patient: Patient) -> Iterator[Finding]:
    """How many workers there are for the turns of AI seats."""
    if patient.settings.gives_rq_a_cluster:
        yield fault("workers", "rq cannot use a cluster", "set WINTERCOUNT_QUEUE_URL to a server of its own")
        return
    url = patient.settings.queue_url
    client: Any = redis.Redis.from_url(url) if url else patient.client  # which is no cluster
    count = Worker.count(connection=client)
    told = f"{count} running, {sum(len(queue) for queue in queues(client))} tables in the queue"
    yield good("workers", told) if count else fault("workers", told, "start `wintercount worker`")


def due(patient: Patient) -> Iterator[Finding]:
    """How long turns and clocks wait for the dispatcher."""
    now_ms = time.time_ns() // 1_000_000
    late = [entry.at_ms for entry in all_due(patient.log) if entry.at_ms <= now_ms]
    oldest_s = (now_ms - min(late, default=now_ms)) / 1000
    told = f"{len(late)} turns and clocks are due" + (f", the oldest for {oldest_s:.0f} s" if late else "")
    yield fault("due", told, DISPATCHING) if oldest_s > LATE_S else good("due", told)


def projections(patient: Patient) -> Iterator[Finding]:
    """Whether lobby and standings follow the log."""
    log = patient.log
    for name in PROJECTIONS:
        behind = current(log, name).behind()
        told = f"{name}: {behind} batches behind" if behind else f"{name}: up to date"
        if behind and _stays(log, name, behind):
            yield fault("projections", told, DISPATCHING)
        else:
            yield good("projections", told)


def _stays(log: RedisLog, name: str, behind: int) -> bool:
    time.sleep(LOOK_S)
    return current(log, name).behind() >= behind


def web(patient: Patient) -> Iterator[Finding]:
    """Whether the web server is ready."""
    address = patient.settings.address
    try:
        answer = requests.get(f"{address}/readyz", timeout=READY_S)
    except requests.RequestException:
        advice = "start `wintercount serve`, or set WINTERCOUNT_HOST and WINTERCOUNT_PORT as it has them"
        yield fault("web", f"nobody answers at {address}", advice)
        return
    told = f"{address} answers {answer.status_code}"
    yield good("web", told) if answer.ok else fault("web", told, "what it answers at /readyz says why")


CHECKS = {"secret": secret, "workers": workers, "due": due, "projections": projections, "web": web}
