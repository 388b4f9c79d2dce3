"""How long what is kept of accounts for a while stays, where the store's own clock ran ahead.

A store keeps the moment at which something ends. What was kept while its clock ran ahead would stay for as long as it
did when that is right again: a code to sign in, the answer to a request for a token, an invitation.
"""

import logging
import threading
from collections.abc import Iterable
from itertools import islice

from redis.exceptions import RedisError

from events.all_keys import AT_ONCE
from events.scripts import Client
from service.accounts.accounts import REPEATS_S, key_of
from service.accounts.erasing import REWRITE_S
from service.accounts.invitations import KEPT_MS
from service.accounts.older_accounts import LOOKED_S
from service.accounts.passkeys import CHALLENGE_S
from service.accounts.signing_in import CODE_S

LONGEST_S = {
    "answer": REPEATS_S,
    "challenge": CHALLENGE_S,
    "code": CODE_S,
    "encrypted": LOOKED_S,
    "erasing": REWRITE_S,
    "invitation": KEPT_MS // 1000,
    "invitations": KEPT_MS // 1000,
    "signing": CODE_S,
    "withdrawn": REPEATS_S,
}
"""For how long each kind of record is kept at most; what of it has no end keeps none."""
PAUSE_S = 3600.0

log = logging.getLogger(__name__)


def shorten(client: Client) -> int:
    """Has everything end that would stay for longer than it is kept, as if it was kept now; how many records."""
    keys, count = client.scan_iter(key_of("*", "*"), count=AT_ONCE), 0
    while some := list(islice(keys, AT_ONCE)):
        count += _shortened(client, some)
    return count


def _shortened(client: Client, keys: Iterable[bytes]) -> int:
    with client.pipeline(transaction=False) as pipe:
        for key in keys:
            if longest_s := LONGEST_S.get(key.split(b":")[1].decode(errors="replace")):
                pipe.expire(key, longest_s, xx=True, lt=True)  # nothing that is to stay, and nothing for longer
        return sum(pipe.execute())


def shorten_until(stop: threading.Event, client: Client) -> None:
    """Does so once an hour until `stop` is set."""
    while not stop.is_set():
        try:
            if count := shorten(client):
                log.warning("%d records of accounts would have stayed for too long: the store's clock ran ahead", count)
        except RedisError as error:
            log.warning("how long records of accounts stay is looked at again later: %s", error)
        stop.wait(PAUSE_S)
