// Switches for what the 3D view shows.
import { h } from "./dom.js";
import { formatValue } from "./format.js";

const estimated = "Shapes are drawn from joint to joint, since the model has none of its own.";

function layerSwitch(layer, layers) {
  const box = h("input", { type: "checkbox", id: `layer-${layer.id}` });
  box.checked = layer.shown;
  box.addEventListener("change", () => layers.show(layer.id, box.checked));
  const note = layer.largest !== undefined ? `longest arrow ${formatValue(layer.largest, "N", 3)}` : "";
  return { box, layer, element: h("label", { class: "switch row" }, box, h("span", {}, layer.name), h("span", { class: "unit" }, note)) };
}

/** A choice of frame or link whose path is drawn; at first one that was recorded. */
function trailChoice(data, layers) {
  const places = [
    ...data.frames.map((frame) => ({ name: frame.name, body: frame.body, p: frame.pose.p })),
    ...data.bodies.slice(1).map((body, i) => ({ name: body.name, body: i + 1, p: [0, 0, 0] })),
  ];
  const select = h("select", { id: "trail" }, h("option", { value: "" }, "none"),
    ...places.map((place, i) => h("option", { value: i }, place.name)));
  const follow = () => layers.trail.follow(select.value === "" ? null : places[Number(select.value)]);
  select.addEventListener("change", follow);
  const recorded = places.findIndex(({ name }) => data.run.channels.some((channel) => channel.name === `frame:${name}:x`));
  if (recorded >= 0) select.value = String(recorded);
  follow();
  return h("label", { class: "field" }, h("span", {}, "Path of"), select);
}

export function createLayerPanel(container, data, view) {
  const switches = view.layers.all.map((layer) => layerSwitch(layer, view.layers));
  const follow = h("input", { type: "checkbox", id: "follow" });
  follow.checked = view.follow;
  follow.addEventListener("change", () => view.setFollow(follow.checked));
  container.append(
    h("div", { class: "group" }, ...switches.map((entry) => entry.element)),
    h("div", { class: "group" },
      h("label", { class: "switch row" }, follow, h("span", {}, "Follow the centre of mass")),
      view.layers.trail ? trailChoice(data, view.layers) : null));
  const shapes = data.bodies.flatMap((body) => body.shapes).filter((shape) => shape.source !== "inertia");
  if (shapes.length > 0 && shapes.every((shape) => shape.source === "layout")) {
    container.append(h("p", { class: "note" }, estimated));
  }
  return {
    count: switches.length,
    /** The layer at this place, counted from 1, on or off. */
    toggle(place) {
      const entry = switches[place - 1];
      if (!entry) return;
      entry.box.checked = !entry.box.checked;
      view.layers.show(entry.layer.id, entry.box.checked);
    },
  };
}
