// Short texts of the catalogue and of messages with their mathematics and names set as such.

const GREEK = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", omega: "ω",
  phi: "φ", rho: "ρ", sigma: "σ", tau: "τ", theta: "θ",
};
const PART = /`([^`]+)`|\b([A-Za-z]+|\d+(?:\.\d+)?)\^(-?(?:[A-Za-z]+|\d+(?:\/\d+)?))/g;

/** Pieces of a text: {kind: "text" | "code" | "power", text, exponent}. */
export function parts(text) {
  const out = [];
  let at = 0;
  for (const match of text.matchAll(PART)) {
    if (match.index > at) out.push({ kind: "text", text: text.slice(at, match.index) });
    if (match[1] !== undefined) out.push({ kind: "code", text: match[1] });
    else out.push({ kind: "power", text: greek(match[2]), exponent: match[3].replace(/[A-Za-z]+/, greek).replace("-", "−") });
    at = match.index + match[0].length;
  }
  if (at < text.length) out.push({ kind: "text", text: text.slice(at) });
  return out;
}

function greek(word) {
  return GREEK[word] ?? word;
}

/** Letters of a text as it is shown. */
export function plainText(text) {
  return parts(text).map((part) => part.text + (part.exponent ?? "")).join("");
}

/** Nodes of a text. */
export function rich(text) {
  return parts(text).map(({ kind, text: own, exponent }) => {
    if (kind === "text") return document.createTextNode(own);
    const element = document.createElement(kind === "code" ? "code" : "i");
    element.textContent = own;
    if (kind === "code") return element;
    const raised = document.createElement("sup");
    raised.textContent = exponent;
    const whole = document.createElement("span");
    whole.append(element, raised);
    return whole;
  });
}
