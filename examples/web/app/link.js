// The state of the page in its link, and back: `#v=1&eq=lorenz&set=rho:35&show=phase&axes=x,z`.
//
// A short text stands in the link as it is (`text`), a longer one deflated (`z`). A link made by hand may have anything:
// what is wrong is reported in words and left out, and the rest is taken.

import { parseNumber } from "./numbers.js";

export const VERSION = "1";
/** Letters of a text, after inflation too. */
export const LONGEST_TEXT = 20_000;
const LONGEST_LINK = 60_000;
const LONGEST_NAME = 60;
const MOST_ENTRIES = 200;

const VIEWS = ["equation", "derivative", "fit"];
const PICTURES = ["solution", "phase", "fan", "msd", "histogram", "scan"];

/** Fails with the message that the page shows. */
function wrong(message) {
  throw new Error(message);
}

function oneOf(choices) {
  return (text) => (choices.includes(text) ? text : wrong(`is none of ${choices.join(", ")}`));
}

function whole(low, high) {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    return value >= low && value <= high ? value : wrong(`is no whole number from ${low} to ${high}`);
  };
}

function number(text) {
  const value = parseNumber(text);
  return value === null ? wrong("is no number") : value;
}

function name(text) {
  return text.length > 0 && text.length <= LONGEST_NAME ? text : wrong("is no name");
}

function list(text) {
  const items = text.split(",");
  return items.length <= MOST_ENTRIES ? items.map(name) : wrong("has too many entries");
}

function assignments(text) {
  const pairs = text.split(",").map((pair) => {
    const at = pair.lastIndexOf(":");
    const value = at > 0 ? parseNumber(pair.slice(at + 1)) : null;
    return value === null ? wrong(`has \`${clipped(pair)}\`, which is not name:number`) : [name(pair.slice(0, at)), value];
  });
  return pairs.length <= MOST_ENTRIES ? Object.fromEntries(pairs) : wrong("has too many entries");
}

function scan(text) {
  const parts = text.split(":");
  if (parts.length !== 4) wrong("is not parameter:from:to:count");
  return { parameter: name(parts[0]), from: number(parts[1]), to: number(parts[2]), count: whole(2, 1001)(parts[3]) };
}

function text(value) {
  return value.length <= LONGEST_TEXT ? value : wrong(`has more than ${LONGEST_TEXT} letters`);
}

const joined = (value) => value.join(",");
const pairs = (value) => Object.entries(value).map(([key, number]) => `${key}:${number}`).join(",");

/** Fields of the state: key in the link, reading, writing. What equals its default is not written. */
const FIELDS = {
  view: ["view", oneOf(VIEWS), String],
  entry: ["eq", name, String],
  values: ["set", assignments, pairs],
  orders: ["order", assignments, pairs],
  steps: ["steps", whole(1, 10_000_000), String],
  paths: ["paths", whole(1, 100_000_000), String],
  seed: ["seed", whole(0, 4_294_967_295), String],
  scheme: ["scheme", name, String],
  grading: ["grading", number, String],
  where: ["where", oneOf(["auto", "gpu", "cpu"]), String],
  picture: ["show", oneOf(PICTURES), String],
  axes: ["axes", list, joined],
  component: ["of", name, String],
  hidden: ["hide", list, joined],
  log: ["log", oneOf(["x", "y", "xy"]), String],
  scan: ["scan", scan, (value) => [value.parameter, value.from, value.to, value.count].join(":")],
  operator: ["op", name, String],
  operatorOrder: ["alpha", number, String],
  settings: ["with", assignments, pairs],
  model: ["model", name, String],
  formula: ["formula", text, String],
};

/** What a page without a link shows. */
export const DEFAULTS = Object.freeze({
  view: "equation", entry: "relaxation", text: null, values: {}, orders: {}, steps: null, grading: null, paths: 1000, seed: 1,
  scheme: "auto", where: "auto", picture: "solution", axes: null, component: null, hidden: [], log: "", scan: null,
  operator: null, operatorOrder: null, settings: {}, model: null, formula: null,
});

/** Fragment for a state, without `#`. */
export async function write(state) {
  const parts = new URLSearchParams({ v: VERSION });
  if (state.entry === null) {
    const packed = await deflated(state.text ?? "");
    const plain = new URLSearchParams({ text: state.text ?? "" }).toString();
    if (plain.length <= packed.length + 40) parts.set("text", state.text ?? "");
    else parts.set("z", packed);
  }
  for (const [field, [key, , print]] of Object.entries(FIELDS)) {
    const value = state[field];
    const same = JSON.stringify(value) === JSON.stringify(DEFAULTS[field]);
    // The entry is always written: its absence means a text.
    if (value !== null && (!same || field === "entry")) parts.set(key, print(value));
  }
  // Signs that links keep are easier to read as they are.
  return parts.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** State of a fragment, with what was wrong with it: {state, problems}. */
export async function read(fragment) {
  const state = structuredClone(DEFAULTS);
  const problems = [];
  const bare = fragment.replace(/^#/, "");
  if (bare === "") return { state, problems };
  if (bare.length > LONGEST_LINK) return { state, problems: [`The link has ${bare.length} letters; ${LONGEST_LINK} are the most.`] };
  const parts = new URLSearchParams(bare);
  if (parts.get("v") !== VERSION) {
    const found = parts.has("v") ? `version \`${clipped(parts.get("v"))}\`` : "no version";
    return { state, problems: [`The link has ${found}; this page reads version ${VERSION}, \`#v=${VERSION}&...\`.`] };
  }
  const fields = Object.fromEntries(Object.entries(FIELDS).map(([field, [key, parse]]) => [key, { field, parse }]));
  const seen = new Set();
  for (const [key, value] of parts) {
    if (seen.has(key)) problems.push(`\`${clipped(key)}\` stands more than once in the link: the first is taken.`);
    else if (Object.hasOwn(fields, key)) take(state, fields[key], key, value, problems);
    else if (key === "text") take(state, { field: "text", parse: text }, key, value, problems);
    else if (key === "z") await takePacked(state, value, problems);
    else if (key !== "v") problems.push(`\`${clipped(key)}\` in the link has no meaning.`);
    seen.add(key);
  }
  if (state.text !== null) state.entry = null;
  return { state, problems };
}

function take(state, { field, parse }, key, value, problems) {
  try {
    state[field] = parse(value);
  } catch (error) {
    problems.push(`\`${key}=${clipped(value)}\` in the link: it ${error.message}.`);
  }
}

async function takePacked(state, value, problems) {
  try {
    state.text = await inflated(value);
  } catch {
    problems.push("`z` in the link is no packed text: the link may have been cut.");
  }
}

/** Start of a text that is shown in a message. */
function clipped(value) {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}

async function through(stream, bytes, most) {
  const writer = stream.writable.getWriter();
  // A failed write is reported by the reader, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const chunks = [];
  let length = 0;
  const reader = stream.readable.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    length += step.value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("too long");
    }
    chunks.push(step.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

async function deflated(value) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(value), Infinity);
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function inflated(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const plain = await through(new DecompressionStream("deflate-raw"), bytes, 4 * LONGEST_TEXT);
  return text(new TextDecoder("utf-8", { fatal: true }).decode(plain));
}
