import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { FIRST, FIRST_RECIPE } from "../app/first.js";
import { pieces, place, tokens } from "../text/highlight.js";
import { annotation, split } from "../text/header.js";
import { overrides } from "../text/overrides.js";
import { parts } from "../text/rich.js";

const CATALOGUE = new URL("../../../crates/hpfracc-equation/catalogue/", import.meta.url);
const texts = readdirSync(CATALOGUE).map((file) => [file, readFileSync(new URL(file, CATALOGUE), "utf8")]);

function kinds(text) {
  return tokens(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`);
}

test("the first equation is that of the catalogue", () => {
  const own = texts.find(([file]) => file === "relaxation.eq")[1];
  const { body, scheme, steps, grading } = split(own);
  assert.deepEqual([body, { scheme, steps, grading }], [FIRST, FIRST_RECIPE]);
});

test("tokens of an equation", () => {
  assert.deepEqual(kinds("D^0.7 y = -k y # k"), ["derivative D", "operator ^", "number 0.7", "name y", "operator =", "operator -", "name k", "name y", "comment # k"]);
  assert.deepEqual(kinds("dX = sin(X) dt + o dW").filter((kind) => !kind.startsWith("operator")), ["noise dX", "function sin", "name X", "noise dt", "noise o", "noise dW"]);
  assert.deepEqual(kinds("g = 9.81 [m/s^2]").at(-1), "unit  [m/s^2]");
  assert.deepEqual(kinds("RL D^α₁ x")[0], "derivative RL D");
});

test("pieces of every text of the catalogue are the text", () => {
  for (const [file, text] of texts) {
    assert.equal(pieces(text, [{ from: 3, to: 9 }]).map((piece) => piece.text).join(""), text, file);
  }
});

test("errors cover their letters, empty ones a letter, and none is outside of the text", () => {
  const wrong = (text, from, to) => pieces(text, [{ from, to }]).filter(({ error }) => error).map((piece) => piece.text).join("");
  assert.equal(wrong("y' = xy", 5, 7), "xy");
  assert.equal(wrong("y' = x", 2, 2), " ");
  assert.equal(wrong("y' = x", 6, 6), "x");
  assert.equal(wrong("y' = x", 90, 99), "x");
  assert.equal(wrong("y' = x\n", 6, 6), "x");
  assert.equal(wrong("", 0, 0), "");
});

test("lines and columns", () => {
  assert.deepEqual(place("a\nbc", 3), { line: 2, column: 2 });
  assert.deepEqual(place("a\nbc", 0), { line: 1, column: 1 });
});

test("headers of all texts of the catalogue", () => {
  for (const [file, text] of texts) {
    const { title, source, scheme, steps, body } = split(text);
    assert.ok(title.length > 2 && source.length > 5 && body.includes("="), file);
    assert.doesNotMatch(body.split("\n")[0], /^#/, file);
    assert.ok(scheme !== "auto" && steps >= 100, `${file}: ${scheme}, ${steps}`);
  }
  const robertson = split(texts.find(([file]) => file === "robertson.eq")[1]);
  assert.deepEqual([robertson.scheme, robertson.steps, robertson.grading], ["collocation", 1000, 5]);
});

test("units and comments of parameters", () => {
  const text = "g = 9.81 in (0, inf) [m/s^2]\nsigma = 10  # Prandtl number\na = 1; b = 2  # both\nk = 1";
  assert.deepEqual(annotation(text, "g"), { unit: "m/s^2", comment: "" });
  assert.deepEqual(annotation(text, "sigma"), { unit: "", comment: "Prandtl number" });
  assert.deepEqual(annotation(text, "a").comment, "");
  assert.deepEqual(annotation(text, "b").comment, "both");
  assert.deepEqual(annotation(text, "k"), { unit: "", comment: "" });
  assert.deepEqual(annotation(text, "g(.*"), { unit: "", comment: "" });
});

test("powers and names in messages", () => {
  assert.deepEqual(parts("law t^-alpha of `x y`"), [
    { kind: "text", text: "law " }, { kind: "power", text: "t", exponent: "−α" },
    { kind: "text", text: " of " }, { kind: "code", text: "x y" },
  ]);
});

test("values of sliders after an edit of the text", () => {
  const before = [{ name: "a", value: 1 }, { name: "b", value: 2 }, { name: "c", value: 3 }];
  const now = [{ name: "a", value: 1 }, { name: "b", value: 5 }];
  assert.deepEqual(overrides({ a: 9, b: 9, c: 9 }, now, before), { kept: { a: 9 }, unknown: ["c"] });
  assert.deepEqual(overrides({ a: 9 }, now, []), { kept: { a: 9 }, unknown: [] });
});
