// "What should have happened?": the other outcomes of a ruling beside the one it had, and what one may do about it.

import { actions, button, dialog, el, extend, field, redraw } from "../dom.js";
import { hasWords, moment, t } from "../i18n.js";
import { problemWords } from "../problems.js";
import { isArbiter } from "../session.js";
import { eventAt, hasMoved } from "../state/log.js";
import { loadHelp, plainRefusal, reading } from "../help-words.js";
import { voices } from "./disputes.js";
import { outcomeLine } from "./log-line.js";
import { smallBoards } from "./board.js";

const LONGEST = 1000;
const NARROW_PX = 1080; // the drawer lies over the table then

/** The remedies of a ruling: one is chosen, and a dispute asks for it. */
export async function contest(page, { version }) {
  const box = opened(page, version);
  const remedies = await previewed(box, { version });
  if (!remedies) return;
  if (!remedies.length) return box.show(el("p", {}, t("dispute.no_remedy")), null, takeback(page, box));
  const { live } = page.state;
  const claim = words("claim");
  const open = async () => {
    const { rule, remedy } = box.chosen;
    const body = { seat: live.seat, version, rule, claim: claim.node.value.trim(), remedy };
    const dispute = await box.send("disputes", body, claim.node);
    if (dispute) confirmed(page, box, dispute);
  };
  const go = button(t("dispute.open_now"), open, { class: "primary", data: { contest: "" } });
  box.show(compared(page, box, remedies), [ownWords(t("dispute.claim"), claim), hint(live)], go);
}

/** An open dispute: what it asks for, and for its arbiter all other remedies too. */
export async function decide(page, dispute) {
  const box = opened(page, dispute.version);
  const { version, rule } = dispute;
  const asked = await previewed(box, { version, rule, remedy: dispute.remedy });
  const rules = isArbiter(page.state.live) && page.state.live.disputes.by === "arbiter";
  const others = asked && rules ? await previewed(box, { version, rule }) : asked;
  if (!others) return;
  const known = new Map([...asked, ...others].map((each) => [JSON.stringify([each.words, each.refused]), each]));
  const remedies = rules ? [...known.values()] : asked;
  const claim = el("p", {}, el("q", {}, el("bdi", {}, dispute.claim)));
  box.show([claim, compared(page, box, remedies)], ...(rules ? verdict(box, dispute) : votes(page, box, dispute)));
}

/** What the arbiter says, and the buttons; so for those who vote. */
function verdict(box, { id }) {
  const text = words("text");
  const decided = (outcome) => async () => {
    const remedy = outcome === "overturned" ? box.chosen.remedy : null;
    const told = { outcome, text: text.node.value.trim(), remedy };
    if (await box.send(`disputes/${id}/resolution`, told, text.node)) box.close();
  };
  const rows = [
    ["uphold", decided("upheld")],
    ["overturn", decided("overturned")],
  ];
  return [ownWords(t("dispute.reason"), text), choices("court", rows)];
}

function votes({ state }, box, dispute) {
  const { live } = state;
  const cast = el("ul", { class: "comments" }, ...voices(state, dispute));
  if (live.disputes.by !== "vote" || !live.seat) return [cast];
  const needs = el("p", { class: "hint" }, t(`dispute.needs.${dispute.remedy.reading ? "reading" : "correction"}`));
  const vote = (overturn) => async () =>
    (await box.send(`disputes/${dispute.id}/votes`, { seat: live.seat, overturn })) && box.close();
  return [
    [cast, needs],
    choices("vote", [
      ["vote_uphold", vote(false)],
      ["vote_overturn", vote(true)],
    ]),
  ];
}

/** Two buttons, the second of which changes something. */
const choices = (kind, rows) =>
  rows.map(([key, does], number) =>
    button(t(`dispute.${key}`), does, { class: number ? "primary" : null, data: { [kind]: key } }),
  );

/** After opening: what comes next; those seated may vote at once. */
function confirmed(page, box, dispute) {
  const { live } = page.state;
  const said = [`dispute.opened.${live.disputes.by}`, live.paused ? "dispute.rests" : "dispute.meanwhile"];
  const back = () => {
    box.close();
    if (innerWidth < NARROW_PX) page.act.drawer(false);
    page.act.travel(null);
  };
  const till = t("dispute.deadline", { moment: moment(dispute.deadline) });
  const vote = button(t("dispute.vote_now"), () => (box.close(), decide(page, dispute)), { data: { voting: "" } });
  box.show(el("p", { role: "status" }, said.map((key) => t(key)).join(" ")), el("p", { class: "hint" }, till), [
    live.disputes.by === "vote" && vote,
    button(t("dispute.back"), back, { class: "primary", data: { back: "" } }),
  ]);
}

// The dialog

/** It shows what is given: what scrolls, what stands below it, and the buttons; what is refused stands above these. */
function opened({ act, state }, version) {
  const body = el("div", { class: "deciding-body", tabindex: 0 });
  const foot = el("div", { class: "deciding-foot" });
  const node = dialog(t("dispute.contest"), body, foot);
  redraw(body.node, el("p", { class: "empty" }, t("plot.loading")));
  node.classList.add("deciding");
  const refused = (text) => (foot.node.querySelector(".refusal").textContent = text);
  const { game } = state.live;
  const refuse = async (problem) => {
    if (problem.rule) await loadHelp(game);
    const key = `dispute.refusal.${problem.code}`;
    refused(hasWords(key) ? t(key) : problemWords(problem, game));
  };
  return {
    version,
    chosen: null,
    preview: act.preview,
    close: () => node.close(),
    refuse(problem) {
      this.show();
      return refuse(problem);
    },
    show(above, below, buttons) {
      redraw(body.node, above);
      redraw(foot.node, below, el("p", { class: "refusal", role: "alert" }), actions(buttons));
    },
    /** The answer, or nothing if it was refused; `text` has to be filled in first. */
    async send(rest, asked, text) {
      if (text && !text.reportValidity()) return null;
      const buttons = [...foot.node.querySelectorAll("button")];
      for (const each of buttons) each.disabled = true;
      refused("");
      try {
        return await act.plead(rest, asked);
      } catch (problem) {
        await refuse(problem);
        return null;
      } finally {
        for (const each of buttons) each.disabled = false;
      }
    },
  };
}

const words = (name) => el("textarea", { name, rows: 2, maxlength: LONGEST, required: true });
const ownWords = (label, text) => extend(field(label, text), { class: "own-words" });

const hint = ({ disputes }) => el("p", { class: "hint" }, t(`dispute.hint.${disputes.by}`));

function takeback({ state }, box) {
  const { live, log } = state;
  if (!hasMoved(log, live.seat) || live.paused || live.offer) return [];
  const ask = async () => (await box.send("offers", { kind: "takeback", seat: live.seat })) && box.close();
  return [button(t("takeback.ask"), ask, { class: "primary", data: { key: "dispute-takeback" } })];
}

// The outcomes

/** The remedies that may change something, from the service; none where it refuses to say. */
async function previewed(box, asked) {
  try {
    const { remedies } = await box.preview(asked);
    return remedies.filter(({ differs }) => differs !== false);
  } catch (problem) {
    await box.refuse(problem);
    return null;
  }
}

/** A choice of remedies where there are several, and the two outcomes of the one chosen. */
function compared(page, box, remedies) {
  const pictures = el("div", { class: "outcome-pair", ref: (node) => node && choose(box.chosen) });
  const choose = (remedy) => {
    box.chosen = remedy;
    redraw(pictures.node, ...outcomes(page, box, remedy));
  };
  box.chosen = remedies[0];
  const rows = remedies.map((remedy, number) => {
    const on = { change: () => choose(remedy) };
    const mark = el("input", { type: "radio", name: "remedy", value: number, checked: !number, on });
    return el("label", { class: "remedy" }, mark, el("span", {}, ...labelOf(page, remedy)));
  });
  const several = remedies.length > 1;
  return el(
    "div",
    { class: "compared" },
    several && el("fieldset", { class: "remedies" }, el("legend", { class: "unseen" }, t("dispute.contest")), ...rows),
    pictures,
  );
}

/** Names a reading by its option, and a correction by its outcome. */
const labelOf = (page, remedy) =>
  remedy.remedy.reading ? [t("rulings.option"), " ", reading(remedy.remedy.reading)] : sentence(page, remedy);

function outcomes(page, { version }, remedy) {
  const event = eventAt(page.state.log, version);
  const boards =
    remedy.view && remedy.decided ? smallBoards(page, [remedy.decided, remedy.view], remedy.figures) : null;
  const sides = [
    ["as_decided", event ? outcomeLine(page, event) : []],
    ["instead", sentence(page, remedy)],
  ];
  return sides.map(([key, told], side) =>
    el(
      "figure",
      { class: `outcome-${key}` },
      el("figcaption", {}, el("strong", {}, t(`dispute.${key}`)), el("p", {}, ...told)),
      boards?.[side],
    ),
  );
}

function sentence(page, { type, figures, words: told, refused }) {
  if (refused) return [plainRefusal(page.state.live.game, refused) ?? t("dispute.refused")];
  return type ? outcomeLine(page, { type, payload: figures, words: told, by: {} }) : [t("dispute.unknown")];
}
