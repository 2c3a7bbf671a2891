// The histogram of a component at the end, as a density, with the normal one of the same mean and standard deviation.

import { shown } from "../plot/ticks.js";

const CURVE = 200;

export function histogramView({ t, names, histogram, mean, deviation }, { component }) {
  const k = Math.max(0, names.indexOf(component));
  const [name, { from, to, counts }, end] = [names[k], histogram[k], t.length - 1];
  const width = (to - from) / counts.length;
  let total = 0;
  for (const count of counts) total += count;
  const edges = Float64Array.from({ length: counts.length + 1 }, (_, j) => from + j * width);
  const height = counts.map((count) => (total > 0 && width > 0 ? count / (total * width) : 0));
  const [mu, sigma] = [mean[k][end], deviation[k][end]];
  const marks = [{ type: "bars", name: "paths", edges, height, colour: k }];
  if (sigma > 0 && Number.isFinite(sigma)) marks.push(normal(mu, sigma, from, to));
  const spec = {
    title: `Distribution of ${name} at t = ${shown(t[end])}`,
    x: { label: name, kind: "linear", tight: true },
    y: { label: "density", kind: "linear", from: 0 },
    marks,
  };
  const columns = [
    { name: "from", values: edges.slice(0, -1) },
    { name: "to", values: edges.slice(1) },
    { name: "paths", values: counts },
    { name: "density", values: height },
  ];
  const summary = `Mean ${shown(mu, 4)}, standard deviation ${shown(sigma, 4)}, ${total} paths between ${shown(from, 4)} and ${shown(to, 4)}.`;
  return { spec, columns, summary };
}

function normal(mu, sigma, from, to) {
  const x = Float64Array.from({ length: CURVE + 1 }, (_, j) => from + ((to - from) * j) / CURVE);
  const y = x.map((value) => Math.exp(-0.5 * ((value - mu) / sigma) ** 2) / (sigma * Math.sqrt(2 * Math.PI)));
  return { type: "line", name: "normal, same mean and standard deviation", x, y, ink: true, dash: "2 5", width: 1.6 };
}
