// What is contested, drawn: notices above the table, and the list of disputes with what one may do.

import { askText, button, el } from "../dom.js";
import { colon, moment, t } from "../i18n.js";
import { seatName } from "../names.js";
import { showProblem } from "../problems.js";
import { addressOf } from "../router.js";
import { account, isArbiter } from "../session.js";
import { undoing } from "../state/log.js";
import { isOver, openDisputes } from "../state/table.js";
import { reading } from "../words.js";
import { timeNotices } from "./clocks.js";
import { offerNotice } from "./leaving.js";

const who = (state, seat) => seatName(state.live.seats[seat - 1]);

/** Above the table: whose time is over, why play is paused, and what waits for an answer. */
export function notices(page) {
  const { state } = page;
  if (state.at) return null;
  return [...timeNotices(page), ...openDisputes(state).map((dispute) => notice(page, dispute)), offerNotice(page)];
}

function notice({ state, act }, { id, seat, rule, version, claim }) {
  const said = t(state.live.paused ? "dispute.paused" : "dispute.goes_on", { name: who(state, seat), rule, version });
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
    ...[...disputes].reverse().map((dispute) => el("li", {}, card(page, dispute))),
  );
}

/** What became of the disputes of one ruling. */
export const disputesAbout = (page, version) =>
  page.state.court.disputes.filter((dispute) => dispute.version === version).map((dispute) => card(page, dispute));

function card(page, dispute) {
  const { state } = page;
  const ruling = el(
    "a",
    { href: addressOf(state.id, dispute.version, state.seat) },
    t("again.event", { version: dispute.version }),
  );
  const outcome = el(
    "span",
    { class: `badge ${dispute.outcome === null ? "acting" : "done"}` },
    t(`dispute.${dispute.outcome ?? "open"}`),
  );
  const said = [
    ...dispute.comments.map((comment) => commentOf(state, comment)),
    ...dispute.votes.map((vote) => voteOf(state, vote)),
    ...dispute.looks.map((look) => lookOf(state, look)),
  ];
  return el(
    "article",
    { class: "dispute", data: { dispute: dispute.id } },
    el("h3", {}, el("span", { class: "rule-id" }, dispute.rule), " · ", ruling, " ", outcome),
    el(
      "p",
      {},
      el("strong", {}, who(state, dispute.seat)),
      colon(),
      el("q", {}, el("bdi", {}, dispute.claim)),
      " ",
      claimReport(state, dispute),
    ),
    el("p", {}, t("dispute.wanted"), " ", reading(dispute.remedy.reading ?? {}) || t("dispute.same_reading")),
    el("ul", { class: "comments" }, ...said),
    dispute.outcome === null ? doable(page, dispute) : verdict(state, dispute),
  );
}

const saying = (name, at, ...said) => el("li", {}, el("strong", { title: at && moment(at) }, name), colon(), ...said);

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

const voteOf = (state, { seat, overturn }) =>
  saying(who(state, seat), null, t(overturn ? "dispute.votes_overturn" : "dispute.votes_uphold"));

const lookOf = (state, { seat, until, at }) =>
  saying(t("dispute.arbiter"), at, t("dispute.looked", { name: who(state, seat), version: until }));

function verdict(state, { by, text, resolved, outcome }) {
  const link = el("a", { href: addressOf(state.id, resolved, state.seat) }, t("again.event", { version: resolved }));
  const said = text ? [colon(), el("q", {}, el("bdi", {}, text))] : null;
  return el("p", {}, t(`dispute.by.${by}`), " ", t(`dispute.${outcome}`), " (", link, ")", said);
}

function doable(page, dispute) {
  const { live } = page.state;
  const until = el("p", { class: "hint" }, t("dispute.deadline", { moment: moment(dispute.deadline) }));
  const say = (live.seat || isArbiter(live)) && asking(page, dispute, "comments", "comment", (text) => ({ text }));
  const buttons = [say, ...(live.disputes.by === "vote" ? votes(page, dispute) : verdicts(page, dispute))].filter(
    Boolean,
  );
  return [until, buttons.length ? el("div", { class: "actions" }, ...buttons) : null];
}

function votes({ state, act }, { id }) {
  const { seat } = state.live;
  if (!seat) return [];
  return [true, false].map((overturn) => {
    const key = overturn ? "vote_overturn" : "vote_uphold";
    const vote = () => act.contest(`disputes/${id}/votes`, { seat, overturn });
    return button(t(`dispute.${key}`), vote, { data: { key: `${key}-${id}`, vote: key } });
  });
}

function verdicts(page, dispute) {
  if (!isArbiter(page.state.live)) return [];
  const outcomes = [
    ["uphold", "upheld"],
    ["overturn", "overturned"],
  ];
  return outcomes.map(([key, outcome]) => asking(page, dispute, "resolution", key, (text) => ({ outcome, text })));
}

/** A button that asks for some words and sends them. */
function asking({ act }, { id }, path, key, body) {
  const send = (text) => act.judge(`disputes/${id}/${path}`, body(text));
  const labels = { close: t("close"), label: t(`dispute.${key}_why`), confirm: t(`dispute.${key}`), send };
  return button(t(`dispute.${key}`), () => askText(t(`dispute.${key}`), labels), {
    data: { key: `${key}-${id}`, court: key },
  });
}
