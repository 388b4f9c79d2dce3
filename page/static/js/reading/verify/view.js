// The record of a table, checked here: what is checked, what was found, and what no chain can tell.

import { headers, Problem } from "../../api.js";
import { announce, button, el, field, made, redraw } from "../../dom.js";
import { pair, t } from "../../i18n.js";
import { problemWords } from "../../problems.js";
import { addressOf } from "../../router.js";
import { styled } from "../../styles.js";
import { checkArchive } from "./checking.js";
import { canHash } from "./digests.js";

const SHOWN = 12; // digits of a hash

/** Checks the record of `where.table` as soon as it is shown; `file` is one of the reader's own. */
export function showVerify(main, where) {
  const page = { main, table: where.table, left: false, bytes: null, found: null, problem: null, done: 0, all: 0 };
  styled().then(() => start(page));
  return {
    shows: (to) => to.name === "verify" && to.table === page.table,
    move: () => {},
    leave: () => (page.left = true),
  };
}

async function start(page) {
  draw(page);
  if (!canHash()) return;
  try {
    page.bytes = await download(page.table);
    await check(page);
  } catch (problem) {
    page.problem = problem;
    draw(page);
  }
}

async function check(page) {
  Object.assign(page, { found: null, problem: null, done: 0, all: 0 });
  draw(page);
  page.found = await checkArchive(page.bytes, (done, all) => {
    Object.assign(page, { done, all });
    draw(page);
  });
  draw(page);
  announce(verdict(page.found));
}

/** The archive as this reader may have it: all its parts, one behind the other. */
async function download(table) {
  const parts = [];
  for (let path = `/v1/tables/${encodeURIComponent(table)}/archive`; path;) {
    const answer = await fetch(path, { headers: headers(), credentials: "omit", referrerPolicy: "no-referrer" });
    if (!answer.ok) throw new Problem(await answer.json().catch(() => ({})), answer.status);
    parts.push(await answer.arrayBuffer());
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function draw(page) {
  if (page.left) return;
  document.title = t("verify.title");
  const head = el(
    "header",
    { class: "reading-head" },
    el("h1", {}, t("verify.title")),
    el("p", {}, t("verify.lead")),
    links(page),
  );
  redraw(page.main, el("article", { class: "reading-text verify" }, head, canHash() ? state(page) : insecure()));
}

const links = (page) =>
  el(
    "p",
    { class: "reading-tools" },
    el("a", { href: addressOf(page.table) }, t("compare.back")),
    " · ",
    el("a", { href: "/docs" }, t("docs")),
  );

/** Where there is no secure context a browser keeps its cryptography back; what can be done instead. */
function insecure() {
  return el(
    "section",
    { class: "verdict unchecked", role: "alert" },
    el("h2", {}, t("verify.insecure")),
    el("p", {}, t("verify.insecure_why", { address: location.origin })),
    el("p", {}, t("verify.instead")),
    el("pre", { tabindex: "0" }, "python events/verify.py FILE"),
  );
}

function state(page) {
  if (page.problem) return el("p", { class: "refusal", role: "alert" }, problemWords(page.problem));
  if (!page.found)
    return el("p", { class: "empty", role: "status" }, page.all ? t("verify.progress", page) : t("plot.loading"));
  return [verdictBox(page.found), checks(page.found), beyond(), tools(page), rows(page.found)];
}

const verdict = (found) => (found.faults.length ? t("verify.fault") : t("verify.holds"));

function verdictBox({ faults, ...found }) {
  const told = faults.map((fault) =>
    el("li", {}, pair(place(fault), t(`verify.fault.${fault.kind}`, { name: fault.name ?? "" }))),
  );
  return el(
    "section",
    { class: `verdict ${faults.length ? "bad" : "good"}`, role: "status" },
    el("h2", {}, verdict({ faults })),
    told.length ? el("ul", {}, ...told) : el("p", {}, t("verify.holds_of", { n: found.events })),
  );
}

const place = (fault) => (fault.place === 0 ? t("verify.header") : t("rulings.title", { version: fault.place }));

/** Each thing that was checked, with how many of it. */
function checks({ faults, head, events, opened, sealed }) {
  if (faults.length || !head) return null;
  const lines = [
    t("verify.checked.chain", { n: events }),
    t("verify.checked.seals", { n: opened }),
    t("verify.checked.closed", { n: sealed }),
    t("verify.checked.order"),
    t("verify.checked.head"),
  ];
  return el(
    "section",
    {},
    el("h2", {}, t("verify.checked")),
    el("ul", { class: "checks" }, ...lines.map((line) => el("li", {}, line))),
    el("p", {}, t("verify.head"), " ", el("code", { class: "head-hash" }, head.head)),
    el("p", { class: "hint" }, t("verify.compare")),
  );
}

const beyond = () =>
  el(
    "section",
    {},
    el("h2", {}, t("verify.beyond")),
    el("p", {}, t("verify.beyond_why")),
    el("pre", { tabindex: "0" }, "wintercount verify FILE"),
  );

function tools(page) {
  const change = async ({ target: { files } }) => {
    if (!files.length) return;
    page.bytes = new Uint8Array(await files[0].arrayBuffer());
    await check(page);
  };
  const own = el("input", { type: "file", accept: ".ndjson,.json,.txt", on: { change }, data: { key: "own" } });
  return el(
    "section",
    { class: "verify-tools" },
    button(t("verify.keep"), () => keep(page), { data: { key: "keep" } }),
    field(t("verify.own"), own),
  );
}

/** Saves the archive that was checked, as it was told to this reader. */
function keep(page) {
  const address = URL.createObjectURL(new Blob([page.bytes], { type: "application/x-ndjson" }));
  made(el("a", { href: address, download: `${page.table}.ndjson` })).click();
  URL.revokeObjectURL(address);
}

/** Every event with its hash, and which of its secrets were open. */
function rows({ rows: events }) {
  const header = ["verify.event", "verify.kind", "verify.hash", "verify.open"].map((key) =>
    el("th", { scope: "col" }, t(key)),
  );
  const lines = events.map((row) =>
    el(
      "tr",
      {},
      el("td", {}, String(row.version)),
      el("td", {}, el("code", { lang: "en" }, row.type)),
      el("td", {}, el("code", {}, row.hash.slice(0, SHOWN))),
      el("td", {}, row.opened.length ? el("code", { lang: "en" }, row.opened.join(", ")) : "–"),
    ),
  );
  return el(
    "details",
    {},
    el("summary", {}, t("verify.events", { n: events.length })),
    el(
      "div",
      { class: "scroller", tabindex: "0", role: "group", "aria-label": t("verify.title") },
      el("table", {}, el("thead", {}, el("tr", {}, ...header)), el("tbody", {}, ...lines)),
    ),
  );
}
