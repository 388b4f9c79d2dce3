"""Schemathesis with all its checks, against a real web server on a real store and with a real token.

`WINTERCOUNT_SCHEMATHESIS` is the number of random requests that an operation gets in a long run (by default few): with
`THOROUGH` many each operation is met by a right request, with fewer chance leaves some out.
"""

import os

import pytest

from service.accounts.callers import OWN_SCOPES
from tests.service.api.document import DOCUMENT
from tests.service.api.schemathesis_runs import (
    ALL_CHECKS,
    ENDS_THE_ACCOUNT,
    FEW,
    FOR_PEOPLE,
    Run,
    accepted,
    checks_made,
    failures,
    labels,
    some_tables,
)
from tests.service.api.world import Somebody, World

MANY = int(os.environ.get("WINTERCOUNT_SCHEMATHESIS", "5"))
THOROUGH = 20
UNMET = 0 if MANY >= THOROUGH else 8  # operations
HARD_TO_MEET = {  # for what makes a request of it a right one: nobody guesses that
    "an archive": ["POST /v1/archives"],
    "a legal move, and one of an AI": [
        "POST /v1/tables/{table}/moves",
        "GET /v1/tables/{table}/moves/{version}/explanation",
    ],
    "a free seat, my own, and one that is late": [
        "POST /v1/tables/{table}/seats/{seat}",
        "DELETE /v1/tables/{table}/seats/{seat}",
        "POST /v1/tables/{table}/seats/{seat}/wait",
        "POST /v1/tables/{table}/seats/{seat}/handover",
    ],
    "a dispute": [
        "POST /v1/tables/{table}/disputes",
        "POST /v1/tables/{table}/disputes/{dispute}/comments",
        "POST /v1/tables/{table}/disputes/{dispute}/looks",
        "POST /v1/tables/{table}/disputes/{dispute}/resolution",
        "POST /v1/tables/{table}/disputes/{dispute}/votes",
        "POST /v1/tables/{table}/readjudications",
    ],
    "an offer": ["POST /v1/tables/{table}/offers", "POST /v1/tables/{table}/offers/{offer}/answer"],
    "kin": ["POST /v1/tables/{table}/forks", "GET /v1/tables/{table}/comparison"],
    "an address for webhooks": [
        "GET /v1/players/me/webhook",
        "PUT /v1/players/me/webhook",
        "DELETE /v1/players/me/webhook",
    ],
    "an authenticator, and a page whose address has a name": [
        "POST /v1/players/me/passkeys/options",
        "POST /v1/sign-ins/options",
        "POST /v1/players/me/passkeys",
        "PUT /v1/players/me/passkeys/{passkey}",
        "DELETE /v1/players/me/passkeys/{passkey}",
        "POST /v1/sign-ins",
    ],
    "the secret of a link": [
        "GET /v1/invitations/{invitation}",
        "DELETE /v1/invitations/{invitation}",
        "POST /v1/invitations/{invitation}/answer",
    ],
    "a finished table, and an analysis of it": [
        "POST /v1/tables/{table}/analysis",
        "GET /v1/tables/{table}/analysis",
        "DELETE /v1/tables/{table}/analysis",
    ],
    "a dump": ["GET /v1/dumps/{name}"],
    "something that waits for an operator": ["POST /v1/moderation", "POST /v1/reports"],
    "an account that may end": ["DELETE /v1/players/me"],
}
HARD = {label for group in HARD_TO_MEET.values() for label in group}
OF_PEOPLE = {  # the operator is no player
    "POST /v1/tables",
    "POST /v1/tables/{table}/invitations",
    "GET /v1/tables/{table}/beliefs",
    "PUT /v1/players/me/name",
    "PUT /v1/players/me/profile",
    "POST /v1/players/me/tokens",
    "DELETE /v1/players/me/tokens/{token}",
    "POST /v1/stream-tokens",
    "POST /v1/players/me/sign-in-codes",
    "POST /v1/players/me/recovery-codes",
    "PUT /v1/players/me/blocks/{player}",
    "DELETE /v1/players/me/blocks/{player}",
}


def token_of(who: Somebody) -> str:
    """The id of a token that may be revoked."""
    return str(who.post("/v1/players/me/tokens", {"scopes": ["watch"]}).json["id"])


@pytest.mark.slow
def test_a_few_requests_are_answered_as_the_document_says(world: World, address: str) -> None:
    """The document's own examples, and a few random requests to every operation but one."""
    tables = some_tables(world, world.operator)
    events = Run(world, world.operator, FEW, tables, without=("coverage", "stateful")).asked(address)
    found = [failure for event in events for failure in failures(event)]
    assert not found, "\n\n".join(found)
    assert len(accepted(events)) > len(HARD)


@pytest.mark.long
def test_the_service_keeps_to_its_document(world: World, address: str) -> None:
    """Whatever is sent, the answer is one that the document promises; the operator's token cannot be revoked."""
    known = {"player": [str(world.somebody().player)]}
    events = Run(world, world.operator, MANY, some_tables(world, world.operator), known).asked(address)
    found = [failure for event in events for failure in failures(event)]
    assert not found, "\n\n".join(found)
    assert checks_made(events) >= ALL_CHECKS | {"fits_its_schema"}
    never = labels(DOCUMENT) - accepted(events) - HARD - OF_PEOPLE
    assert len(never) <= UNMET, f"nothing that was sent was accepted by {', '.join(sorted(never))}"


@pytest.mark.long
def test_the_service_keeps_to_its_document_for_people(world: World, address: str) -> None:
    """What the operator cannot do, who is no player, by somebody who does not end her own account."""
    ann, bob = world.somebody(scopes=list(OWN_SCOPES)), world.somebody("Bob")
    known = {"player": [str(bob.player)], "token": [token_of(ann) for _ in range(MANY)]}
    run = Run(world, ann, MANY, some_tables(world, ann), known, only=FOR_PEOPLE, never=ENDS_THE_ACCOUNT)
    events = run.asked(address)
    found = [failure for event in events for failure in failures(event)]
    assert not found, "\n\n".join(found)
    never = OF_PEOPLE - accepted(events)
    assert len(never) <= UNMET // 2, f"nothing that was sent was accepted by {', '.join(sorted(never))}"
