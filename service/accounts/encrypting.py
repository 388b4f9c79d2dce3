"""Accounts of earlier releases held names and labels in plain: these are encrypted."""

import logging
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.lifecycle import Text
from events.scripts import Client, script
from service.accounts.accounts import key_of
from service.accounts.callers import Player, Token
from service.accounts.chosen import FIRST, LABEL
from service.accounts.erasing import rewrite_file
from service.accounts.inheritance import replace
from service.accounts.invitations import INVITATION, Invitation
from service.accounts.keys import KeysUnavailable
from service.accounts.passkeys import PASSKEY, Passkey
from service.accounts.texts import ACCOUNT, Texts
from service.errors import Refused

AGAIN_S = 60.0  # after which a store that did not answer is asked again

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


def encrypt_until(stop: threading.Event, client: Client, texts: Texts) -> None:
    """Encrypts what is in plain, and is done; tries again while a store does not answer, until `stop` is set."""
    while not stop.is_set():
        try:
            count = encrypt_all(client, texts)
        except (RedisError, KeysUnavailable) as error:
            log.error("accounts of earlier releases are encrypted later: %s", error)
            stop.wait(AGAIN_S)
            continue
        if count:
            log.info("%d records of accounts of earlier releases were encrypted", count)
        return


def encrypt_all(client: Client, texts: Texts) -> int:
    """Encrypts what is in plain, and has the store write its file anew; how many records. A repeat goes on."""
    records = (replace(client, *one) for kind in RECORDS for one in _records(client, texts, kind))
    swap = script(client, "service.accounts", "replace_field.lua")
    fields = (bool(swap(keys=[key], args=args)) for key, *args in _passkeys(client, texts))
    count = sum(records) + sum(fields)
    if count:
        rewrite_file(client)
    return count


def _records(client: Client, texts: Texts, kind: str) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each record with something in plain: its key, what it is, and what it becomes."""
    for key in client.scan_iter(key_of(kind, "*")):
        was = client.get(key)
        becomes = _encrypted(texts, RECORDS[kind], was) if was else None
        if was and becomes:
            yield key, was, becomes


def _passkeys(client: Client, texts: Texts) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """The same of passkeys, which are the fields of a hash: key, field, what it is, and what it becomes."""
    for key in client.scan_iter(key_of("passkeys", "*")):
        player = key.decode().rpartition(":")[2]
        kind = Kind(PASSKEY, Passkey, "label", partial(_of, player))
        for field, was in client.hgetall(key).items():
            if becomes := _encrypted(texts, kind, was):
                yield key, field, was, becomes


def _of(player: str, _: Passkey) -> str:
    """Whose passkey it is: the key of the hash says so."""
    return player


def _encrypted(texts: Texts, kind: Kind, kept: bytes) -> bytes | None:
    """What a record becomes; None if nothing is in plain, or its person was erased meanwhile."""
    record = msgspec.json.decode(kept, type=kind.type)
    plain: Text = getattr(record, kind.field)
    if not isinstance(plain, str) or plain in ("", kind.says_nothing):
        return None
    try:
        hidden = texts.kept(kind.name, record.id, kind.person(record), plain)
    except Refused:
        return None
    return msgspec.json.encode(msgspec.structs.replace(record, **{kind.field: hidden}))
