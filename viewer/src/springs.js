// Springs: a coil between two bodies, a spiral or a short coil at a joint.
import { Curve, CylinderGeometry, Group, Mesh, MeshPhongMaterial, Quaternion, TubeGeometry, Vector3 } from "three";
import { markRadius } from "./closure_marks.js";
import { add, cross, rotate, scale, unit } from "./group.js";
import { slides } from "./freedoms.js";
import { toWorld } from "./kinematics.js";
import { place } from "./shapes.js";

const colour = 0xc98a2b;
const up = new Vector3(0, 0, 1);
const material = new MeshPhongMaterial({ color: colour, specular: 0x444444, shininess: 60 });

/** A helix along z from 0 to `length`, with straight ends on its axis. */
class Coil extends Curve {
  constructor(radius, length, turns) {
    super();
    Object.assign(this, { radius, length, turns });
  }
  getPoint(t, target = new Vector3()) {
    const end = 0.1;
    const inner = Math.min(1, Math.max(0, (t - end) / (1 - 2 * end)));
    const open = this.radius * Math.min(1, 12 * inner, 12 * (1 - inner));
    const angle = 2 * Math.PI * this.turns * inner;
    return target.set(open * Math.cos(angle), open * Math.sin(angle), t * this.length);
  }
}

/** A flat spiral about z. */
class Spiral extends Curve {
  constructor(inner, outer, turns) {
    super();
    Object.assign(this, { inner, outer, turns });
  }
  getPoint(t, target = new Vector3()) {
    const radius = this.inner + (this.outer - this.inner) * t;
    const angle = 2 * Math.PI * this.turns * t;
    return target.set(radius * Math.cos(angle), radius * Math.sin(angle), 0);
  }
}

const coil = (radius, length, turns, wire) => new Mesh(new TubeGeometry(new Coil(radius, length, turns), turns * 22, wire, 8), material);

/** Draws a spring between two bodies; without stiffness it is a damper, and drawn as a plain rod. */
function lineSpring(spring, data, bodies, poses, root) {
  const from = toWorld(poses[spring.a], spring.at_a);
  const now = Math.hypot(...add(toWorld(poses[spring.b], spring.at_b), scale(-1, from)));
  const length = Math.max(spring.rest || now, 0.02 * data.size);
  const radius = Math.min(0.09 * length, 0.028 * data.size);
  const turns = Math.round(Math.min(14, Math.max(5, (0.28 * length) / radius)));
  const mesh = spring.stiffness > 0 ? coil(radius, length, turns, 0.2 * radius)
    : new Mesh(new CylinderGeometry(0.4 * radius, 0.4 * radius, length, 20).rotateX(Math.PI / 2).translate(0, 0, length / 2), material);
  root.add(mesh);
  bodies[spring.a].corners.push([...spring.at_a]);
  bodies[spring.b].corners.push([...spring.at_b]);
  return (placed) => {
    const a = toWorld(placed[spring.a], spring.at_a);
    const way = new Vector3(...toWorld(placed[spring.b], spring.at_b)).sub(new Vector3(...a));
    const size = way.length();
    mesh.visible = size > 1e-9;
    mesh.position.set(...a);
    mesh.scale.set(1, 1, Math.max(size, 1e-9) / length);
    if (mesh.visible) mesh.quaternion.copy(new Quaternion().setFromUnitVectors(up, way.divideScalar(size)));
  };
}

/** The line of one freedom of a joint: {axis, onChild}. */
function freedomLine(joint, freedom) {
  const e = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  switch (joint.type) {
    case "universal":
      return freedom === 0 ? { axis: joint.axis, onChild: false } : { axis: joint.axis2, onChild: true };
    case "planar":
      return { axis: [joint.axis2, cross(unit(joint.axis), joint.axis2), joint.axis][freedom], onChild: false };
    case "spherical":
    case "free":
      return { axis: e[freedom % 3], onChild: true };
    case "custom": {
      const mode = joint.modes[freedom];
      return { axis: Math.hypot(...mode.slice(0, 3)) > 0 ? mode.slice(0, 3) : mode.slice(3, 6), onChild: true };
    }
    default:
      return { axis: joint.axis, onChild: false };
  }
}

/** Where a joint's spring sits: {body, pose, axis, isWay}. */
function seatOf(spring, data) {
  if (spring.joint !== undefined) {
    const joint = data.joints[spring.joint];
    const { axis, onChild } = freedomLine(joint, spring.freedom);
    const pose = onChild ? { p: [0, 0, 0], q: [1, 0, 0, 0] } : joint.pose;
    return { body: onChild ? joint.child : joint.parent, pose, axis, isWay: slides(joint, spring.freedom) };
  }
  const closure = data.closures[spring.closure];
  const mode = closure.modes[spring.freedom];
  const onA = closure.pair === "universal" && spring.freedom === 0;
  const axis = mode ? (Math.hypot(...mode.slice(0, 3)) > 0 ? mode.slice(0, 3) : mode.slice(3, 6)) : onA ? closure.axis : closure.axis2;
  return {
    body: onA ? closure.a : closure.b, pose: onA ? closure.at_a : closure.at_b, axis,
    isWay: mode !== undefined && Math.hypot(...mode.slice(0, 3)) === 0,
  };
}

function jointSpring(spring, data, bodies, r) {
  const { body, pose, axis, isWay } = seatOf(spring, data);
  const mesh = isWay ? coil(0.9 * r, 5 * r, 5, 0.16 * r) : new Mesh(new TubeGeometry(new Spiral(0.5 * r, 2 * r, 3), 90, 0.16 * r, 8), material);
  // Beside the hub, which is about 1.3 of these long on either side.
  const direction = unit(axis);
  mesh.position.set(...scale(isWay ? 0 : 1.6 * r, direction));
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(up, new Vector3(...direction)));
  const holder = new Group().add(mesh);
  place(holder, pose);
  bodies[body].group.add(holder);
  bodies[body].corners.push(add(pose.p, rotate(pose.q, scale(2 * r, direction))));
  return holder;
}

export function springsLayer(data, bodies, poses, root) {
  const own = new Group();
  root.add(own);
  const r = markRadius(data);
  const lines = data.springs.filter((spring) => spring.type === "line");
  const follow = lines.map((spring) => lineSpring(spring, data, bodies, poses, own));
  const atJoints = data.springs.filter((spring) => spring.type !== "line").map((spring) => jointSpring(spring, data, bodies, r));
  return { id: "springs", name: "Springs", objects: [own, ...atJoints], update: (now) => follow.forEach((update) => update(now.poses)) };
}
