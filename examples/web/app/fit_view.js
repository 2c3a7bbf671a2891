// The fit of a model to columns of data, with the errors of its parameters.

import { budget, count, time } from "../compute/answers.js";
import { Superseded } from "../compute/computer.js";
import { FigurePanel } from "../controls/figure_panel.js";
import { ModelForm } from "../controls/model_form.js";
import { menu } from "../controls/picture_options.js";
import { rich } from "../text/rich.js";
import { estimatesTable, fitFigure, residualFigure } from "../views/fit.js";
import { byId, h, settled } from "./dom.js";

const LIMIT = 60_000;
const EQUATION = " equation"; // no name of the catalogue begins with a space
const FORMULA = " formula";
const FIRST = "stretched-exponential";
const EXAMPLE = "y = a exp(-(t/tau)^s) + c\na = 1\ntau = 1 in (0, inf)\ns = 0.8 in (0, 1]\nc = 0";

export class FitView {
  #store;
  #computer;
  #input;
  #equation;
  #models = null;
  #model = null;
  #form = new ModelForm();
  #panels = null;
  #reread = settled(() => this.#readFormula(), 250);

  /** `equation` returns the text and the check of the editor of equations. */
  constructor(store, computer, input, equation) {
    [this.#store, this.#computer, this.#input, this.#equation] = [store, computer, input, equation];
    input.subscribe(() => {
      this.#form.resetColumns();
      if (store.state.view === "fit") this.#open();
    });
    store.subscribe((state, changed) => {
      if (state.view === "fit" && changed.includes("view")) this.#open();
    });
    if (store.state.view === "fit") this.#open();
  }

  async #open() {
    try {
      // Pictures are of curves: models of several inputs are left to the command.
      this.#models ??= (await this.#computer.ask("models", "models", {})).filter(({ inputs }) => inputs.length === 1);
    } catch (error) {
      if (error instanceof Superseded) return;
      byId("fit-settings").replaceChildren(h("p", { class: "failure", role: "alert" }, error.message));
      return;
    }
    const { model } = this.#store.state;
    const known = [EQUATION, FORMULA].includes(model) || this.#models.some(({ name }) => name === model);
    await this.#choose(known ? model : FIRST);
  }

  async #choose(name) {
    if (name !== this.#store.state.model) this.#form.resetParameters();
    this.#store.update({ model: name });
    if (name === FORMULA) {
      await this.#readFormula();
      return;
    }
    const listed = this.#models.find((model) => model.name === name);
    this.#model = name === EQUATION ? fromEquation(await this.#equation()) : { ...listed, searched: true };
    this.#show();
  }

  /** The formula of the user is asked for its names, like one of the catalogue. */
  async #readFormula() {
    const text = this.#store.state.formula ?? EXAMPLE;
    const columns = this.#input.table?.columns.map(({ name }) => name) ?? ["t", "y"];
    try {
      const parts = await this.#computer.ask("model", "model", { text, columns });
      this.#model = { ...parts, name: FORMULA, text };
    } catch (error) {
      if (error instanceof Superseded) return;
      this.#model = { name: FORMULA, text, failure: error.message };
    }
    this.#show();
  }

  #show() {
    const own = [[EQUATION, "The equation of the editor"], [FORMULA, "A formula of your own"]];
    const names = [...this.#models.map(({ name, title }) => [name, title]), ...own];
    const model = this.#model;
    const field = model.name === FORMULA ? (byId("formula-text") ?? this.#formulaField()) : null;
    const focused = document.activeElement === field;
    byId("fit-settings").replaceChildren(
      h("h3", { class: "group-title" }, "Model"),
      h("div", { class: "line" }, menu("Model", names, model.name, (name) => this.#choose(name))),
      ...(field ? [field] : described(model)),
      ...(model.failure ? [h("p", { class: "failure", role: "alert" }, ...rich(model.failure))] : this.#fields(model)),
    );
    if (focused) field.focus();
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
    const run = h("button", { type: "button", class: "main", onclick: () => this.#fit() }, "Fit");
    return [...this.#form.elements(model, table.columns), h("div", { class: "line" }, run)];
  }

  #results() {
    if (this.#panels !== null) return this.#panels;
    const [table, upper, lower] = [h("div", { id: "estimates", "aria-live": "polite" }), h("div"), h("div")];
    byId("fit-results").replaceChildren(upper, table, lower);
    this.#panels = {
      table,
      fit: new FigurePanel(upper, { file: () => "fit", id: "fit-numbers" }),
      residuals: new FigurePanel(lower, { file: () => "residuals", id: "residual-numbers", small: true }),
    };
    return this.#panels;
  }

  async #fit() {
    const { fit, residuals, table } = this.#results();
    const model = this.#model;
    try {
      const { request: parts, left } = this.#form.request(model, this.#input.table.columns);
      const text = [EQUATION, FORMULA].includes(model.name) ? model.text : model.name;
      const request = { ...parts, model: text, budget: budget(LIMIT) };
      fit.computing = true;
      const answer = await this.#computer.ask("fit", "fit", request, { limit: LIMIT });
      const rows = count(Object.values(request.columns)[0].length);
      const gaps = left > 0 ? [`${count(left)} rows with missing values were left out.`] : [];
      const warning = answer.converged === false ? `The fit has not converged: ${answer.notes[0]}` : null;
      fit.show(fitFigure(request, answer), `${rows} rows, ${time(answer.milliseconds)} in WebAssembly`, [...gaps, ...answer.notes], warning);
      residuals.show(residualFigure(request, answer), "");
      table.replaceChildren(estimatesTable(answer));
    } catch (error) {
      if (!(error instanceof Superseded)) fit.fail(error.message);
    } finally {
      fit.computing = this.#computer.isBusy("fit");
    }
  }
}

/** What a model is: its description and its formula without the comments before it. */
function described({ about, text }) {
  const lines = (text ?? "").split("\n").filter((line) => !/^(#|hpfracc )/.test(line));
  // Where a search begins is for the solver.
  const body = lines.map((line) => line.replace(/\s+#/, "  #").replace(/; search .*$/, "")).join("\n").trim();
  return [about ? h("p", { class: "reference" }, ...rich(about)) : "", body ? h("pre", {}, body) : ""];
}

/** The equation of the editor as a model: its states are observed, its orders and parameters are found. */
function fromEquation({ text, check }) {
  if (!check?.ok) return { name: EQUATION, failure: "The equation of the editor has an error." };
  if (check.stochastic) return { name: EQUATION, failure: "An equation with noise is not fitted: remove its noise, or fit a formula." };
  // An order without a name in the text, such as 0.7 itself, stays what it is.
  const named = check.orders.filter(({ name }) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name));
  return { name: EQUATION, text, inputs: ["t"], observed: check.states, parameters: [...named, ...check.parameters] };
}
