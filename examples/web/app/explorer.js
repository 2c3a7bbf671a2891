// The view of an equation: its text is checked, its settings are shown, it is solved, and a picture is drawn.

import { ComputeError, Superseded } from "../compute/computer.js";
import { budget } from "../compute/answers.js";
import { Simulation } from "../compute/simulation.js";
import { FigurePanel } from "../controls/figure_panel.js";
import { showOptions } from "../controls/picture_options.js";
import { SettingsPanel } from "../controls/settings_panel.js";
import { Tabs } from "../controls/tabs.js";
import { Editor } from "../text/editor.js";
import { overrides } from "../text/overrides.js";
import { histogramView } from "../views/histogram.js";
import { fanView } from "../views/fan.js";
import { msdView } from "../views/msd.js";
import { phaseView } from "../views/phase.js";
import { scanView } from "../views/scan.js";
import { pathsView, solutionView } from "../views/solution.js";
import { byId, settled } from "./dom.js";
import { notice } from "./notices.js";

const TYPING = 150; // milliseconds after the last letter
const RESTING = 250; // milliseconds after the last move of a slider
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
  #recipe = null; // how the catalogue solves the text
  #opened = 0; // number of texts that were not typed
  #checked = Promise.resolve();
  #simulation;
  #answer = null;
  #scan = null;
  #line = "";
  #moving = false;
  #typed = settled(() => this.check(), TYPING);
  #rest = settled(() => this.#released(), RESTING);

  constructor(store, computer) {
    [this.#store, this.#computer] = [store, computer];
    this.#simulation = new Simulation(computer);
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
    this.#panel = new FigurePanel(byId("picture-panel"), { file: () => this.#file(), heading: () => byId("equation-title").textContent, id: "numbers" });
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
    [this.#check, this.#before, this.#recipe] = [null, null, recipe];
    this.#simulation.reset();
    return this.check();
  }

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
    const ask = () => this.#computer.ask("check", "check", { text, budget: budget(this.#limit) }, options);
    const check = await this.#shown(text, ask);
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
    const { state } = this.#store;
    for (const [field, list, what] of [["values", "parameters", "parameter"], ["orders", "orders", "order"]]) {
      const { kept, unknown } = overrides(state[field], check[list], before?.[list] ?? []);
      if (Object.keys(kept).length < Object.keys(state[field]).length) this.#store.update({ [field]: kept });
      // A link by hand may have any names; those of an edited text are no surprise.
      if (before === null && unknown.length > 0) notice(`The link sets \`${unknown.join("`, `")}\`, which is no ${what} of the equation.`, true);
    }
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
    if (amount !== null) this.#simulation.reset();
    this.#compute();
    this.#rest();
  }

  #released() {
    if (!this.#moving) return;
    this.#moving = false;
    if (this.#simulation.isPreview || this.#store.state.picture === "scan") this.#compute();
  }

  async #compute() {
    if (this.#check === null) return;
    const { state } = this.#store;
    const subject = { text: this.#editor.text, check: this.#check, recipe: this.#recipe };
    const found = await this.#shown(subject.text, () => this.#simulation.run(subject, state, this.#limit, this.#moving));
    if (found === null) return;
    this.#line = found.line;
    [this.#answer, this.#scan] = found.answer.parameter === undefined ? [found.answer, null] : [null, found.answer];
    this.#draw();
    // The slider came to rest while a preview was computed.
    if (!this.#moving && this.#simulation.isPreview) await this.#compute();
  }

  /** Result of a task for a text; null if it failed, which is shown, or if a newer request replaced it. */
  async #shown(text, task) {
    this.#panel.computing = true;
    try {
      return await task();
    } catch (error) {
      if (error instanceof Superseded) return null;
      if (!(error instanceof ComputeError) && !(error instanceof RangeError)) throw error;
      const { message, from, to } = error;
      if (from !== undefined && from !== null && text === this.#editor.text) this.#editor.errors = [{ message, from, to }];
      this.#panel.fail(message);
      return null;
    } finally {
      this.#panel.computing = this.#computer.isBusy("check", "simulate", "scan");
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
