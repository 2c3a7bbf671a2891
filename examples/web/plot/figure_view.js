// A figure in the page: drawn to the width of its host, in the colours of the theme, with values under the pointer.

import { h, perFrame } from "../app/dom.js";
import { palette, whenThemeChanges } from "../app/theme.js";
import { figure, paintOf } from "./figure.js";
import { readout } from "./readout.js";

const STEP = 8; // pixels that an arrow key moves the cursor by

export class FigureView {
  #host;
  #picture = h("div", { class: "picture", role: "img", tabindex: "0" });
  #cursor = h("div", { class: "cursor", hidden: true });
  #values = h("div", { class: "readout", hidden: true });
  #spoken = h("div", { class: "unseen", "aria-live": "polite" });
  #spec = null;
  #frame = null;
  #position = null;
  #size = { width: 0, height: 0 };
  #draw = perFrame(() => this.#redraw());

  /** The host's size is that of the figure; `number` tells the clip paths of figures apart. */
  constructor(host, number) {
    this.#host = host;
    this.number = number;
    host.append(this.#picture, this.#cursor, this.#values, this.#spoken);
    new ResizeObserver(() => this.#draw()).observe(host);
    whenThemeChanges(() => this.#draw());
    host.addEventListener("pointermove", (event) => this.#point(event));
    host.addEventListener("pointerdown", (event) => this.#point(event));
    host.addEventListener("pointerleave", () => this.#leave());
    this.#picture.addEventListener("keydown", (event) => this.#key(event));
    this.#picture.addEventListener("blur", () => this.#leave());
  }

  /** Shows a figure; `summary` is what a screen reader says of it. */
  show(spec, summary) {
    this.#spec = { ...spec, id: `clip-${this.number}` };
    this.#picture.setAttribute("aria-label", `${spec.title}. ${summary} Arrow keys read values.`);
    this.#draw();
  }

  get spec() {
    return this.#spec;
  }

  get size() {
    return this.#size;
  }

  #redraw() {
    const { clientWidth: width, clientHeight: height } = this.#host;
    if (this.#spec === null || width === 0 || height === 0) return;
    this.#size = { width, height };
    const { text, frame } = figure(this.#spec, this.#size, palette());
    this.#picture.innerHTML = text;
    this.#picture.firstChild.setAttribute("aria-hidden", "true");
    this.#frame = frame;
    if (this.#position !== null) this.#read(false);
  }

  #point(event) {
    const box = this.#host.getBoundingClientRect();
    this.#position = [event.clientX - box.left, event.clientY - box.top];
    this.#read(false);
  }

  #leave() {
    this.#position = null;
    this.#cursor.hidden = true;
    this.#values.hidden = true;
  }

  #key(event) {
    const steps = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (event.key === "Escape") this.#leave();
    if (steps === undefined || this.#frame === null) return;
    event.preventDefault();
    const { left, right, top, bottom } = this.#frame;
    const [x, y] = this.#position ?? [(left + right) / 2, (top + bottom) / 2];
    const factor = event.shiftKey ? 5 : 1;
    const within = (value, low, high) => Math.max(low, Math.min(high, value));
    this.#position = [within(x + factor * steps[0], left, right), within(y + factor * steps[1], top, bottom)];
    this.#read(true);
  }

  #read(aloud) {
    if (this.#frame === null) return;
    const { left, right, top, bottom } = this.#frame;
    const [px, py] = this.#position;
    const inside = px >= left - 4 && px <= right + 4 && py >= top - 4 && py <= bottom + 4;
    const found = inside ? readout(this.#spec, this.#frame, this.#position) : null;
    this.#cursor.hidden = found === null;
    this.#values.hidden = found === null;
    if (found === null) return;
    this.#place(found);
    if (aloud) {
      this.#spoken.textContent = [found.title, ...found.rows.map(({ name, value }) => `${name} ${value}`)].join(", ");
    }
  }

  #place(found) {
    const { left, right, top, bottom } = this.#frame;
    const x = this.#frame.x.at(found.rows[0].at[0]);
    Object.assign(this.#cursor.style, { left: `${x}px`, top: `${top}px`, height: `${bottom - top}px` });
    const dots = found.rows.filter(({ mark }) => mark.type !== "band").map(({ mark, at }) => {
      const dot = h("span", { class: "dot" });
      const y = this.#frame.y.at(at[1]);
      const visible = y >= top - 3 && y <= bottom + 3;
      Object.assign(dot.style, { top: `${y - top}px`, background: paintOf(mark, palette()), display: visible ? "" : "none" });
      return dot;
    });
    this.#cursor.replaceChildren(...dots);
    this.#values.replaceChildren(
      h("div", { class: "readout-title" }, found.title),
      ...found.rows.map(({ mark, name, value }) => {
        const swatch = h("span", { class: "swatch" });
        swatch.style.background = paintOf(mark, palette());
        return h("div", {}, swatch, h("span", { class: "readout-name" }, name), h("span", { class: "number" }, value));
      }),
    );
    const onRight = x < (left + right) / 2;
    const { style } = this.#values;
    style.top = `${top + 6}px`;
    style.left = onRight ? `${x + 14}px` : "";
    style.right = onRight ? "" : `${this.#size.width - x + 14}px`;
  }
}
