// Where every body is, for given joint positions. The same rules as the library's: the child's frame is the
// joint frame at q = 0, quaternions stand first in q.
import { add, compose, cross, expPose, expRotation, identityPose, normalize, rotate, scale, slerp, unit } from "./group.js";

/** Joints whose q starts with a quaternion. */
export const turnsFreely = (joint) =>
  joint.type === "spherical" || joint.type === "free" || (joint.type === "custom" && !joint.commute);

const turn = (axis, angle) => ({ p: [0, 0, 0], q: expRotation(scale(angle, axis)) });


/** sum of modes[i] * amounts[i] */
export const combineModes = (modes, amounts) =>
  [0, 1, 2, 3, 4, 5].map((row) => modes.reduce((sum, mode, i) => sum + mode[row] * amounts[i], 0));

/** Pose of the child in the joint frame; q holds the numbers of this joint alone. */
export function jointPose(joint, q) {
  if (turnsFreely(joint)) {
    return { p: joint.nq === 7 ? [q[4], q[5], q[6]] : [0, 0, 0], q: normalize([q[0], q[1], q[2], q[3]]) };
  }
  const axis = joint.type === "fixed" || joint.type === "custom" ? null : unit(joint.axis);
  switch (joint.type) {
    case "revolute":
    case "continuous":
      return turn(axis, q[0]);
    case "prismatic":
      return { p: scale(q[0], axis), q: [1, 0, 0, 0] };
    case "helical":
      return { p: scale(joint.pitch * q[0], axis), q: turn(axis, q[0]).q };
    case "cylindrical":
      return { p: scale(q[1], axis), q: turn(axis, q[0]).q };
    case "universal":
      return compose(turn(axis, q[0]), turn(unit(joint.axis2), q[1]));
    case "planar": {
      const y = cross(axis, joint.axis2);
      return { p: add(scale(q[0], joint.axis2), scale(q[1], y)), q: turn(axis, q[2]).q };
    }
    case "custom":
      return expPose(combineModes(joint.modes, q));
    default:
      return identityPose;
  }
}

/** World poses of all bodies, in their order. */
export function bodyPoses(data, q) {
  const poses = [];
  data.bodies.forEach((body, index) => {
    if (index === 0 || body.joint < 0) {
      poses.push(body.parent >= 0 && index > 0 ? poses[body.parent] : identityPose);
      return;
    }
    const joint = data.joints[body.joint];
    const placed = compose(poses[body.parent], joint.pose);
    poses.push(compose(placed, jointPose(joint, q.slice(joint.q, joint.q + joint.nq))));
  });
  return poses;
}

/** A point given in a body's frame, in the world. */
export const toWorld = (pose, point) => add(pose.p, rotate(pose.q, point));

/** Centre of mass of all that moves, or null when nothing has a mass. */
export function centreOfMass(data, poses) {
  let mass = 0;
  let moment = [0, 0, 0];
  data.bodies.forEach((body, index) => {
    if (index === 0 || !(body.mass > 0)) return;
    mass += body.mass;
    moment = add(moment, scale(body.mass, toWorld(poses[index], body.com)));
  });
  return mass > 0 ? scale(1 / mass, moment) : null;
}

/** Index k and fraction s with time = (1 − s) times[k] + s times[k + 1], kept inside the list. */
export function locate(times, time) {
  const last = times.length - 1;
  if (last === 0 || time <= times[0]) return { k: 0, s: 0 };
  if (time >= times[last]) return { k: last, s: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return { k: low, s: (time - times[low]) / (times[high] - times[low]) };
}

/** Joint positions at any time of a run: straight lines between samples, turns at constant rate. */
export function positionAt(data, time) {
  const { run, nq } = data;
  const { k, s } = locate(run.time, time);
  const before = run.q.slice(k * nq, (k + 1) * nq);
  if (s === 0) return before;
  const after = run.q.slice((k + 1) * nq, (k + 2) * nq);
  const q = before.map((value, i) => (1 - s) * value + s * after[i]);
  for (const joint of data.joints.filter(turnsFreely)) {
    const part = (list) => normalize([...list.slice(joint.q, joint.q + 4)]);
    q.set(slerp(part(before), part(after), s), joint.q);
  }
  return q;
}

/** A vector of a sampled list (K×3) at any time. */
export function vectorAt(times, values, time) {
  const { k, s } = locate(times, time);
  const next = s === 0 ? k : k + 1;
  return [0, 1, 2].map((i) => (1 - s) * values[3 * k + i] + s * values[3 * next + i]);
}
