// What a figure shows, as SVG text: curves, bands, bars and points.

import { columns, sparse } from "./decimate.js";

/** Coordinates are clamped: beyond them SVG renderers overflow. */
const FAR = 1e5;

function fixed(value) {
  const clamped = Math.max(-FAR, Math.min(FAR, value));
  return Math.round(clamped * 100) / 100;
}

/** Positions in pixels of the samples of a curve. */
function positions(values, scale) {
  const out = new Float64Array(values.length);
  for (let k = 0; k < values.length; k += 1) out[k] = scale.at(values[k]);
  return out;
}

/** Data of an SVG path through points; a point that is no number interrupts it. */
export function path(x, y) {
  let data = "";
  let pen = "M";
  for (let k = 0; k < x.length; k += 1) {
    if (Number.isNaN(x[k]) || Number.isNaN(y[k])) {
      pen = "M";
      continue;
    }
    if (y[k] === Infinity || y[k] === -Infinity) {
      pen = "M";
      continue;
    }
    data += `${pen}${fixed(x[k])} ${fixed(y[k])}`;
    pen = "L";
  }
  return data;
}

function line(mark, frame, paint) {
  const pixels = { x: positions(mark.x, frame.x), y: positions(mark.y, frame.y) };
  const kept = mark.plane ? sparse(pixels.x, pixels.y, 0.6) : columns(pixels.x, pixels.y);
  const dash = mark.dash ? ` stroke-dasharray="${mark.dash}"` : "";
  const opacity = mark.opacity ? ` stroke-opacity="${mark.opacity}"` : "";
  const width = mark.width ?? 1.75;
  return `<path d="${path(kept.x, kept.y)}" fill="none" stroke="${paint}" stroke-width="${width}"${dash}${opacity} stroke-linejoin="round" stroke-linecap="round"/>`;
}

function band(mark, frame, paint) {
  const x = positions(mark.x, frame.x);
  const upper = columns(x, positions(mark.high, frame.y));
  const lower = columns(x, positions(mark.low, frame.y));
  const [ux, uy] = finite(upper);
  const [lx, ly] = finite(lower);
  if (ux.length === 0 || lx.length === 0) return "";
  const back = path([...lx].reverse(), [...ly].reverse()).replace("M", "L");
  return `<path d="${path(ux, uy)}${back}Z" fill="${paint}" fill-opacity="${mark.opacity ?? 0.15}" stroke="none"/>`;
}

/** Points of a curve whose coordinates are numbers. */
function finite({ x, y }) {
  const [xs, ys] = [[], []];
  for (let k = 0; k < x.length; k += 1) {
    if (!Number.isFinite(y[k])) continue;
    xs.push(x[k]);
    ys.push(y[k]);
  }
  return [xs, ys];
}

function bars(mark, frame, paint) {
  const base = frame.y.at(frame.y.kind === "log" ? frame.y.domain[0] : 0);
  let rectangles = "";
  for (let k = 0; k < mark.height.length; k += 1) {
    const [left, right] = [frame.x.at(mark.edges[k]), frame.x.at(mark.edges[k + 1])];
    const top = frame.y.at(mark.height[k]);
    if (!(mark.height[k] > 0)) continue;
    const gap = right - left > 4 ? 0.5 : 0;
    rectangles += `M${fixed(left + gap)} ${fixed(base)}V${fixed(top)}H${fixed(right - gap)}V${fixed(base)}Z`;
  }
  return `<path d="${rectangles}" fill="${paint}" fill-opacity="${mark.opacity ?? 0.45}"/>`;
}

/** Most circles of one mark: of more points every n-th is drawn. */
const MOST_POINTS = 4000;

function points(mark, frame, paint) {
  const stride = Math.ceil(mark.x.length / MOST_POINTS);
  const radius = mark.radius ?? (mark.x.length > 300 ? 1.5 : 2.5);
  let data = "";
  for (let k = 0; k < mark.x.length; k += stride) {
    const [x, y] = [frame.x.at(mark.x[k]), frame.y.at(mark.y[k])];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    data += `M${fixed(x)} ${fixed(y)}h0`;
  }
  const opacity = mark.opacity ?? 0.8;
  return `<path d="${data}" stroke="${paint}" stroke-opacity="${opacity}" stroke-width="${2 * radius}" stroke-linecap="round"/>`;
}

const KINDS = { line, band, bars, points };

/** SVG text of a mark in a frame of two scales. */
export function draw(mark, frame, paint) {
  return KINDS[mark.type](mark, frame, paint);
}

/** Arrays of a mark along both axes, of which the domains are made. */
export function arrays(mark) {
  if (mark.type === "band") return { x: [mark.x], y: [mark.low, mark.high] };
  if (mark.type === "bars") return { x: [mark.edges], y: [mark.height, [0]] };
  return { x: [mark.x], y: [mark.y] };
}
