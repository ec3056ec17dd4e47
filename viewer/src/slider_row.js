// A slider with its number field and the limits of its coordinate.
import { h } from "./dom.js";
import { formatField, formatValue } from "./format.js";

const degree = Math.PI / 180;

/** What a coordinate's limits say, in words; an open end has none. */
function describeLimits({ low, high }, text) {
  if (low !== null && high !== null) return `Limits: ${text(low)} to ${text(high)}`;
  if (low !== null) return `Limit: not below ${text(low)}`;
  return high !== null ? `Limit: not above ${text(high)}` : "No limits";
}

/** One slider with its number field and its limits; `onInput(value)` hears of changes in radians and metres. */
export function createRow(joint, coordinate, alone, degrees, onInput) {
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
