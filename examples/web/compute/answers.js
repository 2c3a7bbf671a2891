// Lines about how an answer was computed: with how much, where, and how fast.

import { shown } from "../plot/ticks.js";

const BYTES = 1024 ** 3;

/** Limits that go with each request: the solver refuses what needs more memory and ends what takes longer. */
export function budget(milliseconds) {
  return { milliseconds, bytes: BYTES };
}

export function time(milliseconds) {
  return milliseconds < 1000 ? `${shown(milliseconds, 2)} ms` : `${shown(milliseconds / 1000, 3)} s`;
}

/** Whole number with thin spaces between thousands. */
export function count(value) {
  return Math.round(value).toLocaleString("en").replaceAll(",", "\u202f");
}

function plural(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function solveText({ scheme, steps, milliseconds }, request, wanted) {
  const preview = request.steps < wanted ? ` (preview; ${count(wanted)} when the slider rests)` : "";
  return `${plural(steps, "step")}${preview}, ${scheme}, ${time(milliseconds)} in WebAssembly`;
}

export function ensembleText({ where, milliseconds, path_steps_per_second: rate, scheme }, { paths, steps }, wanted) {
  const preview = paths < wanted ? ` (preview; ${count(wanted)} when the slider rests)` : "";
  const speed = rate > 0 ? `, ${shown(rate / 1e6, 3)} million steps of paths a second` : "";
  const by = scheme ? `, ${scheme}` : "";
  return `${plural(paths, "path")}${preview} of ${plural(steps, "step")}${by}, ${time(milliseconds)} on ${where}${speed}`;
}

export function scanText({ x, milliseconds }, steps) {
  return `${plural(x.length, "solve")} of ${plural(steps, "step")}, ${time(milliseconds)} in WebAssembly`;
}
