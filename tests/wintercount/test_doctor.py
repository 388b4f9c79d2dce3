"""`wintercount doctor` finds each fault in what the service needs, says what to do, and writes nothing."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from rq import Worker

from events.log import PARTITIONS
from events.store import META, RedisLog, connect
from projections import archived_tables
from service.accounts.key_store import FILE
from service.config import SETTINGS
from service.moderation.actions import KEY
from tests import damage
from tests.commands import on_store, wintercount
from tests.servers import SECRET, data_beside
from tests.service.api.world import embedded_store
from tests.service.web import serving
from tests.tables import Visit, catch_up
from wintercount.cli.main import main
from wintercount.processes import embedded
from worker.rq_worker import queues

SUBJECTS = "archive data store durability memory clock moderation secret settings workers due projections web"
ANOTHER_SECRET = "YW5vdGhlciBzZWNyZXQsIDMyIGJ5dGVzIGxvbmcsIG8="
CLUSTER = "redis+cluster://127.0.0.1:1"


class Found(NamedTuple):
    """A line of `wintercount doctor --json`."""

    subject: str
    verdict: str
    detail: str
    advice: str


def asked(**settings: Any) -> list[Found]:
    """What the doctor says with these settings."""
    given = {setting.variable: None for setting in SETTINGS}
    environment = given | {
        setting.variable: str(settings[setting.field]) for setting in SETTINGS if setting.field in settings
    }
    told = CliRunner().invoke(main, ["doctor", "--json"], env=environment)
    return [Found(**json.loads(line)) for line in told.stdout.splitlines()]


class Patient:
    """A service in which somebody has played, and what the doctor says of it."""

    def __init__(self, url: str, address: str) -> None:
        self.url, self.data, self.address = url, data_beside(url), address
        self.log = RedisLog(connect(url), PARTITIONS)
        self.client = self.log.client
        self.visit = Visit(self.log)

    def worst(self, **changes: Any) -> dict[str, Found]:
        """The worst finding of each subject, with some settings changed."""
        port = self.address.rpartition(":")[2]
        given = {"redis_url": self.url, "data": self.data, "port": port, "secret": SECRET} | changes
        return {one.subject: one for one in sorted(asked(**given), key=lambda one: one.verdict != "good")}


@pytest.fixture(scope="module")
def patient() -> Iterator[Patient]:
    """A web server, a worker that waits for work, projections that are up to date."""
    with embedded_store() as url, serving(url) as address:
        found = Patient(url, address)
        found.visit.open("tomahawk", "ann open")
        catch_up(found.log)
        worker = Worker(queues(found.client), connection=found.client)
        worker.register_birth()
        yield found
        worker.register_death()


def kept(patient: Patient) -> dict[bytes, bytes]:
    """Everything in the store but what the web server and the worker note of themselves now and then."""
    own = (b"rq:", b"wintercount:spent:")
    return {key: value for key, value in damage.copy_of(patient.client).items() if not key.startswith(own)}


def test_a_service_that_is_well(patient: Patient) -> None:
    """Every subject is good, and nothing was written."""
    before = kept(patient)
    found = patient.worst()
    assert found.keys() == set(SUBJECTS.split())
    assert [one for one in found.values() if one.verdict != "good"] == []
    assert kept(patient) == before


@contextlib.contextmanager
def configured(patient: Patient, **changes: str) -> Iterator[dict[str, Any]]:
    names = {name.replace("_", "-"): value for name, value in changes.items()}
    before = {name: patient.client.config_get(name)[name] for name in names}
    for name, value in names.items():
        patient.client.config_set(name, value)
    try:
        yield {}
    finally:
        for name, value in before.items():
            patient.client.config_set(name, value)


@contextlib.contextmanager
def nearly_full(patient: Patient) -> Iterator[dict[str, Any]]:
    """With so much in it that what connections take is not the rest."""
    patient.client.setrange("ballast", 64 << 20, "x")
    used = int(patient.client.info("memory")["used_memory"])
    with configured(patient, maxmemory=str(int(used * 1.05))) as changes:
        yield changes
    patient.client.delete("ballast")


@contextlib.contextmanager
def readable_by_all(patient: Patient) -> Iterator[dict[str, Any]]:
    patient.data.chmod(0o755)
    yield {}
    patient.data.chmod(0o700)


@contextlib.contextmanager
def without_workers(patient: Patient) -> Iterator[dict[str, Any]]:
    (worker,) = Worker.all(connection=patient.client)
    worker.register_death()
    yield {}
    worker.register_birth()


@contextlib.contextmanager
def damaged_action(patient: Patient) -> Iterator[dict[str, Any]]:
    """What an operator did cannot be read."""
    patient.client.hset(KEY, mapping={"1": "{", "request": "1 "})
    yield {}
    patient.client.delete(KEY)


@contextlib.contextmanager
def overdue(patient: Patient) -> Iterator[dict[str, Any]]:
    """A turn of an AI seat that was due in 2001."""
    key = patient.log.partition_key(3, "timers")
    patient.client.zadd(key, {"t_x|turn": 10**12})
    yield {}
    patient.client.zrem(key, "t_x|turn")


@contextlib.contextmanager
def not_projected(patient: Patient) -> Iterator[dict[str, Any]]:
    patient.visit.open("manitou", "ann open")
    yield {}
    catch_up(patient.log)


@contextlib.contextmanager
def without_key_file(patient: Patient) -> Iterator[dict[str, Any]]:
    file = patient.data / FILE
    file.rename(file.with_suffix(".away"))
    yield {}
    assert not file.exists()
    file.with_suffix(".away").rename(file)


@contextlib.contextmanager
def archived_elsewhere(patient: Patient, **changes: Any) -> Iterator[dict[str, Any]]:
    """The store names a segment that is not in the archive that the settings name, if any."""
    archived_tables.register(patient.client, "0" * 12)
    yield changes
    patient.client.delete(archived_tables.SEGMENTS)


def archived_here(patient: Patient) -> contextlib.AbstractContextManager[dict[str, Any]]:
    return archived_elsewhere(patient, archive=str(patient.data / "archive"))


@contextlib.contextmanager
def set_to(_: Patient, **changes: Any) -> Iterator[dict[str, Any]]:
    yield changes


Harm = Callable[[Patient], contextlib.AbstractContextManager[dict[str, Any]]]
HARMS: dict[str, tuple[Harm, str, str]] = {
    "a data directory that others may read": (readable_by_all, "data", "chmod 700"),
    "writes synced once a second": (
        lambda p: configured(p, appendfsync="everysec"),
        "durability",
        "appendfsync always",
    ),
    "a store that writes nothing": (lambda p: configured(p, appendonly="no"), "durability", "appendonly yes"),
    "a store that throws keys away": (lambda p: configured(p, maxmemory_policy="allkeys-lru"), "memory", "noeviction"),
    "a store that is nearly full": (nearly_full, "memory", "give it memory"),
    "no replica to acknowledge": (lambda p: set_to(p, ack="replica"), "replicas", "WINTERCOUNT_ACK"),
    "another secret": (lambda p: set_to(p, secret=ANOTHER_SECRET), "secret", "WINTERCOUNT_SECRET"),
    "keys of texts that are gone": (without_key_file, "secret", "Put its newest copy back"),
    "an archive that was not told": (archived_elsewhere, "archive", "WINTERCOUNT_ARCHIVE"),
    "an archive without its files": (archived_here, "archive", "put its files back"),
    "no worker": (without_workers, "workers", "wintercount worker"),
    "a cluster for rq": (lambda p: set_to(p, queue_url=CLUSTER), "workers", "WINTERCOUNT_QUEUE_URL"),
    "a damaged action of an operator": (damaged_action, "moderation", "backup"),
    "no dispatcher": (overdue, "due", "wintercount dispatch"),
    "projections that nobody brings forward": (not_projected, "projections", "wintercount dispatch"),
    "no web server": (lambda p: set_to(p, port=1), "web", "wintercount serve"),
}
WARNINGS = {"writes synced once a second", "a store that is nearly full"}


@pytest.mark.parametrize("what", HARMS)
def test_a_harm_is_found_with_what_to_do(patient: Patient, what: str) -> None:
    """Where it is, and nowhere else; afterwards all is well again."""
    harm, subject, advice = HARMS[what]
    with harm(patient) as changes:
        found = patient.worst(**changes)
    assert found[subject].verdict == ("warning" if what in WARNINGS else "fault"), found[subject]
    assert advice in found[subject].advice
    assert {one.subject for one in found.values() if one.verdict != "good"} == {subject}


def test_a_data_directory_that_is_not_there(patient: Patient) -> None:
    """With it the keys of people's texts are missing, and are not made."""
    there = patient.data / "none"
    found = patient.worst(data=str(there))
    assert (found["data"].verdict, "WINTERCOUNT_DATA" in found["data"].advice) == ("warning", True)
    assert (found["secret"].verdict, there.exists()) == ("fault", False)


def test_a_store_that_does_not_answer_ends_the_look(patient: Patient) -> None:
    """What needs it is not told."""
    found = [(one.subject, one.verdict) for one in asked(redis_url="redis://127.0.0.1:1", data=patient.data)]
    assert found == [("settings", "good"), ("data", "good"), ("store", "fault")]


def test_a_store_in_which_nothing_was_played_is_left_empty() -> None:
    """It may be the wrong one: nothing is made there."""
    with embedded_store() as url:
        found = asked(redis_url=url, data=data_beside(url))
        assert (found[-1].subject, found[-1].verdict) == ("store", "warning")
        assert connect(url).exists(META) == 0


@pytest.mark.parametrize(("port", "status"), [(None, 0), ("1", 1)])
def test_the_command_tells_by_its_exit_status(patient: Patient, port: str | None, status: int) -> None:
    """For people a line each, with what to do below it; for programs a JSON value each."""
    settings = on_store(patient.url) | {"PORT": port or patient.address.rpartition(":")[2]}
    told = wintercount("doctor", **settings)
    assert told.exit_code == status, told.output
    assert ("→ start `wintercount serve`" in told.output) == (status == 1)
    rows = [json.loads(line) for line in wintercount("doctor", "--json", **settings).output.splitlines()]
    assert {row["verdict"] for row in rows} == ({"good"} if status == 0 else {"good", "fault"})


def test_a_misspelt_setting_is_a_warning(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the name that was probably meant."""
    monkeypatch.setenv("WINTERCOUNT_WROKERS", "4")
    found = patient.worst()["settings"]
    assert (found.verdict, found.advice) == ("warning", "did you mean WINTERCOUNT_WORKERS?")
    assert "WINTERCOUNT_WROKERS" in found.detail


def test_a_restore_that_was_cut_off(tmp_path: Path) -> None:
    """`wintercount run` would refuse to start the store: the restore has to be run again."""
    (tmp_path / embedded.RESTORING).mkdir()
    found = asked(data=tmp_path)
    assert (found[-1].subject, found[-1].verdict) == ("store", "fault")
    assert "run `wintercount restore` again" in found[-1].advice
    (tmp_path / embedded.FILES).mkdir()  # it had ended, but for the removal of what it no longer needs
    assert asked(data=tmp_path)[-1].advice.startswith("`wintercount run` starts it")


def test_an_embedded_store_that_does_not_run(tmp_path: Path) -> None:
    """Without an address of a store, the advice says how to start one and how to name one."""
    found = asked(data=tmp_path)
    assert found[-1].verdict == "fault"
    assert found[-1].advice.startswith("`wintercount run` starts it; WINTERCOUNT_DATA says where")
