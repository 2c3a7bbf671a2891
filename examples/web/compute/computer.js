// Requests to the solver: one at a time, the last one of each slot, and a worker that is too slow is ended for a warm one.

/** A request that a newer one of its slot replaced before it began. */
export class Superseded extends Error {}

/** A request that failed: the message of the solver, and where in the text, if it is about a place. */
export class ComputeError extends Error {
  constructor({ message, from, to }) {
    super(message);
    this.from = from;
    this.to = to;
  }
}

/** A worker may answer this long after its request became stale before it is ended. */
const PATIENCE = 300;
/** Beyond its own limit of time a request has this long before its worker is ended. */
const GRACE = 3000;
/** Workers in a row that failed without an answer, after which no further one is started. */
const MOST_FAILURES = 4;

export class Computer {
  #make;
  #active;
  #warm;
  #running = null;
  #waiting = new Map();
  #number = 0;
  #failures = 0;

  /** `make` starts a worker. */
  constructor(make) {
    this.#make = make;
    this.#active = this.#hired();
    this.#warm = this.#hired();
  }

  /**
   * Answer to a request. A waiting request of the same slot is superseded; a running one, and running ones of the slots
   * in `outdates`, may still answer for a moment and are ended then. `limit` in milliseconds is what the solver keeps
   * itself; a worker that does not is ended.
   */
  ask(slot, kind, request, { limit = 30_000, outdates = [] } = {}) {
    return new Promise((resolve, reject) => {
      this.#waiting.get(slot)?.reject(new Superseded(slot));
      this.#waiting.delete(slot);
      this.#number += 1;
      this.#waiting.set(slot, { slot, kind, request, limit, id: this.#number, resolve, reject });
      if (this.#running && (this.#running.slot === slot || outdates.includes(this.#running.slot))) this.#outdate();
      this.#next();
    });
  }

  /** Forgets the requests of a slot. */
  cancel(slot) {
    this.#waiting.get(slot)?.reject(new Superseded(slot));
    this.#waiting.delete(slot);
    if (this.#running?.slot === slot) this.#outdate();
  }

  /** Whether a request of one of these slots is computed or waits. */
  isBusy(...slots) {
    return slots.some((slot) => this.#running?.slot === slot || this.#waiting.has(slot));
  }

  #outdate() {
    const job = this.#running;
    if (job.stale) return;
    job.stale = true;
    const left = Math.max(0, PATIENCE - (performance.now() - job.began));
    job.timer = setTimeout(() => this.#replace(new Superseded(job.slot)), left);
  }

  #next() {
    if (this.#running !== null || this.#waiting.size === 0) return;
    const [slot, job] = this.#waiting.entries().next().value;
    if (this.#active === null) {
      this.#waiting.delete(slot);
      job.reject(new ComputeError({ message: "The solver does not start: `worker.js` or its module of WebAssembly could not be loaded." }));
      this.#next();
      return;
    }
    this.#waiting.delete(slot);
    this.#running = job;
    job.began = performance.now();
    const seconds = Math.round(job.limit / 1000);
    const message = `Ended after ${seconds} s without a result: take fewer steps or paths, or a larger limit of time.`;
    job.alarm = setTimeout(() => this.#replace(new ComputeError({ message })), job.limit + GRACE);
    this.#active.postMessage({ id: job.id, kind: job.kind, request: job.request });
  }

  #finished() {
    const job = this.#running;
    this.#running = null;
    clearTimeout(job.timer);
    clearTimeout(job.alarm);
    return job;
  }

  #hired() {
    if (this.#failures >= MOST_FAILURES) return null;
    const worker = this.#make();
    worker.onmessage = ({ data }) => this.#answered(worker, data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#failed(worker, event.message || "The solver could not be loaded.");
    };
    return worker;
  }

  #answered(worker, { id, answer, error }) {
    if (worker !== this.#active || id !== this.#running?.id) return;
    this.#failures = 0;
    const job = this.#finished();
    if (error) job.reject(new ComputeError(error));
    else job.resolve(answer);
    this.#next();
  }

  #failed(worker, message) {
    this.#failures += 1;
    if (worker === this.#active) {
      this.#replace(new ComputeError({ message: `The solver stopped: ${message} It was started again.` }));
    } else if (worker === this.#warm) {
      worker.terminate();
      this.#warm = this.#hired();
    }
  }

  #replace(reason) {
    this.#active?.terminate();
    this.#active = this.#warm;
    this.#warm = this.#hired();
    if (this.#running !== null) this.#finished().reject(reason);
    this.#next();
  }
}
