// The sliders of one joint. One that is in a loop takes the other joints of the loop along, or moves along with them.
import { coordinatesOf, fromSliders, randomSliders, slidersNear, toSliders } from "./coordinates.js";
import { h } from "./dom.js";
import { createRow } from "./slider_row.js";

const typeNames = {
  revolute: "turns", continuous: "turns without end", prismatic: "slides", helical: "screws", cylindrical: "turns and slides",
  universal: "turns about two axes", planar: "moves in a plane", spherical: "turns every way", free: "moves freely",
  custom: "moves its own way",
};

/** `onStop(card, goals)` hears of every move: of what stopped at a dead point, or null. */
export function createJointCard(index, data, mechanism, degrees, onStop) {
  const joint = data.joints[index];
  const inLoop = mechanism.inLoop(index);
  const coordinates = coordinatesOf(joint, data.size);
  const part = (q) => q.slice(joint.q, joint.q + joint.nq);
  let base = part(mechanism.q);
  const rows = coordinates.map((coordinate, i) =>
    createRow(joint, coordinate, coordinates.length === 1, degrees, (value) => (inLoop ? drive([{ slider: i, value }]) : apply())));
  const isIndependent = rows.map((_, i) => mechanism.isIndependent(index, i));
  rows.forEach((row, i) => row.element.classList.toggle("dependent", !isIndependent[i]));
  const follows = !isIndependent.includes(true);
  const kind = h("span", { class: "kind" });
  let isStopped = false;

  function tell() {
    const outside = rows.some((row) => row.isOutside());
    const name = typeNames[joint.type] ?? joint.type;
    kind.textContent = isStopped ? (mechanism.isRigid(index) ? "held by loops" : "dead point") : outside ? "outside its limits" : follows ? `${name}, follows` : name;
    kind.classList.toggle("outside", outside || isStopped);
  }
  function apply() {
    mechanism.setJoint(joint, fromSliders(joint, rows.map((row) => row.value), base));
    tell();
  }
  function show(values) {
    rows.forEach((row, i) => row.set(values[i]));
    tell();
  }
  /** Moves sliders of a joint in a loop, and the loop with them. */
  function drive(goals) {
    const near = rows.map((row) => row.value);
    const stopped = mechanism.move(goals.map((goal) => ({ ...goal, joint: index, base })));
    show(slidersNear(joint, part(mechanism.q), near, base));
    onStop(card, stopped);
  }

  const element = h("section", { class: follows ? "joint follows" : "joint", "aria-label": `Joint ${joint.name}` },
    h("header", {}, h("h3", {}, joint.name), kind), ...rows.map((row) => row.element));
  const card = {
    index,
    joint,
    element,
    rows,
    follows,
    inLoop,
    /** As if slider `i` were dragged there. */
    setSlider(i, value) {
      if (inLoop) return drive([{ slider: i, value }]);
      rows[i].set(value);
      return apply();
    },
    /** Puts the sliders where the mechanism is. */
    follow() {
      base = part(mechanism.q);
      show(toSliders(joint, base));
    },
    markStopped(stopped) {
      isStopped = stopped;
      tell();
    },
    /** Puts the sliders where these numbers of q are, and the joint with them. */
    setPosition(values) {
      if (inLoop) return drive(slidersNear(joint, Float64Array.from(values), rows.map((row) => row.value), base).map((value, slider) => ({ slider, value })));
      base = Float64Array.from(values);
      show(toSliders(joint, base));
      return mechanism.setJoint(joint, base);
    },
    /** Outside all loops: anywhere within its ranges. */
    randomize() {
      base = part(data.q0);
      show(randomSliders(joint, coordinates));
      apply();
    },
    /** In a loop: goals for the sliders that are independent. */
    randomGoals: () => randomSliders(joint, coordinates).flatMap((value, slider) => (isIndependent[slider] ? [{ joint: index, slider, value }] : [])),
  };
  card.follow();
  return card;
}
