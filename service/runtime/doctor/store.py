"""The store: what it is, whether it keeps what it acknowledges, and its memory and clock."""

import time
from collections.abc import Iterator

from events.acknowledging import REPLICA
from events.log import LogDamaged
from service.moderation.sanctions import Sanctions
from service.runtime.doctor.findings import Finding, Patient, fault, good, warning

OLDEST = (7, 2)  # Redis
SKEW_S = 1.0  # between the clocks of two machines
FULL = 0.9  # of the memory that the store may use
ON_DISK = "CONFIG SET appendonly yes and appendfsync always, then CONFIG REWRITE"
FOLLOWED = "start a replica with appendonly yes and appendfsync always, or set WINTERCOUNT_ACK=local"
PUT_BACK = "put the action back from a backup, or another in its place"
KEEPING = "CONFIG SET maxmemory-policy noeviction, then CONFIG REWRITE"


def server(patient: Patient) -> Iterator[Finding]:
    """Which one it is."""
    for told in patient.info("server"):
        if "valkey_version" in told:
            yield good("store", f"Valkey {told['valkey_version']} answers")
            continue
        version = told["redis_version"]
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            yield fault("store", f"Redis {version} answers", "Redis 7.2 or later, or Valkey, is needed")
        else:
            yield good("store", f"Redis {version} answers")


def durability(patient: Patient) -> Iterator[Finding]:
    """What a crash of the store may lose."""
    kept, name = patient.log.durability(), "durability"
    if kept == "fsync":
        yield good(name, "what is acknowledged is on disk")
    elif kept == "unknown":
        yield warning(name, "the server keeps its configuration to itself", "ask who runs it for appendfsync always")
    elif kept == "fsync every second":
        yield warning(name, "a crash may lose what was acknowledged in the last second", ON_DISK)
    else:
        yield fault(name, "a crash may lose everything since the last snapshot", ON_DISK)


def replicas(patient: Patient) -> Iterator[Finding]:
    """Whether each primary has one, where moves are acknowledged by it."""
    if patient.settings.ack != REPLICA:
        return
    lonely = sum(not told["connected_slaves"] for told in patient.info("replication"))
    if lonely:
        yield fault("replicas", f"{lonely} of the primaries have none: moves there get not-replicated", FOLLOWED)
    else:
        yield good("replicas", "each primary has one")


def memory(patient: Patient) -> Iterator[Finding]:
    """Whether it is full, and what happens then."""
    if patient.configured("maxmemory-policy") - {"noeviction"}:
        yield fault("memory", "a full store throws keys away: games would be lost", KEEPING)
    for told in patient.info("memory"):
        used, most = told["used_memory"], told["maxmemory"]
        says = f"{used >> 20} MiB are used" + (f" of {most >> 20}" if most else "; there is no bound")
        if most and used > FULL * most:
            yield warning("memory", says, "give it memory: a full store refuses every write")
        else:
            yield good("memory", says)


def cluster(patient: Patient) -> Iterator[Finding]:
    """Whether every slot of a cluster is served."""
    if not patient.clustered:
        return
    state = patient.client.cluster_info(**patient.anywhere)["cluster_state"]
    if state in ("ok", b"ok"):
        yield good("cluster", "every slot is served")
    else:
        yield fault("cluster", f"its state is {state}", "CLUSTER INFO and CLUSTER NODES show what is missing")


def clock(patient: Patient) -> Iterator[Finding]:
    """How far this machine's clock is from the store's."""
    seconds, micros = patient.client.time(**patient.anywhere)
    ahead_s = time.time() - (seconds + micros / 1e6)
    told = f"this machine is {abs(ahead_s):.1f} s {'ahead of' if ahead_s > 0 else 'behind'} the store"
    if abs(ahead_s) > SKEW_S:
        yield warning("clock", told, "synchronise the clocks: deadlines count from that of whoever records a move")
    else:
        yield good("clock", told)


def moderation(patient: Patient) -> Iterator[Finding]:
    """Whether all that operators have done can be read: who is suspended follows from it."""
    try:
        count = len(Sanctions(patient.client).now().actions)
    except LogDamaged as damage:
        yield fault("moderation", f"{damage}: suspensions are refused, names are not told", PUT_BACK)
    else:
        yield good("moderation", f"{count} actions of operators can be read")


CHECKS = {
    "store": server,
    "durability": durability,
    "replicas": replicas,
    "memory": memory,
    "cluster": cluster,
    "clock": clock,
    "moderation": moderation,
}
