// Messages at the top of the page.

import { rich } from "../text/rich.js";
import { byId, h } from "./dom.js";

/** Shows a message until it is closed. `bad` ones are about failures. The same text is shown once. */
export function notice(text, bad = false) {
  const host = byId("notices");
  if ([...host.children].some((own) => own.dataset.text === text)) return;
  const entry = h("div", { class: bad ? "notice bad" : "notice", "data-text": text }, h("span", {}, ...rich(text)),
    h("button", { type: "button", "aria-label": "Close this message", onclick: () => entry.remove() }, "Close"));
  host.append(entry);
}
