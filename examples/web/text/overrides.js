// Values of sliders that differ from the text, after the text has changed.

/**
 * Those of `values` = {name: number} that the text still has. `now` lists its parameters, [{name, value}], and `before`
 * those of the text before: a value that was changed in the text is the one of the text again. Returns {kept, unknown},
 * the values and the names that the text does not have.
 */
export function overrides(values, now, before) {
  const current = new Map(now.map(({ name, value }) => [name, value]));
  const old = new Map(before.map(({ name, value }) => [name, value]));
  const unknown = Object.keys(values).filter((name) => !current.has(name));
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) =>
    current.has(name) && (!old.has(name) || old.get(name) === current.get(name))));
  return { kept, unknown };
}
