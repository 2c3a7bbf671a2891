// A picture with what belongs to it: state of the computation, failures, notes, files, and the table of its numbers.

import { h, settled } from "../app/dom.js";
import { csv, png, save, svg } from "../data/export.js";
import { fill } from "../data/table.js";
import { FigureView } from "../plot/figure_view.js";
import { plainText, rich } from "../text/rich.js";

/** Milliseconds without a change after which tables are filled and screen readers are told. */
const QUIET = 200;

let number = 0;

export class FigurePanel {
  #columns = [];
  #file;
  #plot = h("div", { class: "plot" });
  #state = h("p", { class: "state number" });
  #failure = h("p", { class: "failure", role: "alert", hidden: true });
  #notes = h("ul", { class: "notes" });
  #table;
  #title = h("h3", { class: "panel-title" });
  #tableNote = h("p", { class: "reference" });
  #spoken = h("p", { class: "unseen", "aria-live": "polite" });
  #figure;
  #settle = settled(() => this.#settled(), QUIET);
  #summary = "";

  /**
   * Builds the panel in `host`. Files are named `file()`, and their pictures have `heading()` before their title; `small`
   * figures are lower; `id` is that of the table.
   */
  constructor(host, { file, heading = () => "", small = false, id }) {
    number += 1;
    this.#file = file;
    this.#table = h("table", { id });
    if (small) this.#plot.classList.add("small");
    this.#figure = new FigureView(this.#plot, number);
    this.#plot.append(h("div", { class: "busy" }));
    const button = (text, title, task) => h("button", { type: "button", title, onclick: () => this.#saved(task) }, text);
    host.classList.add("panel");
    host.append(
      small ? this.#title : "", this.#plot,
      this.#state, this.#failure, this.#notes, this.#spoken,
      h("div", { class: "below" }, h("div", { class: "files", role: "group", "aria-label": "Save" },
        button("SVG", "Save the picture as SVG", () => save(`${this.#file()}.svg`, svg(this.#titled(heading()), this.#figure.size), "image/svg+xml")),
        button("PNG", "Save the picture as PNG", async () => save(`${this.#file()}.png`, await png(this.#titled(heading()), this.#figure.size))),
        button("CSV", "Save all numbers as CSV", () => save(`${this.#file()}.csv`, csv(this.#columns), "text/csv"))),
      h("details", {}, h("summary", {}, "Table of the numbers"),
        h("div", { class: "table-frame", tabindex: "0", role: "region", "aria-label": "Table" }, this.#table), this.#tableNote)),
    );
  }

  /** Shows a picture {spec, columns, summary}, a line about its computation, notes, and why the picture is not complete. */
  show({ spec, columns, summary }, state, notes = [], warning = null) {
    this.#columns = columns;
    this.#summary = summary;
    this.#figure.show(spec, summary);
    this.#title.textContent = spec.title;
    this.#plot.classList.remove("old");
    this.#warn(warning);
    this.#state.textContent = state;
    this.#notes.replaceChildren(...notes.map((note) => h("li", {}, ...rich(note))));
    this.#settle();
  }

  /** Shows why there is no new picture; the one before stays, paler. */
  fail(message) {
    this.#warn(message);
    this.#plot.classList.add("old");
    this.#state.textContent = "";
  }

  #titled(heading) {
    const { spec } = this.#figure;
    return { ...spec, title: heading === "" ? spec.title : `${heading}: ${spec.title}` };
  }

  #warn(message) {
    this.#failure.hidden = message === null;
    // The same alert is not told again while a slider moves.
    if (message !== null && this.#failure.textContent !== plainText(message)) this.#failure.replaceChildren(...rich(message));
  }

  /** The picture is not that of the present settings, and no failure is to be told. */
  outdated() {
    this.#warn(null);
    this.#state.textContent = "";
    this.#plot.classList.add("old");
  }

  /** Shows whether something is computed. */
  set computing(now) {
    this.#plot.classList.toggle("computing", now);
    this.#plot.setAttribute("aria-busy", String(now));
  }

  #settled() {
    const { title } = this.#figure.spec;
    this.#tableNote.textContent = fill(this.#table, title, this.#columns);
    this.#spoken.textContent = `${title}. ${this.#summary}`;
  }

  async #saved(task) {
    if (this.#figure.spec === null) return;
    try {
      await task();
    } catch (error) {
      this.fail(`The file was not saved: ${error.message}`);
    }
  }
}
