// Tabs, with the keys that screen readers announce: arrows move, Home and End go to the ends.

/** Connects the tabs in `list`; `chosen` is called with the `data-name` of the tab that was clicked. */
export class Tabs {
  #list;
  #chosen;

  constructor(list, chosen) {
    [this.#list, this.#chosen] = [list, chosen];
    list.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (tab) this.#take(tab);
    });
    list.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Marks a tab as the one that is shown. */
  select(name) {
    for (const tab of this.#tabs()) {
      const own = tab.dataset.name === name;
      tab.setAttribute("aria-selected", String(own));
      tab.tabIndex = own ? 0 : -1;
    }
  }

  /** Shows only the tabs of these names. */
  offer(names) {
    for (const tab of this.#tabs()) tab.hidden = !names.includes(tab.dataset.name);
  }

  #tabs() {
    return [...this.#list.querySelectorAll("[role=tab]")];
  }

  #take(tab) {
    this.select(tab.dataset.name);
    this.#chosen(tab.dataset.name);
  }

  #key(event) {
    const tabs = this.#tabs().filter((tab) => !tab.hidden);
    const at = tabs.indexOf(document.activeElement);
    const next = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    tabs[next].focus();
    this.#take(tabs[next]);
  }
}
