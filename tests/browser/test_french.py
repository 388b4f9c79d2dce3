"""What a French page shows is French: no word that only English has, in any view, and signs set as French has them."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import GAMES
from rulings import rulebook
from rulings import sentences as words
from service.page import ASSETS
from tests.browser.clicks import choose_party, menu, sit_against_ai
from tests.browser.conftest import Opener
from tests.browser.test_layout import fits

WORD = re.compile(r"[^\W\d_]{3,}")
BADLY_SET = re.compile(r"\w'\w| [:;!?»]|« |(^|[^\W\d_]): ")
FILLED_IN = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{\w+\}", re.DOTALL)
# What is called so in any language.
ALSO_FRENCH = frozenset({"localhost", "https", "python", "wintercount", "english"})
# Everything that can be read, but what is marked as another language, code, a chosen name or an id.
SHOWN = """() => {
  const skipped = "[lang=en], code, pre, bdi, input, textarea, script, style, noscript, .head-hash";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    const element = node.nodeType === 3 ? node.parentElement : node;
    if (element.closest(skipped)) continue;
    if (node.nodeType === 3) found.push(node.data);
    else for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(element.getAttribute(name) ?? "");
  }
  return found.filter((text) => text.trim());
}"""


def texts(value: Any) -> Iterator[str]:
    """Every text in a value, names included where they are words that a page may show."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)


def vocabulary(language: str) -> set[str]:
    """Every word that the texts of a language have: the page's, those of help and rules, the service's sentences."""
    data = [json.loads(asset.content) for name, asset in ASSETS.items() if name.endswith(f"{language}.json")]
    data += [{"rules": asset.content.decode()} for name, asset in ASSETS.items() if name.endswith(f".{language}.md")]
    data += [words.vocabulary(slug, language) for slug in (*GAMES, words.TABLE)]
    return {word.lower() for each in data for text in texts(each) for word in WORD.findall(FILLED_IN.sub(" ", text))}


ENGLISH_RULES = {
    word.lower()
    for slug in GAMES
    for rule in rulebook.rules(slug).values()
    for word in WORD.findall(f"{rule.title} {rule.text}")
}
# Ids of the record (`party_selection`) are words of the rules documents too: one without French words is found by them.
ENGLISH_ONLY = (vocabulary("en") | ENGLISH_RULES) - vocabulary("fr") - ALSO_FRENCH


def english(page: Page) -> list[str]:
    """The texts on a page that have a word which only English has, or are not set as French is."""
    found = []
    for text in page.evaluate(SHOWN):
        # Guest is what the English page has called people who play at other tables; a seed may spell a word.
        bare = re.sub(r"\b(t|p)_[a-z2-7]+\b|\b[0-9a-f]{64}\b|https?://\S+|^Guest \d{4}$", "", text.strip(" \n"))
        if {word.lower() for word in WORD.findall(bare)} & ENGLISH_ONLY or BADLY_SET.search(bare):
            found.append(text.strip())
    return found


def test_the_lobby_and_its_dialogs(visit: Opener) -> None:
    page = visit(locale="fr-FR")
    page.locator(".game").first.wait_for()
    assert english(page) == []
    for slug in GAMES:
        page.click(f"[data-game={slug}]")
        page.locator("dialog").wait_for()
        for summary in page.locator("dialog summary").all():
            summary.click()
        assert english(page) == [], slug
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
    page.click("[data-key=account]")
    assert english(page) == []


@pytest.mark.parametrize("slug", GAMES)
def test_a_finished_table_with_every_kind_of_its_rulings(visit: Opener, finished: dict[str, str], slug: str) -> None:
    """The board at moments of the game, the log, scores, figures; each kind of ruling opened with all it has."""
    page = visit(locale="fr-FR")
    page.goto(f"{page.url.split('#')[0]}#/tables/{finished[slug]}")
    page.locator(".event-list").wait_for()
    assert english(page) == []
    page.click("#tab-rulings")
    for version in one_of_each_kind(page, finished[slug]):
        moment_in_french(page, finished[slug], version)
        expect(page.locator(f'.ruling-card a[href$="/{version}"]')).to_be_visible()
        assert english(page) == [], version
    page.click("#tab-figures")
    page.locator(".plot").wait_for()
    assert english(page) == []


def one_of_each_kind(page: Page, table: str) -> list[int]:
    """The version of the first ruling of each type at a table."""
    rows = page.evaluate("path => fetch(path).then((answer) => answer.json())", f"/v1/tables/{table}/rulings")
    return list({row["type"]: row["version"] for row in reversed(rows["rulings"])}.values())


def moment_in_french(page: Page, table: str, version: int) -> None:
    """Goes to a moment of a table."""
    page.goto(f"{page.url.split('#')[0]}#/tables/{table}/{version}")
    expect(page.locator(".version").first).to_contain_text(f"{version} / ")
    expect(page.locator(".table-page")).to_have_attribute("aria-busy", "false")


def test_playing(visit: Opener) -> None:
    """A first decision of each game, a refusal, a branch."""
    page = visit(locale="fr-FR")
    sit_against_ai(page, "big-manitou")
    assert english(page) == []
    choose_party(page)
    page.locator(".heap-hand button.can").first.click()
    assert english(page) == []
    for slug, begun in (("tomahawk", ".specials"), ("plenty-coups", ".tribes")):
        page.goto(page.url.split("#")[0] + "#/")
        sit_against_ai(page, slug, level="uniform")
        page.locator(begun).wait_for()
        assert english(page) == [], slug
    page.locator(".tribes button.can").first.click()
    page.locator(".plains").wait_for()
    assert english(page) == []
    menu(page)
    page.click("[data-key=fork]")
    page.locator("dialog summary").click()
    assert english(page) == []


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_read(visit: Opener, slug: str) -> None:
    """The rules with a rule opened, and the register with a case of every ruling's house rule; on a phone they fit."""
    page = visit(f"#/rules/{slug}", locale="fr-FR", viewport={"width": 400, "height": 850})
    page.locator(".reading-text h1").wait_for()
    assert english(page) == []
    page.locator("a.rule-link").first.click()
    page.locator("dialog").wait_for()
    assert english(page) == []
    page.goto(page.url.split("#")[0] + f"#/rulings/{slug}")
    page.reload()
    page.locator(".ruling").first.wait_for()
    page.evaluate("document.querySelectorAll('.ruling').forEach((node) => (node.open = true))")
    expect(page.locator(".ruling-body:empty")).to_have_count(0)
    page.locator("[data-case]").first.click()
    page.locator(".case-board").wait_for()
    assert english(page) == []
    assert fits(page)


def test_the_settings_of_an_account(visit: Opener) -> None:
    """The account's devices with their scopes, no recovery codes yet, and what others may see."""
    page = visit(locale="fr-FR")
    sit_against_ai(page, "tomahawk")
    page.goto(page.url.split("#")[0] + "#/settings")
    expect(page.locator("[data-token]")).to_contain_text("Le premier appareil (cet appareil) joue, regarde")
    expect(page.get_by_text("Il reste 0 code.")).to_be_visible()
    assert english(page) == []
