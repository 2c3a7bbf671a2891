// The mean square displacement from the start on logarithmic axes, whose slope is the exponent of the diffusion.

import { shown } from "../plot/ticks.js";

export function msdView({ t, names, msd }, { hidden }) {
  const visible = names.map((name, k) => ({ name, k })).filter(({ name, k }) => msd[k] && !hidden.includes(name));
  // Both axes are logarithmic: the start, where the displacement is zero, has no place.
  const from = t[0] > 0 ? 0 : 1;
  const times = t.subarray(from);
  const slopes = new Map(visible.map(({ name, k }) => [name, slope(times, msd[k].subarray(from))]));
  const marks = visible.map(({ name, k }) => {
    const exponent = slopes.get(name);
    const text = exponent === null ? name : `${name}, late slope ${shown(exponent, 3)}`;
    return { type: "line", name: text, always: true, x: times, y: msd[k].subarray(from), colour: k, width: 2 };
  });
  const spec = {
    title: "Mean square displacement",
    x: { label: "t", kind: "log", tight: true },
    y: { label: "mean square displacement", kind: "log" },
    marks,
  };
  const columns = [{ name: "t", values: t }];
  for (const { name, k } of visible) columns.push({ name: `mean square displacement of ${name}`, values: msd[k] });
  const told = [...slopes].filter(([, s]) => s !== null).map(([name, s]) => `It grows as t to the power ${shown(s, 3)} for ${name} at late times.`);
  return { spec, columns, summary: told.join(" ") };
}

/** Slope of the logarithms over the last decade of times, by least squares; null without three positive values. */
export function slope(t, y) {
  const begin = t[t.length - 1] / 10;
  let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0];
  for (let k = 0; k < t.length; k += 1) {
    if (t[k] < begin || !(y[k] > 0) || !Number.isFinite(y[k])) continue;
    const [a, b] = [Math.log(t[k]), Math.log(y[k])];
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  const spread = sxx - (sx * sx) / n;
  return n >= 3 && spread > 0 ? (sxy - (sx * sy) / n) / spread : null;
}
