// What concerns people: profile, settings, invitations, and signing in on a further device. Loaded when it is asked for.

import { el, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { OUT, pageHead } from "../lazy-views.js";
import { problemWords } from "../problems.js";
import { arrive } from "./invitations.js";
import { profile } from "./profile.js";
import { settings } from "./settings.js";
import { signIn } from "./signing-in.js";

export { showAccount } from "./account.js";
export { choosingRange, invite } from "./invitations.js";
export { report } from "./reporting.js";

const PAGES = { settings, player: profile, invitation: arrive, "sign-in": signIn };

/** Shows the page that the address names. */
export function showPerson(page, { page: name, part }) {
  Object.assign(page, { part, draw, again: read });
  read();

  async function read() {
    try {
      await PAGES[name](page);
    } catch (problem) {
      draw(t("people.none"), el("p", { class: "empty" }, problemWords(problem)));
    }
  }

  /** Draws a title and what stands below it. */
  function draw(title, ...children) {
    if (page.left) return;
    document.title = title;
    redraw(page.main, el("article", { class: "people reading-text" }, pageHead(title, OUT), ...children));
  }
}
