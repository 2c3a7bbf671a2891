// The scan of a parameter: for each value the range of a component over the second half of the interval, and its end.

import { shown } from "../plot/ticks.js";

export function scanView({ parameter, x, names, last, low, high }, { hidden }) {
  const visible = names.map((name, k) => ({ name, k })).filter(({ name }) => !hidden.includes(name));
  const marks = visible.flatMap(({ name, k }) => [
    { type: "band", name: `${name}, range`, x, low: low[k], high: high[k], colour: k, opacity: 0.22 },
    { type: "line", x, y: low[k], colour: k, width: 1 },
    { type: "line", x, y: high[k], colour: k, width: 1 },
    { type: "points", name: `${name}, at the end`, x, y: last[k], colour: k, radius: 2 },
  ]);
  const spec = {
    title: `Scan of ${parameter}`,
    x: { label: parameter, kind: "linear", tight: true },
    y: { label: visible.length === 1 ? visible[0].name : "", kind: "linear" },
    marks,
  };
  const columns = [{ name: parameter, values: x }];
  for (const { name, k } of names.map((name, k) => ({ name, k }))) {
    columns.push({ name, values: last[k] }, { name: `min(${name})`, values: low[k] }, { name: `max(${name})`, values: high[k] });
  }
  const ends = visible.map(({ name, k }) => `${name} at the end from ${shown(last[k][0], 4)} to ${shown(last[k][x.length - 1], 4)}.`);
  return { spec, columns, summary: `${x.length} values of ${parameter}. ${ends.join(" ")}` };
}
