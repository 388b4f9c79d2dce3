// The timeline of a table: a slider over all versions, rulings marked, keys, and playing it like a film.

import { api } from "./api.js";
import { isRuling } from "./chronicle.js";
import { announce, button, el, svg } from "./dom.js";
import { icon } from "./glyphs.js";
import { t } from "./i18n.js";
import { addressOf } from "./router.js";

const STEP_MS = 900;

const REPEATED = /\/heroes(\/|$)/; // a ground lists its heroes beside the cards, which are what is drawn
const KEYS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

export class Timeline {
  constructor(page) {
    this.page = page;
    this.timer = null;
    this.onKey = (event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    this.pause();
  }

  draw() {
    const { page } = this;
    const { version } = page;
    const last = page.live.version;
    const event = page.chronicle.event(version);
    const label = t("time.position", { version, last });
    const slider = el("input", { type: "range", min: 1, max: last, value: version, step: 1, "aria-label": t("time.slider"), "aria-valuetext": `${label} ${event?.words ?? ""}`, on: { input: (change) => this.#slide(change) }, data: { key: "slider" } });
    slider.value = version;
    const step = (name, to, off) => button(icon(`step-${name}`), () => this.#go(to), { class: "step", "aria-label": t(`time.${name}`), title: t(`time.${name}`), disabled: off, data: { key: `time-${name}` } });
    return el(
      "section",
      { class: `timeline${page.at ? " past" : ""}`, "aria-label": t("time") },
      el("div", { class: "steps" }, step("first", 1, version <= 1), step("back", version - 1, version <= 1), this.#film(), step("next", version + 1, version >= last), step("last", last, version >= last)),
      el("div", { class: "track" }, this.#marks(last), slider),
      el("p", { class: "position" }, el("span", { class: "version" }, label), page.at ? button(t("time.live"), () => this.#live(), { class: "primary small", data: { key: "live" } }) : null),
      page.at && el("p", { class: "moment" }, event?.words ?? "", " ", undone(page, version)),
    );
  }

  #film() {
    const name = this.timer ? "pause" : "play";
    return button(icon(this.timer ? "step-pause" : "step-film"), () => this.toggle(), { class: "step film", "aria-label": t(`time.${name}`), title: t(`time.${name}`), data: { key: "film" } });
  }

  /** A stroke for every ruling that is known; the looked-at moment needs none, the slider stands there. */
  #marks(last) {
    const { rows } = this.page.chronicle;
    const at = (version) => ((version - 1) / Math.max(1, last - 1)) * 1000;
    const spans = rows.filter((event) => event.type === "PlayTakenBack").map(({ payload: { first, last: end } }) => svg("rect", { x: at(first), y: 0, width: at(end) - at(first) + 2.5, height: 10, class: "undone-mark" }));
    const strokes = rows.filter(isRuling).map((event) => svg("rect", { x: at(event.version) - 1, y: 0, width: 2.5, height: 10, class: `ruling-mark ruling-${event.type}` }));
    return svg("svg", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", class: "marks", "aria-hidden": "true" }, ...spans, ...strokes);
  }

  /** While the handle is held the timeline is not drawn anew: the number beside it follows the handle. */
  async #slide({ target }) {
    const version = Number(target.value);
    target.closest(".timeline").querySelector(".version").textContent = t("time.position", { version, last: target.max });
    await this.#go(version);
  }

  async #go(version) {
    const { page } = this;
    await page.travel(version);
    announce(page.chronicle.event(page.version)?.words ?? "");
  }

  async #live() {
    this.pause();
    await this.page.travel(null);
  }

  toggle() {
    if (this.timer) return this.pause();
    const { page } = this;
    this.timer = setInterval(() => this.#next(), STEP_MS);
    return this.#go(page.version >= page.live.version ? 1 : page.version + 1);
  }

  #next() {
    const { page } = this;
    if (page.version >= page.live.version) this.pause();
    else this.#go(page.version + 1);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.page.shown && !this.page.left) this.page.draw();
  }

  /** Keys anywhere on the page, unless something that is focused needs them itself. */
  #key(event) {
    const busy = event.target.closest?.("input, select, textarea, dialog, [role=tab], .scroller");
    if (!this.page.shown || event.ctrlKey || event.metaKey || event.altKey || (busy && event.target.type !== "range")) return;
    const target = this.#target(event);
    if (target === undefined) return;
    event.preventDefault();
    if (target === "film") this.toggle();
    else this.#go(target);
  }

  #target(event) {
    const { version, live } = this.page;
    if (event.key in KEYS) return version + KEYS[event.key];
    if (event.key === "Home") return 1;
    if (event.key === "End") return live.version;
    return event.key === " " && !event.target.closest("button, a, summary") ? "film" : undefined;
  }

  /** Marks what the event of this version changed. */
  async highlight(asked) {
    const { page } = this;
    if (page.at < 2) return;
    const seat = page.seat ? `&seat=${page.seat}` : "";
    const { changes } = await api.get(`/v1/tables/${page.id}/diff?from=${page.at - 1}&to=${page.at}${seat}`);
    if (page.asked !== asked) return;
    const places = [...page.boxes.board.querySelectorAll("[data-path]")];
    const paths = changes.flatMap((change) => change.patch).map(({ path }) => path);
    for (const path of paths.filter((each) => !REPEATED.test(each))) nearest(places, path)?.classList.add("changed");
  }
}

/** What was undone stays readable, and says which event undid it. */
export function undone(page, version) {
  const by = page.chronicle.undoing(version);
  return by ? el("a", { class: "badge undone", href: addressOf(page.id, by.version, page.seat) }, t("time.undone", { version: by.version })) : null;
}

/** The smallest drawn place that a change lies in, or else the first that lies in the change. */
function nearest(places, path) {
  const around = places.filter((node) => path === node.dataset.path || path.startsWith(`${node.dataset.path}/`));
  const smallest = around.sort((one, other) => other.dataset.path.length - one.dataset.path.length)[0];
  return smallest ?? places.find((node) => node.dataset.path.startsWith(`${path}/`));
}
