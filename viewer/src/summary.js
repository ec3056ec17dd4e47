// Figures of the run, its events, and what the model is made of: closures and springs too.
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

const kindNames = {
  revolute: "hinge", continuous: "hinge", prismatic: "slide", helical: "screw", cylindrical: "turns and slides", universal: "cardan joint",
  planar: "moves in a plane", spherical: "ball", free: "free", fixed: "weld", custom: "its own modes",
};

/** "q(follower) = ratio · q(leader) + offset" */
function gearText({ leader, follower, ratio, offset }, joints) {
  const factor = ratio === 1 ? "" : ratio === -1 ? "−" : `${formatValue(ratio)} · `;
  const rest = offset === 0 ? "" : ` ${offset > 0 ? "+" : "−"} ${formatValue(Math.abs(offset))}`;
  return `${joints[follower].name} = ${factor}${joints[leader].name}${rest}`;
}

/** What a closure is, and between which links. */
function closureText(closure, data) {
  if (closure.pair === "gear") return gearText(closure, data.joints);
  const kind = {
    distance: `distance ${formatValue(closure.length, "m")}`, rolling: closure.disc ? "rolling disc" : "rolling ball",
    point: closure.rows.length === 2 ? "point on a line" : "point on a plane",
  }[closure.pair] ?? kindNames[closure.joint] ?? closure.joint;
  return `${kind}, ${data.bodies[closure.a].name} – ${data.bodies[closure.b].name}`;
}

const springText = (spring, data) => {
  if (spring.type === "line") return [spring.name || "spring", `${data.bodies[spring.a].name} – ${data.bodies[spring.b].name}, ${formatValue(spring.stiffness, "N/m")}`];
  const name = spring.joint !== undefined ? data.joints[spring.joint].name : data.closures[spring.closure].name;
  const row = spring.couplings ? ` of [${spring.couplings.map((k) => formatValue(k)).join(", ")}]` : "";
  return [name, `stiffness ${formatValue(spring.stiffness)}${row}`];
};

export function createSummary(container, data, clock) {
  if (data.run?.summary.length) container.append(section("Run", pairs(data.run.summary)));
  if (data.run?.events.length) container.append(section("Events", eventList(clock, data.run.events)));
  container.append(section("Model", pairs(modelRows(data))));
  if (data.closures.length > 0) container.append(section("Closures", pairs(data.closures.map((closure) => [closure.name, closureText(closure, data)]))));
  if (data.springs.length > 0) container.append(section("Springs", pairs(data.springs.map((spring) => springText(spring, data)))));
}
