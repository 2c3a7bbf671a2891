import assert from "node:assert/strict";
import test from "node:test";
import { ComputeError, Computer, Superseded } from "../compute/computer.js";
import { reduced } from "../compute/preview.js";
import { Simulation } from "../compute/simulation.js";
import { positionOf, typed, valueAt } from "../controls/slider.js";

/** Workers that answer when the test says so. */
class Fake {
  static all = [];
  sent = [];
  ended = false;

  constructor() {
    Fake.all.push(this);
  }

  postMessage(message) {
    this.sent.push(message);
  }

  terminate() {
    this.ended = true;
  }

  answer(answer) {
    this.onmessage({ data: { id: this.sent.at(-1).id, answer } });
  }
}

function computer() {
  Fake.all = [];
  return new Computer(() => new Fake());
}

test("of the requests of a slot the last one is sent, and a short one before it still answers", async () => {
  const own = computer();
  const [worker] = Fake.all;
  const [first, second, third] = [1, 2, 3].map((k) => own.ask("s", "solve", { k }));
  await assert.rejects(second, Superseded);
  worker.answer("one");
  assert.equal(await first, "one");
  assert.deepEqual(worker.sent.map(({ request }) => request.k), [1, 3]);
  worker.answer("three");
  assert.equal(await third, "three");
  assert.equal(own.isBusy("s"), false);
  assert.equal(worker.ended, false);
});

test("a worker that does not answer is ended and the warm one takes over", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const own = computer();
  const [slow, warm] = Fake.all;
  const first = own.ask("s", "solve", { k: 1 });
  const second = own.ask("s", "solve", { k: 2 });
  t.mock.timers.tick(1000);
  await assert.rejects(first, Superseded);
  assert.equal(slow.ended, true);
  assert.deepEqual(warm.sent.map(({ request }) => request.k), [2]);
  assert.equal(Fake.all.length, 3);
  warm.answer("two");
  assert.equal(await second, "two");
});

test("slots do not disturb each other unless they say so", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const own = computer();
  const [worker] = Fake.all;
  const scan = own.ask("scan", "scan", {});
  const other = own.ask("list", "catalogue", {});
  t.mock.timers.tick(1000);
  assert.equal(worker.ended, false);
  const check = own.ask("check", "check", {}, { outdates: ["scan"] });
  assert.deepEqual([own.isBusy("scan"), own.isBusy("check"), own.isBusy("fit")], [true, true, false]);
  t.mock.timers.tick(1000);
  await assert.rejects(scan, Superseded);
  Fake.all[1].answer("list");
  assert.equal(await other, "list");
  Fake.all[1].answer("checked");
  assert.equal(await check, "checked");
});

test("errors of the solver have their places, and a limit that is not kept ends the worker", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const own = computer();
  const first = own.ask("s", "solve", {});
  Fake.all[0].onmessage({ data: { id: 1, error: { message: "unknown name", from: 3, to: 5 } } });
  await assert.rejects(first, (error) => error instanceof ComputeError && error.from === 3 && error.to === 5);
  const endless = own.ask("s", "solve", {}, { limit: 2000 });
  t.mock.timers.tick(6000);
  await assert.rejects(endless, /Ended after 2 s/);
  assert.equal(Fake.all[0].ended, true);
});

test("a worker that fails is replaced, but not for ever", async () => {
  const own = computer();
  const first = own.ask("s", "solve", {});
  Fake.all[0].onerror({ message: "unreachable" });
  await assert.rejects(first, /The solver stopped: unreachable/);
  for (let k = 1; k < 20; k += 1) Fake.all[k]?.onerror({ message: "no such file" });
  assert.ok(Fake.all.length < 10, `${Fake.all.length}`);
  await assert.rejects(own.ask("s", "solve", {}), /does not start/);
});

test("previews fit into a frame and grow back", () => {
  assert.equal(reduced(10_000, null, 50), 10_000);
  assert.equal(reduced(10_000, { amount: 10_000, milliseconds: 10 }, 50), 10_000);
  assert.equal(reduced(10_000, { amount: 10_000, milliseconds: 250 }, 50), 1000);
  assert.equal(reduced(10_000, { amount: 1000, milliseconds: 5 }, 50), 4000);
  assert.equal(reduced(10_000, { amount: 100, milliseconds: 1e6 }, 50), 50);
  assert.equal(reduced(1000, { amount: 1000, milliseconds: 0 }, 50), 1000);
});

test("positions of sliders", () => {
  const linear = { low: -1, high: 3 };
  const log = { low: 10, high: 100_000, logarithmic: true, whole: true };
  for (const position of [0, 1, 250, 500, 999, 1000]) {
    assert.equal(positionOf(valueAt(position, linear), linear), position);
    assert.ok(Math.abs(positionOf(valueAt(position, log), log) - position) <= 12);
  }
  assert.equal(valueAt(500, { low: 0.05, high: 1 }), 0.525);
  assert.equal(valueAt(1000, { low: 0, high: 8 / 3 }), 8 / 3);
  assert.equal(valueAt(500, log), 1000);
  assert.equal(positionOf(99, linear), 1000);
  assert.equal(positionOf(-5, log), 0);
});

test("typed numbers", () => {
  assert.equal(typed(" 2.5e-3 ", {}), 2.5e-3);
  assert.equal(typed("−4", {}), -4);
  for (const text of ["", "1,5", "x", "1e999", "0x1", "NaN"]) assert.equal(typed(text, {}), null, text);
  assert.equal(typed("2.5", { whole: true }), null);
  assert.equal(typed("0", { whole: true, least: 1 }), null);
});

test("what a picture asks for, and previews while a slider moves", async () => {
  const asked = [];
  const own = new Simulation({
    ask: async (slot, kind, request) => {
      asked.push({ slot, kind, request: structuredClone(request) });
      return { milliseconds: 250, steps: request.steps, scheme: "s", x: [1], where: "here" };
    },
  });
  const state = { picture: "phase", values: { a: 1 }, orders: {}, steps: null, grading: null, scheme: "auto", paths: 5000, seed: 3, where: "cpu" };
  const subject = { text: "t", check: { stochastic: false, suggested: { steps: 4000 }, schemes: ["l1"] }, recipe: { scheme: "l1" } };
  const { line } = await own.run(subject, state, 1000, true);
  assert.equal(line, "4\u202f000 steps, s, 250 ms in WebAssembly");
  await own.run(subject, state, 1000, true);
  assert.deepEqual(asked.map(({ kind, request }) => [kind, request.steps, request.scheme]), [["solve", 4000, "l1"], ["solve", 400, "l1"]]);
  assert.equal(own.isPreview, true);
  await own.run(subject, state, 1000, false);
  assert.deepEqual([asked[2].request.steps, own.isPreview], [4000, false]);

  const noise = { ...subject, check: { stochastic: true } };
  own.reset();
  await own.run(noise, state, 1000, false);
  assert.deepEqual([asked[3].kind, asked[3].request.paths, asked[3].request.seed, asked[3].request.scheme], ["ensemble", 5000, 3, "auto"]);

  const scan = { parameter: "a", from: 0, to: 1, count: 5 };
  await own.run(subject, { ...state, picture: "scan", scan }, 1000, true);
  assert.deepEqual([asked[4].kind, asked[4].request.steps, asked[4].request.to], ["scan", 4000, 1]);
  await assert.rejects(own.run(subject, { ...state, picture: "scan", scan: { ...scan, to: 0 } }, 1000, false), /no range/);
});
