// Missing values of columns, and equal steps.

/** Rows in which one of the columns has no number. */
export function missingRows(columns) {
  const rows = [];
  const count = columns[0]?.length ?? 0;
  for (let k = 0; k < count; k += 1) if (columns.some((values) => Number.isNaN(values[k]))) rows.push(k);
  return rows;
}

/** Columns without these rows. */
export function dropped(columns, rows) {
  const gone = new Set(rows);
  return columns.map((values) => values.filter((_, k) => !gone.has(k)));
}

/**
 * Values whose gaps are filled by straight lines over `t`. Fails where a gap has no value on one of its sides.
 */
export function interpolated(t, values) {
  const out = values.slice();
  let before = -1;
  for (let k = 0; k < out.length; k += 1) {
    if (!Number.isNaN(values[k])) {
      for (let j = before + 1; j < k && before >= 0; j += 1) {
        const part = (t[j] - t[before]) / (t[k] - t[before]);
        out[j] = values[before] + part * (values[k] - values[before]);
      }
      if (before < 0 && k > 0) throw new Error("The first value is missing: there is nothing to interpolate from. Drop the rows instead.");
      before = k;
    }
  }
  if (before < out.length - 1) throw new Error("The last value is missing: there is nothing to interpolate to. Drop the rows instead.");
  return out;
}

/** Multiples of a step: the times of rows without a time column. */
export function multiples(count, step) {
  return Float64Array.from({ length: count }, (_, k) => k * step);
}

/** Column that is the time by its name, or the first one that increases; null without one. */
export function timeColumn(columns) {
  const named = columns.find(({ name }) => /^(t|time|date|year|x|omega|frequency)\b/i.test(name.trim()));
  if (named) return named.name;
  return columns.find(({ values }) => values.every((value, k) => k === 0 || value > values[k - 1]))?.name ?? null;
}
