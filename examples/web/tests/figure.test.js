import assert from "node:assert/strict";
import test from "node:test";
import { columns, sparse } from "../plot/decimate.js";
import { escaped, figure } from "../plot/figure.js";
import { path } from "../plot/marks.js";
import { LIGHT, DARK } from "../plot/palette.js";
import { nearest, readout } from "../plot/readout.js";
import { extent, padded, scale } from "../plot/scale.js";

const SIZE = { width: 640, height: 400 };

function spec(y, axes = {}) {
  const x = Float64Array.from(y, (_, k) => k);
  return { title: "T", x: { label: "t", kind: "linear", tight: true }, y: { label: "y", kind: "linear", ...axes }, marks: [{ type: "line", name: "y", x, y }] };
}

test("scales map values to pixels and back", () => {
  for (const kind of ["linear", "log"]) {
    const own = scale(kind, [0.1, 1000], [20, 420]);
    assert.equal(own.at(0.1), 20);
    assert.ok(Math.abs(own.at(1000) - 420) < 1e-9);
    assert.ok(Math.abs(own.invert(own.at(7)) - 7) < 1e-9);
  }
  assert.equal(scale("log", [0.1, 1000], [0, 400]).at(1), 100);
  assert.ok(Math.abs(scale("linear", [-1.7e308, 1.7e308], [0, 100]).at(0) - 50) < 1e-9);
});

test("domains ignore what has no place on their axis", () => {
  assert.deepEqual(extent("linear", [[1, NaN, -3], [Infinity, 2]]), [-3, 2]);
  assert.deepEqual(extent("log", [[0, -1, 5, 2]]), [2, 5]);
  assert.equal(extent("log", [[0, -1]]), null);
  assert.deepEqual(padded("linear", [2, 2], 0.05), [1, 3]);
  assert.deepEqual(padded("linear", null, 0.05), [0, 1]);
});

test("a figure of anything is a figure without NaN in its markup", () => {
  const many = [[], [1], [NaN, NaN], [1, Infinity, 2], [0, 0, 0], [1e308, -1e308], [1e-320, 0], Array.from({ length: 5000 }, Math.sin)];
  for (const y of many) {
    for (const kind of ["linear", "log"]) {
      const { text } = figure(spec(Float64Array.from(y), { kind }), SIZE, LIGHT, true);
      assert.ok(text.startsWith("<svg ") && text.endsWith("</svg>"));
      assert.doesNotMatch(text, /NaN|undefined|Infinity/, `${kind} ${y.slice(0, 4)}`);
    }
  }
});

test("names are escaped", () => {
  const own = spec(Float64Array.of(1, 2));
  own.title = own.y.label = own.marks[0].name = '<script>&"';
  const { text } = figure({ ...own, marks: [own.marks[0], own.marks[0]] }, SIZE, LIGHT, true);
  assert.doesNotMatch(text, /<script/);
  assert.equal(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
});

test("fewer points have the same extremes and interruptions", () => {
  const x = Float64Array.from({ length: 100_000 }, (_, k) => k / 200);
  const y = Float64Array.from(x, (v) => Math.sin(v));
  y[70_001] = 50;
  y[30_000] = NaN;
  const kept = columns(x, y);
  assert.ok(kept.x.length < 6000, `${kept.x.length}`);
  assert.equal(Math.max(...kept.y.filter((v) => !Number.isNaN(v))), 50);
  assert.equal(kept.y.filter((v) => Number.isNaN(v)).length, 1);
  assert.equal(path(kept.x, kept.y).split("M").length - 1, 2);
  assert.deepEqual([kept.x[0], kept.x[kept.x.length - 1]], [0, x[99_999]]);
});

test("points of the plane nearer than the distance are left out, the last one stays", () => {
  const { x } = sparse([0, 0.1, 0.2, 5, 5.1], [0, 0, 0, 0, 0], 1);
  assert.deepEqual(x, [0, 5, 5.1]);
});

test("the readout has the values nearest to the pointer", () => {
  assert.equal(nearest([0, 1, 2, 3], 1.6), 2);
  assert.equal(nearest([0, 1, 2, 3], -5), 0);
  assert.equal(nearest([7], 3), 0);
  const own = spec(Float64Array.of(10, 20, 30));
  const { frame } = figure(own, SIZE, DARK);
  const found = readout(own, frame, [frame.x.at(1.2), 100]);
  assert.equal(found.title, "t = 1");
  assert.equal(found.rows[0].value, "20");
  assert.equal(readout({ ...own, marks: [] }, frame, [0, 0]), null);
});

test("colours of series have a contrast of three to one on their paper", () => {
  for (const palette of [LIGHT, DARK]) {
    for (const own of [...palette.series, palette.ink, palette.soft]) assert.ok(contrast(own, palette.paper) >= 3, own);
  }
});

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
