// Pictures and table of a fit.

import { h } from "../app/dom.js";
import { shown } from "../plot/ticks.js";

/** Data with the fitted curves. */
export function fitFigure({ columns, against, observed }, { fitted }) {
  const entries = Object.entries(observed);
  const marks = entries.flatMap(([name, column], k) => [
    { type: "points", name: `${column}, data`, x: columns[against], y: columns[column], colour: k, opacity: 0.6 },
    { type: "line", name: `${name}, fit`, x: fitted.t, y: fitted.y[name], colour: k, width: 2 },
  ]);
  const rows = [{ name: against, values: columns[against] }];
  for (const [, column] of entries) rows.push({ name: column, values: columns[column] });
  const same = fitted.t.length === columns[against].length;
  for (const [name] of entries) if (same) rows.push({ name: `fit of ${name}`, values: fitted.y[name] });
  const log = spansDecades(columns[against]) ? "log" : "linear";
  const spec = {
    title: "Fit",
    x: { label: against, kind: log, tight: log === "linear" },
    y: { label: entries.length === 1 ? entries[0][1] : "", kind: "linear" },
    marks,
  };
  return { spec, columns: rows, summary: `${columns[against].length} points with the fitted curves.` };
}

/** Data less fit. */
export function residualFigure({ columns, against, observed }, { residuals }) {
  const t = columns[against];
  const marks = Object.keys(observed).map((name, k) => ({ type: "points", name, x: t, y: residuals[name], colour: k }));
  const rows = [{ name: against, values: t }, ...Object.keys(observed).map((name) => ({ name: `residual of ${name}`, values: residuals[name] }))];
  const log = spansDecades(t) ? "log" : "linear";
  const spec = { title: "Residuals", x: { label: against, kind: log, tight: log === "linear" }, y: { label: "data less fit", kind: "linear" }, marks };
  return { spec, columns: rows, summary: "Differences of data and fit." };
}

/** Whether positive values span three decades: their axis is logarithmic. */
function spansDecades(values) {
  let [low, high] = [Infinity, 0];
  for (const value of values) {
    if (!(value > 0)) return false;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high / low > 1000;
}

/** Table of estimates with their errors, and of statistics. */
export function estimatesTable({ estimates, statistics }) {
  const number = (value) => h("td", { class: "number" }, value === null || value === undefined ? "none" : shown(value, 6));
  const row = ({ name, value, error, low, high }) => h("tr", {}, h("th", { scope: "row" }, name), number(value), number(error),
    h("td", { class: "number" }, low === null || high === null ? "none" : `${shown(low, 5)} to ${shown(high, 5)}`));
  const head = h("tr", {}, ...["parameter", "estimate", "standard error", "95 % interval"].map((title) => h("th", { scope: "col" }, title)));
  const told = Object.entries(statistics).map(([title, value]) => h("li", {}, `${title}: ${typeof value === "number" ? shown(value, 5) : value}`));
  return h("div", { class: "table-frame" },
    h("table", { class: "estimates" }, h("caption", {}, "Estimates"), h("thead", {}, head), h("tbody", {}, ...estimates.map(row))),
    h("ul", { class: "notes" }, ...told));
}
