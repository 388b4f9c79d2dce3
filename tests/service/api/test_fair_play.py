"""Addresses are noted as keyed hashes, for some days; those who share one and sit together are told of."""

import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from click.testing import CliRunner
from freezegun import freeze_time

from events.scripts import Client
from service.accounts.accounts import DAY_S, today
from service.accounts.player_addresses import MOST, MOST_DAYS, Addresses, keys_of_days
from service.accounts.sealing import Sealer, new_key
from service.config import BadSetting, settings_from
from service.runtime.cli import main
from tests.servers import SECRET
from tests.service.api.world import Somebody, World, accepted

HOME, ELSEWHERE = "203.0.113.7", "198.51.100.1"
FREE = {"game": "tomahawk", "seats": [{"kind": "me"}, {"kind": "open"}]}


def post_from(address: str, who: Somebody, path: str, body: Any, status: int) -> Any:
    """What somebody is answered who asks from an address."""
    return accepted(who.send("POST", path, json=body, environ_base={"REMOTE_ADDR": address}), status)


def client_of(world: World) -> Client:
    return world.services.handler.log.client  # type: ignore[attr-defined]


def noted(world: World, who: Somebody) -> list[bytes]:
    """What is kept of somebody's addresses."""
    kept = [client_of(world).hget(key, str(who.player)) for key in keys_of_days()]
    return [one for found in kept if found for one in found.split()]


def played(world: World, ann: Somebody, ben: Somebody, address: str) -> None:
    """A game of two, finished; the first sits at home."""
    table = post_from(HOME, ann, "/v1/tables", FREE, 201)["table"]
    post_from(address, ben, f"/v1/tables/{table}/seats/2", {}, 200)
    world.finish(table)
    world.catch_up()


def report(world: World, *words: str) -> Any:
    env = {"WINTERCOUNT_REDIS_URL": world.url, "WINTERCOUNT_SECRET": SECRET, "WINTERCOUNT_DATA": world.settings.data}
    told = CliRunner().invoke(main, ["fairness", *words], env=env)
    assert told.exit_code == 0, told.output
    return json.loads(told.output) if words else told.output


def test_those_who_share_an_address_and_sit_together_are_told_of(world: World) -> None:
    """Not those who only share one, nor those who only sit together."""
    ann, ben, cat = (world.somebody(name) for name in ("Ann", "Ben", "Cat"))
    for key in keys_of_days():  # the tests themselves all come from one address
        client_of(world).delete(key)
    played(world, ann, ben, HOME)
    played(world, ann, cat, ELSEWHERE)
    pairs = [{one["one"], one["other"]} for one in report(world, "--json")["shared"]]
    assert {ann.player, ben.player} in pairs
    assert all(cat.player not in pair for pair in pairs)
    assert "Neither proves anything" in report(world)


def test_no_address_is_kept_but_as_a_keyed_hash(world: World) -> None:
    """With another secret it is another; and each day is forgotten by itself."""
    ann = world.somebody("Ann")
    post_from(HOME, ann, "/v1/tables", FREE, 201)
    assert len(noted(world, ann)) == 2  # the one that the account was made from, too
    assert not any(HOME.encode() in one for one in noted(world, ann))
    other = Addresses(client_of(world), Sealer(lambda: [new_key()]), MOST_DAYS)
    other.note(str(ann.player), HOME)
    assert len(noted(world, ann)) == 3
    ends = client_of(world).expiretime(next(keys_of_days()))
    assert abs(ends - (today() + world.settings.address_days) * DAY_S) <= 2


def test_a_clock_that_ran_ahead_keeps_no_address_longer(world: World) -> None:
    """Given one that was noted while a server's clock was a year ahead, then it is forgotten after thirty days."""
    ann = world.somebody("Ann")
    with freeze_time(datetime.now(UTC) + timedelta(days=365)):
        Addresses(client_of(world), Sealer(lambda: [new_key()]), MOST_DAYS).note(str(ann.player), HOME)
        key = next(keys_of_days())
    assert 0 < client_of(world).ttl(key) <= MOST_DAYS * DAY_S


def test_so_many_addresses_of_an_account_are_noted_on_a_day(world: World) -> None:
    ann = world.somebody("Ann")
    for number in range(MOST + 5):
        world.services.people.addresses.note(str(ann.player), f"203.0.113.{number}")
    assert len(noted(world, ann)) == MOST


def test_who_is_erased_leaves_no_address(world: World) -> None:
    """Nor does a request that was let in before bring one back."""
    ann = world.somebody("Ann")
    assert noted(world, ann)
    assert ann.delete("/v1/players/me").status_code == 204
    world.services.people.addresses.note(str(ann.player), HOME)
    assert noted(world, ann) == []


@pytest.fixture
def without(store_url: str) -> Iterator[World]:
    """A service that keeps no addresses."""
    with contextlib.closing(World(store_url, address_days=0)) as found:
        yield found


def test_a_service_may_keep_none(without: World) -> None:
    ann = without.somebody("Ann")
    accepted(ann.post("/v1/tables", FREE), 201)
    assert noted(without, ann) == []


def test_none_is_kept_longer_than_thirty_days() -> None:
    with pytest.raises(BadSetting, match="ADDRESS_DAYS"):
        settings_from({"WINTERCOUNT_ADDRESS_DAYS": "31"})
