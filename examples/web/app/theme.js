// Light or dark: as the system has it, or as the switch says.

import { DARK, LIGHT } from "../plot/palette.js";
import { byId } from "./dom.js";

const KEY = "hpfracc theme";
const CHOICES = ["system", "light", "dark"];
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = [];
let choice = "system";

function isDark() {
  return choice === "dark" || (choice === "system" && dark.matches);
}

/** Colours of figures in the present theme. */
export function palette() {
  return isDark() ? DARK : LIGHT;
}

/** Calls `listener` after each change of the theme. */
export function whenThemeChanges(listener) {
  listeners.push(listener);
}

/** Reads the stored choice and connects the switch. */
export function startTheme() {
  const button = byId("theme");
  // Private windows may refuse storage; the switch works all the same.
  const stored = attempt(() => localStorage.getItem(KEY));
  if (CHOICES.includes(stored)) choice = stored;
  apply(button);
  button.addEventListener("click", () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    attempt(() => localStorage.setItem(KEY, choice));
    apply(button);
  });
  dark.addEventListener("change", () => apply(button));
}

function attempt(task) {
  try {
    return task();
  } catch {
    return null;
  }
}

function apply(button) {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  button.textContent = `Theme: ${choice === "system" ? "auto" : choice}`;
  button.setAttribute("aria-label", `Colours: ${choice}. Change.`);
  for (const listener of listeners) listener();
}
