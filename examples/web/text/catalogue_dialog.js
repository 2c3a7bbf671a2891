// The list of the catalogue's equations, with a search.

import { byId, h } from "../app/dom.js";
import { rich } from "./rich.js";

export class CatalogueDialog {
  #dialog = byId("catalogue");
  #search = byId("catalogue-search");
  #list = byId("catalogue-list");
  #count = byId("catalogue-count");
  #entries = [];
  #chosen;

  /** `chosen` is called with the entry that was clicked. */
  constructor(chosen) {
    this.#chosen = chosen;
    this.#search.addEventListener("input", () => this.#show());
    byId("catalogue-close").addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    this.#list.addEventListener("keydown", (event) => this.#move(event));
    this.#search.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") this.#list.querySelector("button")?.focus();
    });
  }

  set entries(entries) {
    this.#entries = entries;
    this.#show();
  }

  open() {
    this.#search.value = "";
    this.#show();
    this.#dialog.showModal();
    this.#search.focus();
  }

  #show() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#entries.filter((entry) => {
      const all = `${entry.name} ${entry.title} ${entry.description} ${entry.source} ${entry.body}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
    const groups = [["Without noise", (e) => !e.stochastic], ["With noise", (e) => e.stochastic]];
    this.#list.replaceChildren(...groups.flatMap(([title, has]) => {
      const members = found.filter(has);
      if (members.length === 0) return [];
      return [h("li", { class: "group", role: "presentation" }, title), ...members.map((entry) => this.#row(entry))];
    }));
    this.#count.textContent = found.length === 1 ? "1 equation" : `${found.length} equations`;
  }

  #row(entry) {
    const choose = () => {
      this.#dialog.close();
      this.#chosen(entry);
    };
    return h("li", {}, h("button", { type: "button", onclick: choose },
      h("span", { class: "entry-title" }, entry.title), h("span", { class: "entry-about" }, ...rich(entry.description))));
  }

  #move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...this.#list.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    (next ?? this.#search).focus();
  }
}
