// Small helpers to build the page. Every text goes through text nodes, never through HTML, so that a name
// such as `</script>` is shown as it is written.

/** h("button", {class: "x", onclick: f, "aria-label": "Play"}, "text", child, ...) */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

const paths = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  back: "M6 5h2v14H6zM19 5v14l-9.5-7z",
  forward: "M16 5h2v14h-2zM5 5v14l9.5-7z",
  loop: "M7 7h9.5l-2-2L16 3.6 20.4 8 16 12.4 14.5 11l2-2H8v4H6V8a1 1 0 0 1 1-1zm10 10H7.5l2 2L8 20.4 3.6 16 8 11.6 9.5 13l-2 2H16v-4h2v5a1 1 0 0 1-1 1z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2.2v13.6a6.8 6.8 0 0 1 0-13.6z",
  help: "M11 16.5h2v2h-2zM12 5a4 4 0 0 1 4 4c0 1.6-.9 2.4-1.8 3.1-.8.7-1.2 1-1.2 1.9v.5h-2V14c0-1.8 1-2.6 1.9-3.4.7-.6 1.1-.9 1.1-1.6a2 2 0 0 0-4 0H8a4 4 0 0 1 4-4z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z",
};

/** One of the icons above as an SVG element; decorative, the button around it has the label. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** A list of listeners: `add` returns a function that removes, `emit` calls all. */
export function listeners() {
  const all = new Set();
  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    emit(...values) {
      for (const listener of all) listener(...values);
    },
  };
}

/** localStorage may be forbidden (private windows, local files): a choice is then simply not remembered. */
export const memory = {
  get(key) {
    try {
      return localStorage.getItem(`linkwright.${key}`);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`linkwright.${key}`, value);
    } catch {
      // Nothing to do: the page works without.
    }
  },
};
