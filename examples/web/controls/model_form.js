// Fields of a model: columns of the data for its inputs and responses, starts of its parameters, which of them are fixed.

import { h } from "../app/dom.js";
import { parseNumber } from "../app/numbers.js";
import { dropped, missingRows, timeColumn } from "../data/missing.js";
import { menu } from "./picture_options.js";

const UNMEASURED = ""; // the name of no column

export class ModelForm {
  #columns = {};
  #starts = {};
  #fixed = new Set();

  /** Forgets starts and fixed parameters: for another model. */
  resetParameters() {
    [this.#starts, this.#fixed] = [{}, new Set()];
  }

  /** Forgets the columns: for other data. */
  resetColumns() {
    this.#columns = {};
  }

  /** Elements of the form. `model` = {inputs, observed, parameters: [{name, value}], searched}; `columns` of the data. */
  elements(model, columns) {
    this.#guess(model, columns);
    const names = columns.map(({ name }) => name);
    const column = (role, choices) => h("div", { class: "line" }, menu(role, choices, this.#columns[role], (name) => {
      this.#columns[role] = name;
    }));
    const some = model.observed.length > 1 ? [[UNMEASURED, "not measured"], ...names] : names;
    const head = h("tr", {}, ...["", "start", "fixed"].map((title) => h("th", { scope: "col" }, title)));
    const rows = model.parameters.map((parameter) => this.#row(model, parameter));
    return [
      h("h3", { class: "group-title" }, "Columns"), ...model.inputs.map((role) => column(role, names)), ...model.observed.map((role) => column(role, some)),
      h("h3", { class: "group-title" }, "Parameters"),
      h("table", { class: "estimates" }, h("thead", {}, head), h("tbody", {}, ...rows)),
    ];
  }

  /** Columns of the same names, else the time for the input and the others in their order. */
  #guess(model, columns) {
    const has = (name) => columns.some((column) => column.name === name);
    const against = timeColumn(columns) ?? columns[0].name;
    const rest = columns.filter(({ name }) => name !== against);
    model.inputs.forEach((role) => (this.#columns[role] ??= has(role) ? role : against));
    model.observed.forEach((role, k) => (this.#columns[role] ??= has(role) ? role : (rest[k]?.name ?? UNMEASURED)));
  }

  /** Start of a parameter as a text, empty where it is searched: models of the catalogue declare where. */
  #start({ searched }, { name, value }) {
    return this.#starts[name] ?? (searched || value === null ? "" : String(value));
  }

  #row(model, parameter) {
    const { name } = parameter;
    const start = h("input", {
      type: "text", inputmode: "decimal", class: "number", autocomplete: "off", value: this.#start(model, parameter),
      placeholder: "searched", "aria-label": `Start of ${name}`,
    });
    start.addEventListener("input", () => {
      const text = start.value.trim();
      this.#starts[name] = text;
      start.setAttribute("aria-invalid", String(text !== "" && parseNumber(text) === null));
    });
    const fixed = h("input", { type: "checkbox", checked: this.#fixed.has(name), "aria-label": `${name} is fixed` });
    fixed.addEventListener("change", () => (fixed.checked ? this.#fixed.add(name) : this.#fixed.delete(name)));
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, start), h("td", {}, fixed));
  }

  /**
   * Columns, starts and free parameters of a fit, with the number of rows that were left out because values are missing.
   * Fails with a message.
   */
  request(model, columns) {
    if (model.inputs.length === 0) throw new Error("The formula has no column of the data besides its left side.");
    const observed = model.observed.filter((role) => this.#columns[role] !== UNMEASURED);
    if (observed.length === 0) throw new Error("Nothing of the model is measured: choose a column.");
    const chosen = [...model.inputs, ...observed].map((role) => this.#columns[role]);
    if (new Set(chosen).size < chosen.length) throw new Error("Two roles have the same column.");
    const used = chosen.map((name) => columns.find((column) => column.name === name).values);
    const gaps = missingRows(used);
    const kept = gaps.length > 0 ? dropped(used, gaps) : used;
    return {
      request: {
        columns: Object.fromEntries(chosen.map((name, k) => [name, kept[k]])),
        against: this.#columns[model.inputs[0]],
        observed: Object.fromEntries(observed.map((role) => [role, this.#columns[role]])),
        values: this.#values(model),
        free: model.parameters.map(({ name }) => name).filter((name) => !this.#fixed.has(name)),
      },
      left: gaps.length,
    };
  }

  #values(model) {
    const values = {};
    for (const parameter of model.parameters) {
      const { name } = parameter;
      const text = this.#start(model, parameter);
      if (text === "" && this.#fixed.has(name)) throw new Error(`\`${name}\` is fixed and has no value.`);
      if (text === "") continue;
      values[name] = parseNumber(text);
      if (values[name] === null) throw new Error(`The start of \`${name}\`, \`${text}\`, is no number.`);
    }
    return values;
  }
}
