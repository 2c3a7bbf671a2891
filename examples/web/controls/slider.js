// A slider with a field for its number: any number may be typed, the slider covers the sensible ones.

import { h } from "../app/dom.js";
import { parseNumber } from "../app/numbers.js";

const POSITIONS = 1000;

/** Value at a position of the slider, with no more digits than its resolution has. */
export function valueAt(position, { low, high, logarithmic, whole }) {
  const part = position / POSITIONS;
  const value = logarithmic ? low * (high / low) ** part : low + (high - low) * part;
  if (whole) return Math.round(value >= 1000 ? Number(value.toPrecision(3)) : value);
  if (position <= 0) return low;
  if (position >= POSITIONS) return high;
  const step = logarithmic ? value * (Math.log(high / low) / POSITIONS) : (high - low) / POSITIONS;
  const decimals = Math.max(0, Math.min(15, Math.ceil(-Math.log10(step))));
  return Number(value.toFixed(decimals));
}

/** Position of a value on the slider; beyond its ends, the end. */
export function positionOf(value, { low, high, logarithmic }) {
  const part = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Number.isFinite(part) ? Math.round(Math.max(0, Math.min(1, part)) * POSITIONS) : 0;
}

let number = 0;

/**
 * Row with label, slider and field. `setting` = {name, title, value, reset, low, high, logarithmic, whole}; `changed` is
 * called with a number while the slider moves, and `released` after it. Returns {row, show(value)}.
 */
export function sliderRow(setting, changed, released = () => {}) {
  number += 1;
  const id = `slider-${number}`;
  const range = h("input", { type: "range", id: `${id}-range`, min: 0, max: POSITIONS, step: 1, "aria-labelledby": `${id}-label` });
  const field = h("input", { type: "text", id, inputmode: "decimal", autocomplete: "off", spellcheck: "false", class: "number" });
  const back = h("button", { type: "button", class: "reset", title: `Back to ${setting.reset}`, "aria-label": `${setting.name} back to ${setting.reset}` }, "↺");
  let present = setting.value;
  const show = (value) => {
    present = value;
    range.value = String(positionOf(value, setting));
    range.setAttribute("aria-valuetext", String(value));
    range.style.setProperty("--part", `${Number(range.value) / 10}%`);
    if (document.activeElement !== field) field.value = shortened(value);
    field.removeAttribute("aria-invalid");
    back.hidden = setting.reset === undefined || value === setting.reset;
  };
  range.addEventListener("input", () => {
    const value = valueAt(Number(range.value), setting);
    show(value);
    changed(value);
  });
  range.addEventListener("change", () => released());
  field.addEventListener("input", () => {
    const value = typed(field.value, setting);
    field.setAttribute("aria-invalid", String(value === null));
    if (value === null) return;
    show(value);
    changed(value);
    released();
  });
  field.addEventListener("blur", () => {
    const value = typed(field.value, setting);
    // A field without a number shows the value again.
    if (value === null) show(present);
  });
  back.addEventListener("click", () => {
    show(setting.reset);
    changed(setting.reset);
    released();
    field.focus();
  });
  const about = setting.about ? h("span", { class: "about" }, setting.about) : null;
  const label = h("label", { for: id, id: `${id}-label` }, h("span", { class: "setting-name" }, setting.name), about);
  const row = h("div", { class: "setting" }, h("div", { class: "setting-head" }, label, back), h("div", { class: "setting-input" }, range, field));
  show(setting.value);
  return { row, show };
}

/** A number in the width of its field; the value itself keeps all digits. */
function shortened(value) {
  return String(Number(value.toPrecision(8)));
}

/** Number in a field; null for anything else. */
export function typed(text, { whole, least }) {
  const value = parseNumber(text.trim().replace("−", "-"));
  if (value === null || (whole && !Number.isInteger(value))) return null;
  return least !== undefined && value < least ? null : value;
}
