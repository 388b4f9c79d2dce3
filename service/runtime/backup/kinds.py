"""Which keys a store holds, and what becomes of them in a backup: each kind by the pattern of its names."""

import re
from enum import Enum

from events.acknowledging import WAITED
from events.store import META
from projections.catalogue import SEGMENTS
from projections.registry import PROJECTIONS
from service.accounts.person_keys import MARK
from service.accounts.sealing import SEAL
from service.loading import RESTORING
from service.metrics import TURNS
from service.runtime.alone import HELD
from worker.archiver import CLAIMS
from worker.turn_queue import QUEUE


class Kind(Enum):
    """What a key is for. Only that of `LOG`, `ACCOUNT`, `TRANSCRIPT` and `WHOLE` is copied."""

    TABLE = "the head of a table, under which the table is found"
    LOG = "of the log: copied with its table or its partition"
    ACCOUNT = "an account, under which its tokens and its webhook are found"
    OF_ACCOUNT = "of an account: copied with it"
    TRANSCRIPTS = "the transcripts of somebody, under which their texts are found"
    OF_TRANSCRIPTS = "a transcript: copied with the others of whoever keeps it"
    WHOLE = "copied as it is"
    DERIVED = "made anew from the log"
    PASSING = "ends by itself, or is made again when it is missed"
    OTHERS = "of the queue, of erasures under way, or counts that concern no history: neither copied nor removed"
    UNKNOWN = "of nothing that this release writes"


DAMAGED = "\ufffd"  # stands for bytes of a name that are no text
PART = r"\{p\d+\}:"
KINDS = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (rf"{PART}(?P<name>[^:]+):head", Kind.TABLE),
        (rf"{PART}[^:]+:(events|requests)", Kind.LOG),
        (rf"{PART}(feed|feed:parts|due)|{re.escape(SEGMENTS)}", Kind.LOG),
        (rf"{PART}imported", Kind.WHOLE),
        (rf"{PART}attempts", Kind.PASSING),  # how often what is due was tried: counted again from one
        (rf"{PART}({'|'.join(PROJECTIONS)}):\d+:.*", Kind.DERIVED),
        (r"\{accounts\}:player:(?P<name>[^:]+)", Kind.ACCOUNT),
        (r"\{accounts\}:(tokens|token|webhook|about|passkeys|blocks|blockers|reported|recoverer):.*", Kind.OF_ACCOUNT),
        # When an account was used last: an old stamp would end accounts that were used since.
        (
            r"\{accounts\}:(answer|claims|used|seen|swept|signing|code|challenge|encrypted|invitation|invitations"
            r"|withdrawn):.*",
            Kind.PASSING,
        ),
        (r"\{transcripts:[a-z2-7]+\}:of:(?P<name>.+)", Kind.TRANSCRIPTS),
        (r"\{transcripts:[a-z2-7]+\}:x_.*", Kind.OF_TRANSCRIPTS),
        (r"\{analyses\}:.*", Kind.PASSING),  # whoever wants one asks again
        (f"{re.escape(SEAL)}|{re.escape(MARK)}|{re.escape(TURNS)}", Kind.WHOLE),
        (r"\{accounts\}:moderation:(reports|actions)", Kind.WHOLE),
        (re.escape(META), Kind.LOG),
        (r"\{accounts\}:requests", Kind.PASSING),  # of the first releases
        (r"\{accounts\}:erasing:.*", Kind.OTHERS),  # whoever is being erased is, whatever is restored meanwhile
        (rf"\{{[^}}]+\}}:{WAITED}", Kind.PASSING),  # of whoever waits for a replica; an earlier release let it stay
        (rf"rq:.*|{re.escape(CLAIMS)}|{QUEUE}.*|wintercount:spent:.*", Kind.OTHERS),
        (rf"{re.escape(RESTORING)}|{re.escape(HELD)}.*", Kind.OTHERS),
    )
)
OF_OTHERS = (Kind.OTHERS, Kind.UNKNOWN)  # what a restore does not remove
OF_PEOPLE = (Kind.TABLE, Kind.LOG, Kind.ACCOUNT, Kind.TRANSCRIPTS)  # what a store has that is not empty


def kind_of(key: str) -> tuple[Kind, str]:
    """The kind of a key, and the name of what it is found under, if it is such a key; of a damaged one none."""
    if DAMAGED in key:
        return Kind.UNKNOWN, ""
    for pattern, kind in KINDS:
        if found := pattern.fullmatch(key):
            return kind, found.groupdict().get("name") or ""
    return Kind.UNKNOWN, ""


def text_of(name: bytes) -> str:
    """A name; of one that is damaged, and no text, one under which nothing is found."""
    return name.decode(errors="replace")
