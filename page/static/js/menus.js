// What hangs open over the page: Escape closes it, and so does a click elsewhere; the focus goes back to its button.

const HANGING = "details:is(.menu, .seat-more)[open]";

/** Watches the whole page; called once. */
export function watchMenus() {
  document.addEventListener("click", ({ target }) => close((menu) => menu.contains(target)), true);
  document.addEventListener(
    "keydown",
    ({ key }) => key === "Escape" && !document.querySelector("dialog[open]") && close(),
  );
}

function close(isKept = () => false) {
  for (const menu of document.querySelectorAll(HANGING)) {
    if (isKept(menu)) continue;
    const { activeElement } = document;
    menu.open = false;
    if (activeElement.tabIndex < 0 || menu.contains(activeElement)) menu.firstElementChild.focus();
  }
}
