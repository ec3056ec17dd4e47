// Light and dark: what the system prefers, until the button says otherwise.
import { listeners, memory } from "./dom.js";

export function createTheme() {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const changed = listeners();
  const chosen = () => memory.get("theme");
  let now = chosen() ?? (system.matches ? "dark" : "light");

  function apply(name) {
    now = name;
    root.dataset.theme = name;
    changed.emit();
  }
  system.addEventListener("change", () => {
    if (!chosen()) apply(system.matches ? "dark" : "light");
  });
  const variable = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  apply(now);
  return {
    get name() {
      return now;
    },
    onChange: changed.add,
    toggle() {
      memory.set("theme", now === "dark" ? "light" : "dark");
      apply(now === "dark" ? "light" : "dark");
    },
    /** The colours of the style sheet, for what is drawn on a canvas. */
    colours: () => ({
      text: variable("--text-soft"),
      line: variable("--line"),
      grid: variable("--grid"),
      shadow: Number(variable("--shadow")),
      font: `11px ${getComputedStyle(document.body).fontFamily}`,
      series: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => variable(`--series-${i}`)),
    }),
  };
}
