"""Accounts of earlier releases held names, labels and addresses of webhooks in plain: these are encrypted.

A mark says that a look at all records found nothing in plain, so that not every start looks. It lies with the accounts:
a failover that loses the last writes loses the mark before what it tells of. It ends after a while, when somebody
whose account is in plain is met, and by a restore.
"""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import OutOfMemoryError, RedisError

from events.all_keys import all_keys
from events.lifecycle import Text
from events.scripts import Client, script
from service.accounts.account_texts import ENCRYPTED, FIRST, LABEL, is_plain
from service.accounts.accounts import key_of
from service.accounts.callers import Player, Token
from service.accounts.erasing import WRITTEN, rewrite_file
from service.accounts.invitations import INVITATION, Invitation
from service.accounts.key_stores import KeysUnavailable
from service.accounts.passkeys import PASSKEY, Passkey
from service.accounts.personal_texts import ACCOUNT, Texts
from service.accounts.replacing import replace
from service.accounts.webhooks import WEBHOOKS, Webhooks, is_webhook
from service.errors import Refused

AGAIN_S = 60.0  # after which a store that did not answer is asked again
LOOKED_S = 30 * 86_400  # for which the mark is believed: an older release may have run meanwhile
AT_ONCE = 1000  # keys that are looked through in one call
IN_FILE = "earlier releases"  # among those whose account may stand in the append-only file: not the id of a player

log = logging.getLogger(__name__)


class Kind(NamedTuple):
    """A kind of record: its name, its field, of a record the person, and what says nothing of anybody."""

    name: str
    type: Any
    field: str
    person: Callable[[Any], str]
    says_nothing: str = ""


RECORDS = {
    "player": Kind(ACCOUNT, Player, "name", lambda player: player.id),
    "token": Kind(LABEL, Token, "label", lambda token: token.player, FIRST),
    "invitation": Kind(INVITATION, Invitation, "name", lambda invitation: invitation.by),
}


def encrypt_until(stop: threading.Event, client: Client, texts: Texts, webhooks: Webhooks) -> None:
    """Encrypts what is in plain, and is done; tries again while a store does not answer, until `stop` is set."""
    while not stop.is_set():
        try:
            count = 0 if client.exists(ENCRYPTED) else encrypt_all(client, texts, webhooks)
        except (RedisError, KeysUnavailable) as error:
            log.error("accounts of earlier releases are encrypted later: %s", error)
            stop.wait(AGAIN_S)
            continue
        if count:
            log.info("%d records of accounts of earlier releases were encrypted", count)
        return


def encrypt_all(client: Client, texts: Texts, webhooks: Webhooks) -> int:
    """Encrypts what is in plain, and has the store write its file anew; how many records. A repeat goes on.

    Whoever is killed before the file is written has noted that it has to be, and it is with the next erasures.
    """
    swap = script(client, "service.accounts", "replace_field.lua")
    records = (_changed(client, key_of(name, "*"), partial(_encrypted, texts, kind)) for name, kind in RECORDS.items())
    # Processes without people's keys send to webhooks: these are sealed as what signs for them is.
    changes = chain(*records, _changed(client, WEBHOOKS, webhooks.sealed, is_webhook))
    done = [replace(client, *one) for one in _noted(client, changes)]
    done += [bool(swap(keys=[key], args=args)) for key, *args in _noted(client, _passkeys(client, texts))]
    if not done:
        with contextlib.suppress(OutOfMemoryError):  # then the next start looks again
            client.set(ENCRYPTED, 1, ex=LOOKED_S)
    if any(done) and rewrite_file(client):
        client.srem(WRITTEN, IN_FILE)
    return sum(done)


def _noted(client: Client, found: Iterator[tuple[bytes, ...]]) -> Iterator[tuple[bytes, ...]]:
    """The same; before the first is encrypted it is noted that the file will go on holding it in plain."""
    for number, one in enumerate(found):
        if number == 0:
            client.sadd(WRITTEN, IN_FILE)
        yield one


def _changed(
    client: Client,
    pattern: str,
    becoming: Callable[[bytes], bytes | None],
    is_record: Callable[[bytes], bool] = bool,
) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each record under a pattern with something in plain: its key, what it is, and what it becomes."""
    for key in filter(is_record, all_keys(client, pattern, AT_ONCE)):
        was = client.get(key)
        becomes = becoming(was) if was else None
        if was and becomes:
            yield key, was, becomes


def _passkeys(client: Client, texts: Texts) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """The same of passkeys, which are the fields of a hash: key, field, what it is, and what it becomes."""
    for key in all_keys(client, key_of("passkeys", "*"), AT_ONCE):
        player = key.decode().rpartition(":")[2]
        kind = Kind(PASSKEY, Passkey, "label", partial(_of, player))
        for field, was in client.hgetall(key).items():
            if becomes := _encrypted(texts, kind, was):
                yield key, field, was, becomes


def _of(player: str, _: Passkey) -> str:
    """Whose passkey it is: the key of the hash says so."""
    return player


def _encrypted(texts: Texts, kind: Kind, kept: bytes) -> bytes | None:
    """What a record becomes; None if nothing is in plain, or its person was erased meanwhile: then the record goes."""
    record = msgspec.json.decode(kept, type=kind.type)
    plain: Text = getattr(record, kind.field)
    if not is_plain(plain, kind.says_nothing):
        return None
    try:
        hidden = texts.kept(kind.name, record.id, kind.person(record), plain)
    except Refused:
        return None
    return msgspec.json.encode(msgspec.structs.replace(record, **{kind.field: hidden}))
