// Elements of the page.

/** Element `tag` with attributes (`onclick` and so on are listeners, `false` and null leave one out) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/** Element of the page with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Function that runs `task` once, `milliseconds` after its last call. */
export function settled(task, milliseconds) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => task(...values), milliseconds);
  };
}

/** Function that runs `task` before the next frame, once for all calls until then, with the values of the last one. */
export function perFrame(task) {
  let last = null;
  return (...values) => {
    if (last === null) {
      requestAnimationFrame(() => {
        const now = last;
        last = null;
        task(...now);
      });
    }
    last = values;
  };
}
