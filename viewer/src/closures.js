// How far a closure is open, and the rows that hold it together: the same rules as the library's. All of it speaks of
// b's closure frame seen from a's, at X; rows and motions stand at b's frame, in its axes, [angular; linear].
import { add, compose, conjugate, cross, dot, expPose, identityPose, logRotation, norm, relative, rotate, scale, unit } from "./group.js";

const dot6 = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const seenFromB = (X, vector) => rotate(conjugate(X.q), vector);

/** A displacement as rotation vector and translation of its end, in the end's axes. */
const toTwist = (E) => [...logRotation(E.q), ...seenFromB(E, E.p)];

const sizeOf = (amounts) => Math.max(0, ...amounts.map(Math.abs));

/**
 * What the pair's own freedoms do (pose), and what they leave (rest): Newton's method on the pair's group, by whole steps or,
 * where these lead farther away, by parts of them.
 */
function removeShare(closure, X, start, wholeSteps) {
  const shareOf = (rest) => closure.duals.map((dual) => dot6(dual, rest));
  let pose = start;
  let rest = toTwist(relative(pose, X));
  let share = shareOf(rest);
  const result = () => ({ pose, rest, ended: sizeOf(share) < 1e-12 });
  for (let step = 0; step < 50 && sizeOf(share) > 1e-15; ++step) {
    for (let part = 1; ; part *= 0.5) {
      const move = [0, 1, 2, 3, 4, 5].map((i) => closure.modes.reduce((sum, mode, k) => sum + mode[i] * part * share[k], 0));
      const nextPose = compose(pose, expPose(move));
      const nextRest = toTwist(relative(nextPose, X));
      const nextShare = shareOf(nextRest);
      const nearer = sizeOf(nextShare) < sizeOf(share);
      if (!nearer && (sizeOf(share) < 1e-12 || part < 1e-3)) return result();
      if (!nearer && !wholeSteps) continue;
      [pose, rest, share] = [nextPose, nextRest, nextShare];
      break;
    }
  }
  return result();
}

/** Whole steps find the nearest turn; far from where a pair is closed they may lead away without end. */
function settle(closure, X, start) {
  const whole = removeShare(closure, X, start, true);
  return whole.ended ? whole : removeShare(closure, X, start, false);
}

/** A screw stands elsewhere after a whole turn, in the same attitude: the way tells how many it made. */
function countTurns(closure, settled) {
  const mode = closure.modes[0];
  const u = mode.slice(0, 3);
  const lead = 2 * Math.PI * dot(u, mode.slice(3, 6));
  if (lead === 0) return settled.pose;
  const turns = Math.round(dot(u, settled.rest.slice(3, 6)) / lead);
  return { q: settled.pose.q, p: add(settled.pose.p, scale(turns * lead, u)) };
}

function openLowerPair(closure, X) {
  let settled = settle(closure, X, identityPose);
  if (closure.joint === "helical") settled = settle(closure, X, countTurns(closure, settled));
  const residual = closure.rows.slice(0, closure.position_rows).map((row) => dot6(row, settled.rest));
  const left = [0, 1, 2, 3, 4, 5].map((i) => residual.reduce((sum, r, k) => sum + r * closure.complement[k][i], 0));
  return { residual, angle: norm(left.slice(0, 3)), distance: norm(left.slice(3, 6)), at: settled.pose };
}

const arcCosine = (c) => Math.acos(Math.min(1, Math.max(-1, c)));

function openUniversal(closure, X) {
  const cosine = dot(closure.axis, closure.axis2);
  const p = seenFromB(X, X.p);
  const angle = arcCosine(dot(seenFromB(X, closure.axis), closure.axis2)) - arcCosine(cosine);
  return { residual: [angle, ...p], angle: Math.abs(angle), distance: norm(p), at: { p: [0, 0, 0], q: X.q } };
}

function openRolling(closure, X) {
  const along = dot(seenFromB(X, closure.axis), closure.axis2);
  const height = closure.disc ? closure.length * Math.sqrt(Math.max(0, 1 - along * along)) : closure.length;
  const gap = dot(closure.axis, X.p) - height;
  return { residual: [gap], angle: 0, distance: Math.abs(gap), at: { p: add(X.p, scale(-gap, closure.axis)), q: X.q } };
}

/** The rows of a point on a line or plane are in a's axes, their force parts unit vectors across each other. */
function openPoint(closure, X) {
  const directions = closure.rows.map((row) => row.slice(3, 6));
  const residual = directions.map((n) => dot(n, X.p));
  const p = directions.reduce((at, n, i) => add(at, scale(-residual[i], n)), X.p);
  return { residual, angle: 0, distance: Math.hypot(...residual), at: { p, q: X.q } };
}

/** A unit vector along v; where v vanishes any will do. */
const directionOf = (v) => (norm(v) > 0 ? unit(v) : [0, 0, 1]);

/** {residual, angle, distance, at}; `at` is where a would have b's frame. Not for gears. */
export function opening(closure, X) {
  switch (closure.pair) {
    case "universal":
      return openUniversal(closure, X);
    case "rolling":
      return openRolling(closure, X);
    case "point":
      return openPoint(closure, X);
    case "distance": {
      const gap = norm(X.p) - closure.length;
      return { residual: [gap], angle: 0, distance: Math.abs(gap), at: { p: scale(closure.length, directionOf(X.p)), q: X.q } };
    }
    default:
      return openLowerPair(closure, X);
  }
}

/** From a ball's or disc's centre to the point that touches, in b's axes. */
function touchingArm(closure, X) {
  const n = seenFromB(X, closure.axis);
  if (!closure.disc) return scale(-closure.length, n);
  return scale(-closure.length, directionOf(add(n, scale(-dot(n, closure.axis2), closure.axis2))));
}

/** Row 0 keeps the height, the others let the touching point not slip. */
function rollingRows(closure, X) {
  const n = closure.axis;
  const s = unit(cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
  const arm = touchingArm(closure, X);
  return [n, s, cross(n, s)].map((direction) => {
    const force = seenFromB(X, direction);
    return [...cross(arm, force), ...force];
  });
}

/** All rows: the first `position_rows` belong to the residual, the others bind velocities alone. */
export function rowsOf(closure, X) {
  switch (closure.pair) {
    case "universal": {
      const size = norm(cross(closure.axis, closure.axis2));
      const moment = scale(1 / size, cross(seenFromB(X, closure.axis), closure.axis2));
      return [[...moment, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]];
    }
    case "rolling":
      return rollingRows(closure, X);
    case "point":
      return closure.rows.map((row) => [0, 0, 0, ...seenFromB(X, row.slice(3, 6))]);
    case "distance":
      return [[0, 0, 0, ...directionOf(seenFromB(X, X.p))]];
    default:
      return closure.rows;
  }
}

/** Whether a row measures metres; the others measure radians. */
export const measuresWay = (closure, row) => Math.hypot(...row.slice(0, 3)) === 0 || closure.pair === "rolling";

/** q(follower) − ratio · q(leader) − offset */
export const gearGap = (closure, joints, q) =>
  q[joints[closure.follower].q] - closure.ratio * q[joints[closure.leader].q] - closure.offset;

/** Poses of both closure frames in the world. */
export const closureFrames = (closure, poses) => ({
  a: compose(poses[closure.a], closure.at_a), b: compose(poses[closure.b], closure.at_b),
});
