// The record of a table: its notation, its archive, which is checked here, and its branches beside it.

import { api, headers, Problem } from "../api.js";
import { announce, button, el, field, item, made, redraw, row, sheet } from "../dom.js";
import { capital, pair, t } from "../i18n.js";
import { pageHead } from "../lazy-views.js";
import { nameAt } from "../piece-names.js";
import { portrait } from "../portraits.js";
import { problemWords } from "../problems.js";
import { addressOf } from "../router.js";
import { rowsOf } from "../state/scores.js";
import { sitter } from "../views/seats.js";
import { reading, useWords } from "../help-words.js";
import { canHash, checkArchive } from "./verify-archive.js";

const ROWS = 12; // of the notation

/** Shows the record of `where.table`, and checks it as soon as it is there. */
export function showRecord(page, { table: id }) {
  enter(Object.assign(page, { id, problem: null, table: null, found: null, done: 0, all: 0, compared: {} }));
  return { shows: (to) => to.name === "record" && to.table === id, move: () => {} };
}

const path = ({ id }, rest = "") => `/v1/tables/${encodeURIComponent(id)}${rest}`;

async function enter(page) {
  try {
    const [table, lineage, text] = await Promise.all([
      api.get(path(page)),
      api.get(path(page, "/forks")),
      api.text(path(page, "/notation")).catch(() => ""), // before the first move there is none
    ]);
    await useWords(table.game);
    Object.assign(page, { table, lineage, text });
    draw(page);
    if (table.transcribed || !canHash()) return;
    page.bytes = await download(page);
    await check(page);
  } catch (problem) {
    page.problem = problem;
    draw(page);
  }
}

async function check(page) {
  const progress = (done, all) => draw(Object.assign(page, { done, all }));
  page.found = null;
  page.found = await checkArchive(page.bytes, progress);
  draw(page);
  announce(verdict(page.found));
}

/** The archive as this reader may have it: all its parts, one behind the other. */
async function download(page) {
  const parts = [];
  for (let from = path(page, "/archive"); from;) {
    const answer = await fetch(from, { headers: headers(), credentials: "omit", referrerPolicy: "no-referrer" });
    if (!answer.ok) throw new Problem(await answer.json().catch(() => ({})), answer.status);
    parts.push(await answer.arrayBuffer());
    from = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function draw(page) {
  if (page.left) return;
  document.title = `${t("record")} · Wintercount`;
  const { table, problem } = page;
  const title = table ? pair(t("record"), capital(t(`title.${table.game}`))) : t("record");
  const head = pageHead(title, [addressOf(page.id), "record.back"]);
  const refused = problem && el("p", { class: "refusal", role: "alert" }, problemWords(problem));
  const parts = table ? [notation(page), proof(page), branches(page)] : [];
  redraw(page.main, el("article", { class: "reading-text record" }, head, refused, ...parts));
}

const section = (name, ...content) => el("section", {}, el("h2", {}, t(name)), ...content);

function notation(page) {
  const { text, table } = page;
  if (!text) return null;
  const area = el("textarea", {
    class: "notation",
    rows: ROWS,
    readonly: true,
    spellcheck: false,
    "aria-label": t("notation"),
    value: text,
  });
  const whole = table.transcribed || table.status === "finished";
  const copying = button(t(page.copied ? "notation.copied" : "notation.copy"), copy, { data: { copy: "" } });
  return section(
    "notation",
    el("p", { class: "hint" }, t(whole ? "notation.hint" : "notation.hint.running")),
    area,
    copying,
  );

  /** Pages that came by http have no clipboard: there the text is marked, for the reader to copy. */
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      page.copied = true;
      draw(page);
      announce(t("notation.copied"));
    } catch {
      area.node.focus();
      area.node.select();
      announce(t("notation.marked"));
    }
  }
}

function proof(page) {
  if (page.table.transcribed) return section("verify", el("p", {}, t("transcribed.hint")));
  if (!canHash()) return section("verify", insecure());
  if (page.problem) return null;
  if (!page.found)
    return section("verify", el("p", { role: "status" }, page.all ? t("verify.progress", page) : t("plot.loading")));
  return section("verify", el("p", {}, t("verify.lead")), verdictBox(page.found), checks(page.found), tools(page));
}

/** Where there is no secure context a browser keeps its cryptography back; what can be done instead. */
const insecure = () =>
  el(
    "div",
    { class: "verdict unchecked", role: "alert" },
    el("h3", {}, t("verify.insecure")),
    el("p", {}, t("verify.insecure_why", { address: location.origin })),
    el("p", {}, t("verify.instead")),
    el("pre", { tabindex: "0" }, "python events/verify.py FILE"),
  );

const verdict = (found) => (found.faults.length ? t("verify.fault") : t("verify.holds"));

function verdictBox({ faults, ...found }) {
  const place = (fault) => (fault.place === 0 ? t("verify.header") : t("verify.event", { version: fault.place }));
  const told = faults.map((fault) =>
    item(pair(place(fault), t(`verify.fault.${fault.kind}`, { name: fault.name ?? "" }))),
  );
  return el(
    "div",
    { class: `verdict ${faults.length ? "bad" : "good"}`, role: "status" },
    el("h3", {}, verdict({ faults })),
    told.length ? el("ul", {}, ...told) : el("p", {}, t("verify.holds_of", { n: found.events })),
  );
}

/** Each thing that was checked, with how many of it, and what no chain can tell. */
function checks({ faults, head, events, opened, sealed }) {
  if (faults.length || !head) return null;
  const lines = [
    t("verify.checked.chain", { n: events }),
    t("verify.checked.seals", { n: opened }),
    t("verify.checked.closed", { n: sealed }),
    t("verify.checked.order"),
    t("verify.checked.head"),
  ];
  return [
    el("ul", { class: "checks" }, ...lines.map((line) => item(line))),
    el("p", {}, t("verify.head"), " ", el("code", { class: "head-hash" }, head.head)),
    el("p", { class: "hint" }, t("verify.compare")),
    el("p", {}, t("verify.beyond")),
    el("pre", { tabindex: "0" }, "wintercount verify FILE"),
  ];
}

function tools(page) {
  const change = async ({ target: { files } }) => {
    if (!files.length) return;
    page.bytes = new Uint8Array(await files[0].arrayBuffer());
    await check(page);
  };
  const own = el("input", { type: "file", accept: ".ndjson,.json,.txt", on: { change }, data: { key: "own" } });
  return el(
    "div",
    { class: "verify-tools" },
    button(t("verify.keep"), () => keep(page), { data: { key: "keep" } }),
    field(t("verify.own"), own),
  );
}

/** Saves the archive that was checked, with what this reader may see. */
function keep(page) {
  const address = URL.createObjectURL(new Blob([page.bytes], { type: "application/x-ndjson" }));
  made(el("a", { href: address, download: `${page.id}.ndjson` })).click();
  URL.revokeObjectURL(address);
}

/** Where the table comes from, and what has branched from it; each is compared with it when it is opened. */
function branches(page) {
  const { forked_from: from, forks } = page.lineage;
  const parent = from && branch(page, from.table, [t("record.parent")]);
  const oldest = [...forks].sort((one, other) => one.at.localeCompare(other.at));
  const rows = oldest.map((fork, index) =>
    branch(page, fork.id, [el("strong", {}, t("record.branch", { number: index + 1 })), ...sitters(fork)]),
  );
  const none = !parent && !forks.length && el("p", { class: "hint" }, t("record.alone"));
  return section("record.branches", none, parent, ...rows);
}

/** Who sits at a branch: names with commas stay apart. */
const sitters = ({ seats }) =>
  seats.map((seat) => el("span", { class: "who-sits" }, portrait(seat, seat.seat), sitter(seat)));

function branch(page, id, words) {
  const toggle = ({ target }) => target.open && !page.compared[id] && compare(page, id);
  return el(
    "details",
    { on: { toggle }, data: { key: `branch-${id}`, branch: id } },
    el("summary", {}, el("span", { class: "branch-words" }, ...words)),
    el("p", {}, el("a", { href: addressOf(id) }, t("record.open"))),
    comparison(page, page.compared[id]),
  );
}

async function compare(page, other) {
  page.compared[other] = await api
    .get(path(page, `/comparison?with=${encodeURIComponent(other)}`))
    .catch((problem) => ({ problem }));
  draw(page);
}

/** Where two branches part, which house rules each has, where they first differ, and the totals of both. */
function comparison(page, found) {
  if (!found) return null;
  if (found.problem) return el("p", { class: "refusal", role: "alert" }, problemWords(found.problem));
  const { common, first_difference: difference, branches: both } = found;
  const names = [t("record.here"), t("record.there")];
  const first = difference?.events.flatMap((event, index) =>
    event ? [" ", el("a", { href: addressOf(both[index].id, event.version) }, names[index])] : [],
  );
  const rules = both.map(({ options }, index) => reading(differing(options, both[1 - index].options)));
  return [
    el("p", {}, el("a", { href: addressOf(common.table, common.version) }, t("record.part"))),
    el("p", {}, ...(first ? [t("record.difference"), ...first] : [t("record.same")])),
    rules[0] && el("ul", {}, ...rules.map((words, index) => item(pair(names[index], words)))),
    totals(page.table, both, names),
  ];
}

const differing = (own, other) =>
  Object.fromEntries(
    Object.entries(own).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
  );

function totals(table, both, names) {
  const columns = both.map((each) => new Map(rowsOf(each).map(({ seat, total }) => [seat, total])));
  const totalsOf = (seat) => columns.map((column) => String(column.get(seat) ?? "–"));
  const rows = table.seats.map(({ seat }) => row(nameAt(table, seat), totalsOf(seat)));
  return sheet([t("score.seat"), ...names], rows);
}
