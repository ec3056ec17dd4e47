// What can be set on a joint, in numbers a person can drag: angles, distances, and for joints that turn
// freely a rotation vector, so that the quaternion always has length 1.
import {
  compose, expPose, expRotation, logPose, logRotation, logRotationNear, normalize, relative, rotate, rotationVectorRates, twistRate,
} from "./group.js";
import { takeApart } from "./linear.js";
import { combineModes, turnsFreely } from "./kinematics.js";

const angle = (label) => ({ label, unit: "rad" });
const distance = (label) => ({ label, unit: "m" });
const turns = ["Turn x", "Turn y", "Turn z"].map(angle);
const places = ["x", "y", "z"].map(distance);

function plainCoordinates(joint) {
  switch (joint.type) {
    case "prismatic":
      return [distance("Distance")];
    case "cylindrical":
      return [angle("Angle"), distance("Distance")];
    case "universal":
      return [angle("Angle 1"), angle("Angle 2")];
    case "planar":
      return [distance("x"), distance("y"), angle("Angle")];
    case "custom":
      return modeCoordinates(joint);
    case "fixed":
      return [];
    default:
      return [angle("Angle")];
  }
}

const modeCoordinates = (joint) =>
  joint.modes.map((mode, i) =>
    (Math.hypot(mode[0], mode[1], mode[2]) > 0 ? angle : distance)(`Motion ${i + 1}`));

/** A round length of about the mechanism's size, for distances without limits. */
function roundLength(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].find((k) => k * power >= size * 0.999) * power;
}

/** The range of a slider: the limits where there are any, otherwise half a turn or a length around 0. */
function range(coordinate, limits, size) {
  const reach = coordinate.unit === "rad" ? Math.PI : roundLength(size);
  const [low, high] = [limits?.[0] ?? null, limits?.[1] ?? null];
  const lower = low ?? (high === null ? -reach : Math.min(-reach, high - reach));
  const upper = high ?? (low === null ? reach : Math.max(reach, low + reach));
  return { ...coordinate, lower, upper, low, high };
}

/** [{label, unit, lower, upper, low, high}], one per slider; low and high are the limits, null where there is none. */
export function coordinatesOf(joint, size) {
  const limits = joint.limits ?? [];
  if (!turnsFreely(joint)) return plainCoordinates(joint).map((c, i) => range(c, limits[i], size));
  if (joint.type === "custom") return modeCoordinates(joint).map((c) => range(c, null, size));
  const turning = turns.map((c) => range(c, null, size));
  if (joint.type === "spherical") return turning;
  return [...turning, ...places.map((c, i) => range(c, limits[limits.length - 3 + i], size))];
}

/** Slider numbers of the joint's part of q. `base` is where a custom joint's sliders stand at zero. */
export function toSliders(joint, q) {
  if (!turnsFreely(joint)) return [...q];
  if (joint.type === "custom") return joint.modes.map(() => 0);
  const turning = logRotation(normalize([...q.slice(0, 4)]));
  return joint.type === "spherical" ? turning : [...turning, q[4], q[5], q[6]];
}

const partPose = (q) => ({ q: normalize([...q.slice(0, 4)]), p: [...q.slice(4, 7)] });

/** The amounts of a custom joint's modes that make a twist, as nearly as they can. */
function amountsOf(modes, twist) {
  const gram = modes.map((a) => modes.map((b) => a.reduce((sum, value, i) => sum + value * b[i], 0)));
  const right = modes.map((mode) => mode.reduce((sum, value, i) => sum + value * twist[i], 0));
  return [...takeApart(gram, modes.length, 1e-12).solve(right)];
}

/** Slider numbers as they follow on from `near`: turns beyond a half are not taken back. */
export function slidersNear(joint, q, near, base) {
  if (!turnsFreely(joint)) return [...q];
  if (joint.type === "custom") return amountsOf(joint.modes, logPose(relative(partPose(base), partPose(q))));
  const turning = logRotationNear(normalize([...q.slice(0, 4)]), near);
  return joint.type === "spherical" ? turning : [...turning, q[4], q[5], q[6]];
}

/** Rates of the sliders per unit of each of the joint's velocities: a row per slider. */
export function sliderRates(joint, q, values, base) {
  if (!turnsFreely(joint)) return values.map((_, i) => values.map((__, k) => (i === k ? 1 : 0)));
  if (joint.type === "custom") {
    const twist = logPose(relative(partPose(base), partPose(q)));
    const columns = joint.modes.map((mode) => amountsOf(joint.modes, twistRate(twist, mode)));
    return joint.modes.map((_, i) => columns.map((column) => column[i]));
  }
  const turning = rotationVectorRates(values.slice(0, 3));
  if (joint.type === "spherical") return turning;
  const along = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((e) => rotate(normalize([...q.slice(0, 4)]), e));
  return [...turning.map((row) => [...row, 0, 0, 0]), ...[0, 1, 2].map((i) => [0, 0, 0, ...along.map((e) => e[i])])];
}

/** The joint's part of q for slider numbers; `base` is its part of q where the sliders were made. */
export function fromSliders(joint, values, base) {
  if (!turnsFreely(joint)) return values;
  if (joint.type === "custom") {
    const pose = compose(partPose(base), expPose(combineModes(joint.modes, values)));
    return [...pose.q, ...pose.p];
  }
  const quaternion = expRotation(values.slice(0, 3));
  return joint.type === "spherical" ? quaternion : [...quaternion, ...values.slice(3, 6)];
}

/** Slider numbers anywhere in their ranges; orientations uniform over all orientations. */
export function randomSliders(joint, coordinates, random = Math.random) {
  const values = coordinates.map((c) => c.lower + random() * (c.upper - c.lower));
  if (!turnsFreely(joint) || joint.type === "custom") return values;
  const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return [...logRotation(normalize([bell(), bell(), bell(), bell()])), ...values.slice(3)];
}
