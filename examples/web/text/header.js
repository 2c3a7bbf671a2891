// The comments of the catalogue's texts: a title, a description, a source and how to solve it, before the equation; and
// what a text says of its parameters.

/** Parts of a text of the catalogue: {title, description, source, scheme, steps, grading, body}. */
export function split(text) {
  const lines = text.replace(/\r/g, "").split("\n");
  const head = [];
  let first = 0;
  if (/^hpfracc equation\b/.test(lines[0] ?? "")) first = 1;
  while (first < lines.length && lines[first].startsWith("#")) {
    head.push(lines[first].replace(/^#\s?/, ""));
    first += 1;
  }
  // The catalogue aligns its comments in columns, for which the editor is too narrow.
  const body = lines.slice(first).map((own) => own.replace(/[ \t]+#/, "  #")).join("\n").trim();
  const line = (word) => head.find((entry) => entry.startsWith(`${word}:`))?.slice(word.length + 1).trim() ?? "";
  const about = head.slice(1).filter((entry) => !/^(Source|Solve):/.test(entry));
  return { title: head[0] ?? "", description: about.join(" "), source: line("Source"), ...recipe(line("Solve")), body };
}

/** The recipe "pece, 1000 steps, grading 3". */
function recipe(text) {
  const [, scheme] = /^([a-z][a-z0-9-]*)/.exec(text) ?? [];
  const [, steps] = /(\d+) steps/.exec(text) ?? [];
  const [, grading] = /grading ([0-9.]+)/.exec(text) ?? [];
  return { scheme: scheme ?? "auto", steps: Number(steps ?? 1000), grading: Number(grading ?? 1) };
}

/** Unit and comment that stand after the value of a name in a text: {unit, comment}. */
export function annotation(text, name) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const statement = new RegExp(`(?:^|;)[ \\t]*${escaped}[ \\t]*=[ \\t]*([^;#\\n]*)(;[^#\\n]*)?(?:#[ \\t]*(.*))?$`, "m");
  const found = statement.exec(text);
  if (found === null) return { unit: "", comment: "" };
  const [, unit] = /\[([^\],]*[A-Za-z%°][^\],]*)\]\s*$/.exec(found[1]) ?? [];
  // A comment after several statements is about the line, not about this name.
  return { unit: unit ?? "", comment: found[2] ? "" : (found[3] ?? "").trim() };
}
