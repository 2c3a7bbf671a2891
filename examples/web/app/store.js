// The state of the page, in one place.

export class Store {
  #state;
  #listeners = [];

  constructor(state) {
    this.#state = state;
  }

  /** The present state, not to be changed. */
  get state() {
    return this.#state;
  }

  /** Changes some fields and tells all listeners which. */
  update(fields) {
    const changed = Object.keys(fields).filter((key) => fields[key] !== this.#state[key]);
    if (changed.length === 0) return;
    this.#state = { ...this.#state, ...fields };
    for (const listener of this.#listeners) listener(this.#state, changed);
  }

  /** Calls `listener(state, changed)` after each change. */
  subscribe(listener) {
    this.#listeners.push(listener);
  }
}
