"""A player is reported from a profile and from a dispute; what an operator does then, the one reported reads."""

import re
from typing import Any

import requests
from playwright.sync_api import Page, expect

from service.moderation.actions import REASONS, SANCTIONS
from service.page import ASSETS
from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import OPERATOR, Opener
from tests.browser.test_disputes import CLAIM, contest, disputed_table, sign_in

SAID = "He told me which cards to keep."
ANSWER = "This is not how we play here."


def operator(page: Page, method: str, path: str, body: Any = None) -> Any:
    """What the operator is answered."""
    url, headers = f"{page.url.partition('#')[0]}v1/{path}", {"Authorization": f"Bearer {OPERATOR}"}
    answer = requests.request(method, url, json=body, headers=headers, timeout=60)
    assert answer.ok, answer.text
    return answer.json()


def send_report(page: Page, reason: str, *, checked: bool = False) -> None:
    """Fills in the dialog and sends it."""
    page.select_option("dialog [name=reason]", reason)
    page.fill("dialog [name=text]", SAID)
    if checked:
        assert violations(page) == []
    page.click("[data-report=send]")
    page.locator("[data-report=sent]").wait_for()
    page.keyboard.press("Escape")


def test_from_a_report_to_what_the_reported_reads(visit: Opener) -> None:
    """Ann reports Ben from his profile and what he claims; he reads a warning and a suspension, and opens nothing."""
    ann, ben = visit(**FOR_AXE), visit(**FOR_AXE)
    people = [sign_in(page, name) for page, name in ((ann, "Ann"), (ben, "Ben"))]
    base, reported = ann.url.partition("#")[0], people[1].player
    table, version = disputed_table(people, disputes={"by": "vote", "play": "goes_on"})
    contest(ben, table, version)
    expect(ben.locator("[data-report=text]")).to_have_count(0)  # his own

    ann.goto(f"{base}#/player/{reported}")
    ann.click("[data-report=player]")
    send_report(ann, "collusion", checked=True)
    ann.goto(f"{base}#/tables/{table}")
    ann.click(".notice-row button")
    ann.click("[data-report=text]")
    send_report(ann, "abuse")
    rows = [row for row in operator(ann, "GET", "reports?limit=200")["items"] if row["player"] == reported]
    assert [(row["reason"], row["text"], row["quoted"]) for row in rows] == [
        ("collusion", SAID, None),
        ("abuse", SAID, CLAIM),
    ]

    deed = {"reason": "collusion", "player": reported, "text": ANSWER}
    operator(ann, "POST", "moderation", deed | {"action": "warn", "items": [rows[0]["id"]]})
    operator(ann, "POST", "moderation", deed | {"action": "suspend", "text": ""})
    ben.goto(f"{base}#/settings")
    expect(ben.locator("[data-notice=AccountWarned] q")).to_have_text(ANSWER)
    expect(ben.locator("[data-notice=AccountSuspended]")).to_contain_text("playing together in secret")
    assert violations(ben) == []
    assert people[0].player not in ben.content()
    ben.goto(f"{base}#/")
    ben.click("[data-key=account]")
    expect(ben.locator("dialog [data-notice=AccountSuspended]")).to_be_visible()
    ben.keyboard.press("Escape")
    ben.click("[data-key=play-manitou]")
    ben.click("[data-start=open]")
    expect(ben.locator("dialog .refusal")).to_contain_text("suspended")


def test_every_reason_and_sanction_has_words() -> None:
    """In both languages."""
    for language in ("en", "fr"):
        words = ASSETS[f"i18n/later/{language}.json"].content.decode()
        found = set(re.findall(r'"report\.(\w+)"', words))
        assert found >= {*REASONS, *SANCTIONS}
