// A figure as SVG text: a pure function of what it shows, its size and its colours.

import { colour } from "./palette.js";
import { arrays, draw } from "./marks.js";
import { extent, padded, scale } from "./scale.js";
import { linearLabels, linearTicks, logLabels, logTicks } from "./ticks.js";

export const FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', sans-serif";
const LETTER = 6.7; // mean width of a digit at 12 pixels
const ROW = 20; // height of a row of the legend

/** Text with the signs escaped that have a meaning in markup. */
export function escaped(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replace(/[&<>"']/g, (sign) => names[sign]);
}

/**
 * Draws `spec` = {title, x: {label, kind, domain}, y: {..}, marks} with `size` = {width, height} and a palette. Returns
 * the SVG text with the frame (both scales), in which pointers are read. `titled` adds the title, for files.
 */
export function figure(spec, size, palette, titled = false) {
  const { width, height } = size;
  const legend = legendRows(spec.marks, width - 20);
  const title = titled ? 30 : 0;
  const top = title + 18 + legend.rows * ROW + (spec.y.label ? 10 : 0);
  const bottom = height - 44;
  const [x, y] = ["x", "y"].map((name) => domainOf(spec, name));
  const yAxis = ticksOf(spec.y.kind, y, Math.max(2, (bottom - top) / 48));
  const left = Math.round(16 + LETTER * Math.max(2, ...yAxis.labels.map((label) => label.length)));
  const right = width - 18;
  const xAxis = ticksOf(spec.x.kind, x, Math.max(2, (right - left) / 84));
  const frame = {
    x: scale(spec.x.kind ?? "linear", x, [left, right]),
    y: scale(spec.y.kind ?? "linear", y, [bottom, top]),
    left, right, top, bottom,
  };
  const clip = spec.id ?? "frame";
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${FONT}" font-size="12" fill="${palette.soft}">`,
    titled ? `<rect width="${width}" height="${height}" fill="${palette.paper}"/>` : "",
    titled ? `<text x="10" y="24" font-size="15" font-weight="600" fill="${palette.ink}">${escaped(spec.title)}</text>` : "",
    `<clipPath id="${clip}"><rect x="${left - 3}" y="${top - 2}" width="${Math.max(0, right - left + 6)}" height="${Math.max(0, bottom - top + 4)}"/></clipPath>`,
    grid(frame, xAxis, yAxis, palette),
    `<g clip-path="url(#${clip})">`,
    ...spec.marks.map((mark) => draw(mark, frame, paintOf(mark, palette))),
    "</g>",
    labels(spec, frame, palette),
    legendText(legend, title + 17, palette),
    "</svg>",
  ];
  return { text: text.join(""), frame };
}

/** Colour of a mark. */
export function paintOf(mark, palette) {
  return mark.ink ? palette.ink : mark.soft ? palette.axis : colour(palette, mark.colour ?? 0);
}

function domainOf(spec, name) {
  const axis = spec[name];
  if (axis.domain) return axis.domain;
  const kind = axis.kind ?? "linear";
  const fitted = spec.marks.filter((mark) => !mark.unfitted);
  const bounds = extent(kind, fitted.flatMap((mark) => arrays(mark)[name]));
  const [low, high] = padded(kind, bounds, axis.tight ? 0 : 0.05);
  return [axis.from ?? low, high];
}

function ticksOf(kind, [low, high], count) {
  if (kind === "log") {
    const { major, minor } = logTicks(low, high, count);
    return { major, minor, labels: logLabels(major) };
  }
  const major = linearTicks(low, high, count);
  return { major, minor: [], labels: linearLabels(major) };
}

function grid(frame, xAxis, yAxis, palette) {
  const { left, right, top, bottom } = frame;
  const at = (value) => Math.round(value) + 0.5;
  const lines = (d, stroke) => `<path d="${d}" fill="none" stroke="${stroke}"/>`;
  const across = yAxis.major.map((v) => `M${left} ${at(frame.y.at(v))}H${right}`).join("");
  const down = xAxis.major.map((v) => `M${at(frame.x.at(v))} ${top}V${bottom}`).join("");
  const feet = xAxis.major.map((v) => `M${at(frame.x.at(v))} ${bottom}v5`).join("");
  const small = xAxis.minor.map((v) => `M${at(frame.x.at(v))} ${bottom}v3`).join("")
    + yAxis.minor.map((v) => `M${left} ${at(frame.y.at(v))}h-3`).join("");
  const zero = frame.y.kind === "linear" && frame.y.domain[0] < 0 && frame.y.domain[1] > 0
    ? lines(`M${left} ${at(frame.y.at(0))}H${right}`, palette.axis) : "";
  const xLabels = xAxis.major.map((v, k) => `<text x="${at(frame.x.at(v))}" y="${bottom + 19}" text-anchor="middle">${xAxis.labels[k]}</text>`);
  const yLabels = yAxis.major.map((v, k) => `<text x="${left - 8}" y="${at(frame.y.at(v)) + 4}" text-anchor="end">${yAxis.labels[k]}</text>`);
  return lines(across + down, palette.rule) + zero + lines(`${feet}${small}M${left} ${bottom + 0.5}H${right}`, palette.axis)
    + xLabels.join("") + yLabels.join("");
}

/** Names of the axes: that of y above it, where it is read without turning the head. */
function labels(spec, frame, palette) {
  const style = `font-style="italic" font-size="13" fill="${palette.ink}"`;
  return `<text x="${frame.right}" y="${frame.bottom + 37}" text-anchor="end" ${style}>${escaped(spec.x.label ?? "")}</text>`
    + `<text x="${Math.max(6, frame.left - 30)}" y="${frame.top - 9}" ${style}>${escaped(spec.y.label ?? "")}</text>`;
}

/** Entries of the legend in rows; none for a single nameless mark. */
function legendRows(marks, width) {
  const named = marks.filter((mark) => mark.name);
  if (named.length < 2 && !named.some((mark) => mark.always)) return { rows: 0, entries: [] };
  let [x, row] = [0, 0];
  const entries = named.map((mark) => {
    const needed = 40 + LETTER * mark.name.length;
    if (x > 0 && x + needed > width) [x, row] = [0, row + 1];
    const entry = { mark, x, row };
    x += needed;
    return entry;
  });
  return { rows: row + 1, entries };
}

function legendText({ entries }, top, palette) {
  return entries.map(({ mark, x, row }) => {
    const paint = paintOf(mark, palette);
    const y = top + row * ROW;
    const sample = mark.type === "line"
      ? `<path d="M${x + 10} ${y - 4}h18" stroke="${paint}" stroke-width="2" ${mark.dash ? `stroke-dasharray="${mark.dash}"` : ""}/>`
      : mark.type === "points"
        ? `<circle cx="${x + 19}" cy="${y - 4}" r="3" fill="${paint}"/>`
        : `<rect x="${x + 10}" y="${y - 10}" width="18" height="12" fill="${paint}" fill-opacity="${mark.sample ?? mark.opacity ?? 0.3}"/>`;
    return `${sample}<text x="${x + 34}" y="${y}" fill="${palette.ink}">${escaped(mark.name)}</text>`;
  }).join("");
}
