// Sentences that say what a picture shows, for readers who do not see it.

import { shown } from "../plot/ticks.js";

/** Values of a curve at its start and end, and its extremes. */
export function curveSummary(name, values) {
  if (values.length === 0) return "";
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const [first, last] = [values[0], values[values.length - 1]].map((value) => shown(value, 4));
  return `${name} from ${first} to ${last}, between ${shown(low, 4)} and ${shown(high, 4)}.`;
}
