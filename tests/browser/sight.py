"""What of a table is in sight without scrolling."""

from playwright.sync_api import Page

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
    look("confirm", document.querySelectorAll("[data-confirm]"));
    look("card to pick", document.querySelectorAll("button.piece.can"));
    look("place", document.querySelectorAll("button.lay.can"));
    return found;
}"""


def out_of_sight(page: Page) -> list[str]:
    """The parts of the open decision that one would have to scroll to."""
    found: list[str] = page.evaluate(OUT_OF_SIGHT)
    return found
