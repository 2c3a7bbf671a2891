// Positions of ticks on an axis, and their labels.

/** Multiples of 1, 2 or 5 times a power of ten within [low, high], about `count` of them. */
export function linearTicks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return Number.isFinite(low) ? [low] : [];
  const raw = span / Math.max(1, count);
  const power = Math.floor(Math.log10(raw));
  const fraction = raw / 10 ** power;
  const factor = fraction > 7.07 ? 10 : fraction > 3.16 ? 5 : fraction > 1.41 ? 2 : 1;
  // Tenths are divided by, not multiplied: 3 / 10 is the number nearest to 0.3, and 3 * 0.1 is not.
  const at = (k) => (power < 0 ? (k * factor) / 10 ** -power : k * factor * 10 ** power);
  const step = at(1);
  if (!(step > 0) || low + step === low) return [low];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const ticks = [];
  for (let k = first; k <= last; k += 1) ticks.push(at(k) + 0);
  return ticks.filter(Number.isFinite);
}

/** Powers of ten within [low, high] as `major`, 2 to 9 times them as `minor`. Both bounds are positive. */
export function logTicks(low, high, count) {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.ceil(Math.log10(high) - 1e-9);
  const stride = Math.max(1, Math.ceil((to - from) / Math.max(1, count)));
  const inside = (value) => Number.isFinite(value) && value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const [major, minor] = [[], []];
  for (let power = from; power <= to; power += 1) {
    const decade = powerOfTen(power);
    if (inside(decade)) ((power - from) % stride === 0 ? major : minor).push(decade);
    if (stride > 1) continue;
    for (let k = 2; k < 10; k += 1) if (inside(k * decade)) minor.push(k * decade);
  }
  // Less than a decade has no two powers of ten: the axis needs numbers all the same.
  if (major.length < 2) return { major: linearTicks(low, high, count).filter((v) => v > 0), minor: [] };
  return { major, minor };
}

function powerOfTen(power) {
  return power < 0 ? 1 / 10 ** -power : 10 ** power;
}

const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** Power of ten in superscripts, as 10⁻³. */
function tenTo(exponent) {
  return "10" + [...String(exponent)].map((sign) => SUPERSCRIPTS[sign]).join("");
}

/** Number with the true minus sign. */
function minus(text) {
  return text.replace("-", "−");
}

/** Number for reading, with at most `digits` significant ones: 0.1234, −5, 1.2×10⁻⁷. */
export function shown(value, digits = 6) {
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < Math.max(6, digits)) return minus(String(Number(value.toPrecision(digits))));
  const front = Number(mantissa);
  if (front === 1) return tenTo(power);
  return `${minus(String(front))}×${tenTo(power)}`;
}

/** Labels of linear ticks, all with the same number of decimals or the same power of ten. */
export function linearLabels(ticks) {
  if (ticks.length === 0) return [];
  const largest = Math.max(...ticks.map(Math.abs));
  if (largest === 0) return ticks.map(() => "0");
  const power = Math.floor(Math.log10(largest) + 1e-12);
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : largest;
  const stepPower = Math.floor(Math.log10(step) + 1e-9);
  if (power >= -3 && power < 6) {
    return ticks.map((tick) => minus(tick.toFixed(Math.min(20, Math.max(0, -stepPower)))));
  }
  const decimals = Math.min(20, Math.max(0, power - stepPower));
  const scaled = (tick) => (power < 0 ? tick * 10 ** -power : tick / 10 ** power);
  return ticks.map((tick) => (tick === 0 ? "0" : `${minus(scaled(tick).toFixed(decimals))}×${tenTo(power)}`));
}

/** Labels of logarithmic ticks. */
export function logLabels(ticks) {
  const decades = ticks.every((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);
  if (!decades) return linearLabels(ticks);
  const powers = ticks.map((tick) => Math.round(Math.log10(tick)));
  const small = powers.every((power) => power >= -2 && power <= 3);
  return powers.map((power) => (small ? String(Number(10 ** power).toPrecision(1) * 1) : tenTo(power)));
}
