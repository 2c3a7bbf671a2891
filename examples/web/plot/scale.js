// Maps between values and positions in pixels.

/** Scale of `kind` "linear" or "log" from a domain of values to a range of pixels. */
export function scale(kind, [low, high], [start, end]) {
  const forward = kind === "log" ? Math.log10 : (value) => value;
  const back = kind === "log" ? (value) => 10 ** value : (value) => value;
  const [from, to] = [forward(low), forward(high)];
  // Half of the differences, so that the largest numbers do not overflow.
  const span = to / 2 - from / 2 || 1;
  const at = (value) => start + ((forward(value) / 2 - from / 2) / span) * (end - start);
  return {
    kind,
    domain: [low, high],
    range: [start, end],
    at,
    invert: (pixel) => back(from + ((pixel - start) / (end - start)) * 2 * span),
  };
}

/** Smallest and largest finite value of arrays, of the positive ones for a logarithmic axis; null without any. */
export function extent(kind, arrays) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of arrays) {
    for (let k = 0; k < values.length; k += 1) {
      const value = values[k];
      if (!Number.isFinite(value) || (kind === "log" && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}

/** Smallest normal number: below it logarithms lose their digits. */
const SMALLEST = 2.2250738585072014e-308;

/** Domain with a margin on both sides, never empty. */
export function padded(kind, bounds, fraction) {
  if (bounds === null) return kind === "log" ? [0.1, 10] : [0, 1];
  const [low, high] = bounds;
  if (kind === "log") {
    const factor = low === high ? 2 : (high / low) ** fraction;
    return [Math.max(low / factor, SMALLEST), Math.min(high * factor, Number.MAX_VALUE)];
  }
  if (high - low < 1e3 * SMALLEST) {
    const half = Math.max(Math.abs(low), Math.abs(high)) > 1e6 * SMALLEST ? Math.abs(low) / 2 : 1;
    return [low - half, high + half];
  }
  const margin = high * fraction - low * fraction;
  const [from, to] = [low - margin, high + margin];
  return Number.isFinite(from) && Number.isFinite(to) ? [from, to] : [low, high];
}
