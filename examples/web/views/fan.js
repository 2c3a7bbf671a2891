// The fan of an ensemble: bands between quantiles, the mean, and the exact moments where they are known.

import { shown } from "../plot/ticks.js";

export function fanView({ t, names, mean, deviation, quantiles, sample_paths: paths, exact }, { component, log }) {
  const k = Math.max(0, names.indexOf(component));
  const name = names[k];
  let through = 1; // of the paper, through the bands so far
  const bands = pairs(quantiles).map(({ low, high }, j, all) => {
    const opacity = 0.12 + (0.16 * (j + 1)) / all.length;
    through *= 1 - opacity;
    const name = `${percent(low.p)} to ${percent(high.p)}`;
    return { type: "band", name, x: t, low: low.y[k], high: high.y[k], colour: k, opacity, sample: 1 - through };
  });
  const some = (paths[k] ?? []).slice(0, 5).map((y) => ({ type: "line", x: t, y, colour: k, width: 0.8, opacity: 0.5, unfitted: true }));
  const lines = [{ type: "line", name: "mean", x: t, y: mean[k], colour: k, width: 2.2 }];
  const [exactMean, exactDeviation] = [exact?.mean?.[name], exact?.deviation?.[name]];
  if (exactMean) lines.push({ type: "line", name: "exact mean", x: t, y: exactMean, ink: true, dash: "2 5", width: 1.6 });
  if (exactMean && exactDeviation) {
    const around = (sign) => exactMean.map((value, j) => value + sign * exactDeviation[j]);
    lines.push({ type: "line", name: "exact mean ± standard deviation", x: t, y: around(1), ink: true, dash: "7 5", width: 1 });
    lines.push({ type: "line", x: t, y: around(-1), ink: true, dash: "7 5", width: 1 });
  }
  const spec = {
    title: `Distribution of ${name} over time`,
    x: { label: "t", kind: log.includes("x") ? "log" : "linear", tight: true },
    y: { label: name, kind: log.includes("y") ? "log" : "linear" },
    marks: [...bands, ...some, ...lines],
  };
  const columns = [
    { name: "t", values: t },
    { name: `mean ${name}`, values: mean[k] },
    { name: `standard deviation ${name}`, values: deviation[k] },
    ...quantiles.map(({ p, y }) => ({ name: `quantile ${p} ${name}`, values: y[k] })),
  ];
  if (exactMean) columns.push({ name: `exact mean ${name}`, values: exactMean });
  if (exactDeviation) columns.push({ name: `exact standard deviation ${name}`, values: exactDeviation });
  const end = t.length - 1;
  const summary = `At t = ${shown(t[end])} the mean is ${shown(mean[k][end], 4)} and the standard deviation ${shown(deviation[k][end], 4)}.`;
  return { spec, columns, summary };
}

/** Pairs of quantiles around the median, the widest first. */
function pairs(quantiles) {
  const sorted = [...quantiles].sort((a, b) => a.p - b.p);
  const out = [];
  for (let j = 0; j < Math.floor(sorted.length / 2); j += 1) out.push({ low: sorted[j], high: sorted[sorted.length - 1 - j] });
  return out;
}

function percent(p) {
  return `${shown(100 * p, 4)} %`;
}
