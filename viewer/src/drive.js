// Moves joints of a closed mechanism and takes the others along: continuation in small steps, each closed by Newton's
// method, so that the mechanism stays on its branch. Where no step leads on, however small, it stands at a dead point.
import { createGuides } from "./guides.js";
import { turnsFreely } from "./kinematics.js";
import { dotProduct, largestEntry, takeApart } from "./linear.js";

const longestStep = 0.12;  // of any joint: radians, or parts of the mechanism's size
const shortestStep = 1e-7;  // of what is moved
const closedEnough = 1e-12;

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

/** The coordinates of a cluster that keep their limits at q: [{at, low, high}]. */
function keptLimits(data, cluster, q) {
  return cluster.joints.flatMap((index) => {
    const joint = data.joints[index];
    return (joint.limits ?? []).flatMap((limits, i) => {
      const [low, high] = [limits?.[0] ?? -Infinity, limits?.[1] ?? Infinity];
      return keeps(q, { at: joint.q + i, low, high }) ? [{ at: joint.q + i, low, high }] : [];
    });
  });
}
const keeps = (q, { at, low, high }) => q[at] >= low - 1e-9 && q[at] <= high + 1e-9;

/**
 * `drive` moves sliders of one cluster to their goals [{joint, slider, value}]. Returns {q, reached}: reached is 1, or the
 * part of the way to where it stopped.
 */
export function createDrive(data, loops) {
  const choose = createGuides(data);

  /**
   * A step along the tangent and back onto the closures, if it ends near where the tangent pointed. From a singular
   * position several branches lead away, and the tangent lies between them.
   */
  function advance(cluster, q, step, { guides, isSingular }, targets) {
    const predicted = loops.step(cluster, q, step);
    const next = correct(loops, cluster, Float64Array.from(predicted), guides, targets, cluster.rank);
    return next && apart(data, cluster, predicted, next) <= (isSingular ? 4 : 0.5) * largestEntry(step) + 1e-9 ? next : null;
  }

  /**
   * The guides at a closed position, and the motion that they ask for per unit of the way of those that are moved; null
   * where there is none. Where it is singular and rows are missing, what is held could not stay: only what is moved leads.
   */
  function lead(cluster, q, goals, moved, base, way, before) {
    const { rows, residual } = loops.equations(cluster, q);
    const parts = loops.takeApart(cluster, rows);
    const isSingular = parts.rank < cluster.rank;
    const guides = isSingular ? moved : before && !before.isSingular ? before.guides : choose.all(cluster, goals, moved, base, q, parts.open());
    if (guides !== before?.guides) for (const guide of guides) guide.kept = guide.value(q);
    const lacks = guides.map((guide, i) => (i < moved.length ? way[i] / guide.unit : 0));
    const tangent = findStep(parts, residual.map(() => 0), guides, q, lacks);
    return tangent && { guides, tangent, isSingular };
  }

  // Where a single slider stopped, and which way: while it is pushed on, nothing has to be tried again.
  let dead = null;
  const isDead = (q, [goal, ...more], way) => dead !== null && more.length === 0 && goal.joint === dead.joint && goal.slider === dead.slider
    && Math.sign(way) === dead.sign && q.every((value, i) => value === dead.q[i]);

  function drive(cluster, q0, goals, { base, limits }) {
    let q = Float64Array.from(q0);
    const moved = choose.moved(cluster, goals, base, q);
    const from = moved.map((guide) => guide.value(q));
    const way = goals.map((goal, i) => goal.value - from[i]);
    const length = largestEntry(way.map((value, i) => value / moved[i].unit));
    if (length === 0) return { q, reached: 1 };
    if (isDead(q, goals, way[0])) return { q, reached: 0 };
    const watched = limits ? keptLimits(data, cluster, q) : [];
    let [s, most, now] = [0, 1, null];
    while (s < 1) {
      now = lead(cluster, q, goals, moved, base, way, now);
      if (!now) break;
      const { guides, tangent } = now;
      const ds = Math.min(1 - s, most, longestStep / Math.max(largestEntry(tangent), 1e-12));
      const end = s + ds > 1 - 1e-12 ? 1 : s + ds;
      const targets = guides.map((guide, i) => (i < moved.length ? from[i] + end * way[i] : guide.kept));
      const next = advance(cluster, q, tangent.map((value) => value * ds), now, targets);
      if (next && watched.every((limit) => keeps(next, limit))) {
        [q, s, most] = [next, end, 2 * ds];
        guides.forEach((guide) => guide.accept(q));
      } else {
        most = ds / 4;
        if (most * length < shortestStep) break;
      }
    }
    dead = s < 1 && goals.length === 1 && !limits ? { joint: goals[0].joint, slider: goals[0].slider, sign: Math.sign(way[0]), q } : null;
    return { q, reached: s };
  }

  return { drive, isIndependent: choose.isIndependent };
}
