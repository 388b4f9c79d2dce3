"""Makes a backup, and what a restore needs to know of the keys, which lie apart."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from events.scripts import Client
from events.store import META, RedisLog, connect
from events.times import stamp
from projections.registry import PROJECTIONS
from projections.store import all_current
from service import __version__
from service.accounts.key_stores import ERASED, FILE, STORE, KeysUnavailable, key_store
from service.accounts.person_keys import MARK
from service.accounts.sealing import SEAL, SecretUnusable, sealer_for
from service.clock import Clock
from service.config import Settings
from service.runtime.backup.archived import BySegment, archive_faults
from service.runtime.backup.checking import Counts, checked
from service.runtime.backup.copying import Copier
from service.runtime.backup.records import FORM, BackupRefused, Header, Writer, remove_left, save
from service.stores import log_of

UNCHECKED = (
    "whether the archive holds what the store says, and whether its parts of the feeds tell of every table, was not "
    "checked"
)
Report = Callable[[int], Any]


class RestoreRefused(Exception):
    """Nothing was written, and what to do."""


class MadeBackup(NamedTuple):
    """What a backup holds in words, what is wrong with the store, the keys that were left out, what was not checked."""

    summary: str
    faults: list[str]
    unknown: list[str]
    unchecked: list[str]


def make(url: str, path: Path, settings: Settings, report: Report) -> MadeBackup:
    """Copies a store into a file and checks the file; raises `BackupRefused`. Removes what others left when killed."""
    client = connect(url)
    if not client.hexists(META, "partitions"):
        raise BackupRefused("the store is empty, or it is another one: is WINTERCOUNT_REDIS_URL right?")
    copier = Copier(log_of(client, settings), report)
    checks: list[Counts] = []

    def write(writer: Writer) -> None:
        writer.write(Header(FORM, __version__, copier.log.partitions, stamp(Clock().now_ms())))
        for record in copier.records():
            writer.write(record)

    remove_left(path.parent)
    save(path, write, lambda part: checks.append(checked(part)))
    faults, silence = [*copier.faults, *checks[0].faults], copier.silence
    if silence:
        return MadeBackup(checks[0].summary, faults, copier.unknown, [f"{UNCHECKED}: {silence}"])
    return MadeBackup(checks[0].summary, [*faults, *archive_faults(copier.log, copier.by_segment)], copier.unknown, [])


def erased_people(settings: Settings) -> set[str]:
    """Those whose keys were erased; raises `RestoreRefused` if that cannot be told."""
    file = Path(settings.data) / FILE
    if settings.keys_url is None and not file.exists():
        raise RestoreRefused(
            f"{file} is missing: it says who was erased. Put its newest copy there, or set WINTERCOUNT_KEYS_URL, "
            "or say --without-keys"
        )
    try:
        store = key_store(settings)
        if not store.read([STORE]):  # nor does it hold whom it knew: as if nobody had been erased
            raise RestoreRefused(
                "the key store is empty: it says who was erased. Put its newest copy there, or say --without-keys"
            )
        return {person for person, wrapped in store.everyone() if wrapped == ERASED}
    except (SecretUnusable, KeysUnavailable) as error:
        raise RestoreRefused(str(error)) from None


def advice(url: str, settings: Settings, by_segment: BySegment) -> list[str]:
    """What is still to be done after a restore, so that the service starts and can read all that it may."""
    client = connect(url)
    log = log_of(client, settings)
    told = (_of_secret(client, settings), _of_keys(client, settings), _of_rows(log))
    return [*filter(None, told), *archive_faults(log, by_segment)]


def _of_rows(log: RedisLog) -> str | None:
    """What is still to come if the archive did not answer while the projections were made."""
    if all(rows.is_complete() for rows in all_current(log, PROJECTIONS)):
        return None
    return "lobby and standings do not hold everything yet: a dispatcher goes on with them once the archive answers"


def _of_secret(client: Client, settings: Settings) -> str | None:
    """What to do if what the backup holds sealed is not under the keys that are here."""
    try:
        sealer_for(client, settings) if client.exists(SEAL) else None
    except SecretUnusable as error:
        return str(error)
    return None


def _of_keys(client: Client, settings: Settings) -> str | None:
    """What to do if the backup's texts are under the keys of another key store."""
    try:
        kept = client.get(MARK)
        if (
            kept
            and (settings.keys_url or (Path(settings.data) / FILE).exists())
            and kept != key_store(settings).read([STORE]).get(STORE)
        ):
            return "the texts of this store are under the keys of another key store: put that one in its place"
    except (SecretUnusable, KeysUnavailable) as error:
        return str(error)
    return None
