"""Settings from environment variables; the defaults suit one machine."""

import difflib
import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import msgspec
import redis

from service.addresses import Networks, Reach, networks_of, ports_of

PREFIX = "WINTERCOUNT_"
SHARED_METRICS = "PROMETHEUS_MULTIPROC_DIR"  # the variable that names the directory of web processes' metrics
Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
Some = Annotated[int, msgspec.Meta(ge=1)]  # at least one
Bound = Annotated[int, msgspec.Meta(ge=0)]
Duration = Annotated[float, msgspec.Meta(gt=0)]


class Setting(NamedTuple):
    """A setting that an environment variable can change."""

    field: str
    variable: str
    meaning: str


def variable_of(field: str) -> str:
    """Returns the environment variable of a setting."""
    return PREFIX + field.upper()


class Settings(msgspec.Struct, frozen=True):
    """The settings of the service. Without URLs, it uses the embedded server."""

    host: str = "127.0.0.1"
    port: Port = 8000
    data: str = "var"
    redis_url: str | None = None
    queue_url: str | None = None
    ack: Literal["local", "replica"] = "local"
    web_processes: Some = msgspec.field(default_factory=lambda: min(4, os.cpu_count() or 1))
    threads: Some = 8
    streams: Bound = 1000
    kept_tables: Some = 2000
    projections_ms: Some = 100
    workers: Bound = msgspec.field(default_factory=lambda: os.cpu_count() or 1)
    turn_s: Duration = 20.0
    ai_release_ms: Bound = 1000
    webhook_networks: str = ""
    webhook_ports: str = "443"
    webhook_local: bool = False
    connections: Some = 4096
    trusted_proxies: str = ""
    accounts: Bound = 600
    changes: Bound = 3000
    questions: Bound = 6000
    reads: Bound = 30_000
    refused_moves: Bound = 60
    open_tables: Bound = 200
    ai_seats: Bound = 100
    sign_ins: Bound = 600
    origin: str | None = None
    empty_account_days: Bound = 30
    idle_days: Bound = 30
    archive: str | None = None
    archive_after_days: float = 7.0
    dumps: str | None = None
    streams_per_client: Bound = 100  # a class behind one address, with three tabs each
    log_level: Literal["debug", "info", "warning", "error", "critical"] = "warning"
    log_format: Literal["text", "json"] = "text"
    admin_token: str | None = None
    metrics_token: str | None = None
    secret: str | None = None
    secret_file: str | None = None
    keys_url: str | None = None
    # Quotas of an account that have no variable.
    open_disputes: Bound = 20
    tokens: Bound = 100
    passkeys: Bound = 20
    blocks: Bound = 500
    invitations: Bound = 50
    reports: Bound = 20
    analyses: Bound = 3
    transcripts: Bound = 100

    @property
    def address(self) -> str:
        """The URL of the web server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def reach(self) -> Reach:
        """The networks (besides the internet) and ports that webhooks may reach."""
        reach = Reach(networks_of(self.webhook_networks), ports_of(self.webhook_ports))
        return reach.and_this_machine() if self.webhook_local else reach

    @property
    def key_file(self) -> Path:
        """The file that holds the keys of what the store keeps sealed."""
        return Path(self.secret_file) if self.secret_file else Path(self.data) / "secret"

    @property
    def gives_rq_a_cluster(self) -> bool:
        """Whether the queue would be in a cluster, which rq does not support."""
        return "+cluster://" in (self.queue_url or self.redis_url or "")

    @property
    def proxies(self) -> Networks:
        """The networks of proxies whose `X-Forwarded-For` counts."""
        return networks_of(self.trusted_proxies)


MEANINGS = {
    "host": "IP address that the web server listens on; 0.0.0.0: all of this machine",
    "port": "port that the web server listens on",
    "data": "directory of the embedded server: its data, socket, lock and logs",
    "redis_url": "Redis 7.2 or later, or Valkey, to use instead of the embedded server",
    "queue_url": "Redis 7.2 or later for rq, not a cluster; by default the same as REDIS_URL",
    "ack": "who has a write on disk before it is acknowledged: `local`, the store, or `replica`, one of its replicas "
    "too",
    "web_processes": "web processes that share the port; by default one per core, at most 4",
    "threads": "threads that answer requests, per web process; half as many more answer moves",
    "streams": "most event streams open at once, per web process",
    "kept_tables": "most tables kept in memory, per process",
    "projections_ms": "milliseconds between two updates of lists and standings, which take in all moves since; more "
    "costs less",
    "workers": "worker processes that `wintercount run` starts; by default one per core",
    "turn_s": "seconds that an AI player may take for a choice before another player replaces it",
    "ai_release_ms": "milliseconds after which a searching AI player's move is played at a table with people, or at "
    "the next multiple after a longer search; 0: at once, which shows how long it searched",
    "webhook_networks": "networks that webhooks may reach besides the internet, such as 10.0.0.0/8,::1/128; none by "
    "default",
    "webhook_ports": "ports that webhooks may reach, such as 443,8000-8999",
    "webhook_local": "1: webhooks may reach every port of this machine over http, to try a bot; not where strangers "
    "have accounts",
    "connections": "most connections open at once, per web process",
    "trusted_proxies": "networks of proxies whose X-Forwarded-For names the client; none by default",
    "accounts": "new accounts per hour and address; an IPv6 address counts as its /64 network, here and below",
    "changes": "requests per hour and account that change something, moves apart",
    "questions": "questions about whole games per hour and account, such as audits and searches; an address may ask "
    "ten times as many",
    "reads": "other requests per minute and address; each web process counts its share",
    "refused_moves": "illegal moves per minute and account, before the answer is 429 without a reason",
    "open_tables": "unfinished tables that an account may have opened",
    "ai_seats": "AI seats at these tables",
    "sign_ins": "attempts to sign in per hour and address",
    "origin": "the page's address, such as https://play.example, for passkeys; by default the host that is asked for",
    "empty_account_days": "days without a request after which an account that never touched a table ends; 0 for never",
    "idle_days": "days without a move after which a table where no clock runs is closed; 0 for never; tables opened "
    "before keep theirs",
    "archive": "directory or URL (such as s3://bucket/prefix) of the archive of closed tables; by default `archive` in "
    "the data directory, beside another server none",
    "archive_after_days": "days after which a closed table leaves the store for the archive; 0 for at once, -1 for "
    "never",
    "dumps": "directory or URL of the monthly dumps (`wintercount dump`); by default the archive's",
    "streams_per_client": "event streams per account (without a token: per address) and web process",
    "log_level": "debug, info (a line for each request), warning or error",
    "log_format": "text, or json: an object a line",
    "admin_token": "a token with every scope, for the operator; none by default",
    "metrics_token": "a token that only reads /metrics; none by default",
    "secret_file": "file of the keys that seal secrets in the store; by default `secret` in the data directory, made "
    "when missing",
    "secret": "the keys themselves, newest first, instead of a file",
    "keys_url": "a separate Redis for the keys of people's names and texts; by default the file `keys.sqlite` in the "
    "data directory",
}
SETTINGS = [Setting(field, variable_of(field), meaning) for field, meaning in MEANINGS.items()]


CLUSTER_SCHEMES = ("redis+cluster", "rediss+cluster")
STORE_SCHEMES = ("redis", "rediss", "unix", *CLUSTER_SCHEMES)
STORE_OPTIONS = (  # besides those that begin with ssl_
    *("db", "protocol", "username", "password", "client_name"),
    *("socket_timeout", "socket_connect_timeout", "socket_keepalive", "health_check_interval"),
)
STORAGE_SCHEMES = ("s3", "s3a", "gs", "az", "azure", "adl", "abfs", "abfss", "http", "https", "file")
ORIGIN = re.compile(r"(https://([a-z0-9-]+\.)*[a-z][a-z0-9-]*|http://localhost)(:(?!443/?$)\d{1,5})?/?")
OTHERS = frozenset(
    ("WINTERCOUNT_TOKEN", "WINTERCOUNT_SERVER", "WINTERCOUNT_LIFELINE", "WINTERCOUNT_COMPILED")
)  # clients, children, setup.py


def misspelt(environment: Mapping[str, str]) -> dict[str, str | None]:
    """Returns misspelt variables, each with the setting that was probably meant."""
    known = {setting.variable for setting in SETTINGS}
    named = sorted(name for name in environment if name.startswith(PREFIX) and name not in known | OTHERS)
    return {name: next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.85)), None) for name in named}


class BadSetting(Exception):
    """An environment variable has an invalid value."""


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """Returns the settings from the environment; raises `BadSetting`, which names the variable."""
    return Settings(**{one.field: _value(one, text) for one in SETTINGS if (text := environment.get(one.variable))})


def _value(setting: Setting, text: str) -> Any:
    fits, form = ADDRESSES.get(setting.field, (bool, ""))
    try:
        is_address = fits(text)
    except ValueError:
        is_address = False
    if not is_address:  # the message leaves out the value, which may contain a password
        raise BadSetting(f"{setting.variable} is not {form}")
    try:
        written = text.lower() if setting.field == "log_level" else text
        found = msgspec.convert({setting.field: written}, Settings, strict=False)
        return (found.reach, found.proxies, ipaddress.ip_address(found.host)) and getattr(found, setting.field)
    except ValueError as error:
        why = str(error).partition(" - at ")[0]
        raise BadSetting(f"{setting.variable}={text!r}: {why} ({setting.meaning})") from None


def _is_store(text: str) -> bool:
    """Whether a text is the address of a store, and each of its options is one that leaves our use of it as it is."""
    parts = urlsplit(text)
    names = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))}
    database = r"/.+" if parts.scheme == "unix" else "/?0?" if parts.scheme in CLUSTER_SCHEMES else r"(/\d*)?"
    if parts.scheme not in STORE_SCHEMES or parts.fragment or not re.fullmatch(database, parts.path):
        return False
    if parts.port == 0 or (parts.scheme in CLUSTER_SCHEMES and "db" in names):
        return False
    if not all(name in STORE_OPTIONS or name.startswith("ssl_") for name in names):
        return False
    try:  # redis-py raises whatever an option's value or name leads to
        redis.ConnectionPool.from_url(text.replace("+cluster://", "://", 1)).make_connection()
    except (redis.RedisError, TypeError, AttributeError) as error:
        raise ValueError from error
    return True


def _is_storage(text: str) -> bool:
    """Whether a text is a directory, or looks like the address of a persistent storage."""
    if "://" not in text:
        return True
    parts = urlsplit(text)
    return parts.scheme in STORAGE_SCHEMES and bool(parts.path if parts.scheme == "file" else parts.netloc)


A_STORE = (
    _is_store,
    "an address such as redis://:password@host:6379/0, where 0 is the number of a database; escape characters like "
    f"/ ? # in a password or path (%2F %3F %23); its options are {', '.join(STORE_OPTIONS)} and those of TLS (ssl_…)",
)
A_STORAGE = (
    _is_storage,
    f"a directory or a URL such as s3://bucket/prefix, with one of these schemes: {', '.join(STORAGE_SCHEMES)}",
)
AN_ORIGIN = (
    ORIGIN.fullmatch,
    "an address such as https://play.example or https://play.example:8443: the page's address in a browser without "
    "its path; https, except for http://localhost; and a name, as passkeys do not work with IP addresses",
)
ADDRESSES: Mapping[str, tuple[Callable[[str], object], str]] = {  # a check, and the form that it requires
    **dict.fromkeys(("redis_url", "queue_url", "keys_url"), A_STORE),
    **dict.fromkeys(("archive", "dumps"), A_STORAGE),
    "origin": AN_ORIGIN,
}
