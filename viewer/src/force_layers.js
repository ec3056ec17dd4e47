// Forces of a run as arrows: those that the data gives, and those that the closures carry.
import { createArrow } from "./markers.js";
import { closureFrames } from "./closures.js";
import { rotate } from "./group.js";
import { toWorld, vectorAt } from "./kinematics.js";

const forceColour = 0xd1495b;
const closureForceColour = 0x2a9d6f;

/** Arrows of forces {values (K×3), at(poses), turn(poses, vector)}; the largest is a third of the mechanism long. */
function arrowLayer(data, root, forces, { id, name, colour }) {
  const largest = forces.reduce((most, { values }) => {
    for (let i = 0; i < values.length; i += 3) most = Math.max(most, Math.hypot(values[i], values[i + 1], values[i + 2]));
    return most;
  }, 0);
  const perNewton = largest > 0 ? (data.size * 0.35) / largest : 0;
  const arrows = forces.map(() => createArrow(colour, data.size * 0.0045));
  root.add(...arrows.map((arrow) => arrow.group));
  const holder = { visible: true };
  return {
    id,
    name,
    largest,
    objects: [holder],
    update({ poses, time }) {
      forces.forEach((force, i) => {
        const vector = vectorAt(data.run.time, force.values, time).map((value) => value * perNewton);
        arrows[i].set(force.at(poses), holder.visible ? force.turn(poses, vector) : [0, 0, 0]);
      });
    },
  };
}

export function forcesLayer(data, root) {
  const forces = data.run.forces.map((force) => ({
    values: force.values, at: (poses) => toWorld(poses[force.body], force.at), turn: (_, vector) => vector,
  }));
  return arrowLayer(data, root, forces, { id: "forces", name: "Forces", colour: forceColour });
}

/** The recorded forces of a closure as K×3 numbers in b's closure frame; null where they were not recorded. */
function recordedForce(data, closure) {
  const parts = ["fx", "fy", "fz"].map((part) => data.run.channels.find((channel) => channel.name === `closure:${closure.name}:${part}`));
  if (!parts.every(Boolean)) return null;
  const values = new Float64Array(3 * data.run.time.length);
  parts.forEach((part, i) => part.values.forEach((value, k) => (values[3 * k + i] = value)));
  return values;
}

/** What a applies to b through each closure, at b's closure frame; null when none was recorded. */
export function closureForcesLayer(data, root) {
  const forces = data.closures.filter((closure) => closure.pair !== "gear").flatMap((closure) => {
    const values = recordedForce(data, closure);
    if (!values) return [];
    return [{
      values,
      at: (poses) => closureFrames(closure, poses).b.p,
      turn: (poses, vector) => rotate(closureFrames(closure, poses).b.q, vector),
    }];
  });
  if (forces.length === 0) return null;
  return arrowLayer(data, root, forces, { id: "closure-forces", name: "Closure forces", colour: closureForceColour });
}
