// The view of an equation: its text is checked, its settings are shown, it is solved, and a picture is drawn.

import { ComputeError, Superseded } from "../compute/computer.js";
import { reduced } from "../compute/preview.js";
import { FigurePanel } from "../controls/figure_panel.js";
import { showOptions } from "../controls/picture_options.js";
import { SettingsPanel } from "../controls/settings_panel.js";
import { Tabs } from "../controls/tabs.js";
import { Editor } from "../text/editor.js";
import { histogramView } from "../views/histogram.js";
import { fanView } from "../views/fan.js";
import { msdView } from "../views/msd.js";
import { phaseView } from "../views/phase.js";
import { scanView } from "../views/scan.js";
import { pathsView, solutionView } from "../views/solution.js";
import { budget, ensembleText, scanText, solveText } from "./answers.js";
import { byId, settled } from "./dom.js";
import { notice } from "./notices.js";

const TYPING = 150; // milliseconds after the last letter
const RESTING = 250; // milliseconds after the last move of a slider
const BINS = 60;
const LEAST = { steps: 50, paths: 100 };
const SCAN_COUNT = 61;

export class Explorer {
  #store;
  #computer;
  #editor;
  #settings;
  #panel;
  #tabs;
  #limit = 10_000;
  #check = null; // of the present text; null while it has errors
  #before = null; // of the last text without errors
  #answer = null;
  #scan = null;
  #moving = false;
  #last = null;
  #typed = settled(() => this.check(), TYPING);
  #rest = settled(() => this.#released(), RESTING);

  constructor(store, computer) {
    [this.#store, this.#computer] = [store, computer];
    this.#editor = new Editor(byId("text"), byId("layer"), byId("editor-errors"), (text) => {
      this.#keepRecipe();
      this.#store.update({ text });
      this.#typed();
    });
    this.#settings = new SettingsPanel(byId("settings"), {
      value: (kind, name, number) => this.#moved({ [kind]: { ...this.#store.state[kind], [name]: number } }),
      amount: (name, number) => this.#moved({ [name]: number }, name),
      released: () => this.#rest(),
      choose: (fields) => this.#change(fields),
      limit: (milliseconds) => {
        this.#limit = milliseconds;
        this.#compute();
      },
    });
    this.#tabs = new Tabs(byId("pictures"), (picture) => this.#change({ picture }));
    this.#panel = new FigurePanel(byId("picture-panel"), { file: () => this.#file(), id: "numbers" });
  }

  /** Equation of the editor and what its check has told, for fits. */
  async equation() {
    await this.#checked;
    return { text: this.#editor.text, check: this.#check };
  }

  /** Puts a text into the editor and shows it; `recipe` = {steps, scheme, grading} is how the catalogue solves it. */
  open(text, recipe = null) {
    this.#editor.text = text;
    this.#opened += 1;
    [this.#check, this.#before, this.#last, this.#recipe] = [null, null, null, recipe];
    return this.check();
  }

  #recipe = null;
  #opened = 0;
  #checked = Promise.resolve();

  /** An edited text is solved as the one before: the recipe becomes a setting. */
  #keepRecipe() {
    if (this.#recipe === null) return;
    const { steps, scheme, grading } = this.#recipe;
    const state = this.#store.state;
    const known = this.#check?.schemes?.includes(scheme);
    this.#store.update({
      steps: state.steps ?? steps,
      scheme: state.scheme === "auto" && known ? scheme : state.scheme,
      grading: state.grading ?? grading,
    });
    this.#recipe = null;
  }

  /** Checks the text; then everything follows. */
  check() {
    this.#checked = this.#checkNow();
    return this.#checked;
  }

  async #checkNow() {
    const text = this.#editor.text;
    const options = { outdates: ["simulate", "scan"], limit: this.#limit };
    const check = await this.#asked("check", "check", { text, budget: budget(this.#limit) }, options);
    if (check === null || text !== this.#editor.text) return;
    this.#editor.errors = check.errors ?? [];
    if (!check.ok) {
      this.#check = null;
      this.#panel.outdated();
      return;
    }
    if (this.#recipe !== null) check.suggested = { ...check.suggested, steps: this.#recipe.steps, grading: this.#recipe.grading };
    this.#adopt(check);
    this.#settings.show(check, text, this.#store.state, this.#limit);
    this.#offer(check);
    await this.#compute();
  }

  /** Values that the text no longer has, or has changed, are no longer those of the sliders. */
  #adopt(check) {
    const before = this.#before;
    [this.#check, this.#before] = [check, check];
    const state = this.#store.state;
    const kept = (kind, list) => {
      const old = new Map((before?.[kind === "orders" ? "orders" : "parameters"] ?? []).map((entry) => [entry.name, entry.value]));
      const own = Object.entries(state[kind]).filter(([name]) => {
        const entry = list.find((candidate) => candidate.name === name);
        return entry && (!old.has(name) || old.get(name) === entry.value);
      });
      const gone = Object.keys(state[kind]).filter((name) => !list.some((entry) => entry.name === name));
      // A link by hand may have any names; those of an edited text are no surprise.
      if (before === null && gone.length > 0) notice(`The equation has no ${kind === "orders" ? "order" : "parameter"} \`${gone.join("`, `")}\`, which the link sets.`, true);
      return own.length === Object.keys(state[kind]).length ? state[kind] : Object.fromEntries(own);
    };
    this.#store.update({ values: kept("values", check.parameters), orders: kept("orders", check.orders) });
  }

  #scannable() {
    const { orders = [], parameters = [] } = this.#check ?? this.#before ?? {};
    return [...orders, ...parameters];
  }

  #offer(check) {
    const pictures = check.stochastic ? ["solution", "phase", "fan", "msd", "histogram"] : ["solution", "phase", "scan"];
    const usable = pictures.filter((name) => (name === "scan" ? this.#scannable().length > 0 : true));
    this.#tabs.offer(usable);
    byId("tab-solution").textContent = check.stochastic ? "Paths" : "Solution";
    const { state } = this.#store;
    if (!usable.includes(state.picture)) this.#store.update({ picture: check.stochastic ? "fan" : "solution" });
    if (!usable.includes("scan")) return;
    const known = this.#scannable().some(({ name }) => name === state.scan?.parameter);
    if (known) return;
    const [{ name, low, high }] = this.#scannable();
    this.#store.update({ scan: { parameter: name, from: low, to: high, count: SCAN_COUNT } });
  }

  #change(change) {
    const fields = typeof change === "function" ? change(this.#store.state) : change;
    const { scan } = this.#store.state;
    this.#store.update(fields);
    const computes = ["seed", "scheme", "grading", "where", "steps", "paths", "values", "orders"].some((name) => name in fields);
    const { picture } = this.#store.state;
    const scans = picture === "scan" && (scan !== this.#store.state.scan || this.#scan === null);
    const solves = picture !== "scan" && this.#answer === null;
    if (computes || scans || solves) this.#compute();
    else this.#draw();
  }

  #moved(fields, amount = null) {
    this.#store.update(fields);
    this.#moving = true;
    // Its own slider sets the amount: what was measured with another one does not count.
    if (amount !== null) this.#last = null;
    this.#compute();
    this.#rest();
  }

  #released() {
    if (!this.#moving) return;
    this.#moving = false;
    if (this.#reduction() || this.#store.state.picture === "scan") this.#compute();
  }

  /** Whether the last answer was computed with less than the settings say. */
  #reduction() {
    return this.#last !== null && this.#last.amount < this.#last.wanted;
  }

  async #compute() {
    const check = this.#check;
    if (!check?.ok) return;
    const state = this.#store.state;
    if (state.picture === "scan") await this.#scanned(state);
    else if (check.stochastic) await this.#simulated(state);
    else await this.#solved(state);
  }

  #request(state) {
    const { suggested = {}, schemes = [] } = this.#check;
    const recommended = schemes.includes(this.#recipe?.scheme) ? this.#recipe.scheme : "auto";
    return {
      text: this.#editor.text,
      values: state.values,
      orders: state.orders,
      steps: state.steps ?? suggested.steps ?? 1000,
      grading: state.grading ?? suggested.grading ?? 1,
      scheme: state.scheme === "auto" ? recommended : state.scheme,
      budget: budget(this.#limit),
    };
  }

  async #solved(state) {
    const request = this.#request(state);
    const wanted = request.steps;
    if (this.#moving) request.steps = reduced(wanted, this.#last, Math.min(wanted, LEAST.steps));
    const answer = await this.#asked("simulate", "solve", request, { limit: this.#limit, outdates: ["scan"] });
    if (answer === null) return;
    this.#last = { amount: request.steps, wanted, milliseconds: answer.milliseconds };
    this.#take(answer, solveText(answer, wanted, request.steps));
  }

  async #simulated(state) {
    const request = { ...this.#request(state), seed: state.seed, where: state.where, histogram_bins: BINS, paths: state.paths };
    const wanted = request.paths;
    if (this.#moving) request.paths = reduced(wanted, this.#last, Math.min(wanted, LEAST.paths));
    const answer = await this.#asked("simulate", "ensemble", request, { limit: this.#limit, outdates: ["scan"] });
    if (answer === null) return;
    this.#last = { amount: request.paths, wanted, milliseconds: answer.milliseconds };
    this.#take(answer, ensembleText(answer, request, wanted));
  }

  async #scanned(state) {
    if (state.scan.from === state.scan.to) {
      this.#panel.fail("The scan has no range: both ends are the same number.");
      return;
    }
    const began = performance.now();
    const request = { ...this.#request(state), ...state.scan };
    const answer = await this.#asked("scan", "scan", request, { limit: this.#limit, outdates: ["simulate"] });
    if (answer === null) return;
    this.#scan = answer;
    this.#answer = null;
    this.#line = scanText(answer, request.steps, performance.now() - began);
    this.#draw();
  }

  #line = "";

  #take(answer, line) {
    [this.#answer, this.#scan, this.#line] = [answer, null, line];
    this.#draw();
  }

  /** Answer to a request; null if it failed, which is shown, or if a newer one replaced it. */
  async #asked(slot, kind, request, options) {
    this.#panel.computing = true;
    try {
      return await this.#computer.ask(slot, kind, request, options);
    } catch (error) {
      if (error instanceof Superseded) return null;
      if (!(error instanceof ComputeError)) throw error;
      const { message, from, to } = error;
      const placed = from !== undefined && from !== null && request.text === this.#editor.text;
      if (placed) this.#editor.errors = [{ message, from, to }];
      this.#panel.fail(message);
      return null;
    } finally {
      this.#panel.computing = this.#computer.busy;
    }
  }

  #draw() {
    const state = this.#store.state;
    const answer = state.picture === "scan" ? this.#scan : this.#answer;
    this.#tabs.select(state.picture);
    byId("picture").setAttribute("aria-labelledby", `tab-${state.picture}`);
    const check = this.#check ?? this.#before;
    if (check === null) return;
    const names = answer?.names ?? check.states;
    const offer = { names, scannable: this.#scannable(), stochastic: check.stochastic, opened: this.#opened };
    showOptions(byId("picture-options"), state, offer, (change) => this.#change(change));
    if (answer === null) return;
    const stochastic = answer.mean !== undefined;
    const views = { solution: stochastic ? pathsView : solutionView, phase: phaseView, fan: fanView, msd: msdView, histogram: histogramView, scan: scanView };
    // An answer to the text before may have other pictures than the present one.
    if (!stochastic && ["fan", "msd", "histogram"].includes(state.picture)) return;
    const notes = answer.notes ?? [];
    // A solution that ended early says why in its first note.
    const [warning, rest] = answer.complete === false ? [notes[0], notes.slice(1)] : [null, notes];
    this.#panel.show(views[state.picture](answer, state), this.#line, rest, warning);
  }

  #file() {
    return `${this.#store.state.entry ?? "equation"}-${this.#store.state.picture}`;
  }
}
