// Stands in for worker.js while the page is built: closed forms only.
const S = {
  relaxation: `hpfracc equation 1
# Relaxation
# Decay that begins faster and ends slower than an exponential: a power law t^-alpha for long times.
# Source: Mainardi, Chaos Solitons Fractals 7 (1996) 1461, DOI 10.1016/0960-0779(95)00125-5
# Solve: pece, 1000 steps
D^alpha y = -rate y
rate = 1
y0 = 1
alpha = 0.6 in (0, 1]
y(0) = y0
t in [0, 10]
show exact_y = y0 E(alpha, -rate t^alpha)`,
  lorenz: `hpfracc equation 1
# Lorenz system
# Convection in three modes: chaotic down to orders of about 0.99 at the default parameters.
# Source: Grigorenko and Grigorenko, Phys. Rev. Lett. 91 (2003) 034101, DOI 10.1103/PhysRevLett.91.034101
# Solve: pece, 10000 steps
D^alpha x = sigma (y - x)
D^alpha y = x (rho - z) - y
D^alpha z = x y - beta z
sigma = 10  # Prandtl number
rho = 28    # Rayleigh number over its critical value
beta = 8/3  # shape of the convection cells
x0 = 1
y0 = 1
z0 = 1
alpha = 0.995 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 50]`,
  "geometric-brownian": `hpfracc equation 1
# Geometric Brownian motion
# Price with independent relative changes, as in the model of Black and Scholes.
# Source: Samuelson, Ind. Manage. Rev. 6 (1965) 13
# Solve: euler-maruyama, 250 steps
dS = mu S dt + sigma S dW
mu = 0.05                # rate of growth of the mean
sigma = 0.2 in [0, inf)  # volatility
s0 = 1 in (0, inf)
S(0) = s0
t in [0, 1]
show mean_S = s0 exp(mu t)`,
};
const num = (text, name, d) => { const m = new RegExp(`(?:^|;|\\n)\\s*${name}\\s*=\\s*([-0-9.e/]+)`).exec(text); return m ? Function(`return ${m[1]}`)() : d; };
function ml(a, x) { // E(a, -x): series for small x, contour-free asymptotics for large
  if (x < 8) { let s = 0; for (let k = 0; k < 120; k++) { const term = Math.pow(-x, k) * Math.exp(-lg(a * k + 1)); s += term; } return s; }
  let s = 0; for (let k = 1; k < 8; k++) s += -Math.pow(-x, -k) / g(1 - a * k); return s;
}
function lg(z) { const c = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5]; let y = z, t = z + 5.5; t -= (z + 0.5) * Math.log(t); let s = 1.000000000190015; for (const q of c) s += q / ++y; return -t + Math.log(2.5066282746310005 * s / z); }
function g(z) { return z < 0.5 ? Math.PI / (Math.sin(Math.PI * z) * g(1 - z)) : Math.exp(lg(z)); }
function err(message, from, to) { return Object.assign(new Error(message), { from, to }); }
function check({ text }) {
  const bad = text.indexOf("xy");
  if (bad >= 0) return { ok: false, errors: [{ message: "unknown name `xy`: did you mean `x y`?", from: bad, to: bad + 2 }] };
  const parameters = [], orders = [];
  for (const m of text.matchAll(/(?:^|;|\n)\s*([A-Za-z_]\w*)\s*=\s*([-0-9.e/]+)/g)) {
    const value = Function(`return ${m[2]}`)();
    if (m[1] === "alpha") orders.push({ name: "alpha", value, low: 0.05, high: 1 });
    else parameters.push({ name: m[1], value, low: value > 0 ? 0 : value * 2, high: value > 0 ? value * 2 : 1, logarithmic: false });
  }
  const stochastic = /dW|dB/.test(text);
  const states = stochastic ? ["S"] : /\bz\b/.test(text) ? ["x", "y", "z"] : ["y"];
  if (!/=/.test(text)) return { ok: false, errors: [{ message: "no equation: write `D^alpha y = ...`", from: 0, to: text.length }] };
  return { ok: true, states, parameters, orders, time: [0, 10], stochastic, errors: [], suggested: { steps: stochastic ? 250 : 1000, scheme: "pece" }, schemes: stochastic ? ["euler-maruyama", "milstein"] : ["pece", "trapezoid", "collocation"] };
}
function solve({ text, values, orders, steps }) {
  if (/boom/.test(text)) throw err("x is infinite at t = 3.2: the solution explodes");
  const c = check({ text }), n = steps;
  const val = (name, d) => orders[name] ?? values[name] ?? num(text, name, d);
  const began = performance.now();
  if (c.states.length === 3) {
    const t = new Float64Array(n + 1), y = [0, 1, 2].map(() => new Float64Array(n + 1));
    let [a, b, d] = [1, 1, 1]; const [s, r, be] = [val("sigma", 10), val("rho", 28), val("beta", 8 / 3)]; const h = 50 / n;
    for (let k = 0; k <= n; k++) { t[k] = k * h; y[0][k] = a; y[1][k] = b; y[2][k] = d; for (let j = 0; j < 8; j++) { const q = h / 8; [a, b, d] = [a + q * s * (b - a), b + q * (a * (r - d) - b), d + q * (a * b - be * d)]; } }
    return { t, names: ["x", "y", "z"], y, scheme: "pece", steps: n, milliseconds: performance.now() - began, exact: null, notes: [] };
  }
  const alpha = val("alpha", 0.6), rate = val("rate", 1), y0 = val("y0", 1);
  const t = new Float64Array(n + 1), y = new Float64Array(n + 1);
  for (let k = 0; k <= n; k++) { t[k] = (10 * k) / n; y[k] = y0 * ml(alpha, rate * t[k] ** alpha); }
  return { t, names: ["y", "exact_y"], y: [y, y.slice()], scheme: "pece", steps: n, milliseconds: performance.now() - began, exact: { y }, notes: [] };
}
function ensemble({ text, values, orders, steps, paths, histogram_bins: bins }) {
  const began = performance.now();
  const val = (name, d) => orders[name] ?? values[name] ?? num(text, name, d);
  const mu = val("mu", 0.05), sg = val("sigma", 0.2), s0 = val("s0", 1);
  let st = 5; const u = () => { st = (Math.imul(st, 1664525) + 1013904223) >>> 0; return (st + 0.5) / 4294967296; };
  const nrm = () => Math.sqrt(-2 * Math.log(u())) * Math.cos(2 * Math.PI * u());
  const n = steps, N = Math.min(paths, 4000), h = 1 / n, all = Array.from({ length: N }, () => { const p = new Float64Array(n + 1); p[0] = s0; for (let k = 0; k < n; k++) p[k + 1] = p[k] * Math.exp((mu - sg * sg / 2) * h + sg * Math.sqrt(h) * nrm()); return p; });
  const t = Float64Array.from({ length: n + 1 }, (_, k) => k * h), z = () => new Float64Array(n + 1);
  const mean = z(), dev = z(), msd = z(), ps = [0.05, 0.25, 0.5, 0.75, 0.95], q = ps.map(() => z());
  for (let k = 0; k <= n; k++) { const c = all.map((p) => p[k]).sort((a, b) => a - b); let m = 0, v = 0, d = 0; for (const x of c) { m += x / N; d += (x - s0) ** 2 / N; } for (const x of c) v += (x - m) ** 2 / N; mean[k] = m; dev[k] = Math.sqrt(v); msd[k] = d; ps.forEach((p, j) => (q[j][k] = c[Math.floor(p * (N - 1))])); }
  const ends = all.map((p) => p[n]), from = Math.min(...ends), to = Math.max(...ends), counts = new Float64Array(bins);
  for (const e of ends) counts[Math.min(bins - 1, Math.floor(((e - from) / (to - from)) * bins))]++;
  const ms = performance.now() - began;
  return { t, names: ["S"], mean: [mean], deviation: [dev], quantiles: ps.map((p, j) => ({ p, y: [q[j]] })), msd: [msd], sample_paths: [all.slice(0, 12)], histogram: [{ from, to, counts }], exact: { mean: { S: t.map((x) => s0 * Math.exp(mu * x)) }, deviation: { S: t.map((x) => s0 * Math.exp(mu * x) * Math.sqrt(Math.exp(sg * sg * x) - 1)) } }, where: "WebAssembly, SIMD", milliseconds: ms, path_steps_per_second: (N * n) / ms * 1000, notes: [] };
}
function scan({ text, values, orders, steps, parameter, from, to, count }) {
  const x = Float64Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1)); let names; const last = [], low = [], high = [];
  x.forEach((v, k) => { const a = solve({ text, values: { ...values, [parameter]: v }, orders: { ...orders, ...(parameter === "alpha" ? { alpha: v } : {}) }, steps: Math.min(steps, 2000) }); names = a.names; a.y.forEach((y, j) => { (last[j] ??= new Float64Array(count))[k] = y[y.length - 1]; const half = y.subarray(y.length >> 1); (low[j] ??= new Float64Array(count))[k] = Math.min(...half); (high[j] ??= new Float64Array(count))[k] = Math.max(...half); }); });
  return { parameter, x, names, last, low, high };
}
function derivative({ t, x, order }) {
  const n = t.length, h = t[1] - t[0], w = new Float64Array(n); w[0] = 1; for (let k = 1; k < n; k++) w[k] = w[k - 1] * (1 - (order + 1) / k);
  const y = new Float64Array(n); const began = performance.now();
  if (n > 20000) return { t, y: x.slice(), operator: "mock", milliseconds: 1, notes: ["mock: copied"] };
  for (let k = 0; k < n; k++) { let s = 0; for (let j = 0; j <= k; j++) s += w[j] * (x[k - j] - x[0]); y[k] = s / h ** order; }
  return { t, y, operator: "caputo", milliseconds: performance.now() - began, notes: [] };
}
const KINDS = {
  about: () => ({ version: "0.0 (mock)", simd: true, gpu: null, features: [] }),
  catalogue: () => Object.entries(S).map(([name, text]) => ({ name, title: /# (.*)/.exec(text)[1], source: /# Source: (.*)/.exec(text)[1], text, stochastic: /dW/.test(text) })),
  check, solve, ensemble, scan, derivative,
  operators: () => [{ name: "caputo", title: "Caputo (L1)", order: { low: 0.01, high: 1, default: 0.5 }, settings: [] }, { name: "riemann-liouville", title: "Riemann-Liouville", order: { low: -2, high: 2, default: 0.5 }, settings: [{ name: "lambda", title: "tempering", value: 0, low: 0, high: 5 }] }],
  models: () => [{ name: "stretched-exponential", title: "Stretched exponential", text: "y = c + a exp(-(t/tau)^s)", inputs: ["t"], observed: ["y"], parameters: [{ name: "c", value: 0, low: -1, high: 1 }, { name: "a", value: 1, low: 0, high: 2 }, { name: "tau", value: 1, low: 0, high: 10 }, { name: "s", value: 0.7, low: 0, high: 1 }] }],
  model: ({ text }) => { if (!/=/.test(text)) throw err("no `=`"); return { inputs: ["t"], observed: ["y"], parameters: [{ name: "a", value: 1, low: 0, high: 2 }] }; },
  fit: ({ columns, against, observed }) => { const t = columns[against], f = t.map((x) => 0.2 + 1.8 * Math.exp(-((x / 2) ** 0.6))), [[s, c]] = Object.entries(observed); return { estimates: [["c", 0.2], ["a", 1.8], ["tau", 2], ["s", 0.6]].map(([name, value]) => ({ name, value, error: 0.01 * value, low: value * 0.98, high: value * 1.02 })), fitted: { t, y: { [s]: f } }, residuals: { [s]: columns[c].map((v, k) => v - f[k]) }, milliseconds: 3, converged: true, statistics: { "degrees of freedom": t.length - 4, "residual standard deviation": 0.02 }, notes: [] }; },
};
self.onmessage = ({ data: { id, kind, request } }) => {
  try {
    const text = request.text ?? "";
    if (/slow/.test(text) && kind === "solve") { const end = performance.now() + 60000; while (performance.now() < end); }
    if (/crash/.test(text) && kind === "solve") setTimeout(() => { throw new Error("unreachable"); });
    else self.postMessage({ id, answer: KINDS[kind](request) });
  } catch (e) { self.postMessage({ id, error: { message: e.message, from: e.from, to: e.to } }); }
};
