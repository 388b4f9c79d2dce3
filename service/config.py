"""Configuration by environment variables, each with a default that works on one machine."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from service.accounts.addresses import Networks, Reach, networks_of, ports_of


class Setting(NamedTuple):
    """One environment variable: the field that it sets and what it means."""

    variable: str
    field: str
    meaning: str


class Settings(msgspec.Struct, frozen=True):
    """What the service can be told. Unset URLs mean: the embedded server."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: str = "var"
    redis_url: str | None = None
    queue_url: str | None = None
    threads: int = 8
    streams: int = 1000
    kept_tables: int = 2000
    workers: int = msgspec.field(default_factory=lambda: os.cpu_count() or 1)
    turn_s: float = 20.0
    webhook_networks: str = ""
    webhook_ports: str = "443"
    connections: int = 4096
    connections_per_address: int = 256
    idle_s: float = 30.0
    bodies_mb: int = 64
    body_s: float = 10.0
    trusted_proxies: str = ""
    work_ms: int = 30_000
    thinking_s: int = 3600
    accounts: int = 60
    refused_moves: int = 60
    open_tables: int = 200
    ai_seats: int = 100
    forks: int = 100
    open_disputes: int = 20
    empty_account_days: int = 30
    streams_per_client: int = 50
    log_level: str = "warning"
    admin_token: str | None = None
    metrics_token: str | None = None
    secret: str | None = None
    secret_file: str | None = None
    keys_url: str | None = None

    @property
    def reach(self) -> Reach:
        """The networks besides the internet, and the ports, that webhooks may reach."""
        return Reach(networks_of(self.webhook_networks), ports_of(self.webhook_ports))

    @property
    def key_file(self) -> Path:
        """The file that holds the keys of what the store keeps sealed."""
        return Path(self.secret_file) if self.secret_file else Path(self.data) / "secret"

    @property
    def proxies(self) -> Networks:
        """The networks of proxies whose word on a client's address is taken."""
        return networks_of(self.trusted_proxies)


SETTINGS = (
    Setting("WINTERCOUNT_HOST", "host", "address that the web server listens on"),
    Setting("WINTERCOUNT_PORT", "port", "port that the web server listens on"),
    Setting("WINTERCOUNT_DATA", "data", "directory of the embedded server: its data, socket, lock and logs"),
    Setting("WINTERCOUNT_REDIS_URL", "redis_url", "Redis 7.2 or later, or Valkey, instead of the embedded server"),
    Setting("WINTERCOUNT_QUEUE_URL", "queue_url", "rq's Redis, never a cluster; by default the same as the log's"),
    Setting("WINTERCOUNT_THREADS", "threads", "threads that answer requests in a web process"),
    Setting("WINTERCOUNT_STREAMS", "streams", "event streams that a web process holds open at most"),
    Setting("WINTERCOUNT_KEPT_TABLES", "kept_tables", "tables that a process keeps in memory at most"),
    Setting("WINTERCOUNT_WORKERS", "workers", "worker processes that `wintercount run` starts; by default one a core"),
    Setting("WINTERCOUNT_TURN_S", "turn_s", "seconds that an AI player has for a choice before it is given up"),
    Setting(
        "WINTERCOUNT_WEBHOOK_NETWORKS",
        "webhook_networks",
        "networks besides the internet that webhooks may reach, such as 10.0.0.0/8,::1/128; none by default",
    ),
    Setting("WINTERCOUNT_WEBHOOK_PORTS", "webhook_ports", "ports that webhooks may reach, such as 443,8000-8999"),
    Setting("WINTERCOUNT_CONNECTIONS", "connections", "connections that a web process holds open at most"),
    Setting(
        "WINTERCOUNT_CONNECTIONS_PER_ADDRESS",
        "connections_per_address",
        "of these, those of one client's address at most; an address of IPv6 is its network of 64 bits",
    ),
    Setting("WINTERCOUNT_IDLE_S", "idle_s", "seconds that a connection may take for the head of its next request"),
    Setting(
        "WINTERCOUNT_BODIES_MB", "bodies_mb", "MiB of bodies that a web process holds at most, half of it archives"
    ),
    Setting("WINTERCOUNT_BODY_S", "body_s", "seconds that a body of at most 64 KiB may take to come"),
    Setting(
        "WINTERCOUNT_TRUSTED_PROXIES",
        "trusted_proxies",
        "networks of proxies that tell the client's address in X-Forwarded-For; none by default",
    ),
    Setting(
        "WINTERCOUNT_WORK_MS", "work_ms", "milliseconds of processor an account may take a minute, an address twice"
    ),
    Setting("WINTERCOUNT_THINKING_S", "thinking_s", "seconds of AI thinking it may order an hour, an address twice"),
    Setting("WINTERCOUNT_ACCOUNTS", "accounts", "accounts that an address may open an hour"),
    Setting(
        "WINTERCOUNT_REFUSED_MOVES",
        "refused_moves",
        "moves that are refused an account may send a minute, an address twice, before it is told 429 instead of why",
    ),
    Setting("WINTERCOUNT_OPEN_TABLES", "open_tables", "tables that are not finished an account may have opened"),
    Setting("WINTERCOUNT_AI_SEATS", "ai_seats", "AI seats that it may have at these tables"),
    Setting("WINTERCOUNT_FORKS", "forks", "branches that may be among them"),
    Setting("WINTERCOUNT_OPEN_DISPUTES", "open_disputes", "disputes that an account may have open"),
    Setting(
        "WINTERCOUNT_EMPTY_ACCOUNT_DAYS",
        "empty_account_days",
        "days without a request after which an account ends that never had to do with a table; 0 is never",
    ),
    Setting(
        "WINTERCOUNT_STREAMS_PER_CLIENT",
        "streams_per_client",
        "event streams of an account in a web process, or without a token of an address",
    ),
    Setting("WINTERCOUNT_LOG_LEVEL", "log_level", "debug, info, warning or error"),
    Setting("WINTERCOUNT_ADMIN_TOKEN", "admin_token", "a token with every scope, for the operator; none by default"),
    Setting(
        "WINTERCOUNT_METRICS_TOKEN", "metrics_token", "a token that reads /metrics and nothing else; none by default"
    ),
    Setting(
        "WINTERCOUNT_SECRET_FILE",
        "secret_file",
        "file of the keys that the store is sealed under; by default `secret` in the data directory, made when missing",
    ),
    Setting("WINTERCOUNT_SECRET", "secret", "those keys themselves, the newest first, instead of a file"),
    Setting(
        "WINTERCOUNT_KEYS_URL",
        "keys_url",
        "a Redis of its own for the keys of what people are called and write; by default the file `keys.sqlite` in the "
        "data directory",
    ),
)


class BadSetting(Exception):
    """An environment variable whose value cannot be used."""


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that the environment gives; raises `BadSetting` naming the variable."""
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        if text := environment.get(setting.variable):
            values[setting.field] = _value(setting, text)
    return msgspec.convert(values, Settings)


def _value(setting: Setting, text: str) -> Any:
    try:
        found = msgspec.convert({setting.field: text}, Settings, strict=False)
        return (found.reach, found.proxies) and getattr(found, setting.field)
    except ValueError as error:
        raise BadSetting(f"{setting.variable}={text!r}: {error}") from None
