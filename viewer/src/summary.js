// Figures of the run, its events, and what the model is made of.
import { h } from "./dom.js";
import { formatTime, formatValue, timeDecimals } from "./format.js";

const pairs = (rows) => h("table", { class: "pairs" }, h("tbody", {},
  ...rows.map(([label, value]) => h("tr", {}, h("th", { scope: "row" }, String(label)), h("td", {}, String(value))))));

const section = (title, ...content) => h("section", { class: "group" }, h("h2", {}, title), ...content);

function eventList(clock, events) {
  const decimals = timeDecimals(clock.times);
  return h("ul", { class: "events" }, ...events.map((event) =>
    h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => clock.seek(event.time) },
      h("span", { class: "value" }, `${formatTime(event.time, decimals)} s`), h("span", {}, event.name)))));
}

function modelRows(data) {
  const moving = data.joints.filter((joint) => joint.nq > 0).length;
  const mass = data.bodies.slice(1).reduce((sum, body) => sum + body.mass, 0);
  return [
    ["Links", data.bodies.length - 1],
    ["Moving joints", moving],
    ["Mass", formatValue(mass, "kg")],
    ["Gravity", `${data.gravity.map((value) => formatValue(value)).join(", ")} m/s²`],
  ];
}

export function createSummary(container, data, clock) {
  if (data.run?.summary.length) container.append(section("Run", pairs(data.run.summary)));
  if (data.run?.events.length) container.append(section("Events", eventList(clock, data.run.events)));
  container.append(section("Model", pairs(modelRows(data))));
}
