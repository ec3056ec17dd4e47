// What leads a closed mechanism while sliders are moved: the sliders themselves, and what shall stay where it is. A guide
// is a number {value(q), row(q)}, its rates over the velocities of a cluster, in the unit of its slider.
import { sliderRates, slidersNear } from "./coordinates.js";
import { freedomCount } from "./freedoms.js";
import { turnsFreely } from "./kinematics.js";
import { dotProduct } from "./linear.js";

/** What is held beside a dependent joint must leave at least this much of a motion. */
const independentEnough = 0.05;

/** A slider as a demand: its number, and its rates over the cluster's velocities. */
function sliderGuide(data, cluster, { joint: index, slider, base }, q0) {
  const joint = data.joints[index];
  const part = (q) => q.slice(joint.q, joint.q + joint.nq);
  let near = slidersNear(joint, part(q0), [0, 0, 0], base);
  const first = cluster.column.get(index);
  const unit = cluster.scale[first + slider];
  return {
    plain: turnsFreely(joint) ? null : joint.q + slider,
    unit,
    value: (q) => slidersNear(joint, part(q), near, base)[slider],
    accept(q) {
      near = slidersNear(joint, part(q), near, base);
    },
    row(q) {
      const row = new Float64Array(cluster.count);
      const values = slidersNear(joint, part(q), near, base);
      sliderRates(joint, part(q), values, base)[slider].forEach((rate, i) => {
        row[first + i] = (rate * cluster.scale[first + i]) / unit;
      });
      return row;
    },
  };
}

/** A velocity that shall stay zero: a freedom of a joint whose sliders are not its freedoms. */
function rateGuide(cluster, joint, freedom) {
  const row = new Float64Array(cluster.count);
  row[cluster.column.get(joint) + freedom] = 1;
  return { plain: null, unit: 1, value: () => 0, accept() {}, row: () => row };
}

/** The other sliders of the joints that are moved. */
function besides(data, goals, base) {
  const joints = [...new Set(goals.map((goal) => goal.joint))];
  return joints.flatMap((joint) => Array.from({ length: freedomCount(data.joints[joint]) }, (_, slider) => ({ joint, slider, base: base(joint) })))
    .filter(({ joint, slider }) => !goals.some((goal) => goal.joint === joint && goal.slider === slider));
}

/** Of guides in the order of their importance the first ones, which must be met, and those that leave them room. */
function chooseCompatible(guides, needed, q, open) {
  const taken = [];
  return guides.filter((guide, i) => {
    const row = guide.row(q);
    let rest = open.map((direction) => dotProduct(row, direction));
    for (const other of taken) {
      const part = dotProduct(rest, other);
      rest = rest.map((value, k) => value - part * other[k]);
    }
    const size = Math.hypot(...rest);
    if (i >= needed && !(size > independentEnough * Math.hypot(...row))) return false;
    if (size > 0) taken.push(rest.map((value) => value / size));
    return true;
  });
}

/** `moved` for goals [{joint, slider, value}] and, at any closed position, all guides with what is held beside them. */
export function createGuides(data) {
  const independent = (joint, freedom) => data.independent.some((entry) => entry.joint === joint && entry.freedom === freedom);
  const isIndependent = (joint, slider) => {
    if (!turnsFreely(data.joints[joint])) return independent(joint, slider);
    return Array.from({ length: freedomCount(data.joints[joint]) }, (_, i) => i).every((i) => independent(joint, i));
  };

  /** The guides of the independents, without the joints or sliders that are moved. */
  function heldIndependents(cluster, goals, base, q) {
    const isMoved = (joint, slider) => goals.some((goal) => goal.joint === joint && (slider === null || goal.slider === slider));
    return data.independent.filter(({ joint }) => cluster.joints.includes(joint)).flatMap(({ joint, freedom }) => {
      const whole = isIndependent(joint, freedom);
      if (whole && isMoved(joint, freedom)) return [];
      if (whole) return [sliderGuide(data, cluster, { joint, slider: freedom, base: base(joint) }, q)];
      return isMoved(joint, null) ? [] : [rateGuide(cluster, joint, freedom)];
    });
  }

  return {
    isIndependent,
    moved: (cluster, goals, base, q) => goals.map((goal) => sliderGuide(data, cluster, { ...goal, base: base(goal.joint) }, q)),
    /**
     * For independent sliders all other independents are held; for a dependent one the other sliders of its joint, and as
     * many independents as still can. `open` are the motions that the closures leave.
     */
    all(cluster, goals, moved, base, q, open) {
      const held = heldIndependents(cluster, goals, base, q);
      const leads = goals.every((goal) => isIndependent(goal.joint, goal.slider)) && moved.length + held.length <= open.length;
      if (leads) return [...moved, ...held];
      const others = besides(data, goals, base).map((entry) => sliderGuide(data, cluster, entry, q));
      return chooseCompatible([...moved, ...others, ...held], moved.length, q, open);
    },
  };
}
