// In a view: a slider and a number field for every freedom of every joint.
import { coordinatesOf, fromSliders, randomSliders, toSliders } from "./coordinates.js";
import { h, memory } from "./dom.js";
import { formatField, formatValue } from "./format.js";

const degree = Math.PI / 180;
const searchFrom = 13;
const typeNames = {
  revolute: "turns", continuous: "turns without end", prismatic: "slides", helical: "screws", cylindrical: "turns and slides",
  universal: "turns about two axes", planar: "moves in a plane", spherical: "turns every way", free: "moves freely",
  custom: "moves its own way",
};

/** What a coordinate's limits say, in words; an open end has none. */
function describeLimits({ low, high }, text) {
  if (low !== null && high !== null) return `Limits: ${text(low)} to ${text(high)}`;
  if (low !== null) return `Limit: not below ${text(low)}`;
  return high !== null ? `Limit: not above ${text(high)}` : "No limits";
}

/** One slider with its number field and its limits; `onInput(value)` hears of changes in radians and metres. */
function createRow(joint, coordinate, alone, degrees, onInput) {
  const { low, high } = coordinate;
  const label = `${joint.name}, ${coordinate.label.toLowerCase()}`;
  const slider = h("input", { type: "range", step: "any", "aria-label": label });
  const field = h("input", { type: "number", step: "any", "aria-label": `${label}, number` });
  const unit = h("span", { class: "unit" });
  const ends = [low, high].map((end) => h("span", { class: end === null ? "open" : "" }));
  const limits = h("div", { class: "limits", hidden: low === null && high === null }, ...ends);
  const factor = () => (coordinate.unit === "rad" && degrees() ? degree : 1);
  // A start or a typed number outside the limits widens the slider, which otherwise ends at them.
  let [lower, upper, value] = [coordinate.lower, coordinate.upper, 0];
  const slack = 1e-9 * (coordinate.upper - coordinate.lower);
  const isOutside = () => (low !== null && value < low - slack) || (high !== null && value > high + slack);

  function show() {
    slider.min = lower;
    slider.max = upper;
    slider.value = value;
    const at = (v) => `${(100 * Math.min(1, Math.max(0, (v - lower) / (upper - lower || 1)))).toFixed(2)}%`;
    const zero = Math.min(upper, Math.max(lower, 0));
    const marks = { from: Math.min(zero, value), done: Math.max(zero, value), low: low ?? lower, high: high ?? upper };
    for (const [name, mark] of Object.entries(marks)) element.style.setProperty(`--${name}`, at(mark));
    if (document.activeElement !== field) field.value = formatField(value / factor());
    unit.textContent = factor() === 1 ? coordinate.unit : "°";
    const text = (v) => formatValue(v / factor(), unit.textContent, 4);
    [low, high].forEach((end, i) => (ends[i].textContent = end === null ? "" : formatValue(end / factor(), "", 4)));
    slider.title = describeLimits(coordinate, text);
    element.classList.toggle("outside", isOutside());
    field.setAttribute("aria-invalid", isOutside());
    field.title = isOutside() ? `Outside its limits. ${slider.title}` : "";
  }
  const set = (next) => {
    value = next;
    [lower, upper] = [Math.min(coordinate.lower, value), Math.max(coordinate.upper, value)];
    show();
  };
  slider.addEventListener("input", () => {
    value = Number(slider.value);
    show();
    onInput(value);
  });
  field.addEventListener("input", () => {
    const typed = field.valueAsNumber * factor();
    if (!Number.isFinite(typed)) return;
    set(typed);
    onInput(value);
  });
  field.addEventListener("blur", show);
  const element = h("div", { class: low === null && high === null ? "slider-row" : "slider-row limited" },
    alone ? null : h("span", { class: "coordinate" }, coordinate.label), slider, h("span", { class: "number" }, field, unit), limits);
  return { element, set, show, isOutside, get value() { return value; } };
}

/** The card of one joint. */
function createJoint(joint, data, mechanism, degrees) {
  const coordinates = coordinatesOf(joint, data.size);
  const part = (q) => q.slice(joint.q, joint.q + joint.nq);
  let base = part(mechanism.q);
  const rows = coordinates.map((coordinate) => createRow(joint, coordinate, coordinates.length === 1, degrees, apply));
  const kind = h("span", { class: "kind" });
  function tell() {
    const outside = rows.some((row) => row.isOutside());
    kind.textContent = outside ? "outside its limits" : (typeNames[joint.type] ?? joint.type);
    kind.classList.toggle("outside", outside);
  }
  function apply() {
    mechanism.setJoint(joint, fromSliders(joint, rows.map((row) => row.value), base));
    tell();
  }
  function show(values) {
    rows.forEach((row, i) => row.set(values[i]));
    tell();
  }
  show(toSliders(joint, base));
  const element = h("section", { class: "joint", "aria-label": `Joint ${joint.name}` },
    h("header", {}, h("h3", {}, joint.name), kind),
    ...rows.map((row) => row.element));
  return {
    joint,
    element,
    rows,
    /** Puts the sliders where these numbers of q are, and the joint with them. */
    setPosition(values) {
      base = Float64Array.from(values);
      show(toSliders(joint, base));
      mechanism.setJoint(joint, base);
    },
    randomize() {
      base = part(data.q0);
      show(randomSliders(joint, coordinates));
      apply();
    },
  };
}

function searchField(cards) {
  const search = h("input", { type: "search", placeholder: "Search joints", "aria-label": "Search joints" });
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase();
    for (const card of cards) card.element.hidden = !card.joint.name.toLowerCase().includes(wanted);
  });
  return search;
}

export function createSliders(container, data, mechanism) {
  let inDegrees = memory.get("degrees") === "yes";
  const moving = data.joints.filter((joint) => joint.nq > 0);
  const cards = moving.map((joint) => createJoint(joint, data, mechanism, () => inDegrees));
  const box = h("input", { type: "checkbox" });
  box.checked = inDegrees;
  box.addEventListener("change", () => {
    inDegrees = box.checked;
    memory.set("degrees", inDegrees ? "yes" : "no");
    cards.forEach((card) => card.rows.forEach((row) => row.show()));
  });
  const sliders = {
    reset: () => cards.forEach((card) => card.setPosition(data.q0.slice(card.joint.q, card.joint.q + card.joint.nq))),
    randomize: () => cards.forEach((card) => card.randomize()),
    setJoint(name, values) {
      const card = cards.find((candidate) => candidate.joint.name === name);
      if (!card) throw new Error(`No moving joint is named "${name}".`);
      card.setPosition(values);
    },
    /** Brings the joint that carries a body into sight. */
    reveal(jointIndex) {
      const card = cards.find((candidate) => candidate.joint === data.joints[jointIndex]);
      cards.forEach((other) => other.element.classList.toggle("picked", other === card));
      card?.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
    },
  };
  container.append(h("div", { class: "toolbar" },
    h("button", { type: "button", id: "reset", onclick: sliders.reset }, "Reset"),
    h("button", { type: "button", id: "random", onclick: sliders.randomize }, "Random"),
    h("label", { class: "switch" }, box, "Degrees")));
  if (cards.length >= searchFrom) container.append(searchField(cards));
  if (cards.length === 0) container.append(h("p", { class: "note" }, "Nothing in this model moves."));
  container.append(...cards.map((card) => card.element));
  return sliders;
}
