// The phase portrait: one component against another.

const PARTS = 6;

/** Figure, columns and summary. `options.axes` are the names of both components. */
export function phaseView(answer, { axes }) {
  const { t, names } = answer;
  const [a, b] = components(names, axes);
  const curves = answer.y ? [[answer.y[a], answer.y[b]]] : firstPaths(answer, a, b);
  const marks = curves.flatMap(([x, y], j) => trajectory(t, x, y, j));
  const [x, y] = curves[0] ?? [[], []];
  const spec = {
    title: `Phase portrait, ${names[b]} against ${names[a]}`,
    x: { label: names[a], kind: "linear" },
    y: { label: names[b], kind: "linear" },
    marks,
  };
  const columns = [{ name: "t", values: t }, { name: names[a], values: x }, { name: names[b], values: y }];
  return { spec, columns, summary: `A curve of ${x.length} points.` };
}

/** Indices of both components: those of the names, or the first two. */
export function components(names, axes) {
  const [a, b] = [names.indexOf(axes?.[0]), names.indexOf(axes?.[1])];
  const first = a >= 0 ? a : 0;
  return [first, b >= 0 ? b : names.length > 1 ? (first === 0 ? 1 : 0) : 0];
}

function firstPaths({ sample_paths: paths }, a, b) {
  return (paths[a] ?? []).slice(0, 4).map((x, j) => [x, paths[b][j]]);
}

/** A curve that grows darker with time, with its start and its end. */
function trajectory(t, x, y, colour) {
  const whole = { type: "line", plane: true, x, y, time: t, colour, opacity: 0.001, name: "", width: 1 };
  const parts = [];
  for (let part = 0; part < PARTS; part += 1) {
    const from = Math.floor((part * (x.length - 1)) / PARTS);
    const to = Math.floor(((part + 1) * (x.length - 1)) / PARTS) + 1;
    const opacity = 0.35 + (0.6 * (part + 1)) / PARTS;
    parts.push({ type: "line", plane: true, unread: true, x: x.slice(from, to), y: y.slice(from, to), colour, width: 1.3, opacity });
  }
  const last = x.length - 1;
  const ends = x.length === 0 ? [] : [
    { type: "points", unread: true, name: colour === 0 ? "start" : "", x: [x[0]], y: [y[0]], radius: 4, soft: true, opacity: 1 },
    { type: "points", unread: true, name: colour === 0 ? "end" : "", x: [x[last]], y: [y[last]], radius: 4, ink: true, opacity: 1 },
  ];
  return [whole, ...parts, ...ends];
}
