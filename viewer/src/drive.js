// Moves joints of a closed mechanism and takes the others along: continuation in small steps, each closed by Newton's
// method, so that the mechanism stays on its branch. Where no step leads on, however small, it stands at a dead point.
import { freedomCount } from "./freedoms.js";
import { turnsFreely } from "./kinematics.js";
import { sliderRates, slidersNear } from "./coordinates.js";
import { dotProduct, largestEntry, takeApart } from "./linear.js";

const longestStep = 0.12;  // of any joint: radians, or parts of the mechanism's size
const shortestStep = 1e-7;  // of what is moved
const closedEnough = 1e-12;
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

/** The motion that closes what is open and gives every guide what it lacks; null where there is none. */
function findStep(parts, residual, guides, q, lacks) {
  const step = parts.solve(residual.map((value) => -value));
  const open = parts.open();
  const rows = guides.map((guide) => guide.row(q));
  const right = rows.map((row, i) => lacks[i] - dotProduct(row, step));
  const across = rows.map((row) => Float64Array.from(open, (direction) => dotProduct(row, direction)));
  const amounts = takeApart(across, open.length, 1e-11).solve(right);
  open.forEach((direction, k) => direction.forEach((value, i) => (step[i] += amounts[k] * value)));
  const missed = rows.some((row, i) => Math.abs(dotProduct(row, step) - lacks[i]) > 1e-6 * Math.abs(lacks[i]) + 1e-10);
  return missed ? null : step;
}

/** Numbers that a guide sets outright carry no rounding. */
function setPlain(q, guides, targets) {
  guides.forEach((guide, i) => {
    if (guide.plain !== null) q[guide.plain] = targets[i];
  });
  return q;
}

/** q brought onto the closures and the guides' targets; null where Newton's method does not lead there. */
function correct(loops, cluster, start, guides, targets, rank) {
  let q = setPlain(start, guides, targets);
  let before = Infinity;
  for (let i = 0; i < 8; ++i) {
    const { rows, residual, gap } = loops.equations(cluster, q);
    const lacks = guides.map((guide, k) => (targets[k] - guide.value(q)) / guide.unit);
    const off = Math.max(gap, largestEntry(lacks));
    if (off <= closedEnough || (off < 1e-10 && off > 0.5 * before)) return q;
    if (off > (i < 2 ? 2 : 0.5) * before) return null;
    const step = findStep(loops.takeApart(cluster, rows, rank), residual, guides, q, lacks);
    if (!step || largestEntry(step) > 4 * longestStep) return null;
    before = off;
    q = setPlain(loops.step(cluster, q, step), guides, targets);
  }
  return null;
}

/** How far two positions of a cluster are apart: radians, or parts of the mechanism's size. */
function apart(data, cluster, a, b) {
  return cluster.joints.reduce((most, index) => {
    const joint = data.joints[index];
    for (let i = 0; i < joint.nq; ++i) {
      // Numbers of a quaternion are half an angle.
      const unit = turnsFreely(joint) ? (i < 4 ? 0.5 : data.size) : cluster.scale[cluster.column.get(index) + i];
      most = Math.max(most, Math.abs(a[joint.q + i] - b[joint.q + i]) / unit);
    }
    return most;
  }, 0);
}

const withinLimits = (data, cluster, q) => cluster.joints.every((index) => {
  const joint = data.joints[index];
  return (joint.limits ?? []).every((limits, i) => {
    const [low, high] = limits ?? [null, null];
    const value = q[joint.q + i];
    return !(low !== null && value < low - 1e-9) && !(high !== null && value > high + 1e-9);
  });
});

/**
 * Drives sliders of one cluster to their goals [{joint, slider, value}]. What else is held: for an independent slider
 * the other independents; for a dependent one the other sliders of its joint and as many independents as still
 * can. Returns {q, reached}: reached is 1, or the part of the way to where it stopped.
 */
export function createDrive(data, loops) {
  const independent = (joint, freedom) => data.independent.some((entry) => entry.joint === joint && entry.freedom === freedom);
  const isIndependent = (joint, slider) => {
    if (!turnsFreely(data.joints[joint])) return independent(joint, slider);
    return Array.from({ length: freedomCount(data.joints[joint]) }, (_, i) => i).every((i) => independent(joint, i));
  };

  /** The guides of the independents, without the joints or sliders that are moved. */
  function heldIndependents(cluster, goals, base, q) {
    const moved = (joint, slider) => goals.some((goal) => goal.joint === joint && (slider === null || goal.slider === slider));
    return data.independent.filter(({ joint }) => cluster.joints.includes(joint)).flatMap(({ joint, freedom }) => {
      const whole = isIndependent(joint, freedom);
      if (whole && moved(joint, freedom)) return [];
      if (whole) return [sliderGuide(data, cluster, { joint, slider: freedom, base: base(joint) }, q)];
      return moved(joint, null) ? [] : [rateGuide(cluster, joint, freedom)];
    });
  }

  // Where a single slider stopped, and which way: while it is pushed on, nothing has to be tried again.
  let dead = null;
  const isDead = (q, [goal, ...more], way) => dead !== null && more.length === 0 && goal.joint === dead.joint && goal.slider === dead.slider
    && Math.sign(way) === dead.sign && q.every((value, i) => value === dead.q[i]);

  function drive(cluster, q0, goals, { base, limits }) {
    let q = Float64Array.from(q0);
    const first = loops.equations(cluster, q);
    const parts = loops.takeApart(cluster, first.rows);
    cluster.rank = Math.max(cluster.rank, parts.rank);
    const moved = goals.map((goal) => sliderGuide(data, cluster, { ...goal, base: base(goal.joint) }, q));
    const held = heldIndependents(cluster, goals, base, q);
    let guides = [...moved, ...held];
    if (!goals.every((goal) => isIndependent(goal.joint, goal.slider))) {
      const others = besides(data, goals, base).map((entry) => sliderGuide(data, cluster, entry, q));
      guides = chooseCompatible([...moved, ...others, ...held], moved.length, q, parts.open());
    }
    const from = guides.map((guide) => guide.value(q));
    const way = guides.map((_, i) => (i < goals.length ? goals[i].value - from[i] : 0));
    if (isDead(q, goals, way[0])) return { q, reached: 0 };
    const length = largestEntry(way.map((value, i) => value / guides[i].unit));
    let [s, most] = [0, 1];
    while (s < 1 && length > 0) {
      const now = loops.equations(cluster, q);
      const taken = loops.takeApart(cluster, now.rows);
      cluster.rank = Math.max(cluster.rank, taken.rank);
      const tangent = findStep(taken, now.residual.map(() => 0), guides, q, way.map((value, i) => value / guides[i].unit));
      if (!tangent) break;
      const ds = Math.min(1 - s, most, longestStep / Math.max(largestEntry(tangent), 1e-12));
      const end = s + ds > 1 - 1e-12 ? 1 : s + ds;
      // From a singular start the rows of the way on are not known yet.
      const ranks = s === 0 ? [cluster.rank, undefined] : [cluster.rank];
      const next = advance(cluster, q, tangent.map((value) => value * ds), guides, from.map((value, i) => value + end * way[i]), ranks);
      if (next && !(limits && !withinLimits(data, cluster, next))) {
        [q, s, most] = [next, end, 2 * ds];
        guides.forEach((guide) => guide.accept(q));
      } else {
        most = ds / 4;
        if (most * length < shortestStep) break;
      }
    }
    if (length === 0) s = 1;
    dead = s < 1 && goals.length === 1 && !limits ? { joint: goals[0].joint, slider: goals[0].slider, sign: Math.sign(way[0]), q } : null;
    return { q, reached: s };
  }

  /** A step along the tangent and back onto the closures, if it ends near where the tangent pointed. */
  function advance(cluster, q, step, guides, targets, ranks) {
    const predicted = loops.step(cluster, q, step);
    for (const rank of ranks) {
      const next = correct(loops, cluster, Float64Array.from(predicted), guides, targets, rank);
      if (next && apart(data, cluster, predicted, next) <= 0.5 * largestEntry(step) + 1e-9) return next;
    }
    return null;
  }

  return { drive, isIndependent };
}
