// What is contested, drawn: notices above the table, and the list of disputes with what one may do.

import { actions, asking, button, dialog, el, field, item } from "../dom.js";
import { colon, loadMoreWords, moment, t } from "../i18n.js";
import { nameAt, seatName } from "../piece-names.js";
import { showProblem } from "../problems.js";
import { addressOf } from "../router.js";
import { account, isArbiter } from "../session.js";
import { changed, eventAt, undoing } from "../state/log.js";
import { isOver, openDisputes } from "../state/table.js";
import { styled } from "../lazy-views.js";
import { reading, words } from "../help-words.js";
import { timeNotices } from "./clocks.js";
import { offerNotice } from "./leaving.js";
import { outcomeLine } from "./log-line.js";

const who = (state, seat) => nameAt(state.live, seat);

/** Above the table: whose time is over, why play is paused, and what waits for an answer. */
export function notices(page) {
  const { state } = page;
  if (state.at) return null;
  return [
    ...timeNotices(page),
    ...openDisputes(state).map((dispute) => notice(page, dispute)),
    news(page),
    offerNotice(page),
  ];
}

/** The views in which outcomes are compared; few need them, so they are loaded then. */
export const later = (show) =>
  Promise.all([import("./contest-ruling.js"), loadMoreWords(), styled("disputes")])
    .then(([views]) => show(views))
    .catch(showProblem);

/** What a dispute has changed, until play has gone on. */
function news(page) {
  const { rows } = page.state.log;
  const last = page.state.court.disputes.findLast(({ outcome }) => outcome === "overturned");
  if (!last || isOver(page.state) || rows.at(-1)?.at !== eventAt(page.state.log, last.resolved)?.at) return null;
  return el("section", { class: "notice-row", "aria-label": t("dispute.overturned") }, outcome(page, last));
}

function notice({ state, act }, { id, seat, claim }) {
  const said = t(state.live.paused ? "dispute.paused" : "dispute.goes_on", { name: who(state, seat) });
  const look = () => {
    act.turn("disputes");
    queueMicrotask(() => document.getElementById("tab-disputes")?.focus());
  };
  return el(
    "section",
    { class: "notice-row", "aria-label": t("disputes") },
    el("p", {}, said, " ", el("q", {}, el("bdi", {}, claim))),
    button(t("dispute.look"), look, { data: { key: `look-${id}` } }),
  );
}

/** Whether the seat that I hold may contest this ruling. */
export function mayDispute(state, version) {
  const { live } = state;
  if (!live.disputes || !live.seat || live.status !== "running" || isOver(state) || undoing(state.log, version))
    return false;
  return !openDisputes(state).some((dispute) => dispute.version === version && dispute.seat === live.seat);
}

/** All disputes, the newest first. */
export function disputeList(page) {
  const { disputes } = page.state.court;
  if (!disputes.length) return el("p", { class: "empty" }, t("dispute.none"));
  return el(
    "ol",
    { class: "disputes", reversed: true },
    ...[...disputes].reverse().map((dispute) => item(card(page, dispute))),
  );
}

/** What became of the disputes of one ruling. */
export const disputesAbout = (page, version) =>
  page.state.court.disputes.filter((dispute) => dispute.version === version).map((dispute) => card(page, dispute));

function card(page, dispute) {
  const { state } = page;
  const what = words(eventAt(state.log, dispute.version)?.type ?? "ruling");
  const badge = el(
    "span",
    { class: `badge ${dispute.outcome === null ? "acting" : "done"}` },
    t(`dispute.${dispute.outcome ?? "open"}`),
  );
  const said = [
    ...dispute.comments.map((comment) => commentOf(state, comment)),
    ...voices(state, dispute),
    ...dispute.looks.map((look) => lookOf(state, look)),
  ];
  const wanted = reading(dispute.remedy.reading ?? {}) || t("dispute.another_outcome");
  return el(
    "article",
    { class: "dispute", data: { dispute: dispute.id } },
    el("h3", {}, what, " ", badge),
    el(
      "p",
      {},
      el("strong", {}, who(state, dispute.seat)),
      colon(),
      el("q", {}, el("bdi", {}, dispute.claim)),
      " ",
      claimReport(state, dispute),
    ),
    el("p", {}, t("dispute.wanted"), " ", wanted),
    el("ul", { class: "comments" }, ...said),
    dispute.outcome === null ? doable(page, dispute) : [verdict(dispute), outcome(page, dispute)],
    el("a", { href: addressOf(state.id, dispute.version, state.seat) }, t("dispute.moment")),
  );
}

const saying = (name, at, ...said) => item(el("strong", { title: at && moment(at) }, name), colon(), ...said);

const commentOf = (state, { player, seat, text, at }) =>
  saying(
    seat ? who(state, seat) : t("dispute.arbiter"),
    at,
    el("bdi", {}, text),
    " ",
    reporting(player, { player, table: state.id }),
  );

/** A claim is named by the event that made it: `d58-1a2b3c4d`. */
const claimReport = (state, { id, seat }) =>
  reporting(state.live.seats[seat - 1].player, { table: state.id, version: parseInt(id.slice(1)) });

/** A way to report what somebody else wrote; few want it, so it is loaded then. */
const reporting = (player, about) =>
  account &&
  player !== account.player &&
  button(
    t("report.open"),
    () => import("../people/index.js").then((people) => people.report(about)).catch(showProblem),
    {
      class: "quiet small",
      data: { report: "text" },
    },
  );

/** Who has voted how, and who has not: all people seated, while they decide. */
export function voices({ live }, { votes, outcome: decided }) {
  if (live.disputes?.by !== "vote") return [];
  const cast = new Map(votes.map(({ seat, overturn }) => [seat, overturn ? "overturn" : "uphold"]));
  const people = live.seats.filter(
    ({ seat, kind, player }) => cast.has(seat) || (!decided && kind === "player" && player),
  );
  return people.map((each) => saying(seatName(each), null, t(`dispute.votes_${cast.get(each.seat) ?? "none"}`)));
}

const lookOf = (state, { seat, at }) =>
  saying(t("dispute.arbiter"), at, t("dispute.looked", { name: who(state, seat) }));

function verdict({ by, text, outcome: decided }) {
  const said = text ? [colon(), el("q", {}, el("bdi", {}, text))] : null;
  return el("p", {}, t(`dispute.by.${by}`), " ", t(`dispute.${decided}`), said);
}

/** One sentence: what is otherwise now. */
function outcome(page, dispute) {
  if (dispute.outcome === "moot") return null;
  if (dispute.outcome !== "overturned") return el("p", { class: "outcome" }, t("dispute.unchanged"));
  const event = changed(page.state.log, dispute);
  const line = event ? outcomeLine(page, event) : [t("dispute.taken_back")];
  return el("p", { class: "outcome" }, ...line, " ", t("dispute.from_there"));
}

function doable(page, dispute) {
  const { live } = page.state;
  const until = el("p", { class: "hint" }, t("dispute.deadline", { moment: moment(dispute.deadline) }));
  const say = (live.seat || isArbiter(live)) && comment(page, dispute);
  const key = live.disputes.by === "vote" ? live.seat && "vote" : isArbiter(live) && "decide";
  const look = button(t(`dispute.${key || "compare"}`), () => later((views) => views.decide(page, dispute)), {
    class: key ? "primary" : null,
    data: { key: `decide-${dispute.id}`, decide: "" },
  });
  return [until, actions(say, look)];
}

/** A button for a comment; the dialog stays as long as it is refused. */
const comment = ({ act }, { id }) =>
  button(t("dispute.comment"), () => askForComment((text) => act.contest(`disputes/${id}/comments`, { text })), {
    data: { key: `comment-${id}`, court: "comment" },
  });

/** Asks for some words; `send(text)` says whether they were taken. */
function askForComment(send) {
  const text = el("textarea", { name: "text", rows: 3, maxlength: 1000, required: true });
  const go = button(t("dispute.comment"), submit, { class: "primary", data: { send: "" } });
  const form = asking([field(t("dispute.comment_why"), text)], go);
  const box = dialog(t("dispute.comment"), form);

  async function submit() {
    if (!form.node.reportValidity()) return;
    go.node.disabled = true;
    if (await send(text.node.value.trim())) box.close();
    else go.node.disabled = false;
  }
}
