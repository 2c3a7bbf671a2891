// Files of results: CSV of columns, SVG and PNG of figures. They are made in the page and saved by the browser.

import { figure } from "../plot/figure.js";
import { LIGHT } from "../plot/palette.js";
import { h } from "../app/dom.js";

const SHARPNESS = 2; // pixels of a PNG for one of the page

/** CSV text of columns [{name, values}]; numbers read back to the same bits, rows end as RFC 4180 has it. */
export function csv(columns) {
  const rows = Math.max(0, ...columns.map(({ values }) => values.length));
  const lines = [columns.map(({ name }) => field(name)).join(",")];
  for (let k = 0; k < rows; k += 1) lines.push(columns.map(({ values }) => value(values[k])).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function value(number) {
  return number === undefined || Number.isNaN(number) ? "" : field(String(number));
}

function field(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** SVG text of a figure for print: on white, with its title. */
export function svg(spec, size) {
  return figure(spec, { width: size.width, height: size.height + 30 }, LIGHT, true).text;
}

/** PNG of a figure, as a blob. */
export async function png(spec, size) {
  const text = svg(spec, size);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = h("canvas", { width: SHARPNESS * size.width, height: SHARPNESS * (size.height + 30) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) throw new Error("The browser could not make a PNG of this size.");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Saves a file under a name. */
export function save(name, contents, type) {
  const blob = contents instanceof Blob ? contents : new Blob([contents], { type });
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  // Some browsers read the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
