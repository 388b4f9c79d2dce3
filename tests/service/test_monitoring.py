"""What alerts and dashboard ask for is what `/metrics` tells: every name, every label, every resource."""

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from service.metrics import WHYS
from tests.servers import SECRET
from tests.service.api.world import World, embedded_store

OPERATIONS = Path("operations")
OF_PROMETHEUS = {"up": {"job", "instance"}}  # what it tells of a scrape itself
SCRAPED = {"job", "instance"}  # what it adds to each sample
SELECTOR = re.compile(r"\b(up|wintercount_\w+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')
GROUPED = re.compile(r"\bby \(([^)]*)\)")

Told = dict[str, set[str]]


def alerts() -> list[dict[str, Any]]:
    """All alert rules."""
    groups = yaml.safe_load(OPERATIONS.joinpath("alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """All panels of the dashboard."""
    found: list[dict[str, Any]] = json.loads(OPERATIONS.joinpath("grafana.json").read_text(encoding="utf-8"))["panels"]
    return found


def expressions() -> list[str]:
    """All that is asked of Prometheus."""
    return [rule["expr"] for rule in alerts()] + [target["expr"] for one in panels() for target in one["targets"]]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with embedded_store() as url, contextlib.closing(World(url, metrics_token=SECRET)) as found:
        yield found


@pytest.fixture(scope="module")
def told(world: World) -> Told:
    """The labels of each sample that `/metrics` tells."""
    found: Told = dict(OF_PROMETHEUS)
    world.nobody.get("/v1/games")
    for family in text_string_to_metric_families(world.operator.get("/metrics").text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, set()) | sample.labels.keys() | SCRAPED
    return found


@pytest.mark.parametrize("expression", expressions())
def test_what_is_asked_for_is_told(expression: str, told: Told) -> None:
    """Names of metrics, labels that select, and labels that group."""
    selected = SELECTOR.findall(expression)
    assert selected
    for name, labels in selected:
        assert name in told, name
        asked = {label for label, _, _ in MATCHER.findall(labels)}
        asked |= {label.strip() for group in GROUPED.findall(expression) for label in group.split(",")}
        assert asked <= told[name], name


@pytest.mark.parametrize("expression", expressions())
def test_what_selects_is_there(expression: str, world: World) -> None:
    """Resources are routes, statuses can be answered, and reasons for a substitute are those there are."""
    routes = {rule.rule for rule in world.app.url_map.iter_rules()}
    for label, kind, value in (
        match for _, labels in SELECTOR.findall(expression) for match in MATCHER.findall(labels)
    ):
        if label == "resource":
            assert (kind, value in routes) == ("=", True), value
        if label == "status":
            assert re.fullmatch(r"500|503|507|5\.\.", value)
        if label == "why":
            assert {*value.split("|")} <= {*WHYS}
