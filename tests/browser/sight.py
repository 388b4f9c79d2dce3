"""What of a page holds at last, and what of a table is in sight without scrolling, and whole."""

from typing import Any

from playwright.sync_api import Page

from tests.servers import wait_until

# Wholly inside the window and inside every box that scrolls or cuts off what it holds.
OUT_OF_SIGHT = """() => {
    const inside = (rect, box) => rect.left >= box.left - 1 && rect.top >= box.top - 1
        && rect.right <= box.right + 1 && rect.bottom <= box.bottom + 1;
    const seen = (node) => {
        const rect = node.getBoundingClientRect();
        if (!inside(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return false;
        for (let box = node.parentElement; box; box = box.parentElement) {
            const open = getComputedStyle(box).overflow === "visible";
            if (!open && !inside(rect, box.getBoundingClientRect())) return false;
        }
        return true;
    };
    const found = [];
    const look = (name, nodes) => [...nodes].forEach((node, index) => seen(node) || found.push(`${name} ${index}`));
    look("prompt", document.querySelectorAll(".moves.mine .prompt h2"));
    look("card of the hand", document.querySelectorAll(".own-cards section .card, .own-cards section .tile"));
    look("seat and its score", document.querySelectorAll(".box-seats summary, .box-seats .seat-total"));
    look("confirm", document.querySelectorAll("[data-confirm]"));
    look("word to pick", document.querySelectorAll(".kind, .choice"));
    look("card to pick", document.querySelectorAll("button.piece.can"));
    look("place", document.querySelectorAll(".target.can"));
    const wider = (node, by = 1) => node.scrollWidth > node.clientWidth + by;
    if (document.scrollingElement.scrollWidth > innerWidth) found.push("the page is wider than the screen");
    const head = [...document.querySelectorAll(".table-head h1, .stage")];
    if (head.some((box) => wider(box))) found.push("the head is cut off");
    document.querySelectorAll(".box-score").forEach((box) => wider(box) && found.push("the scores are cut off"));
    const lines = [...document.querySelectorAll(".seat-more > summary")].filter((line) => wider(line, 4));
    lines.forEach((line) => found.push(`a seat's line is cut off: ${line.textContent}`));
    return found;
}"""


def out_of_sight(page: Page) -> list[str]:
    """The parts of the open decision that one would have to scroll to, and what else is cut off or hidden."""
    found: list[str] = page.evaluate(OUT_OF_SIGHT)
    return found


def wait_until_so(page: Page, what: str, argument: Any = None) -> None:
    """Waits until the script `what` is true; `page.wait_for_function` asks within the page, whose policy forbids it."""
    wait_until(lambda: page.evaluate(what, argument))
