"""What runs in containers: production packages alone, as nobody, on read-only roots, with passwords and limits."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

COMPOSE: dict[str, Any] = yaml.safe_load(Path("compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = Path("Dockerfile").read_text(encoding="utf-8")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PINNED = r"[a-z/]+:[\w.-]+(@sha256:[0-9a-f]{64})?"
PASSWORDS = {"WINTERCOUNT_STORE_PASSWORD": "a", "WINTERCOUNT_QUEUE_PASSWORD": "b", "WINTERCOUNT_KEYS_PASSWORD": "c"}
PASSWORDS |= {"WINTERCOUNT_SECRET": "A" * 43 + "="}
by_service = pytest.mark.parametrize("name", SERVICES)


def locked(name: str) -> dict[str, str]:
    """The packages of a lock, each with its version."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", Path(name).read_text(encoding="utf-8"), re.M))


@by_service
def test_a_service_may_do_no_more_than_it_needs(name: str) -> None:
    """Nobody's account, no capabilities, no new privileges, a read-only root, a bound on memory, a health check."""
    service = SERVICES[name]
    user = service["user"].split(":")[0]

    assert int(user) > 0
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
    assert "privileged" not in service


@by_service
def test_an_image_has_a_version(name: str) -> None:
    """And, where `make pin-images` has been run, a digest as a registry tells it."""
    if "image" in SERVICES[name]:
        assert re.fullmatch(PINNED, SERVICES[name]["image"])


def test_store_queue_and_keys_ask_for_passwords() -> None:
    """Different ones, without which nothing starts; the URLs hold them."""
    for name in ("store", "queue", "keys"):
        variable = f"WINTERCOUNT_{name.upper()}_PASSWORD"
        assert SERVICES[name]["environment"]["REDISCLI_AUTH"].startswith(f"${{{variable}:?")
        assert '--requirepass "$$REDISCLI_AUTH"' in SERVICES[name]["command"][-1]
        assert "ports" not in SERVICES[name]
    environment = SERVICES["worker"]["environment"]
    assert environment["WINTERCOUNT_REDIS_URL"] == "redis://:${WINTERCOUNT_STORE_PASSWORD}@store:6379"
    assert environment["WINTERCOUNT_QUEUE_URL"] == "redis://:${WINTERCOUNT_QUEUE_PASSWORD}@queue:6379"


def test_only_those_who_need_it_reach_the_queue() -> None:
    """Whoever writes there runs code: the web server, which strangers talk to, does not reach it."""
    assert {name for name, service in SERVICES.items() if "queue" in service["networks"]} == {
        *("queue", "dispatcher", "worker")
    }
    assert COMPOSE["networks"]["queue"] == COMPOSE["networks"]["store"] == {"internal": True}
    assert not any("QUEUE" in variable for variable in SERVICES["web"]["environment"])


def test_only_the_web_server_reaches_the_keys() -> None:
    """They lie apart from the log, and nobody else tells what people are called and wrote."""
    assert {name for name, service in SERVICES.items() if "keys" in service["networks"]} == {"keys", "web"}
    assert COMPOSE["networks"]["keys"] == {"internal": True}
    assert SERVICES["keys"]["volumes"] != SERVICES["store"]["volumes"]
    told = {name for name, service in SERVICES.items() if "WINTERCOUNT_KEYS_URL" in service.get("environment", {})}
    assert told == {"web"}


def test_the_image_holds_every_package() -> None:
    """What is not named is left out of it."""
    packages = {path.parent.name for path in Path().glob("*/__init__.py")} - {"tests", "benchmarks", "tools"}
    named = {line[1:] for line in Path(".dockerignore").read_text(encoding="utf-8").split() if line.startswith("!")}
    assert packages <= named


def test_the_image_holds_production_packages_alone() -> None:
    """Locked with hashes, the same versions as in development, and none that only tests need."""
    production, development = locked("requirements-production.lock"), locked("requirements.lock")

    assert production.items() <= development.items()
    assert not {"pytest", "ruff", "mypy", "hypothesis", "schemathesis", "setuptools"} & set(production)
    assert re.findall(r"-r (\S+)", DOCKERFILE) == ["/requirements-production.lock"]
    assert DOCKERFILE.count("--require-hashes") == 1
    assert re.search(r"^USER 65534", DOCKERFILE, re.M)
    assert "HEALTHCHECK" in DOCKERFILE


def docker(*words: str) -> "subprocess.CompletedProcess[bytes]":
    """What the command line of Docker says."""
    return subprocess.run(["docker", *words], capture_output=True, check=False, env=os.environ | PASSWORDS)


def has_images() -> bool:
    """Whether a daemon answers that holds what the build and the services start from."""
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.M) + [s["image"] for s in SERVICES.values() if "image" in s]
    return shutil.which("docker") is not None and all(docker("image", "inspect", i).returncode == 0 for i in images)


@pytest.mark.skipif(not has_images(), reason="no Docker daemon answers that holds the images")
def test_everything_starts_and_is_healthy() -> None:
    """`docker compose up --wait` comes back when every health check is passed."""
    try:
        found = docker("compose", "-p", "wintercount-test", "up", "--build", "--wait")
        assert found.returncode == 0, found.stderr.decode()
    finally:
        docker("compose", "-p", "wintercount-test", "down", "--volumes")
