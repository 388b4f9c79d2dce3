"""What commands need: settings, a store, keys. Without them they exit with a message on what to do."""

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from redis.exceptions import RedisError

from service.config import Settings, settings_from
from service.logs import set_up
from wintercount.cli.printing import programs_ask
from wintercount.processes import embedded

if TYPE_CHECKING:
    from service.dumps import Dumps


def settings() -> Settings:
    """Returns the settings; raises `BadSetting`."""
    found = settings_from()
    set_up(found.log_level, "json" if programs_ask() else found.log_format)
    return found


def redis_url(found: Settings) -> str:
    """Returns the URL of the store; exits with a message on how to set it."""
    if found.redis_url is None:
        raise click.ClickException(
            "set WINTERCOUNT_REDIS_URL, or use `wintercount run`, which starts a store of its own"
        )
    return found.redis_url


def dumps_of(found: Settings, url: str) -> "Dumps":
    """Returns the dumps of the service with this store; exits with a message if there is no place for them."""
    from events.store import connect
    from service.accounts.sealing import sealer_for
    from service.dumps import Dumps, Signer
    from service.stores import dumps_in

    if (place := dumps_in(found)) is None:
        raise click.ClickException("there is no place for dumps: set WINTERCOUNT_DUMPS or WINTERCOUNT_ARCHIVE")
    return Dumps(place, Signer(sealer_for(connect(url), found)))


def check_queue(found: Settings) -> None:
    """Exits with a message if rq would have to use a cluster."""
    if found.gives_rq_a_cluster:
        raise click.ClickException("rq cannot use a cluster: set WINTERCOUNT_QUEUE_URL to a server of its own")


def check_secret(found: Settings, *, texts: bool = False) -> None:
    """Raises `SecretUnusable` if the keys of the store's secrets are missing, or with `texts` those of people's texts.

    It checks nothing while the store does not answer: each process waits for the store and checks again.
    """
    from events.store import connect
    from events.waiting_for_store import why_not
    from service.accounts.key_store import KeysUnavailable, keys_of
    from service.accounts.sealing import sealer_for

    if why_not(redis_url(found)) is not None:
        return
    try:
        client = connect(redis_url(found))
        sealer = sealer_for(client, found)
        if texts:
            keys_of(client, found, sealer)
    except (KeysUnavailable, RedisError) as error:
        logging.getLogger(__name__).warning("the store does not answer: %s", error)


def store_url() -> str:
    """Returns the URL of the store, or of the embedded server, once it has loaded its data; the log has its progress.

    Raises `DoesNotStart` if no embedded server runs.
    """
    from events.waiting_for_store import Waits, until_it_answers, why_not

    found = settings()
    url = found.redis_url or embedded.url_of_running(found.data)

    def loads() -> Waits | None:
        waits = why_not(url)
        return waits if waits and waits.code == "store_loading" else None

    for _ in until_it_answers(loads):
        pass
    return url


@contextlib.contextmanager
def started_store() -> Iterator[str]:
    """Returns the URL of the store; an embedded server that does not run is started for the block.

    So damage that keeps every process from starting can be repaired. Raises `DoesNotStart`.
    """
    found = settings()
    data = Path(found.data)
    if found.redis_url or embedded.runs(data) or not (data / embedded.FILES).exists():
        yield store_url()
        return
    try:
        with embedded.started(data) as url:
            yield url
    except embedded.AlreadyRunning as error:
        raise click.ClickException(f"Wintercount is just being started: it holds {error}") from None
