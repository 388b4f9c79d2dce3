"""`make charges`: every operation has a case, a charge is read as it was counted, and what is undercharged is named."""

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import charges
from benchmarks.charging import asking, serving
from benchmarks.charging.asking import MEASURED, Asker, Found
from benchmarks.charging.cases import CASES, Case, missing, strange
from benchmarks.charging.hall import Hall
from benchmarks.charging.page import page, undercharged
from benchmarks.charging.place import SMALL, Place, table_place
from benchmarks.charging.places import PLACES
from benchmarks.charging.serving import ADMIN, Asked, Served
from benchmarks.charging.shelves import SHELVES
from service.limits import costs
from service.limits.costs import READ_MS, TABLE
from service.runtime import embedded
from service.runtime.app import create_app
from tests.servers import data_directory, running
from worker.efforts import efforts

DIFF = ("GET", f"{TABLE}/diff")


@pytest.fixture(scope="module")
def hall() -> Iterator[Hall]:
    """People in a service of this process."""
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(data_directory())
        stack.enter_context(running(embedded.start(directory)))
        yield Hall(stack.enter_context(contextlib.closing(Served(embedded.url_of(directory), directory))), people=2)


@pytest.fixture
def table(hall: Hall) -> Place:
    """A running table."""
    name = hall.opened("tomahawk", 2)
    hall.play(name, 2)
    return table_place(hall, "a table", name)


def test_every_operation_has_a_case() -> None:
    """And no case asks for another, or at a kind of places that is not made."""
    app = create_app()
    assert missing(app) == []
    assert strange(app) == []
    assert {kind for case in CASES for kind in case.places} <= {*PLACES, *SHELVES}


def test_a_new_route_without_a_case_is_named(hall: Hall) -> None:
    app = create_app()
    app.add_url_rule("/v1/new", view_func=lambda: "", endpoint="new")
    assert missing(app) == ["/v1/new"]
    assert missing(app, [*CASES, Case("/v1/new")]) == []


def test_a_charge_is_read_as_it_was_counted(hall: Hall, table: Place) -> None:
    """Of an account, of an address, of the AI that is ordered; operators have no budget."""
    path = f"/v1/tables/{table.names['table']}"
    body = {"game": "tomahawk", "seats": [{"kind": "me"}, {"kind": "ai", "level": "expert"}]}
    assert hall.served.ask("GET", path, table.token).work_ms == READ_MS
    assert hall.served.ask("GET", f"{path}/diff").work_ms == costs.COSTS_MS[DIFF]
    assert hall.served.ask("GET", "/v1/nowhere").work_ms == READ_MS
    opened = hall.served.ask("POST", "/v1/tables", table.token, json=body)
    assert (opened.status, opened.thinking_s) == (201, efforts("tomahawk")["expert"].seat_s)
    assert hall.served.ask("GET", path, ADMIN).work_ms == 0


def test_a_stream_is_followed_until_it_has_told_all(hall: Hall, table: Place) -> None:
    """And is charged what it is when it begins."""
    path = f"/v1/tables/{table.names['table']}/events"
    whole = hall.served.ask("GET", path, table.token, headers={"Accept": "text/event-stream"})
    rest = hall.served.ask("GET", f"{path}?after={table.names['version']}", headers={"Accept": "text/event-stream"})
    assert whole.status == 200
    assert whole.size > 100 * table.names["version"] > rest.size


def test_what_is_undercharged_is_named(hall: Hall, table: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each request takes a second: one that is charged half of it, and one whose charge is planted."""
    ticks = itertools.count()
    monkeypatch.setattr(serving, "clock_s", lambda: float(next(ticks)))
    monkeypatch.setattr(asking.Asker, "_yard", lambda _: MEASURED)
    asker, case = Asker(hall), Case("diffTable", ("tables",))
    found = [list(asker.ask_at(case, table))]
    monkeypatch.setitem(costs.COSTS_MS, DIFF, 2)
    found.append(list(asker.ask_at(case, table)))
    assert [len(undercharged(one)) for one in found] == [0, len(found[1])]
    told = page({}, [*found[0], *found[1]], {})
    assert f"| 500.00 | diffTable | a table |  | memory | 200 | 2 |  | 1,000.0 | {found[1][0].asked.size:,} |" in told


@pytest.mark.parametrize(("work_ms", "status"), [(100, 0), (2, 1)])
def test_the_command_ends_with_1_where_something_is(
    work_ms: int, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Found("diffTable", "a table", "", "memory", Asked(200, 10, work_ms, 0, 150.0), 150.0, 5)
    monkeypatch.setattr("benchmarks.host.DATA", tmp_path)
    monkeypatch.setattr("benchmarks.machine.DATA", tmp_path)
    monkeypatch.setattr(charges, "run", lambda *_: ([one], {}))
    result = CliRunner().invoke(charges.main, ["--output", str(tmp_path)])
    assert result.exit_code == status, result.output
    assert (f"Undercharged: {status}" in (tmp_path / "charges.md").read_text()) is True


@pytest.mark.slow
def test_the_whole_of_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With next to nothing at each place: every operation is asked for, or named, and some from the archive."""
    monkeypatch.setattr("benchmarks.host.DATA", tmp_path)
    found, skipped = charges.run(SMALL)
    assert {one.operation for one in found} | set(skipped) == {case.operation for case in CASES}
    assert {one.read_from for one in found} == {"memory", "store", "archive", "refused"}
