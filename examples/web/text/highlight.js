// Words and signs of the equation language, for colours: the rules of docs/editors.

const NAME = "[A-Za-z_\\u0370-\\u03ffµ][A-Za-z0-9_\\u0370-\\u03ffµ₀-₉]*";

/** Kinds of tokens with their patterns; the first that matches at a place is taken. */
const RULES = [
  ["comment", /#.*/],
  ["string", /"[^"\n]*"/],
  ["unit", /(?<=[0-9)\]])\s*\[[^\]\n;,]*[A-Za-z%°][^\]\n;,]*\](?=\s*(?:;|#|$))/m],
  ["derivative", /(?:(?:RL|CF|AB)\s+)?\bD(?![A-Za-z0-9_\u0370-\u03ff])/],
  ["derivative", /\bd[A-Za-z\u0370-\u03ff][A-Za-z0-9_]*\s*\/\s*dt\b/],
  ["noise", /\bd(?:t\b|[A-Z][A-Za-z0-9_]*)|\bo\b(?=\s*d[A-Z])|∘/],
  ["keyword", /\b(?:hpfracc equation|when|rising|falling|stop|in|for|show|net|table|from|and|or|not|inf|linear|cubic|extended)\b|->|→/],
  ["function", /\b(?:double_exponential|lognormal|brownian|poisson|uniform|stable|normal|corr|fbm)(?=\()/],
  ["function", /\b(?:logistic|trigamma|digamma|floor|expm1|log10|asinh|acosh|atanh|Gamma|sign|step|sqrt|ln1p|log2|asin|acos|atan|sinh|cosh|tanh|erfc|abs|mod|min|max|pos|pow|exp|sin|cos|tan|erf|if|ln|E)(?=\()/],
  ["constant", /\b(?:pi|t)\b|π/],
  ["number", /(?<![A-Za-z0-9_])(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[⁻⁰¹²³⁴-⁹]+/],
  ["name", new RegExp(NAME)],
  ["operator", /[-+*/^=<>−–·×⋅≤≥≠!]/],
];

const PATTERN = new RegExp(RULES.map(([, rule]) => `(${rule.source})`).join("|"), "gmu");

/** Tokens of a text, [{kind, from, to}] in their order; what is between them has no colour. */
export function tokens(text) {
  const found = [];
  for (const match of text.matchAll(PATTERN)) {
    const kind = RULES[match.slice(1).findIndex((group) => group !== undefined)][0];
    found.push({ kind, from: match.index, to: match.index + match[0].length });
  }
  return found;
}

/**
 * Pieces of a text with the kinds of its tokens and whether an error covers them: [{text, kind, error}]. Together they
 * are the text. An empty error at an offset marks the character there, or the one before the end.
 */
export function pieces(text, errors) {
  const spans = errors.map(({ from, to }) => widened(text, from, to));
  const cuts = new Set([0, text.length]);
  const list = tokens(text);
  for (const { from, to } of [...list, ...spans]) cuts.add(from).add(to);
  const places = [...cuts].filter((at) => at >= 0 && at <= text.length).sort((a, b) => a - b);
  const out = [];
  let next = 0;
  for (let k = 0; k + 1 < places.length; k += 1) {
    const [from, to] = [places[k], places[k + 1]];
    while (next < list.length && list[next].to <= from) next += 1;
    const kind = next < list.length && list[next].from <= from ? list[next].kind : "";
    const error = spans.some((span) => span.from <= from && span.to >= to);
    out.push({ text: text.slice(from, to), kind, error });
  }
  return out;
}

function widened(text, from = 0, to = from) {
  const start = Math.max(0, Math.min(from, text.length));
  const end = Math.max(start, Math.min(to, text.length));
  if (end > start) return { from: start, to: end };
  return start < text.length && text[start] !== "\n" ? { from: start, to: start + 1 } : { from: Math.max(0, start - 1), to: start };
}

/** Line and column, from 1, of an offset. */
export function place(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before[before.length - 1].length + 1 };
}
