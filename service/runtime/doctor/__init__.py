"""`wintercount doctor`: looks at everything that the service needs, and says what is wrong and what to do about it.

It writes nothing. A check that cannot be made is a warning, never silence.
"""

import os
from collections.abc import Callable, Iterator

from redis.exceptions import RedisError

from events.failures import place_of
from events.log import LogUnreadable
from events.store import META, connect
from service.config import Settings
from service.loading import why_not
from service.runtime.doctor import archive, disk, environment, processes, store
from service.runtime.doctor.findings import Diagnosis, Finding, Patient, fault, warning

DAMAGE = "the store does not hold what was written to it: `wintercount verify TABLE` says more"

__all__ = ["Diagnosis", "Finding", "findings"]


def findings(settings: Settings, url: str) -> Iterator[Finding]:
    """All checks, one after the other; without a store those that need none."""
    yield from environment.checked(os.environ)
    yield from disk.checked(settings)
    waits = why_not(url)
    if waits:
        own = "`wintercount run` starts it; WINTERCOUNT_DATA says where, WINTERCOUNT_REDIS_URL names another store"
        advice = "start it, or wait; WINTERCOUNT_REDIS_URL says where it is" if settings.redis_url else own
        yield fault("store", waits.detail + waits.where, advice)
        return
    patient = Patient(settings, connect(url))
    if not patient.client.exists(META):
        told = "it answers and is empty: nothing has been played here, or it is another one"
        yield warning("store", told, "is WINTERCOUNT_REDIS_URL right?")
        return
    for name, check in (*store.CHECKS.items(), *archive.CHECKS.items(), *processes.CHECKS.items()):
        yield from _made(name, check, patient)


def _made(name: str, check: Callable[[Patient], Iterator[Finding]], patient: Patient) -> Iterator[Finding]:
    try:
        yield from check(patient)
    except (RedisError, OSError) as error:
        yield warning(name, f"could not be looked at: {error}", "try again, then look into the store's log")
    except LogUnreadable as damage:
        yield fault(name, str(damage), DAMAGE)
    except Exception as error:  # noqa: BLE001 - whatever is damaged, the other checks are made
        yield fault(name, f"what the store keeps of it cannot be read: {place_of(error)}", DAMAGE)
