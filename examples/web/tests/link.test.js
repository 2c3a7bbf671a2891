import assert from "node:assert/strict";
import test from "node:test";
import { DEFAULTS, LONGEST_TEXT, read, write } from "../app/link.js";

test("the default page has the shortest link", async () => {
  assert.equal(await write(DEFAULTS), "v=1&eq=relaxation");
  assert.deepEqual(await read(""), { state: { ...DEFAULTS }, problems: [] });
  assert.deepEqual(await read("#v=1&eq=relaxation"), { state: { ...DEFAULTS }, problems: [] });
});

test("every field goes through a link and back", async () => {
  const state = {
    ...DEFAULTS, view: "fit", entry: "lorenz", values: { rho: 35, x0: -1e-9 }, orders: { alpha: 0.9, "order of x": 1.5 },
    steps: 5000, paths: 1_000_000, seed: 0, scheme: "pece", grading: 2.5, where: "gpu", picture: "phase", axes: ["x", "z"],
    component: "z", hidden: ["y"], log: "xy", scan: { parameter: "rho", from: -1.5, to: 20, count: 41 }, operator: "caputo",
    operatorOrder: 0.5, settings: { lambda: 0.25 }, model: " formula", formula: "y = a t^b; a = 1 & # + %",
  };
  assert.deepEqual(await read(`#${await write(state)}`), { state, problems: [] });
});

test("texts go through a link and back, short ones readable and long ones packed", async () => {
  const texts = ["D^α x = -x & 1; # 100 %\nx(0) = 1", `x' = -x\n${"# a long comment that repeats itself\n".repeat(50)}`, "", "\u{1f600}"];
  for (const text of texts) {
    const link = await write({ ...DEFAULTS, entry: null, text });
    const { state, problems } = await read(link);
    assert.deepEqual([state.text, state.entry, problems], [text, null, []]);
  }
  assert.match(await write({ ...DEFAULTS, entry: null, text: "x' = -x; x(0) = 1" }), /text=x%27/);
  const long = await write({ ...DEFAULTS, entry: null, text: texts[1] });
  assert.ok(long.includes("z=") && long.length < 200, long);
});

test("nonsense gives a message for each part, and the rest is taken", async () => {
  const cases = [
    ["nonsense", /no version/],
    ["v=7&eq=lorenz", /version `7`/],
    ["v=1&eq=", /`eq=`.*no name/],
    ["v=1&steps=many", /`steps=many` in the link: it is no whole number/],
    ["v=1&steps=1e99", /no whole number/],
    ["v=1&paths=-5", /no whole number/],
    ["v=1&set=rho", /which is not name:number/],
    ["v=1&set=rho:NaN", /which is not name:number/],
    ["v=1&order=alpha:0.5,:1", /which is not name:number/],
    ["v=1&show=everything", /is none of solution/],
    ["v=1&scan=rho:1:2", /parameter:from:to:count/],
    ["v=1&scan=rho:1:2:1", /no whole number from 2/],
    ["v=1&alpha=half", /is no number/],
    ["v=1&z=!!!", /no packed text/],
    ["v=1&z=AAAA", /no packed text/],
    ["v=1&colour=red", /`colour` in the link has no meaning/],
    ["v=1&eq=a&eq=b", /more than once/],
    ["v=1&__proto__=1", /has no meaning/],
    [`v=1&text=${"x".repeat(LONGEST_TEXT + 1)}`, /more than 20000 letters/],
    ["x".repeat(100_000), /the most/],
  ];
  for (const [link, message] of cases) {
    const { state, problems } = await read(`#${link}`);
    assert.equal(problems.length, 1, `${link.slice(0, 60)}: ${problems}`);
    assert.match(problems[0], message);
    assert.deepEqual(Object.keys(state).sort(), Object.keys(DEFAULTS).sort());
  }
  const { state } = await read("#v=1&steps=many&seed=4&eq=lorenz");
  assert.deepEqual([state.steps, state.seed, state.entry], [null, 4, "lorenz"]);
});

test("a packed text that inflates without end is refused", async () => {
  const bomb = await write({ ...DEFAULTS, entry: null, text: "0".repeat(1_000_000) });
  const { state, problems } = await read(bomb);
  assert.equal(state.text, null);
  assert.match(problems[0], /no packed text/);
});
