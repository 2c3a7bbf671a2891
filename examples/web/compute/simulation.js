// What is asked of the solver for a picture: a solution, an ensemble or a scan, and how much of it while a slider moves.

import { budget, ensembleText, scanText, solveText } from "./answers.js";
import { reduced } from "./preview.js";

const BINS = 60; // of histograms
const LEAST = { solve: 50, ensemble: 100 }; // steps, or paths, of a preview

export class Simulation {
  #computer;
  #last = null;

  constructor(computer) {
    this.#computer = computer;
  }

  /** Forgets how long requests took: another equation, or another amount, takes another time. */
  reset() {
    this.#last = null;
  }

  /** Whether the last answer was computed with less than the settings say. */
  get isPreview() {
    return this.#last !== null && this.#last.amount < this.#last.wanted;
  }

  /**
   * Asks for what the picture of `state` shows. `subject` = {text, check, recipe}; `limit` in milliseconds; `moving` while
   * a slider does. Returns {answer, line}, a line about how it was computed; fails as `Computer.ask` does.
   */
  async run(subject, state, limit, moving) {
    const request = requestOf(subject, state, limit);
    if (state.picture === "scan") return this.#scan({ ...request, ...state.scan }, limit);
    if (!subject.check.stochastic) return this.#preview("solve", "steps", request, limit, moving, solveText);
    const ensemble = { ...request, paths: state.paths, seed: state.seed, where: state.where, histogram_bins: BINS };
    return this.#preview("ensemble", "paths", ensemble, limit, moving, ensembleText);
  }

  async #preview(kind, amount, request, limit, moving, text) {
    const wanted = request[amount];
    if (moving) request[amount] = reduced(wanted, this.#last, Math.min(wanted, LEAST[kind]));
    const answer = await this.#computer.ask("simulate", kind, request, { limit, outdates: ["scan"] });
    this.#last = { amount: request[amount], wanted, milliseconds: answer.milliseconds };
    return { answer, line: text(answer, request, wanted) };
  }

  async #scan(request, limit) {
    const { from, to, steps } = request;
    if (from === to) throw new RangeError("The scan has no range: both ends are the same number.");
    const answer = await this.#computer.ask("scan", "scan", request, { limit, outdates: ["simulate"] });
    return { answer, line: scanText(answer, steps) };
  }
}

/** Request with the settings of the page, or those that the equation suggests. */
function requestOf({ text, check, recipe }, state, limit) {
  const { suggested = {}, schemes = [] } = check;
  const recommended = schemes.includes(recipe?.scheme) ? recipe.scheme : "auto";
  return {
    text,
    values: state.values,
    orders: state.orders,
    steps: state.steps ?? suggested.steps ?? 1000,
    grading: state.grading ?? suggested.grading ?? 1,
    scheme: state.scheme === "auto" ? recommended : state.scheme,
    budget: budget(limit),
  };
}
