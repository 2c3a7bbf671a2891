// What a picture shows: components, axes, logarithms, the range of a scan.

import { h } from "../app/dom.js";
import { typed } from "./slider.js";

/** Menu of names. */
export function menu(label, names, value, changed) {
  const select = h("select", { onchange: () => changed(select.value) },
    ...names.map((entry) => {
      const [key, text] = Array.isArray(entry) ? entry : [entry, entry];
      return h("option", { value: key, selected: key === value }, text);
    }));
  return h("label", {}, label, select);
}

function box(label, checked, changed) {
  const input = h("input", { type: "checkbox", checked, onchange: () => changed(input.checked) });
  return h("label", {}, input, label);
}

/** Field of a number; `changed` is called with numbers only. */
export function numberField(label, value, limits, changed) {
  const input = h("input", { type: "text", inputmode: "decimal", class: "number", value: String(value), autocomplete: "off" });
  input.addEventListener("input", () => {
    const number = typed(input.value, limits);
    const bad = number === null || number > (limits.most ?? Infinity);
    input.setAttribute("aria-invalid", String(bad));
    if (!bad) changed(number);
  });
  return h("label", {}, label, input);
}

/**
 * Fills `host` with the options of the present picture. `offer` = {names, scannable, stochastic, opened};
 * `update` changes the state, by fields or by a function from the state to fields.
 */
export function showOptions(host, state, offer, update) {
  // An open menu stays open as long as nothing of it changes.
  const { picture, hidden, log, component, axes: chosen, scan } = state;
  // Fields of numbers are left alone while they are typed.
  const shape = JSON.stringify([offer, picture, hidden, log, component, chosen, scan?.parameter]);
  if (host.dataset.shape === shape) return;
  host.dataset.shape = shape;
  const { names, scannable, stochastic } = offer;
  const shown = () => names.map((name) => box(name, !state.hidden.includes(name), (on) => update({
    hidden: on ? state.hidden.filter((own) => own !== name) : [...state.hidden, name],
  })));
  const components = () => (names.length > 1
    ? [menu("Component", names, names.includes(state.component) ? state.component : names[0], (component) => update({ component }))] : []);
  const logarithms = () => ["x", "y"].map((axis, k) => {
    const label = k === 0 ? "log t" : "log values";
    const entry = box(label, state.log.includes(axis), (on) => {
      const others = state.log.replace(axis, "");
      update({ log: on ? [...others, axis].sort().join("") : others });
    });
    if (k === 0) entry.classList.add("apart");
    return entry;
  });
  const many = names.length > 1;
  const parts = {
    solution: () => [...(stochastic ? components() : many ? shown() : []), ...logarithms()],
    phase: () => axes(names, state, update),
    fan: () => [...components(), ...logarithms()],
    msd: () => (many ? shown() : []),
    histogram: () => components(),
    scan: () => [...scanFields(state, scannable, update), ...(many ? shown() : [])],
  }[state.picture];
  const focus = [...host.querySelectorAll("input, select")].indexOf(document.activeElement);
  host.replaceChildren(...parts());
  host.querySelectorAll("input, select")[focus]?.focus();
}

function axes(names, state, update) {
  const [a, b] = state.axes ?? [names[0], names[1] ?? names[0]];
  return [
    menu("Across", names, a, (name) => update({ axes: [name, b] })),
    menu("Up", names, b, (name) => update({ axes: [a, name] })),
  ];
}

function scanFields(state, scannable, update) {
  const scan = state.scan;
  if (scan === null) return [];
  const change = (fields) => update((now) => ({ scan: { ...now.scan, ...fields } }));
  const from = (name) => {
    const { low, high } = scannable.find((entry) => entry.name === name);
    change({ parameter: name, from: low, to: high });
  };
  return [
    menu("Parameter", scannable.map(({ name }) => name), scan.parameter, from),
    numberField("from", scan.from, {}, (value) => change({ from: value })),
    numberField("to", scan.to, {}, (value) => change({ to: value })),
    numberField("values", scan.count, { whole: true, least: 2, most: 1001 }, (value) => change({ count: value })),
  ];
}
