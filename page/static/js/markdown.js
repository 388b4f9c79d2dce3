// The little Markdown that the rules are written in, as elements: paragraphs, lists, tables, code, emphasis.

import { el } from "./dom.js";

const SPAN = /(\*\*[^*]+\*\*|`[^`]+`|\*[^*\s][^*]*\*)/;

/** The blocks of a text. */
export function markdown(text) {
  return text.split(/\n{2,}/).flatMap((block) => blockOf(block.split("\n").filter((line) => line.trim())));
}

function blockOf(lines) {
  if (!lines.length) return [];
  if (lines[0].startsWith("```")) return [el("pre", {}, lines.slice(1, -1).join("\n"))];
  if (lines.every((line) => line.startsWith("|"))) return [table(lines)];
  const first = lines.findIndex((line) => /^\s*(-|\d+\.) /.test(line));
  if (first < 0) return [el("p", {}, ...spans(lines.join(" ")))];
  const lead = first > 0 ? [el("p", {}, ...spans(lines.slice(0, first).join(" ")))] : [];
  return [...lead, list(lines.slice(first))];
}

function list(lines) {
  const items = [];
  for (const line of lines) {
    const item = /^\s*(?:-|\d+\.) (.*)$/.exec(line);
    if (item) items.push(item[1]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const kind = /^\s*\d/.test(lines[0]) ? "ol" : "ul";
  return el(kind, {}, ...items.map((item) => el("li", {}, ...spans(item))));
}

function table(lines) {
  const rows = lines.filter((line) => !/^[|\s:-]+$/.test(line)).map((line) => line.slice(1, -1).split("|"));
  const [head, ...body] = rows.map((cells, index) =>
    el("tr", {}, ...cells.map((cell) => el(index ? "td" : "th", {}, ...spans(cell.trim())))),
  );
  return el(
    "div",
    { class: "scroller", tabindex: "0", role: "group" },
    el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)),
  );
}

/** A line with its emphasis and code. */
export function spans(text) {
  return text
    .split(SPAN)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("**")) return el("strong", {}, part.slice(2, -2));
      if (part.startsWith("`")) return el("code", {}, part.slice(1, -1));
      return SPAN.test(part) ? el("em", {}, part.slice(1, -1)) : part;
    });
}
