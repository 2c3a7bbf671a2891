// Tables of numbers beside the pictures.

import { h } from "../app/dom.js";

const MOST_ROWS = 101;

/** Indices of the rows that are shown: all of a few, else every n-th and the last. */
export function rowsShown(count) {
  const stride = Math.max(1, Math.ceil((count - 1) / (MOST_ROWS - 1)));
  const rows = [];
  for (let k = 0; k < count; k += stride) rows.push(k);
  if (count > 0 && rows[rows.length - 1] !== count - 1) rows.push(count - 1);
  return { rows, stride };
}

/** Number for a table: ten digits, which programs read as well. */
export function cell(value) {
  if (value === undefined || Number.isNaN(value)) return "";
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(10)));
}

/** Fills a table with columns [{name, values}]; returns the note about rows that are left out. */
export function fill(table, caption, columns) {
  const count = Math.max(0, ...columns.map(({ values }) => values.length));
  const { rows, stride } = rowsShown(count);
  const head = h("tr", {}, ...columns.map(({ name }) => h("th", { scope: "col" }, name)));
  const body = rows.map((k) => h("tr", {}, ...columns.map(({ values }, j) =>
    h(j === 0 ? "th" : "td", { class: "number", scope: j === 0 ? "row" : null }, cell(values[k])))));
  table.replaceChildren(h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, ...body));
  return stride > 1 ? `Every ${stride}th of ${count} rows, and the last; the CSV file has all.` : `${count} rows.`;
}
