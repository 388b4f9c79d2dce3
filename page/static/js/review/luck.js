// How much of a game was luck: what made the lead of each seat, and for one of them event by event.

import { button, el, svg } from "../dom.js";
import { capital, pair, t, together } from "../i18n.js";
import { nameAt } from "../names.js";
import { addressOf } from "../router.js";
import { axes, EDGE, HEIGHT, scales, WIDTH } from "../axes.js";
import { courseOf, mostOf, spanOf } from "./luck-figures.js";
import { meanWords, valueWords } from "./numbers.js";
import { marked, tableOf } from "./pieces.js";

const SUMMED = ["expected", "chance", "own", "others", "ruled"];
const STRIPES = "luck-stripes"; // the id of the pattern that fills the bars of chance
const headed = (keys) => keys.map((key) => capital(t(key)));
const leadWords = (value) => valueWords("margin", value);

/** All that is told of the luck of a game. */
export const luckOf = (page) => [
  el("p", { class: "notice" }, t("luck.covers", { worlds: page.luck.worlds })),
  sums(page),
  course(page),
];

const nameOf = ({ table }, seat) => nameAt(table, seat);

/** The seat that is looked at: that of the address, else the first. */
const looked = ({ choice, luck }) => luck.seats.find(({ seat }) => seat === choice.eyes) ?? luck.seats[0];

function sums(page) {
  const { seats } = page.luck;
  const parts = SUMMED.filter((name) => name !== "ruled" || seats.some(({ ruled }) => ruled.mean !== 0));
  const columns = ["score.seat", "luck.margin", ...[...parts, "adjusted"].map((name) => `luck.${name}`)];
  const rows = seats.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, ...marked(page, row.seat)),
      el("td", {}, leadWords(row.margin)),
      ...[...parts, "adjusted"].map((name) => el("td", {}, meanWords("margin", row[name]))),
    ),
  );
  const known = seats.filter(({ player }) => player).map(({ seat }) => nameOf(page, seat));
  return el(
    "section",
    { class: "review-accuracy luck-sums", "aria-labelledby": "luck-sums" },
    el("h2", { id: "luck-sums" }, t("luck.sums")),
    tableOf(t("luck.sums"), headed(columns), rows),
    el("p", { class: "hint" }, t("luck.sums_means")),
    known.length > 0 && el("p", { class: "hint" }, t("luck.known", { names: together(known) })),
  );
}

function course(page) {
  const { seat } = looked(page);
  const steps = courseOf(page.luck, seat);
  return el(
    "section",
    { class: "review-graph luck-course", "aria-labelledby": "luck-course" },
    el("h2", { id: "luck-course" }, t("luck.course")),
    whose(page, seat),
    chart(page, steps, seat),
    legend(steps),
    el("p", { class: "hint" }, t("luck.course_means")),
    el("h3", {}, t("luck.most")),
    el("ol", { class: "luck-most" }, ...mostOf(page.luck, seat).map((row) => el("li", {}, momentLink(page, row)))),
    stepsTable(page, steps),
  );
}

function whose(page, chosen) {
  const buttons = page.luck.seats.map(({ seat }) =>
    button(marked(page, seat), () => page.choose({ eyes: seat }), {
      "aria-pressed": String(seat === chosen),
      data: { key: `luck-${seat}` },
    }),
  );
  return el("div", { class: "review-figures", role: "group", "aria-label": t("luck.whose") }, ...buttons);
}

function chart(page, steps, seat) {
  const [low, most] = spanOf(steps);
  const range = { low, high: Math.max(most, low + 4), last: page.table.version };
  const { x, y } = scales(range);
  const width = Math.max(3, Math.min(10, (0.7 * (WIDTH - EDGE.left - EDGE.right)) / steps.length));
  const placed = steps.map((step) => ({ ...step, at: x(Math.max(1, step.version)) }));
  const bars = placed.flatMap(({ version, at, parts }) =>
    parts.map(({ name, from, to }) =>
      svg(
        "rect",
        {
          class: `luck-bar luck-${name}`,
          x: at - width / 2,
          width,
          y: y(Math.max(from, to)),
          height: y(0) - y(Math.abs(to - from)),
        },
        svg("title", {}, pair(`${whenWords(version)}, ${t(`luck.${name}`)}`, leadWords(to - from))),
      ),
    ),
  );
  const end = x(range.last).toFixed(1);
  const line = placed.map(({ at, value }, index) => {
    const to = placed[index + 1]?.at.toFixed(1) ?? end;
    return `M${at.toFixed(1)},${y(value).toFixed(1)}H${to}`;
  });
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "plot",
      role: "img",
      "aria-label": t("luck.graph", { name: nameOf(page, seat) }),
    },
    stripes(),
    axes(range, leadWords),
    ...bars,
    svg("path", { class: "luck-line", d: line.join("") }),
  );
}

/** What fills the bars of chance: told from the others without colours, too. */
const stripes = () =>
  svg(
    "defs",
    {},
    svg(
      "pattern",
      { id: STRIPES, width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: "luck-ground", width: 4, height: 4 }),
      svg("rect", { class: "luck-stripe", width: 2, height: 4 }),
    ),
  );

function legend(steps) {
  const names = ["chance", "own", "others", "ruled"].filter((name) =>
    steps.some(({ parts }) => parts.some((part) => part.name === name)),
  );
  const items = names.map((name) =>
    el(
      "li",
      {},
      svg(
        "svg",
        { class: "luck-sample", viewBox: "0 0 16 16", "aria-hidden": "true" },
        svg("rect", { class: `luck-bar luck-${name}`, width: 16, height: 16 }),
      ),
      ` ${t(`luck.${name}`)}`,
    ),
  );
  return el("ul", { class: "legend" }, ...items);
}

const whenWords = (version) => (version ? t("luck.event", { version }) : t("luck.deal"));

const momentLink = (page, { version, change }) =>
  el("a", { href: addressOf(page.id, Math.max(1, version)) }, pair(whenWords(version), leadWords(change)));

/** The same as text. */
function stepsTable(page, steps) {
  const rows = steps.map(({ version, seat, parts, value }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, whenWords(version)),
      el("td", {}, seat ? nameOf(page, seat) : "–"),
      el("td", {}, parts.map(({ name, from, to }) => `${t(`luck.${name}`)} ${leadWords(to - from)}`).join(", ") || "–"),
      el("td", {}, leadWords(value)),
    ),
  );
  return el(
    "details",
    { data: { key: "luck-table" } },
    el("summary", {}, t("review.as_table")),
    tableOf(t("review.as_table"), headed(["review.event", "luck.mover", "luck.changed", "luck.expected"]), rows),
  );
}
