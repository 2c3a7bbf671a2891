// Example data: a slow relaxation that was measured with noise, the same in every visit.

/** CSV text with times and values. */
export function sampleCsv() {
  const lines = ["t,y"];
  const noise = gaussian(7);
  for (let k = 0; k <= 120; k += 1) {
    const t = k / 10;
    const y = 0.2 + 1.8 * Math.exp(-((t / 2) ** 0.6)) + 0.02 * noise();
    lines.push(`${t},${y.toFixed(4)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Normal random numbers by the sum of twelve uniform ones from a linear congruential generator: enough for an example. */
function gaussian(seed) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  return () => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, -6);
}
