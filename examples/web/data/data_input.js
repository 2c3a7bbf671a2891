// Data from a file, dropped or chosen, or pasted, or made as an example.

import { h } from "../app/dom.js";
import { LIMITS } from "./csv.js";
import { sampleCsv } from "./samples.js";

export class DataInput {
  #listeners = [];
  #worker = null;
  #table = null;
  #name = "";
  #box;
  #progress = h("progress", { max: "1", value: "0", hidden: true, "aria-label": "Reading the file" });
  #stop = h("button", { type: "button", hidden: true, onclick: () => this.#end("Reading was stopped.") }, "Stop");
  #failure = h("p", { class: "failure", role: "alert", hidden: true });
  #told = h("div", { "aria-live": "polite" });

  constructor(host) {
    const file = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv,text/plain", class: "unseen", tabindex: "-1", "aria-hidden": "true" });
    file.addEventListener("change", () => {
      if (file.files.length > 0) this.#read({ file: file.files[0] }, file.files[0].name);
      file.value = "";
    });
    const paste = h("textarea", { class: "field", id: "pasted", placeholder: "t,x\n0,0\n0.1,0.01", spellcheck: "false", "aria-label": "Pasted CSV" });
    const mib = LIMITS.bytes / 1024 ** 2;
    this.#box = h("div", { class: "drop" },
      h("p", {}, `Drop a CSV file here: columns of numbers, separated by commas, semicolons or tabs, at most ${mib} MiB. It stays on this device.`),
      h("div", { class: "line" },
        h("button", { type: "button", class: "main", onclick: () => file.click() }, "Choose a file"), file,
        h("button", { type: "button", onclick: () => this.#read({ text: sampleCsv() }, "example.csv") }, "Example"), this.#stop),
      paste,
      h("div", { class: "line" }, h("button", { type: "button", onclick: () => this.#read({ text: paste.value }, "pasted data") }, "Read the pasted text")),
      this.#progress);
    host.append(this.#box, this.#failure, this.#told);
    this.#catchDrops(host.closest("[role=tabpanel]"));
  }

  /** Table of the last file, {columns, rows, notes}; null without one. */
  get table() {
    return this.#table;
  }

  /** Calls `listener(table)` for each new table. */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  #catchDrops(panel) {
    panel.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.#box.classList.add("over");
    });
    panel.addEventListener("dragleave", () => this.#box.classList.remove("over"));
    panel.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#box.classList.remove("over");
      const [file] = event.dataTransfer.files;
      if (file) this.#read({ file }, file.name);
    });
  }

  #read(source, name) {
    this.#worker?.terminate();
    this.#worker = new Worker(new URL("./csv_worker.js", import.meta.url), { type: "module" });
    this.#name = name;
    this.#failure.hidden = true;
    this.#progress.value = 0;
    this.#progress.hidden = false;
    this.#stop.hidden = false;
    this.#worker.onmessage = ({ data: { progress, table, error } }) => {
      if (progress !== undefined) this.#progress.value = progress;
      else if (error) this.#end(`${name}: ${error}`);
      else this.#finished(table);
    };
    this.#worker.onerror = (event) => this.#end(`${name} could not be read: ${event.message ?? "the reader stopped"}`);
    this.#worker.postMessage(source);
  }

  #end(message) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#progress.hidden = true;
    this.#stop.hidden = true;
    if (message === null) return;
    this.#failure.textContent = message;
    this.#failure.hidden = false;
  }

  #finished(table) {
    this.#end(null);
    this.#table = table;
    const names = table.columns.map(({ name }) => name).join(", ");
    this.#told.replaceChildren(
      h("p", { class: "reference" }, `${this.#name}: ${table.rows.toLocaleString("en")} rows of ${names}.`),
      ...table.notes.map((note) => h("p", { class: "reference" }, note)));
    for (const listener of this.#listeners) listener(table);
  }
}
