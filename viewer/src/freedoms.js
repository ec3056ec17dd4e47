// Velocities of joints: how many a joint has, how they move its child, how a position changes by them. As in the
// library they are rates of plain numbers, or [ω; v] in the child's frame where q holds a quaternion.
import { add, compose, cross, expPose, expRotation, multiply, normalize, rotate, scale, unit } from "./group.js";
import { combineModes, turnsFreely } from "./kinematics.js";

const x = [1, 0, 0], y = [0, 1, 0], z = [0, 0, 1];

export function freedomCount(joint) {
  if (joint.type === "custom") return joint.modes.length;
  return turnsFreely(joint) ? joint.nq - 1 : joint.nq;
}

/** Where the velocities of every joint start, and how many there are: {start, count}. */
export function numberFreedoms(joints) {
  const start = [];
  let count = 0;
  for (const joint of joints) {
    start.push(count);
    count += freedomCount(joint);
  }
  return { start, count };
}

/** Whether a freedom is a way, in metres, and not an angle. */
export function slides(joint, freedom) {
  switch (joint.type) {
    case "prismatic":
      return true;
    case "cylindrical":
      return freedom === 1;
    case "planar":
      return freedom < 2;
    case "free":
      return freedom > 2;
    case "custom":
      return Math.hypot(...joint.modes[freedom].slice(0, 3)) === 0;
    default:
      return false;
  }
}

/**
 * What a unit of each velocity does to the child: [ω; velocity of the point at the world's origin], world axes.
 * `frame` is the joint frame's pose in the world, `child` the child's.
 */
export function freedomMotions(joint, frame, child) {
  const turn = (pose, axis, advance = 0) => {
    const w = rotate(pose.q, axis);
    return [...w, ...add(cross(pose.p, w), scale(advance, w))];
  };
  const slide = (pose, direction) => [0, 0, 0, ...rotate(pose.q, direction)];
  const axis = ["fixed", "spherical", "free", "custom"].includes(joint.type) ? null : unit(joint.axis);
  switch (joint.type) {
    case "revolute":
    case "continuous":
      return [turn(frame, axis)];
    case "prismatic":
      return [slide(frame, axis)];
    case "helical":
      return [turn(frame, axis, joint.pitch)];
    case "cylindrical":
      return [turn(frame, axis), slide(frame, axis)];
    case "universal":
      return [turn(frame, axis), turn(child, unit(joint.axis2))];
    case "planar":
      return [slide(frame, joint.axis2), slide(frame, cross(axis, joint.axis2)), turn(child, axis)];
    case "spherical":
      return [x, y, z].map((e) => turn(child, e));
    case "free":
      return [...[x, y, z].map((e) => turn(child, e)), ...[x, y, z].map((e) => slide(child, e))];
    case "custom":
      return joint.modes.map((mode) => {
        const moving = turn(child, mode.slice(0, 3));
        const sliding = slide(child, mode.slice(3, 6));
        return moving.map((value, i) => value + sliding[i]);
      });
    default:
      return [];
  }
}

/** The joint's part of q after a small motion by `amounts`, one per freedom. */
export function stepJoint(joint, q, amounts) {
  if (!turnsFreely(joint)) return Array.from(q, (value, i) => value + amounts[i]);
  const turned = normalize([...q.slice(0, 4)]);
  if (joint.type === "custom") {
    const pose = compose({ q: turned, p: [...q.slice(4, 7)] }, expPose(combineModes(joint.modes, amounts)));
    return [...pose.q, ...pose.p];
  }
  const next = normalize(multiply(turned, expRotation(amounts.slice(0, 3))));
  return joint.nq === 4 ? next : [...next, ...add([...q.slice(4, 7)], rotate(turned, amounts.slice(3, 6)))];
}
