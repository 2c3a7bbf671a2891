// The fit of a model to columns of data, with the errors of its parameters.

import { budget, count, time } from "../compute/answers.js";
import { Superseded } from "../compute/computer.js";
import { FigurePanel } from "../controls/figure_panel.js";
import { menu } from "../controls/picture_options.js";
import { dropped, missingRows, timeColumn } from "../data/missing.js";
import { estimatesTable, fitFigure, residualFigure } from "../views/fit.js";
import { byId, h, settled } from "./dom.js";
import { parseNumber } from "./numbers.js";

const LIMIT = 60_000;
const EQUATION = " equation"; // no name of the catalogue begins with a space
const FORMULA = " formula";
const EXAMPLE = "y = a exp(-(t/tau)^s) + c\na = 1\ntau = 1 in (0, inf)\ns = 0.8 in (0, 1]\nc = 0";

export class FitView {
  #store;
  #computer;
  #input;
  #equation;
  #models = null;
  #model = null;
  #columns = {};
  #starts = {};
  #fixed = new Set();
  #panels = null;
  #result = null;
  #reread = settled(() => this.#formula(), 250);

  /** `equation` returns the text and the check of the editor of equations. */
  constructor(store, computer, input, equation) {
    [this.#store, this.#computer, this.#input, this.#equation] = [store, computer, input, equation];
    input.subscribe(() => {
      this.#columns = {};
      if (store.state.view === "fit") this.#open();
    });
    store.subscribe((state, changed) => {
      if (state.view === "fit" && changed.includes("view")) this.#open();
    });
    if (store.state.view === "fit") this.#open();
  }

  async #open() {
    if (this.#models === null) {
      try {
        const all = await this.#computer.ask("models", "models", {});
        this.#models = all.filter(({ inputs }) => inputs.length === 1);
      } catch (error) {
        this.#tell(error.message);
        return;
      }
    }
    const name = this.#store.state.model;
    const known = [EQUATION, FORMULA].includes(name) || this.#models.some((model) => model.name === name);
    await this.#choose(known ? name : (this.#models.find((model) => model.name === "stretched-exponential") ?? this.#models[0])?.name ?? FORMULA);
  }

  #tell(message) {
    byId("fit-settings").replaceChildren(h("p", { class: "failure", role: "alert" }, message));
  }

  async #choose(name) {
    if (name !== this.#store.state.model) [this.#starts, this.#fixed] = [{}, new Set()];
    this.#store.update({ model: name });
    if (name === EQUATION) this.#model = fromEquation(await this.#equation());
    else if (name === FORMULA) await this.#formula();
    else this.#model = this.#models.find((model) => model.name === name);
    this.#show();
  }

  /** The formula of the user is asked for its names, like one of the catalogue. */
  async #formula() {
    const text = this.#store.state.formula ?? EXAMPLE;
    try {
      const columns = this.#input.table?.columns.map(({ name }) => name) ?? ["t", "y"];
      this.#model = await this.#computer.ask("model", "model", { text, columns });
      this.#model = { ...this.#model, name: FORMULA, text };
    } catch (error) {
      if (error instanceof Superseded) return;
      this.#model = { name: FORMULA, text, failure: error.message };
    }
    this.#show();
  }

  #show() {
    const names = [...this.#models.map(({ name, title }) => [name, title]), [EQUATION, "The equation of the editor"], [FORMULA, "A formula of your own"]];
    const model = this.#model;
    const choose = menu("Model", names, this.#store.state.model, (name) => this.#choose(name));
    const area = byId("formula-text");
    const own = this.#store.state.model === FORMULA ? area ?? this.#formulaField() : null;
    const ready = model && !model.failure;
    const host = byId("fit-settings");
    const focused = document.activeElement;
    host.replaceChildren(
      h("h3", { class: "group-title" }, "Model"), h("div", { class: "line" }, choose),
      ...(own ? [own] : ready ? [h("pre", { class: "reference" }, model.text ?? "")] : []),
      ...(model?.failure ? [h("p", { class: "failure", role: "alert" }, model.failure)] : []),
      ...(ready ? this.#fields(model) : []),
    );
    if (own && focused === own) own.focus();
  }

  #formulaField() {
    const field = h("textarea", { class: "field formula", id: "formula-text", rows: "6", spellcheck: "false", "aria-label": "Formula" });
    field.value = this.#store.state.formula ?? EXAMPLE;
    field.addEventListener("input", () => {
      this.#store.update({ formula: field.value });
      this.#reread();
    });
    return field;
  }

  #fields(model) {
    const { table } = this.#input;
    if (table === null) return [h("p", { class: "reference" }, "Choose data first.")];
    const names = table.columns.map(({ name }) => name);
    this.#defaults(model, table.columns);
    const column = (name) => h("div", { class: "line" }, menu(name, names, this.#columns[name], (chosen) => {
      this.#columns[name] = chosen;
    }));
    const run = h("button", { type: "button", class: "main", onclick: () => this.#fit() }, "Fit");
    return [
      h("h3", { class: "group-title" }, "Columns"), ...[...model.inputs, ...model.observed].map(column),
      h("h3", { class: "group-title" }, "Parameters"), this.#parameters(model), h("div", { class: "line" }, run),
    ];
  }

  #defaults(model, columns) {
    const has = (name) => columns.some((column) => column.name === name);
    const against = timeColumn(columns) ?? columns[0].name;
    const rest = columns.filter(({ name }) => name !== against);
    model.inputs.forEach((name) => (this.#columns[name] ??= has(name) ? name : against));
    model.observed.forEach((name, k) => (this.#columns[name] ??= has(name) ? name : (rest[k] ?? columns[columns.length - 1]).name));
  }

  /** Start of a parameter as a text, empty where it is searched: models of the catalogue declare where. */
  #start({ name, value }) {
    const listed = ![EQUATION, FORMULA].includes(this.#model.name);
    return this.#starts[name] ?? (listed || value === null ? "" : String(value));
  }

  #parameters(model) {
    const row = (parameter) => {
      const { name } = parameter;
      const start = h("input", { type: "text", inputmode: "decimal", class: "number", value: this.#start(parameter), placeholder: "searched", "aria-label": `Start of ${name}` });
      start.addEventListener("input", () => {
        this.#starts[name] = start.value.trim();
        start.setAttribute("aria-invalid", String(start.value.trim() !== "" && parseNumber(start.value.trim()) === null));
      });
      const fixed = h("input", { type: "checkbox", checked: this.#fixed.has(name), "aria-label": `${name} is fixed` });
      fixed.addEventListener("change", () => (fixed.checked ? this.#fixed.add(name) : this.#fixed.delete(name)));
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, start), h("td", {}, fixed));
    };
    const head = h("tr", {}, ...["", "start", "fixed"].map((title) => h("th", { scope: "col" }, title)));
    return h("table", { class: "estimates" }, h("thead", {}, head), h("tbody", {}, ...model.parameters.map(row)));
  }

  /** Request of a fit; fails with a message. */
  #request(model) {
    const { table } = this.#input;
    if (model.inputs.length === 0) throw new Error("The formula has no column of the data besides its left side.");
    const chosen = [...model.inputs, ...model.observed].map((name) => this.#columns[name]);
    if (new Set(chosen).size < chosen.length) throw new Error("Two roles have the same column.");
    const used = chosen.map((name) => table.columns.find((column) => column.name === name).values);
    const gaps = missingRows(used);
    const values = {};
    for (const parameter of model.parameters) {
      const { name } = parameter;
      const text = this.#start(parameter);
      if (text === "" && this.#fixed.has(name)) throw new Error(`${name} is fixed and has no value.`);
      if (text === "") continue;
      values[name] = parseNumber(text);
      if (values[name] === null) throw new Error(`The start of ${name}, \`${text}\`, is no number.`);
    }
    const kept = dropped(used, gaps);
    return {
      request: {
        columns: Object.fromEntries(chosen.map((name, k) => [name, kept[k]])),
        model: [EQUATION, FORMULA].includes(model.name) ? model.text : model.name,
        against: this.#columns[model.inputs[0]],
        observed: Object.fromEntries(model.observed.map((name) => [name, this.#columns[name]])),
        values,
        free: model.parameters.map(({ name }) => name).filter((name) => !this.#fixed.has(name)),
        budget: budget(LIMIT),
      },
      left: gaps.length,
    };
  }

  #results() {
    if (this.#panels !== null) return;
    const [table, upper, lower] = [h("div", { id: "estimates", "aria-live": "polite" }), h("div"), h("div")];
    byId("fit-results").replaceChildren(upper, table, lower);
    this.#panels = {
      table,
      fit: new FigurePanel(upper, { file: () => "fit", id: "fit-numbers" }),
      residuals: new FigurePanel(lower, { file: () => "residuals", id: "residual-numbers", small: true }),
    };
  }

  async #fit() {
    this.#results();
    const { fit, residuals, table } = this.#panels;
    try {
      const { request, left } = this.#request(this.#model);
      fit.computing = true;
      const answer = await this.#computer.ask("fit", "fit", request, { limit: LIMIT });
      const notes = left > 0 ? [`${count(left)} rows with missing values were left out.`, ...answer.notes] : answer.notes;
      const seconds = `${count(Object.values(request.columns)[0].length)} rows, ${time(answer.milliseconds)} in WebAssembly`;
      const warning = answer.converged === false ? `The fit has not converged: ${answer.notes[0]}` : null;
      fit.show(fitFigure(request, answer), seconds, notes, warning);
      residuals.show(residualFigure(request, answer), "");
      table.replaceChildren(estimatesTable(answer));
    } catch (error) {
      if (!(error instanceof Superseded)) fit.fail(error.message);
    } finally {
      fit.computing = this.#computer.busy;
    }
  }
}

/** The equation of the editor as a model: its states are observed, its orders and parameters are found. */
function fromEquation({ text, check }) {
  if (!check?.ok) return { name: EQUATION, failure: "The equation of the editor has an error." };
  if (check.stochastic) return { name: EQUATION, failure: "An equation with noise is not fitted: remove its noise, or fit a formula." };
  const named = check.orders.filter(({ name }) => /^\w+$/u.test(name));
  return { name: EQUATION, text, inputs: ["t"], observed: check.states, parameters: [...named, ...check.parameters] };
}
