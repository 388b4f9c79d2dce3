"""What axe-core objects to, by day and by night."""

from typing import Literal

from playwright.sync_api import Page

from tests.browser.hosts import ROOT

# Trusted Types would refuse axe-core's own innerHTML; the page itself is tested with them everywhere else.
FOR_AXE = {"bypass_csp": True, "reduced_motion": "reduce"}
AXE = (ROOT / "tools/page/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
# What the colours decide is looked at by night too; the rest is the same, and takes a second a page.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
THEMES: dict[Literal["light", "dark"], list[str] | None] = {"light": None, "dark": OF_COLOURS}
RUN = """async (rules) => (await axe.run(rules ? { runOnly: rules } : {})).violations.map(
    found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 160) + node.failureSummary).join(' | ')}`
)"""


def violations(page: Page) -> list[str]:
    """What it objects to on the page as it stands, in both themes, a line each; the page needs `FOR_AXE`."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = []
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {line}" for line in page.evaluate(RUN, rules)]
    return found
