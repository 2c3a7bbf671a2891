// The derivative of a column of data, by any operator.

import { budget, count, time } from "../compute/answers.js";
import { Superseded } from "../compute/computer.js";
import { FigurePanel } from "../controls/figure_panel.js";
import { menu, numberField } from "../controls/picture_options.js";
import { sliderRow } from "../controls/slider.js";
import { dropped, interpolated, missingRows, multiples, timeColumn } from "../data/missing.js";
import { curveSummary } from "../views/summary.js";
import { byId, h } from "./dom.js";

const LIMIT = 30_000;
const MANY_ROWS = 200_000; // of more the derivative follows when a slider rests
const ROWS = ""; // the name of no column: times are multiples of a step

export class DerivativeView {
  #store;
  #computer;
  #input;
  #operators = null;
  #choice = { time: ROWS, column: null, step: 1, missing: "refuse" };
  #panel = null;
  #dataPanel = null;

  constructor(store, computer, input) {
    [this.#store, this.#computer, this.#input] = [store, computer, input];
    input.subscribe((table) => this.#adopt(table));
    store.subscribe((state, changed) => {
      if (state.view === "derivative" && changed.includes("view")) this.#open();
    });
    if (store.state.view === "derivative") this.#open();
  }

  async #open() {
    if (this.#operators === null) await this.#list();
    this.#show();
    this.#compute();
  }

  async #list() {
    try {
      this.#operators = await this.#computer.ask("operators", "operators", {});
    } catch (error) {
      byId("derivative-settings").replaceChildren(h("p", { class: "failure" }, error.message));
    }
  }

  #operator() {
    const { operator } = this.#store.state;
    return this.#operators.find(({ name }) => name === operator) ?? this.#operators[0];
  }

  #adopt(table) {
    const own = timeColumn(table.columns);
    const rest = table.columns.filter(({ name }) => name !== own);
    this.#choice = { ...this.#choice, time: rest.length > 0 && own !== null ? own : ROWS, column: (rest[0] ?? table.columns[0]).name };
    if (this.#store.state.view === "derivative") this.#open();
  }

  #show() {
    if (this.#operators === null) return;
    const host = byId("derivative-settings");
    const operator = this.#operator();
    const { table } = this.#input;
    const order = this.#store.state.operatorOrder ?? operator.order.default;
    const slider = sliderRow({ name: "order", value: order, reset: operator.order.default, low: operator.order.low, high: operator.order.high },
      (operatorOrder) => this.#moved({ operatorOrder }), () => this.#released());
    host.replaceChildren(
      h("h3", { class: "group-title" }, "Columns"), ...(table ? this.#columns(table) : [h("p", { class: "reference" }, "Choose data first.")]),
      h("h3", { class: "group-title" }, "Operator"),
      h("div", { class: "line" }, menu("Definition", this.#operators.map(({ name, title }) => [name, title]), operator.name,
        (name) => {
          this.#store.update({ operator: name, operatorOrder: null, settings: {} });
          this.#show();
          this.#compute();
        })),
      slider.row,
      ...operator.settings.map((setting) => this.#setting(setting)),
    );
  }

  #columns(table) {
    const names = table.columns.map(({ name }) => name);
    const change = (fields) => {
      this.#choice = { ...this.#choice, ...fields };
      this.#show();
      this.#compute();
    };
    const line = (...children) => h("div", { class: "line" }, ...children);
    const step = numberField("Step", this.#choice.step, {}, (value) => {
      this.#choice.step = value;
      this.#compute();
    });
    return [
      line(menu("Time", [[ROWS, "row number times a step"], ...names], this.#choice.time, (name) => change({ time: name })), this.#choice.time === ROWS ? step : ""),
      line(menu("Values", names, this.#choice.column, (column) => change({ column }))),
      line(menu("Missing values", [["refuse", "are an error"], ["interpolate", "are interpolated"], ["drop", "drop their rows"]], this.#choice.missing, (missing) => change({ missing }))),
    ];
  }

  #setting(setting) {
    const value = this.#store.state.settings[setting.name] ?? setting.value;
    const moved = (own) => this.#moved({ settings: { ...this.#store.state.settings, [setting.name]: own } });
    return sliderRow({ ...setting, about: setting.title, value, reset: setting.value }, moved, () => this.#released()).row;
  }

  #moved(fields) {
    this.#store.update(fields);
    if (!this.#isLarge()) this.#compute();
  }

  #released() {
    if (this.#isLarge()) this.#compute();
  }

  #isLarge() {
    return (this.#input.table?.rows ?? 0) > MANY_ROWS;
  }

  /** Times and values of the chosen columns; fails with a message. */
  #data() {
    const { table } = this.#input;
    const { time: name, column, step, missing } = this.#choice;
    const values = table.columns.find((own) => own.name === column).values;
    if (name === ROWS && !(step > 0)) throw new Error("The step must be positive.");
    const t = name === ROWS ? multiples(values.length, step) : table.columns.find((own) => own.name === name).values;
    const gaps = missingRows([t, values]);
    if (gaps.length === 0) return { t, x: values };
    if (missing === "refuse") {
      throw new Error(`${count(gaps.length)} rows have a missing value, the first is row ${count(gaps[0] + 1)}: say above whether they are interpolated or dropped.`);
    }
    if (missing === "drop") {
      const [times, x] = dropped([t, values], gaps);
      return { t: times, x };
    }
    if (missingRows([t]).length > 0) throw new Error("Times are missing: only values are interpolated. Drop the rows instead.");
    return { t, x: interpolated(t, values) };
  }

  #panels() {
    if (this.#panel !== null) return;
    const host = byId("derivative-results");
    const [upper, lower] = [h("div"), h("div")];
    host.replaceChildren(upper, lower);
    this.#panel = new FigurePanel(upper, { file: () => `derivative-${this.#operator().name}`, id: "derivative-numbers", small: true });
    this.#dataPanel = new FigurePanel(lower, { file: () => "data", id: "data-numbers", small: true });
  }

  async #compute() {
    if (this.#input.table === null || this.#operators === null || this.#store.state.view !== "derivative") return;
    this.#panels();
    const operator = this.#operator();
    const order = this.#store.state.operatorOrder ?? operator.order.default;
    const settings = Object.fromEntries(operator.settings.map(({ name, value }) => [name, this.#store.state.settings[name] ?? value]));
    try {
      const { t, x } = this.#data();
      this.#showData(t, x);
      this.#panel.computing = true;
      const answer = await this.#computer.ask("derivative", "derivative", { t, x, operator: operator.name, order, settings, budget: budget(LIMIT) }, { limit: LIMIT });
      this.#showAnswer(answer, operator, order, x);
    } catch (error) {
      if (error instanceof Superseded) return;
      this.#panel.fail(error.message);
    } finally {
      this.#panel.computing = this.#computer.isBusy("derivative");
    }
  }

  #showData(t, x) {
    const { column } = this.#choice;
    const spec = figureOf("Data", column, t, x, 7);
    this.#dataPanel.show({ spec, columns: [{ name: "t", values: t }, { name: column, values: x }], summary: curveSummary(column, x) }, `${count(x.length)} samples`);
  }

  #showAnswer({ t, y, milliseconds, notes }, operator, order, x) {
    const { column } = this.#choice;
    const title = `${operator.title}, order ${order}, of ${column}`;
    const columns = [{ name: "t", values: t }, { name: `derivative of ${column}`, values: y }];
    if (x.length === y.length) columns.push({ name: column, values: x });
    const spec = figureOf(title, `derivative of ${column}`, t, y, 0);
    this.#panel.show({ spec, columns, summary: curveSummary("The derivative", y) }, `${count(y.length)} samples, ${time(milliseconds)} in WebAssembly`, notes);
  }
}

function figureOf(title, label, t, values, colour) {
  return {
    title,
    x: { label: "t", kind: "linear", tight: true },
    y: { label, kind: "linear" },
    marks: [{ type: "line", name: label, x: t, y: values, colour }],
  };
}
