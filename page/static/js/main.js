// The page: a masthead, and below it the lobby or a table.

import { button, el, redraw } from "./dom.js";
import { chooseLanguage, loadLanguage, otherLanguage, t } from "./i18n.js";
import { showLobby } from "./lobby.js";
import { isolated } from "./piece-names.js";
import { later } from "./lazy-views.js";
import { watchHelp, watchMenus } from "./popover.js";
import { portrait } from "./portraits.js";
import { showProblem } from "./problems.js";
import { place } from "./router.js";
import { account, resume, signOut, watchPlayer } from "./session.js";
import { showTable } from "./views/table.js";

const people = () => import("./people/index.js");
const reading = () => import("./reading/index.js");
const review = () => import("./review/index.js");
const VIEWS = {
  lobby: showLobby,
  table: showTable,
  rules: later(async () => (await reading()).showRules),
  register: later(async () => (await reading()).showRegister),
  person: later(async () => (await people()).showPerson),
  played: later(async () => (await reading()).showPlayed),
  review: later(async () => (await review()).showReview),
  record: later(async () => (await reading()).showRecord),
};
const main = document.getElementById("main");

let view = null;

function masthead() {
  const brand = el(
    "a",
    { class: "brand", href: "#/" },
    el("img", { class: "icon", src: "/page/icon.svg", alt: "" }),
    el("span", {}, "Wintercount"),
  );
  const tongue = button(t(`language.${otherLanguage()}`), changeLanguage, {
    class: "quiet",
    lang: otherLanguage(),
    data: { key: "language" },
  });
  const who = button(
    account ? [portrait(account), el("span", {}, isolated(account.name))] : t("account.none"),
    async () => (await people()).showAccount(masthead),
    {
      class: `quiet${account ? " who" : ""}`,
      data: { key: "account" },
    },
  );
  const leave = account && button(t("account.leave"), leaveAccount, { class: "quiet", data: { key: "leave" } });
  const docs = el("a", { class: "quiet-link", href: "/docs" }, t("docs"));
  redraw(document.getElementById("masthead"), brand, el("nav", { "aria-label": t("nav") }, who, leave, docs, tongue));
  document.getElementById("skip").textContent = t("skip");
}

async function changeLanguage() {
  await chooseLanguage(otherLanguage());
  open();
}

function leaveAccount() {
  if (!confirm(t("account.leave_sure"))) return;
  signOut().catch(showProblem); // the token may go on then: another device can end it
  open();
}

/** Shows what the address names; a table that is shown already only moves in time. */
function open({ moved = false } = {}) {
  const where = place();
  masthead();
  if (moved && view?.shows(where)) return view.move(where);
  view?.leave();
  redraw(main);
  view = VIEWS[where.name](main, where, masthead);
  if (moved) main.focus({ preventScroll: true });
}

await loadLanguage();
watchPlayer(() => location.reload()); // what stands here, and what streams tell it, is for somebody else's eyes
await resume();
watchHelp();
watchMenus();
addEventListener("hashchange", () => open({ moved: true }));
open();
