"""Tables for a range of ratings in the page: opened, found, refused, and entered by an invitation."""

from playwright.sync_api import expect

from tests.browser.axe import FOR_AXE, violations
from tests.browser.conftest import Opener


def test_a_range_keeps_out_whom_nobody_has_invited(visit: Opener) -> None:
    """A newcomer has 1500: the filter hides the table, the service refuses the seat, a named link admits."""
    ann, bea = visit(**FOR_AXE), visit()
    ann.click("[data-key=play-tomahawk]")
    ann.click(".more-choices > summary")
    ann.locator("dialog summary", has_text="Ratings of the others").click()
    ann.fill("dialog [name=least]", "1600")
    assert violations(ann) == []
    ann.click("[data-start=open]")
    ann.wait_for_url("**/#/tables/**")
    expect(ann.locator("[data-agreed=ratings]")).to_have_text("Ratings 1600+")
    table = ann.url.rpartition("/")[2]

    bea.click("[data-key=play-manitou]")  # a name, and a table of her own
    bea.click("[data-start=open]")
    bea.wait_for_url("**/#/tables/**")
    bea.goto(f"{bea.url.partition('#')[0]}#/")
    row = bea.locator(f".list-open [data-key={table}]")
    expect(row).to_contain_text("Ratings 1600+")
    bea.click(".filtering > summary")
    bea.select_option(".filters [name=open_to]", "me")
    expect(row).to_have_count(0)
    expect(bea.locator(".list")).to_have_count(2)  # her own tables, and those that are open
    bea.goto(f"{bea.url.partition('#')[0]}#/tables/{table}")
    bea.click("[data-sit='2']")
    expect(bea.locator("dialog .refusal")).to_contain_text("from 1600; yours is 1500 (provisional)")
    bea.keyboard.press("Escape")

    ann.click("[data-invite=name]")
    ann.fill("dialog [name=name]", "Bea")
    ann.click("[data-make]")
    invitation = ann.locator("[data-invitation]").first.get_attribute("data-invitation")
    bea.goto(f"{bea.url.partition('#')[0]}#/invitation/{invitation}")
    bea.click("[data-answer=accepted]")
    bea.wait_for_url(f"**/#/tables/{table}")
    bea.locator(".moves.mine").wait_for()
