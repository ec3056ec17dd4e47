// Keys, and the help that lists them. A key that a field or button needs itself is left to it.
import { byId, h } from "./dom.js";

/** [keys for people, what it does, matcher, action] for this page. */
function bindings({ clock, view, theme, plots, sliders, layerPanel, help }) {
  const key = (...names) => (event) => names.includes(event.key);
  const running = clock
    ? [
        ["Space", "Play or pause", key(" "), () => clock.toggle()],
        ["← →", "One sample back or forward", key("ArrowLeft", "ArrowRight"), (event) => {
          const direction = event.key === "ArrowLeft" ? -1 : 1;
          if (event.shiftKey) clock.seek(clock.time + (direction * (clock.end - clock.start)) / 20);
          else clock.step(direction);
        }],
        ["Shift ← →", "A twentieth of the run", () => false, null],
        ["Home End", "Start or end", key("Home", "End"), (event) => clock.seek(event.key === "Home" ? clock.start : clock.end)],
        ["+ −", "Faster or slower", key("+", "=", "-"), (event) => clock.changeSpeed(event.key === "-" ? -1 : 1)],
        ["L", "Repeat on or off", key("l", "L"), () => clock.setLoop(!clock.loop)],
        ["E", "Energy drift", key("e", "E"), () => plots.openEnergyDrift()],
        ...(plots.hasClosureDrift ? [["C", "Closure drift", key("c", "C"), () => plots.openClosureDrift()]] : []),
      ]
    : [
        ["R", "Reset the joints", key("r", "R"), () => sliders.reset()],
        ["N", "A random position", key("n", "N"), () => sliders.randomize()],
      ];
  return [
    ...running,
    ["F", "Fit the mechanism into the view", key("f", "F"), () => view.fit()],
    [layerPanel.count > 9 ? "1 … 9, 0" : `1 … ${layerPanel.count}`, "Layers on and off", (event) => /^[0-9]$/.test(event.key),
      (event) => layerPanel.toggle(Number(event.key) || 10)],
    ["T", "Light or dark", key("t", "T"), () => theme.toggle()],
    ["?", "This help", key("?"), () => help()],
  ];
}

const pointerHelp = [
  ["Drag", "Turn the view"],
  ["Right drag, two fingers", "Move the view"],
  ["Wheel, pinch", "Nearer or farther"],
  ["Click a link", "Its name"],
];

const plotHelp = [
  ["Drag on a plot", "Move the time"],
  ["Shift drag, double click", "Zoom into a plot, show all"],
];

/** Fields need their keys; a focused slider needs arrows, Home and End; a focused button needs Space. */
function neededBy(target, event) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches("select, textarea, input[type=search], input[type=number]")) return event.key !== "Escape";
  if (target.matches("input[type=range]")) {
    return target.id !== "scrub" && /^(Arrow|Home$|End$|Page)/.test(event.key);
  }
  return event.key === " " && target.matches("button, summary, input[type=checkbox]");
}

function helpTable(rows) {
  return h("table", { class: "pairs" }, h("tbody", {}, ...rows.map(([keys, what]) =>
    h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, keys)), h("td", {}, what)))));
}

export function createKeyboard(parts) {
  const dialog = byId("help");
  const help = () => (dialog.open ? dialog.close() : dialog.showModal());
  const all = bindings({ ...parts, help });
  byId("help-keys").append(helpTable(all));
  byId("help-pointer").append(helpTable([...pointerHelp, ...(parts.clock ? plotHelp : [])]));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || neededBy(event.target, event)) return;
    if (dialog.open && event.key !== "?") return;
    const found = all.find(([, , matches]) => matches(event));
    if (!found) return;
    event.preventDefault();
    found[3](event);
  });
  return { help };
}
