import assert from "node:assert/strict";
import test from "node:test";
import { linearLabels, linearTicks, logLabels, logTicks, shown } from "../plot/ticks.js";

test("linear ticks are round numbers within the bounds", () => {
  assert.deepEqual(linearTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(linearTicks(-0.31, 0.42, 4), [-0.2, 0, 0.2, 0.4]);
  assert.deepEqual(linearTicks(0, 1, 10), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  assert.deepEqual(linearTicks(0, 25, 5), [0, 5, 10, 15, 20, 25]);
  assert.deepEqual(linearTicks(0, 100, 10), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  assert.deepEqual(linearTicks(5, 5, 4), [5]);
  assert.deepEqual(linearTicks(NaN, 1, 4), []);
  for (const [low, high] of [[1e-9, 7e-9], [-3e12, 8e12], [0.999, 1.001], [1e300, 1.5e300], [1e16, 1e16 + 4]]) {
    const ticks = linearTicks(low, high, 6);
    assert.ok(ticks.length >= 1 && ticks.length <= 14, `${low}: ${ticks}`);
    const margin = (high - low) * 1e-6;
    assert.ok(ticks.every((tick) => tick >= low - margin && tick <= high + margin), `${ticks}`);
  }
});

test("labels of linear ticks have the same decimals and are distinct", () => {
  assert.deepEqual(linearLabels([0, 0.5, 1]), ["0.0", "0.5", "1.0"]);
  assert.deepEqual(linearLabels([-20, 0, 20]), ["−20", "0", "20"]);
  assert.deepEqual(linearLabels([0, 2e6, 4e6]), ["0", "2×10⁶", "4×10⁶"]);
  assert.deepEqual(linearLabels([1e-5, 1.5e-5]), ["1.0×10⁻⁵", "1.5×10⁻⁵"]);
  for (const [low, high] of [[0.999, 1.001], [99990, 100010], [1e7, 1.0001e7], [-1e-7, 3e-7]]) {
    const labels = linearLabels(linearTicks(low, high, 5));
    assert.equal(new Set(labels).size, labels.length, `${labels}`);
  }
});

test("logarithmic ticks are powers of ten, or linear ones below a decade", () => {
  const { major, minor } = logTicks(0.1, 100, 6);
  assert.deepEqual(major, [0.1, 1, 10, 100]);
  assert.equal(minor.length, 24);
  assert.deepEqual(logLabels(major), ["0.1", "1", "10", "100"]);
  assert.deepEqual(logLabels([1e-6, 1, 1e6]), ["10⁻⁶", "10⁰", "10⁶"]);
  assert.deepEqual(logTicks(2, 3, 4).major, linearTicks(2, 3, 4));
  assert.ok(logTicks(1e-300, 1e300, 6).major.length <= 8);
  assert.ok(logTicks(1e-300, 1e300, 6).major.length >= 4);
});

test("numbers for reading keep their significant digits", () => {
  assert.equal(shown(0.123456789), "0.123457");
  assert.equal(shown(-5), "−5");
  assert.equal(shown(0), "0");
  assert.equal(shown(123456.7), "123457");
  assert.equal(shown(1.5e-7), "1.5×10⁻⁷");
  assert.equal(shown(1e9), "10⁹");
  assert.equal(shown(0.99999999, 4), "1");
  assert.equal(shown(NaN), "not a number");
  assert.equal(shown(-Infinity), "−∞");
});
