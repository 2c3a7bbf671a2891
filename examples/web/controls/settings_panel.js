// Sliders of an equation: orders, parameters, and how it is computed.

import { h } from "../app/dom.js";
import { annotation } from "../text/header.js";
import { menu, numberField } from "./picture_options.js";
import { sliderRow } from "./slider.js";

export const LIMIT_CHOICES = [["2000", "2 s"], ["10000", "10 s"], ["60000", "60 s"]];

export class SettingsPanel {
  #host;
  #shape = "";
  #rows = [];
  #actions;

  /** `actions` = {value(kind, name, number), amount(name, number), released(), choose(fields), limit(milliseconds)}. */
  constructor(host, actions) {
    [this.#host, this.#actions] = [host, actions];
  }

  /** Shows the settings of a checked equation; the elements stay as long as their names and ranges do. */
  show(check, text, state, limit) {
    const shape = JSON.stringify([check.orders, check.parameters, check.stochastic, check.schemes, check.suggested, comments(check, text)]);
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#build(check, text, state, limit);
    }
    for (const { show, value } of this.#rows) show(value(state));
  }

  #build(check, text, state, limit) {
    this.#rows = [];
    const group = (title, rows) => (rows.length > 0 ? [h("h3", { class: "group-title" }, title), ...rows] : []);
    const own = (kind, list) => list.map((entry) => this.#slider(kind, entry, annotation(text, entry.name)));
    this.#host.replaceChildren(
      ...group(check.orders.length > 1 ? "Orders" : "Order", own("orders", check.orders)),
      ...group("Parameters", own("values", check.parameters)),
      ...group("Computation", this.#computation(check, state, limit)),
    );
  }

  #slider(kind, entry, { unit, comment }) {
    const about = [comment, unit && `in ${unit}`].filter(Boolean).join(", ");
    const setting = { ...entry, reset: entry.value, about };
    const { row, show } = sliderRow(setting, (value) => this.#actions.value(kind, entry.name, value), () => this.#actions.released());
    this.#rows.push({ show, value: (state) => state[kind][entry.name] ?? entry.value });
    return row;
  }

  #computation(check, state, limit) {
    const suggested = check.suggested?.steps ?? 1000;
    const amount = (name, title, value, low, high) => {
      const setting = { name: title, value, low, high, logarithmic: true, whole: true, least: 1, reset: name === "steps" ? suggested : undefined };
      const { row, show } = sliderRow(setting, (number) => this.#actions.amount(name, number), () => this.#actions.released());
      row.classList.add("plain");
      this.#rows.push({ show, value: (now) => now[name] ?? suggested });
      return row;
    };
    const choose = (fields) => this.#actions.choose(fields);
    const schemes = [["auto", "automatic"], ...(check.schemes ?? []).map((name) => [name, name])];
    const line = (...children) => h("div", { class: "line" }, ...children);
    const scheme = menu("Scheme", schemes, state.scheme, (value) => choose({ scheme: value }));
    const time = menu("Limit of time", LIMIT_CHOICES, String(limit), (value) => this.#actions.limit(Number(value)));
    const rows = [amount("steps", "Steps", state.steps ?? suggested, 10, 100_000)];
    const graded = numberField("Grading", state.grading ?? check.suggested?.grading ?? 1, { least: 1, most: 20 }, (grading) => choose({ grading }));
    graded.title = "1: equal steps; above: steps t_n = t_1 (n/N)^grading, which are shorter at the start";
    if (!check.stochastic) return [...rows, line(scheme, graded), line(time)];
    const choosable = (check.schemes ?? []).length > 0;
    rows.push(amount("paths", "Paths", state.paths, 10, 1_000_000));
    const places = [["auto", "wherever is fastest"], ["gpu", "WebGPU"], ["cpu", "WebAssembly"]];
    const seed = numberField("Seed", state.seed, { whole: true, least: 0, most: 4_294_967_295 }, (value) => choose({ seed: value }));
    const again = h("button", { type: "button", onclick: () => this.#newSeed(seed.querySelector("input")) }, "New seed");
    return [...rows, line(seed, again), ...(choosable ? [line(scheme)] : []), line(menu("Computed on", places, state.where, (where) => choose({ where })), time)];
  }

  #newSeed(input) {
    const seed = Math.floor(Math.random() * 1e6);
    input.value = String(seed);
    this.#actions.choose({ seed });
  }
}

function comments(check, text) {
  return [...check.orders, ...check.parameters].map(({ name }) => annotation(text, name));
}
