// Names in the 3D view, as text over the canvas. A label that would cover another one is left out.
import { Vector3 } from "three";
import { h } from "./dom.js";

export function createLabels(container, stage) {
  const labels = [];
  const point = new Vector3();

  function overlaps(box, taken) {
    return taken.some((other) =>
      box.x < other.x + other.w && other.x < box.x + box.w && box.y < other.y + other.h && other.y < box.y + box.h);
  }

  function update() {
    const { clientWidth: width, clientHeight: height } = container;
    const taken = [];
    for (const label of labels) {
      label.object.getWorldPosition(point).project(stage.camera);
      const x = Math.round((point.x * 0.5 + 0.5) * width) + 8;
      const y = Math.round((0.5 - point.y * 0.5) * height) - 20;
      label.width ||= label.element.offsetWidth;
      const box = { x, y, w: label.width + 4, h: 18 };
      const inside = point.z < 1 && x > 0 && y > 0 && x + box.w < width && y + box.h < height;
      const shown = inside && !overlaps(box, taken);
      label.element.style.visibility = shown ? "visible" : "hidden";
      if (!shown) continue;
      taken.push(box);
      label.element.style.transform = `translate(${x}px, ${y}px)`;
    }
  }

  return {
    /** A name that stays at the origin of `object`. */
    add(object, text, kind) {
      const element = h("span", { class: `label ${kind}` }, text);
      container.append(element);
      labels.push({ object, element, width: 0 });
    },
    show(shown) {
      container.hidden = !shown;
      if (shown) update();
    },
    update() {
      if (!container.hidden) update();
    },
  };
}
