"""Reports, actions and what stands against accounts, put together."""

from typing import NamedTuple

from events.scripts import Client
from service.accounts.texts import Texts
from service.moderation.acting import Acting
from service.moderation.reports import Reports
from service.moderation.standing import Sanctions


class Desk(NamedTuple):
    """What moderation works with."""

    reports: Reports
    acting: Acting
    standing: Sanctions


def desk_of(client: Client, texts: Texts, standing: Sanctions, most: int) -> Desk:
    """The desk on a store; `most` reports of an account may wait."""
    return Desk(Reports(client, texts, standing, most), Acting(client, texts, standing), standing)
