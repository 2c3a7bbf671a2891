import assert from "node:assert/strict";
import test from "node:test";
import { CsvReader, separatorOf } from "../data/csv.js";
import { csv } from "../data/export.js";

/** Table of a text that comes in pieces of `size` letters. */
function read(text, size = text.length || 1) {
  const reader = new CsvReader();
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
  return reader.finish();
}

function plain({ columns }) {
  return Object.fromEntries(columns.map(({ name, values }) => [name, [...values]]));
}

test("names, numbers and missing values", () => {
  const table = read("t,y\n0,1\n0.5,NA\n1,-2.5e-3\n");
  assert.deepEqual(plain(table), { t: [0, 0.5, 1], y: [1, NaN, -2.5e-3] });
  assert.equal(table.rows, 3);
  assert.match(table.notes[0], /`y` has 1 missing/);
});

test("the same for pieces of any size, line ends of both kinds, and without a last line end", () => {
  const text = "\ufeff# measured\r\n\"time, s\",\"a \"\"b\"\"\"\r\n1,2\r\n\r\n3,\"4\"\r\n# end\r\n5,6";
  const expected = { "time, s": [1, 3, 5], 'a "b"': [2, 4, 6] };
  for (let size = 1; size <= text.length; size += 1) assert.deepEqual(plain(read(text, size)), expected, `${size}`);
});

test("long files are read while they come", () => {
  const rows = Array.from({ length: 50_000 }, (_, k) => `${k},${k / 2}`);
  const table = read(`a,b\n${rows.join("\n")}\n`, 4096);
  assert.equal(table.rows, 50_000);
  assert.equal(table.columns[1].values[49_999], 24_999.5);
});

test("a file without names has numbered columns", () => {
  assert.deepEqual(plain(read("1;2\n3;4\n")), { "column 1": [1, 3], "column 2": [2, 4] });
});

test("equal names are told apart, empty ones are numbered", () => {
  assert.deepEqual(Object.keys(plain(read("a,a,\n1,2,3\n"))), ["a", "a (2)", "column 3"]);
});

test("separators", () => {
  assert.equal(separatorOf("a,b\n1,2\n"), ",");
  assert.equal(separatorOf("a;b\n1;2\n"), ";");
  assert.equal(separatorOf("a\tb, c\n1\t2\n"), "\t");
  assert.equal(separatorOf("1,5;2,5\n3,5;4,5\n"), ";");
  assert.equal(separatorOf('"a;b",c\n1,2\n'), ",");
  assert.equal(separatorOf("7\n8\n"), ",");
});

test("a column of words is left out, with its line", () => {
  const table = read("name,t,y\nx,0,1\ny,1,2\n");
  assert.deepEqual(Object.keys(plain(table)), ["t", "y"]);
  assert.match(table.notes[0], /`name` is left out: line 2 has `x`/);
});

test("what is refused, and where", () => {
  const failures = [
    ["t;y\n0;1\n1;2,5\n", /line 3: `2,5` has a decimal comma: write `2.5`/],
    ["0,5;1,5\n1,5;2\n", /line 1: `0,5` has a decimal comma/],
    ['t,y\n0,"1,5"\n', /line 2: `1,5` has a decimal comma/],
    ["t,y\n0,1\n1\n", /line 3: 1 fields, expected 2/],
    ['t,y\n0,"1\n', /a quote is not closed/],
    ['t,y\n0,"1"2\n', /line 2: letters follow a closing quote/],
    ["", /no rows/],
    ["t,y\n", /names and no rows/],
    ["a,b\nx,y\n", /no column has numbers only/],
    [Array.from({ length: 300 }, (_, k) => k).join(","), /300 columns, more than 200/],
  ];
  for (const [text, message] of failures) assert.throws(() => read(text), message, JSON.stringify(text));
});

test("what is no number in a CSV file stays none", () => {
  for (const field of ["0x10", "Infinity", "1e", "1 2", "--1", "1_000"]) {
    assert.match(read(`t,y\n0,1\n1,${field}\n`).notes[0] ?? "", /`y` is left out/, field);
  }
});

test("lines are counted through quoted line ends", () => {
  assert.throws(() => read('"a\nb",y\n1,2\n3\n'), /line 4: 1 fields/);
});

test("exported columns are read back to the same bits", () => {
  const values = Float64Array.of(0.1 + 0.2, -1e-300, 12345678901234567, NaN, 5e-324);
  const other = Float64Array.of(1, 2, 3, 4, 5);
  const text = csv([{ name: "t", values: other }, { name: 'x, "y"', values }]);
  const table = read(text);
  assert.deepEqual(table.columns[1].values, values);
  assert.equal(table.columns[1].name, 'x, "y"');
});
