// Fewer points with the same picture: a long curve has many samples on each pixel.

/**
 * Points of a curve over increasing x in pixels: of each column of pixels the first, lowest, highest and last sample, in
 * their order. Samples that are no numbers interrupt the curve and are kept as NaN.
 */
export function columns(x, y) {
  const count = x.length;
  if (count < 2000) return { x, y };
  const [xs, ys] = [[], []];
  const keep = (k) => {
    xs.push(x[k]);
    ys.push(y[k]);
  };
  let start = 0;
  while (start < count) {
    if (!Number.isFinite(y[start]) || !Number.isFinite(x[start])) {
      if (ys.length > 0 && !Number.isNaN(ys[ys.length - 1])) {
        xs.push(NaN);
        ys.push(NaN);
      }
      start += 1;
      continue;
    }
    const column = Math.floor(x[start] * 2);
    let [low, high, end] = [start, start, start];
    while (end < count && Math.floor(x[end] * 2) === column && Number.isFinite(y[end])) {
      if (y[end] < y[low]) low = end;
      if (y[end] > y[high]) high = end;
      end += 1;
    }
    const last = end - 1;
    let before = -1;
    for (const k of [start, Math.min(low, high), Math.max(low, high), last]) {
      if (k !== before) keep(k);
      before = k;
    }
    start = end;
  }
  return { x: xs, y: ys };
}

/** Points of a curve in the plane, in pixels, without those nearer than `distance` to the one kept before. */
export function sparse(x, y, distance) {
  const [xs, ys] = [[], []];
  let [lastX, lastY] = [NaN, NaN];
  for (let k = 0; k < x.length; k += 1) {
    const near = Math.abs(x[k] - lastX) < distance && Math.abs(y[k] - lastY) < distance;
    if (near && k !== x.length - 1) continue;
    [lastX, lastY] = [x[k], y[k]];
    xs.push(lastX);
    ys.push(lastY);
  }
  return { x: xs, y: ys };
}
