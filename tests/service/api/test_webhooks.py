"""A bot says where it wants to be told of its turns; nobody else learns of it."""

import contextlib
from typing import Any, cast

import pytest

from service.accounts.webhooks import Delivery, Webhook
from tests.service.api.world import Answer, Somebody, World, accepted, refused

PATH = "/v1/players/me/webhook"
URL = "https://bots.example/turn"


@pytest.fixture
def robot(world: World) -> Somebody:
    account = accepted(world.nobody.post("/v1/players", {"name": "Robot", "bot": True}), 201)
    return Somebody(world.app, account["id"], account["token"]["secret"])


def put(somebody: Somebody, body: Any) -> Answer:
    return somebody.send("PUT", PATH, json=body)


def test_a_secret_is_told_once(robot: Somebody) -> None:
    """When the webhook is made; the same address again is a new webhook with another secret."""
    first, second = accepted(put(robot, {"url": URL})), accepted(put(robot, {"url": URL}))
    assert first["secret"].startswith("whsec_")
    assert first["secret"] != second["secret"]
    shown = accepted(robot.get(PATH))
    assert shown == {"id": second["id"], "url": URL, "at": second["at"], "last": None}


def test_it_can_be_seen_what_came_of_sending_last(world: World, robot: Somebody) -> None:
    """Of this webhook, not of one that it took the place of."""
    accepted(put(robot, {"url": URL}))
    attempt = Delivery("msg_1", "2026-11-21T09:00:00.000Z", 500, "only a status of 200 to 299 is a receipt")
    webhooks = world.services.webhooks
    webhooks.note(cast(Webhook, webhooks.of(str(robot.player))), attempt)
    assert accepted(robot.get(PATH))["last"]["status"] == 500
    accepted(put(robot, {"url": URL}))
    assert accepted(robot.get(PATH))["last"] is None


def test_a_webhook_is_ended(robot: Somebody) -> None:
    refused(robot.delete(PATH), 404, "no_such_webhook")
    accepted(put(robot, {"url": URL}))
    assert robot.delete(PATH).status_code == 204
    refused(robot.get(PATH), 404, "no_such_webhook")


@pytest.mark.parametrize("url", ["http://bots.example/", "https://127.0.0.1/", "https://a:b@bots.example/", "x"])
def test_an_address_that_nothing_is_sent_to_is_refused(robot: Somebody, url: str) -> None:
    """At once, where that can be seen."""
    refused(put(robot, {"url": url}), 422, "webhook_refused")
    refused(robot.get(PATH), 404, "no_such_webhook")


def test_webhooks_are_for_bots(world: World, robot: Somebody) -> None:
    """A person has none; a token that may only watch makes none."""
    refused(put(world.somebody("Ann"), {"url": URL}), 403, "not_allowed")
    refused(put(world.nobody, {"url": URL}), 401, "unauthenticated")
    refused(put(world.again(robot, ["watch"]), {"url": URL}), 403, "scope_missing")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9000/turn", "http://localhost:9000/turn"])
def test_one_switch_lets_a_bot_be_tried_on_this_machine(world: World, store_url: str, url: str) -> None:
    """With it an address of this machine is taken, over http and at any port; without it none is."""
    with contextlib.closing(World(store_url, webhook_local=True)) as here:
        account = accepted(here.nobody.post("/v1/players", {"name": "Robot", "bot": True}), 201)
        secret = account["token"]["secret"]
        accepted(put(Somebody(here.app, account["id"], secret), {"url": url}))
    refused(put(Somebody(world.app, account["id"], secret), {"url": url}), 422, "webhook_refused")
