// The editor of a text: a text area over a layer with the same letters in colours and errors underlined.

import { h } from "../app/dom.js";
import { pieces, place } from "./highlight.js";
import { rich } from "./rich.js";

export class Editor {
  #area;
  #layer;
  #messages;
  #errors = [];

  /** `area` is a text area, `layer` the element below it, `messages` the list of its errors. */
  constructor(area, layer, messages, changed) {
    [this.#area, this.#layer, this.#messages] = [area, layer, messages];
    area.addEventListener("input", () => {
      this.#moved();
      this.#paint();
      changed(this.text);
    });
    area.addEventListener("scroll", () => layer.scrollTo(area.scrollLeft, area.scrollTop));
    new ResizeObserver(() => this.#fit()).observe(area.parentElement);
  }

  get text() {
    return this.#area.value;
  }

  set text(value) {
    this.#area.value = value;
    this.#errors = [];
    this.#before = value;
    this.#paint();
    this.#list();
  }

  /** Errors with their places, [{message, from, to}]. */
  set errors(errors) {
    this.#errors = errors;
    this.#paint();
    this.#list();
  }

  #before = "";

  /** Until the text is checked again, errors move with the letters that they are about. */
  #moved() {
    const [before, now] = [this.#before, this.text];
    const shift = now.length - before.length;
    let same = 0;
    while (same < before.length && before[same] === now[same]) same += 1;
    this.#errors = this.#errors
      .map((error) => (error.from >= same ? { ...error, from: error.from + shift, to: error.to + shift } : error))
      .filter(({ from }) => from >= 0);
    this.#before = now;
  }

  #paint() {
    const text = this.text;
    const parts = pieces(text, this.#errors).map(({ text: part, kind, error }) => {
      if (!kind && !error) return part;
      return h("span", { class: [kind && `word-${kind}`, error && "wrong"].filter(Boolean).join(" ") }, part);
    });
    // A last empty line has no height without a letter.
    this.#layer.replaceChildren(...parts, text.endsWith("\n") || text === "" ? " " : "");
    this.#fit();
  }

  /** The area is as high as its text. */
  #fit() {
    this.#area.style.height = "auto";
    this.#area.style.height = `${Math.max(this.#area.scrollHeight, 24)}px`;
  }

  #list() {
    const wrong = this.#errors.length > 0;
    this.#area.setAttribute("aria-invalid", String(wrong));
    this.#messages.hidden = !wrong;
    this.#messages.replaceChildren(...this.#errors.map((error) => this.#entry(error)));
  }

  #entry({ message, from, to }) {
    if (from === undefined || from === null) return h("li", {}, ...rich(message));
    const { line, column } = place(this.text, from);
    const jump = () => {
      this.#area.focus();
      this.#area.setSelectionRange(from, Math.max(from, to ?? from));
    };
    const label = `line ${line}, column ${column}`;
    return h("li", {}, h("button", { type: "button", class: "place", onclick: jump }, label), " ", ...rich(message));
  }
}
