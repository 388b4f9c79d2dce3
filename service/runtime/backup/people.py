"""Copies what belongs to people: each account of one moment, with its tokens, and the transcripts of somebody."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from events.scripts import Client
from service.accounts import recovery
from service.accounts.accounts import key_of
from service.accounts.keeping import keys_kept
from service.accounts.webhooks import keys_of
from service.runtime.backup.kinds import Kind, text_of
from service.runtime.backup.records import KeyCopy, PersonCopy


def accounts(client: Client, people: list[str]) -> Iterator[PersonCopy]:
    """Accounts with their tokens; a token that is revoked meanwhile is in neither the list nor the copy."""
    if not people:
        return
    with client.pipeline(transaction=True) as pipe:
        for person in people:
            pipe.hgetall(key_of("tokens", person))
            for key in _records(person):  # a cluster's pipeline knows no MGET
                pipe.get(key)
            for key in keys_kept(person):
                pipe.hgetall(key)
        found = iter(pipe.execute())
    for person in people:
        tokens, records = next(found), list(islice(found, len(_records(person))))
        yield _account(client, person, tokens, records + list(islice(found, len(keys_kept(person)))))


def _account(client: Client, person: str, tokens: Mapping[bytes, bytes], records: list[Any]) -> PersonCopy:
    names = (*_records(person), *keys_kept(person))
    kept = [KeyCopy(key, value) for key, value in zip(names, records, strict=True) if value]
    kept += _leading(person, kept)
    texts = _values(client, {key_of("token", text_of(digest)): name for name, digest in tokens.items()})
    if texts:
        kept.append(KeyCopy(key_of("tokens", person), {name: tokens[name] for _, name, _ in texts}))
    return PersonCopy(person, Kind.ACCOUNT.name, (*kept, *(KeyCopy(key, value) for key, _, value in texts)))


def transcripts(client: Client, lists: Mapping[str, str]) -> Iterator[PersonCopy]:
    """The transcripts of people; one that is deleted meanwhile is in neither the list nor the copy."""
    for key, person in lists.items():
        slot, rows = key.partition("}")[0], client.hgetall(key)
        texts = _values(client, {f"{slot}}}:{text_of(name)}": name for name in rows})
        listed = KeyCopy(key, {name: rows[name] for _, name, _ in texts})
        yield PersonCopy(person, Kind.TRANSCRIPTS.name, (listed, *(KeyCopy(one, text) for one, _, text in texts)))


def _values(client: Client, keys: Mapping[str, bytes]) -> list[tuple[str, bytes, bytes]]:
    """Those of the keys that are there: key, the name by which a list has it, value."""
    values = client.mget(list(keys)) if keys else []
    return [(key, name, value) for (key, name), value in zip(keys.items(), values, strict=True) if value]


def _leading(person: str, kept: Iterable[KeyCopy]) -> list[KeyCopy]:
    """What leads from recovery codes to their player."""
    about = next((one.value for one in kept if one.key == key_of("about", person)), {})
    codes = about.get(recovery.PLACE.field.encode(), b"") if isinstance(about, dict) else b""
    try:
        return [KeyCopy(key, person.encode()) for key in recovery.leading_keys(codes)]
    except ValueError:  # damaged: none of them opens the account, here neither
        return []


def _records(person: str) -> tuple[str, str, str]:
    return key_of("player", person), *keys_of(person)
