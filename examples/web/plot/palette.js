// Colours of figures: distinct for colour-blind eyes, with a contrast of at least 3 to 1 on their paper.

export const LIGHT = {
  paper: "#ffffff",
  ink: "#23272c",
  soft: "#5c636b",
  rule: "#dfe1e1",
  axis: "#8b9198",
  series: ["#1f62b0", "#c4540f", "#2a7f55", "#9146a8", "#b72f4b", "#0f8390", "#8a6d00", "#5f6b78"],
};

export const DARK = {
  paper: "#171a1d",
  ink: "#e8e6e1",
  soft: "#a3a9af",
  rule: "#2c3136",
  axis: "#6d747b",
  series: ["#76adec", "#f0935a", "#67c596", "#cf92e2", "#f0798e", "#4fc3d0", "#d6b64a", "#a5b1bd"],
};

/** Colour of series number `k`. */
export function colour(palette, k) {
  return palette.series[k % palette.series.length];
}

/** Dashes of series number `k`: those beyond the number of colours differ by them. */
export function dashes(palette, k) {
  return k < palette.series.length ? "" : "6 3";
}
