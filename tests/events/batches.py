"""Batches for the tests of the log: events of no game, each said by its text."""

import os

from events.chain import GENESIS
from events.envelopes import BatchMetadata, Head, NewEvent, Recorded, record
from events.log import Batch, Log, Timer

START = Head(0, GENESIS)
AT = "2026-11-21T09:15:41.123Z"


def said(head: Head, *texts: str, table: str = "t_one", request: str | None = None) -> tuple[Recorded, ...]:
    """Events after `head`, one for each text; the words are secret, readable by seat 2."""
    new_events = [NewEvent("Said", {"text": text, "words": text.split()}, {"words": [2]}) for text in texts]
    metadata = BatchMetadata(AT, {"kind": "seat", "seat": 1}, os.urandom(32), request, {"move": {"type": "say"}})
    return record(table, head, new_events, metadata)


def batch(
    head: Head,
    *texts: str,
    table: str = "t_one",
    request: str | None = None,
    fingerprint: str = "body",
    completed_timers: tuple[str, ...] = (),
    timers: tuple[Timer, ...] = (),
) -> Batch:
    """A batch that says the texts after `head`."""
    events = said(head, *texts, table=table, request=request)
    return Batch(head, events, request, fingerprint if request else "", completed_timers, timers)


def tell(log: Log, *texts: str, table: str = "t_one") -> tuple[Recorded, ...]:
    """Appends the texts to a table, in one batch, and gives their events."""
    told = batch(log.head(table), *texts, table=table)
    log.append(table, told)
    return told.events
