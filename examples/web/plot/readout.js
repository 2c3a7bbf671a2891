// Values under a pointer, or at a cursor that the arrow keys move.

import { shown } from "./ticks.js";

/** Index of the entry of increasing `x` that is nearest to `value`. */
export function nearest(x, value) {
  let [low, high] = [0, x.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle] <= value) low = middle;
    else high = middle;
  }
  return Math.abs(x[low] - value) <= Math.abs(x[high] - value) ? low : high;
}

/** Index of the point of a curve in the plane that is nearest in pixels. */
function nearestInPlane(mark, frame, [px, py]) {
  let [best, least] = [0, Infinity];
  for (let k = 0; k < mark.x.length; k += 1) {
    const distance = (frame.x.at(mark.x[k]) - px) ** 2 + (frame.y.at(mark.y[k]) - py) ** 2;
    if (distance < least) [best, least] = [k, distance];
  }
  return best;
}

/** Marks whose values are read: named ones, and the only one. */
function readable(spec) {
  const named = spec.marks.filter((mark) => mark.name && !mark.unread);
  return named.length > 0 ? named : spec.marks.slice(0, 1);
}

/** What stands at a position in pixels: {title, rows: [{name, value, mark, at}]}; null without data. */
export function readout(spec, frame, position) {
  const marks = readable(spec);
  const first = marks[0];
  if (!first || lengthOf(first) === 0) return null;
  if (first.plane) return planeReadout(spec, frame, first, nearestInPlane(first, frame, position));
  const value = frame.x.invert(position[0]);
  const rows = marks.map((mark) => row(mark, value)).filter((entry) => entry !== null);
  if (rows.length === 0) return null;
  return { title: `${spec.x.label ?? "x"} = ${rows[0].title ?? shown(rows[0].at[0])}`, rows };
}

function lengthOf(mark) {
  return mark.type === "bars" ? mark.height.length : mark.x.length;
}

function row(mark, value) {
  if (lengthOf(mark) === 0) return null;
  if (mark.type === "bars") return barRow(mark, value);
  const k = nearest(mark.x, value);
  const name = mark.name ?? "";
  if (mark.type === "band") {
    return { mark, name, value: `${shown(mark.low[k])} to ${shown(mark.high[k])}`, at: [mark.x[k], mark.high[k]] };
  }
  return { mark, name, value: shown(mark.y[k]), at: [mark.x[k], mark.y[k]] };
}

function barRow(mark, value) {
  const { edges, height } = mark;
  if (value < edges[0] || value > edges[edges.length - 1]) return null;
  let k = nearest(edges, value);
  if (k > 0 && edges[k] > value) k -= 1;
  k = Math.min(k, height.length - 1);
  const title = `${shown(edges[k], 4)} to ${shown(edges[k + 1], 4)}`;
  return { mark, name: mark.name ?? "", title, value: shown(height[k]), at: [(edges[k] + edges[k + 1]) / 2, height[k]] };
}

function planeReadout(spec, frame, mark, k) {
  const rows = [
    { mark, name: spec.x.label, value: shown(mark.x[k]), at: [mark.x[k], mark.y[k]] },
    { mark, name: spec.y.label, value: shown(mark.y[k]), at: [mark.x[k], mark.y[k]] },
  ];
  return { title: mark.time ? `t = ${shown(mark.time[k])}` : "", rows };
}
