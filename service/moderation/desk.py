"""Reports, actions and what stands against accounts, put together."""

from typing import NamedTuple

from events.scripts import Client
from service.accounts.personal_texts import Texts
from service.moderation.acting import Acting
from service.moderation.reports import Reports
from service.moderation.sanctions import Sanctions


class Desk(NamedTuple):
    """What moderation works with."""

    reports: Reports
    acting: Acting
    sanctions: Sanctions


def desk_of(client: Client, texts: Texts, sanctions: Sanctions, most: int) -> Desk:
    """The desk on a store; `most` reports of an account may wait."""
    return Desk(Reports(client, texts, sanctions, most), Acting(client, texts, sanctions), sanctions)
