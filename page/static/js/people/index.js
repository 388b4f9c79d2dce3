// What concerns people: profile, settings, invitations, and signing in on a further device. Loaded when it is asked for.

import { el, redraw } from "../dom.js";
import { loadMoreWords, t } from "../i18n.js";
import { problemWords } from "../problems.js";
import { styled } from "../styles.js";
import { arrive } from "./arriving.js";
import { profile } from "./profile.js";
import { settings } from "./settings.js";
import { signIn } from "./signing.js";

export { showAccount } from "./account.js";
export { invite } from "./inviting.js";
export { report } from "./reporting.js";
export { choosingRange } from "./ranging.js";

const PAGES = { settings, player: profile, invitation: arrive, "sign-in": signIn };

/** Shows the page that the address names; `onAccount` is called when the account has changed. */
export function showPerson(main, { page: name, part }, onAccount) {
  const page = { part, onAccount, left: false, draw, again: read };
  redraw(main, el("p", { class: "empty" }, t("plot.loading")));
  read();
  return { shows: () => false, move: () => {}, leave: () => (page.left = true) };

  async function read() {
    try {
      await Promise.all([loadMoreWords(), styled()]);
      await PAGES[name](page);
    } catch (problem) {
      draw(t("people.none"), el("p", { class: "empty" }, problemWords(problem)));
    }
  }

  /** Draws a title and what stands below it. */
  function draw(title, ...children) {
    if (page.left) return;
    document.title = title;
    const head = el("header", { class: "reading-head" }, el("h1", {}, title), el("a", { href: "#/" }, t("table.back")));
    redraw(main, el("article", { class: "people reading-text" }, head, ...children));
  }
}
