import assert from "node:assert/strict";
import test from "node:test";
import { dropped, interpolated, missingRows, timeColumn } from "../data/missing.js";
import { cell, rowsShown } from "../data/table.js";
import { fanView } from "../views/fan.js";
import { histogramView } from "../views/histogram.js";
import { msdView, slope } from "../views/msd.js";
import { components, phaseView } from "../views/phase.js";
import { scanView } from "../views/scan.js";
import { pathsView, solutionView } from "../views/solution.js";

const t = Float64Array.of(0, 1, 2, 3);
const options = { hidden: [], log: "", component: null, axes: null };
const y = (factor) => t.map((value) => factor * value * value);
const ensemble = {
  t, names: ["x", "y"], mean: [y(1), y(2)], deviation: [y(0.1), y(0.2)],
  quantiles: [0.95, 0.05, 0.5, 0.25, 0.75].map((p) => ({ p, y: [y(p), y(2 * p)] })),
  msd: [y(1), y(2)], sample_paths: [[y(1), y(1.1)], [y(2), y(2.1)]],
  histogram: [{ from: 0, to: 2, counts: Float64Array.of(1, 2, 1) }, { from: 0, to: 0, counts: Float64Array.of(4) }],
  exact: { mean: { y: y(2) }, deviation: { y: y(0.2) } },
};

test("solution: columns have everything, the picture what is not hidden", () => {
  const answer = { t, names: ["x", "y"], y: [y(1), y(2)], exact: { x: y(1) } };
  const { spec, columns } = solutionView(answer, { ...options, hidden: ["y"] });
  assert.deepEqual(spec.marks.map(({ name }) => name), ["x", "x, exact"]);
  assert.deepEqual(columns.map(({ name }) => name), ["t", "x", "y", "exact x"]);
});

test("fan: pairs of quantiles from the widest to the narrowest, exact moments of their component", () => {
  const { spec, columns } = fanView(ensemble, { ...options, component: "y" });
  const bands = spec.marks.filter(({ type }) => type === "band");
  assert.deepEqual(bands.map(({ name }) => name), ["5 % to 95 %", "25 % to 75 %"]);
  assert.ok(spec.marks.some(({ name }) => name === "exact mean"));
  assert.equal(columns.length, 10);
  assert.ok(!fanView(ensemble, { ...options, component: "x" }).spec.marks.some(({ name }) => name === "exact mean"));
});

test("displacement: the slope of a power is its exponent", () => {
  assert.ok(Math.abs(slope(t.subarray(1), y(3).subarray(1)) - 2) < 1e-12);
  assert.equal(slope(Float64Array.of(1, 2), Float64Array.of(1, 2)), null);
  const { spec } = msdView(ensemble, options);
  assert.equal(spec.marks[0].x[0], 1);
  assert.match(spec.marks[0].name, /late slope 2/);
});

test("histogram: a density with integral one, also where all paths end at one value", () => {
  const { columns } = histogramView(ensemble, options);
  const area = columns[3].values.reduce((sum, value) => sum + (2 / 3) * value, 0);
  assert.ok(Math.abs(area - 1) < 1e-12);
  assert.doesNotThrow(() => histogramView(ensemble, { ...options, component: "y" }));
});

test("phase portrait: axes by name, else the first two", () => {
  assert.deepEqual(components(["x", "y", "z"], ["z", "x"]), [2, 0]);
  assert.deepEqual(components(["x", "y"], null), [0, 1]);
  assert.deepEqual(components(["x", "y"], ["y", "gone"]), [1, 0]);
  assert.deepEqual(components(["x"], null), [0, 0]);
  const { columns } = phaseView({ t, names: ["x", "y"], y: [y(1), y(2)] }, options);
  assert.deepEqual(columns.map(({ name }) => name), ["t", "x", "y"]);
  assert.doesNotThrow(() => phaseView(ensemble, options));
});

test("paths and scan", () => {
  assert.equal(pathsView(ensemble, options).columns.length, 3);
  const answer = { parameter: "k", x: t, names: ["x"], last: [y(1)], low: [y(0.5)], high: [y(2)] };
  assert.deepEqual(scanView(answer, options).columns.map(({ name }) => name), ["k", "x", "min(x)", "max(x)"]);
});

test("missing values", () => {
  const gaps = Float64Array.of(0, NaN, 4, 6);
  assert.deepEqual(missingRows([t, gaps]), [1]);
  assert.deepEqual([...interpolated(t, gaps)], [0, 2, 4, 6]);
  assert.deepEqual(dropped([t, gaps], [1]).map((own) => [...own]), [[0, 2, 3], [0, 4, 6]]);
  assert.throws(() => interpolated(t, Float64Array.of(NaN, 1, 2, 3)), /first value is missing/);
  assert.throws(() => interpolated(t, Float64Array.of(0, 1, 2, NaN)), /last value is missing/);
  assert.equal(timeColumn([{ name: "y", values: gaps }, { name: "Time", values: t }]), "Time");
  assert.equal(timeColumn([{ name: "a", values: Float64Array.of(2, 1) }, { name: "b", values: Float64Array.of(1, 2) }]), "b");
  assert.equal(timeColumn([{ name: "a", values: Float64Array.of(2, 1) }]), null);
});

test("tables have the first and the last row and at most a hundred and two", () => {
  for (const count of [0, 1, 2, 101, 102, 1001, 99_999]) {
    const { rows } = rowsShown(count);
    assert.ok(rows.length <= 102, `${count}`);
    if (count > 0) assert.deepEqual([rows[0], rows.at(-1)], [0, count - 1]);
  }
  assert.equal(cell(1 / 3), "0.3333333333");
  assert.equal(cell(NaN), "");
  assert.equal(cell(-0.5e-20), "-5e-21");
});
