import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const SITE = fileURLToPath(new URL("..", import.meta.url));
/** Of all files together, as they are and as hosts compress them. */
const MOST_BYTES = { plain: 200_000, compressed: 75_000 };
const index = readFileSync(join(SITE, "index.html"), "utf8");

/** Modules that `file` imports, directly or not. */
function imported(file, found = new Set()) {
  for (const [, target] of readFileSync(file, "utf8").matchAll(/^import .*?from "(\..*?)";$/gm)) {
    const path = join(dirname(file), target);
    if (found.has(path)) continue;
    found.add(path);
    imported(path, found);
  }
  return found;
}

/** Files of the page: those that are loaded besides the solver. */
function files(folder = SITE) {
  const skipped = ["tests", "package.json", "worker.js"];
  return readdirSync(folder).filter((name) => !skipped.includes(name)).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

test("all modules are loaded at once", () => {
  const preloaded = [...index.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, href]) => href);
  const expected = [...imported(join(SITE, "app/main.js"))].map((path) => relative(SITE, path));
  assert.deepEqual(preloaded.toSorted(), expected.toSorted());
});

test("all links of the page have files, and none leads elsewhere", () => {
  const targets = [...index.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, target]) => target);
  assert.ok(targets.length > 20);
  for (const target of targets) assert.ok(existsSync(join(SITE, target)), target);
  for (const file of files()) assert.doesNotMatch(readFileSync(file, "utf8").replaceAll("http://www.w3.org/2000/svg", ""), /https?:\/\//, file);
});

test("no file has styles or scripts that the policy of the page forbids", () => {
  for (const file of files()) {
    const text = readFileSync(file, "utf8");
    assert.doesNotMatch(text, /\beval\(|new Function|(?<!-)\bstyle="|\bon[a-z]+="|<style|<script(?! type="module" src)/, file);
  }
});

test("the page is small, and so are its files", () => {
  const sum = (size) => files().reduce((total, file) => total + size(readFileSync(file)), 0);
  assert.ok(sum((bytes) => bytes.length) < MOST_BYTES.plain, `${sum((bytes) => bytes.length)} bytes`);
  const compressed = sum((bytes) => gzipSync(bytes).length);
  assert.ok(compressed < MOST_BYTES.compressed, `${compressed} bytes compressed`);
  for (const file of files()) {
    const lines = readFileSync(file, "utf8").split("\n").length;
    assert.ok(lines <= 500, `${file}: ${lines} lines`);
  }
  for (const folder of ["", "app", "compute", "controls", "data", "plot", "style", "tests", "text", "views"]) {
    assert.ok(readdirSync(join(SITE, folder)).length <= 18, folder);
  }
});
