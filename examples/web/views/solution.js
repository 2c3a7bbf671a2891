// The solution: each component against time, with the exact one where it is known.

import { curveSummary } from "./summary.js";

/** Figure, columns and summary of a solution. `options` = {hidden: [name], log}. */
export function solutionView({ t, names, y, exact }, { hidden, log }) {
  const logY = log.includes("y");
  const visible = names.map((name, k) => ({ name, k })).filter(({ name }) => !hidden.includes(name));
  const marks = visible.map(({ name, k }) => ({ type: "line", name, x: t, y: y[k], colour: k }));
  for (const { name, k } of visible) {
    const values = exact?.[name];
    if (values) marks.push({ type: "line", name: `${name}, exact`, x: t, y: values, ink: true, dash: "2 5", width: 1.5, colour: k });
  }
  const columns = [{ name: "t", values: t }, ...names.map((name, k) => ({ name, values: y[k] }))];
  for (const [name, values] of Object.entries(exact ?? {})) columns.push({ name: `exact ${name}`, values });
  const spec = {
    title: "Solution",
    x: { label: "t", kind: log.includes("x") ? "log" : "linear", tight: true },
    y: { label: visible.length === 1 ? visible[0].name : "", kind: logY ? "log" : "linear" },
    marks,
  };
  return { spec, columns, summary: visible.map(({ name, k }) => curveSummary(name, y[k])).join(" ") };
}

/** Sample paths of an ensemble against time. */
export function pathsView({ t, names, sample_paths: paths, mean }, { component, log }) {
  const k = Math.max(0, names.indexOf(component));
  const own = paths[k] ?? [];
  const marks = own.map((values, j) => ({ type: "line", x: t, y: values, colour: k, width: 1, opacity: j === 0 ? 0.95 : 0.4 }));
  if (mean[k]) marks.push({ type: "line", name: "mean of all paths", always: true, x: t, y: mean[k], ink: true, width: 2 });
  const columns = [{ name: "t", values: t }, ...own.map((values, j) => ({ name: `${names[k]}, path ${j + 1}`, values }))];
  const spec = {
    title: `Sample paths of ${names[k]}`,
    x: { label: "t", kind: log.includes("x") ? "log" : "linear", tight: true },
    y: { label: names[k], kind: log.includes("y") ? "log" : "linear" },
    marks,
  };
  const summary = own.length > 0 ? `${own.length} paths. First: ${curveSummary(names[k], own[0])}` : "No paths.";
  return { spec, columns, summary };
}
