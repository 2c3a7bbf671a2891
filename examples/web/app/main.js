// Starts the page: state from the link, solver in its workers, views.

import { Computer } from "../compute/computer.js";
import { Tabs } from "../controls/tabs.js";
import { DataInput } from "../data/data_input.js";
import { CatalogueDialog } from "../text/catalogue_dialog.js";
import { split } from "../text/header.js";
import { rich } from "../text/rich.js";
import { DerivativeView } from "./derivative_view.js";
import { byId, settled } from "./dom.js";
import { Explorer } from "./explorer.js";
import { FIRST, FIRST_RECIPE } from "./first.js";
import { FitView } from "./fit_view.js";
import { DEFAULTS, read, write } from "./link.js";
import { notice } from "./notices.js";
import { startOffline } from "./offline.js";
import { Store } from "./store.js";
import { machineText, obstacle } from "./support.js";
import { startTheme } from "./theme.js";

/** Fields of the state that belong to an equation: another one begins with their defaults. */
const OF_EQUATION = ["text", "values", "orders", "steps", "scheme", "grading", "axes", "component", "hidden", "log", "scan"];
const WRITING = 400; // milliseconds without a change before the link is written

function worker() {
  return new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
}

class Page {
  #store;
  #computer;
  #explorer;
  #views;
  #catalogue = new Map();
  #dialog;
  #written = null;
  #write = settled(() => this.#writeLink(), WRITING);

  async start() {
    startTheme();
    const { state, problems } = await read(location.hash);
    for (const problem of problems) notice(problem, true);
    this.#store = new Store(state);
    const reason = obstacle();
    if (reason !== null) {
      notice(reason, true);
      byId("machine").textContent = "The solver does not run in this browser.";
      return;
    }
    this.#computer = new Computer(worker);
    this.#explorer = new Explorer(this.#store, this.#computer);
    const input = new DataInput(byId("data-input"));
    new DerivativeView(this.#store, this.#computer, input);
    new FitView(this.#store, this.#computer, input, () => this.#explorer.equation());
    this.#dialog = new CatalogueDialog((entry) => this.#choose(entry));
    byId("open-catalogue").addEventListener("click", () => this.#dialog.open());
    byId("share").addEventListener("click", () => this.#share());
    window.addEventListener("hashchange", () => this.#follow());
    this.#views = new Tabs(byId("views"), (view) => this.#show(view));
    this.#show(state.view);
    await this.#first();
    this.#store.subscribe((_, changed) => this.#changed(changed));
    this.#listCatalogue();
    this.#about();
  }

  /** Shows the equation of the state. That of the catalogue is here only for the default: others wait for the list. */
  async #first() {
    const { entry, text } = this.#store.state;
    if (text === null && entry !== DEFAULTS.entry) {
      await this.#loadCatalogue();
      this.#openState();
      return;
    }
    if (text === null) this.#describe({ title: "Relaxation", description: "", source: "" });
    else this.#describe(null);
    if (text === null) await this.#explorer.open(FIRST, FIRST_RECIPE);
    else await this.#explorer.open(text);
  }

  #openState() {
    const { entry, text } = this.#store.state;
    const found = entry === null ? null : this.#catalogue.get(entry);
    if (entry !== null && found === undefined) {
      notice(`The catalogue has no equation \`${entry.slice(0, 40)}\`: the relaxation is shown.`, true);
      this.#store.update({ entry: DEFAULTS.entry });
      this.#openState();
      return;
    }
    this.#describe(found);
    this.#explorer.open(found ? found.body : text, found ?? null);
  }

  async #loadCatalogue() {
    try {
      const list = await this.#computer.ask("catalogue", "catalogue", {});
      this.#catalogue = new Map(list.map((entry) => [entry.name, { ...split(entry.text), ...entry, ...described(entry) }]));
      this.#dialog.entries = [...this.#catalogue.values()];
    } catch (error) {
      notice(`The catalogue could not be read: ${error.message}`, true);
    }
  }

  async #listCatalogue() {
    if (this.#catalogue.size === 0) await this.#loadCatalogue();
    const { entry } = this.#store.state;
    if (entry !== null && this.#catalogue.has(entry)) this.#describe(this.#catalogue.get(entry));
  }

  async #about() {
    try {
      byId("machine").textContent = machineText(await this.#computer.ask("about", "about", {}));
    } catch (error) {
      byId("machine").textContent = "The solver did not start.";
      notice(error.message, true);
    }
  }

  #choose(entry) {
    const fresh = Object.fromEntries(OF_EQUATION.map((field) => [field, structuredClone(DEFAULTS[field])]));
    this.#store.update({ ...fresh, entry: entry.name, picture: entry.stochastic ? "fan" : "solution" });
    this.#describe(entry);
    this.#explorer.open(entry.body, entry);
  }

  #describe(entry) {
    byId("equation-title").textContent = entry?.title ?? "Your equation";
    byId("equation-about").replaceChildren(...rich(entry?.description ?? ""));
    byId("equation-source").textContent = entry?.source ?? "";
  }

  #changed(changed) {
    if (changed.includes("text")) {
      const { text } = this.#store.state;
      const same = text === null ? null : [...this.#catalogue.values()].find(({ body }) => body === text.trim());
      if (text !== null) {
        this.#store.update({ entry: same?.name ?? null });
        this.#describe(same ?? null);
      }
    }
    this.#write();
  }

  #show(view) {
    const data = view !== "equation";
    this.#views.select(view);
    byId("view-equation").hidden = data;
    byId("view-data").hidden = !data;
    byId("view-data").setAttribute("aria-labelledby", `tab-${view}`);
    for (const name of ["derivative", "fit"]) {
      for (const part of ["settings", "results"]) byId(`${name}-${part}`).hidden = view !== name;
    }
    this.#store.update({ view });
  }

  async #writeLink() {
    this.#written = `#${await write(this.#store.state)}`;
    history.replaceState(null, "", this.#written);
  }

  async #share() {
    await this.#writeLink();
    const button = byId("share");
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      // Without a permission the address bar has the link all the same.
      notice("The browser did not allow copying: the link is in the address bar.");
    }
    setTimeout(() => (button.textContent = "Copy link"), 1500);
  }

  /** Another link in the same page: by hand, or back in the history. */
  async #follow() {
    if (location.hash === this.#written) return;
    const { state, problems } = await read(location.hash);
    for (const problem of problems) notice(problem, true);
    this.#store.update(state);
    this.#show(state.view);
    if (this.#catalogue.size === 0) await this.#loadCatalogue();
    this.#openState();
  }
}

/** Title, description and source of an entry, those of its text where the list has none. */
function described({ title, source, text }) {
  const parts = split(text);
  return { title: title || parts.title, description: parts.description, source: source || parts.source };
}

new Page().start();

startOffline();
