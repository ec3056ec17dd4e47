// Data of made-up mechanisms and runs, in the format of README.md.

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
export const f64 = (values) => ({ f64: base64(Float64Array.from(values)) });
export const f32 = (values) => ({ f32: base64(Float32Array.from(values)) });
export const u32 = (values) => ({ u32: base64(Uint32Array.from(values)) });

export const pose = (p = [0, 0, 0], q = [1, 0, 0, 0]) => ({ p, q });
const unitQuaternion = (q) => q.map((x) => x / Math.hypot(...q));
const grey = [0.62, 0.68, 0.74, 1];

/** A body with a rod from its origin to `tip`. */
function link(name, parent, joint, tip, color = grey) {
  const length = Math.hypot(...tip);
  const along = Math.abs(tip[0]) > 0 ? [Math.SQRT1_2, 0, Math.SQRT1_2, 0] : [1, 0, 0, 0];
  const middle = tip.map((x) => x / 2);
  return {
    name, parent, joint, mass: 1 + length, com: middle,
    shapes: [
      { type: "capsule", size: [0.05, length], pose: pose(middle, along), color, source: "file" },
      { type: "cylinder", size: [0.08, 0.16], pose: pose(), color: [0.25, 0.3, 0.36, 1], source: "file" },
    ],
  };
}

export const world = (shapes = []) => ({ name: "world", parent: -1, joint: -1, mass: 0, com: [0, 0, 0], shapes });

/** Every joint type once, one after the other, at odd places and with skew axes. */
export function everyJoint() {
  const skew = unitQuaternion([0.9, 0.2, -0.3, 0.25]);
  const kinds = [
    { type: "revolute", axis: [0, 0, 1], nq: 1, limits: [[-2, 2.5]] },
    { type: "continuous", axis: [0.6, 0, 0.8], nq: 1 },
    { type: "prismatic", axis: [0, 1, 1], nq: 1, limits: [[-0.2, 0.6]] },
    { type: "helical", axis: [1, 2, 2], pitch: 0.07, nq: 1 },
    { type: "cylindrical", axis: [0, 3, 4], nq: 2 },
    { type: "universal", axis: [1, 0, 0], axis2: [0, 1, 0.2], nq: 2 },
    { type: "planar", axis: [0.8, 0.6, 0], axis2: [-0.6, 0.8, 0], nq: 3 },
    { type: "spherical", nq: 4 },
    { type: "free", nq: 7 },
    { type: "custom", modes: [[0, 0, 1, 0, 0, 0.1], [0, 0, 0, 0, 0, 1]], commute: true, nq: 2 },
    { type: "custom", modes: [[1, 0, 0, 0, 0.2, 0], [0, 1, 0, 0, 0, 0]], commute: false, nq: 7 },
    { type: "fixed", nq: 0 },
  ];
  const joints = [];
  const bodies = [world()];
  let q = 0;
  kinds.forEach((kind, i) => {
    joints.push({
      name: `j_${kind.type}_${i}`, axis: [1, 0, 0], axis2: [0, 1, 0], pitch: 0, modes: [], commute: true,
      limits: Array(kind.nq).fill(null), ...kind, parent: i, child: i + 1, q, pose: pose([0.3, 0.1 * i - 0.4, 0.2], skew),
    });
    bodies.push(link(`body_${kind.type}_${i}`, i, i, [0.3, 0, 0]));
    q += kind.nq;
  });
  const q0 = joints.flatMap((joint) => neutral(joint));
  return { linkwright: 1, title: "Every joint", mode: "view", gravity: [0, 0, -9.81], size: 2, bodies, joints, frames: [], meshes: [], q0 };
}

/** The numbers of a joint at rest. */
export function neutral(joint) {
  if (joint.nq === 4 || (joint.nq === 7 && joint.type !== "revolute")) return [1, ...Array(joint.nq - 1).fill(0)];
  return Array(joint.nq).fill(0);
}

/** A shoulder, an elbow and a wrist that share one chain, and a second branch that must not move with them. */
export function branched() {
  const revolute = (name, parent, child, q, p, axis) => ({
    name, type: "revolute", parent, child, q, nq: 1, axis, axis2: [0, 1, 0], pitch: 0, modes: [], commute: true,
    limits: [[-2, 2]], pose: pose(p),
  });
  return {
    linkwright: 1, title: "Branches", mode: "view", gravity: [0, 0, -9.81], size: 2,
    bodies: [
      world([{ type: "box", size: [0.4, 0.4, 0.1], pose: pose([0, 0, 0.05]), color: [0.35, 0.4, 0.45, 1], source: "file" }]),
      link("upper", 0, 0, [0, 0, 0.8]), link("lower", 1, 1, [0, 0, 0.6], [0.85, 0.6, 0.3, 1]),
      link("hand", 2, 2, [0, 0, 0.2]), link("antenna", 1, 3, [0, 0, 0.4], [0.45, 0.65, 0.55, 1]),
    ],
    joints: [
      revolute("shoulder", 0, 1, 0, [0, 0, 0.1], [0, 1, 0]), revolute("elbow", 1, 2, 1, [0, 0, 0.8], [0, 1, 0]),
      revolute("wrist", 2, 3, 2, [0, 0, 0.6], [1, 0, 0]), revolute("swing", 1, 4, 3, [0, 0.15, 0.5], [1, 0, 0]),
    ],
    frames: [{ name: "tip", body: 3, pose: pose([0, 0, 0.2]) }],
    meshes: [], q0: [0.3, 0.8, 0, -0.5],
  };
}

/** A free body that tumbles and a pendulum on it, with channels, a force, events and a summary. */
export function run({ samples = 101, length = 10 } = {}) {
  const time = Array.from({ length: samples }, (_, k) => (length * k) / Math.max(1, samples - 1));
  const position = (t) => [...unitQuaternion([Math.cos(t / 2), 0, Math.sin(t / 2) * 0.6, Math.sin(t / 2) * 0.8]), 0.1 * t, 0, 1, Math.sin(2 * t)];
  const drift = (t) => 3e-13 * Math.sin(3 * t);
  const channel = (name, unit, group, value) => ({ name, unit, group, values: f64(time.map(value)) });
  return {
    linkwright: 1, title: "Tumbling bus", mode: "run", gravity: [0, 0, 0], size: 1.6,
    bodies: [
      world(),
      { name: "bus", parent: 0, joint: 0, mass: 10, com: [0, 0, 0], shapes: [{ type: "box", size: [0.6, 0.5, 0.4], pose: pose(), color: [0.72, 0.74, 0.78, 1], source: "layout" }, { type: "box", size: [0.9, 0.8, 0.7], pose: pose(), color: [0.8, 0.8, 0.9, 0.45], source: "inertia" }] },
      link("arm", 1, 1, [0.8, 0, 0], [0.85, 0.6, 0.3, 1]),
    ],
    joints: [
      { name: "base", type: "free", parent: 0, child: 1, q: 0, nq: 7, axis: [1, 0, 0], pose: pose(), limits: Array(7).fill(null) },
      { name: "pivot", type: "revolute", parent: 1, child: 2, q: 7, nq: 1, axis: [0, 1, 0], pose: pose([0.3, 0, 0.2]), limits: [null] },
    ],
    frames: [{ name: "tip", body: 2, pose: pose([0.8, 0, 0]) }], meshes: [], q0: position(0),
    run: {
      time: f64(time), q: f64(time.flatMap(position)),
      channels: [
        channel("pivot", "rad", "position", (t) => Math.sin(2 * t)), channel("base:4", "m", "position", (t) => 0.1 * t),
        channel("pivot rate", "rad/s", "velocity", (t) => 2 * Math.cos(2 * t)),
        channel("kinetic", "J", "energy", (t) => 50 + 20 * Math.cos(t)), channel("potential", "J", "energy", (t) => 30 - 20 * Math.cos(t)),
        channel("total", "J", "energy", (t) => 80 * (1 + drift(t))),
        channel("frame:tip:x", "m", "frame", (t) => 0.8 * Math.cos(t)),
      ],
      forces: [{ name: "push", body: 2, at: [0.8, 0, 0], values: f64(time.flatMap((t) => [5 * Math.cos(t), 0, 5 * Math.sin(t)])) }],
      events: [{ time: 2.5, name: "limit of pivot" }, { time: 7.75, name: "release" }],
      summary: [["Method", "rk4"], ["Steps", "10000"], ["Energy drift", "3.0e-13"], ["Faster than real time", "812×"]],
    },
  };
}

/** 30 joints, 600 samples over 10 s, 70 channels: the size the page must open quickly at. */
export function largeRun() {
  const joints = [], bodies = [world()];
  for (let i = 0; i < 30; ++i) {
    const parent = i % 6 === 0 ? 0 : i;
    joints.push({ name: `joint_${i}`, type: "revolute", parent, child: i + 1, q: i, nq: 1, axis: i % 2 ? [0, 1, 0] : [0, 0, 1],
      pose: pose(i % 6 === 0 ? [0.5 * (i / 6 - 2), 0, 0.3] : [0, 0, 0.35]), limits: [[-2, 2]] });
    bodies.push(link(`link_${i}`, parent, i, [0, 0, 0.35]));
  }
  const time = Array.from({ length: 600 }, (_, k) => (10 * k) / 599);
  const angle = (i, t) => 0.4 * Math.sin(t + i);
  const channels = Array.from({ length: 70 }, (_, i) => {
    const group = i < 30 ? "position" : i < 60 ? "velocity" : i < 63 ? "energy" : "frame";
    const name = i < 60 ? `joint_${i % 30}` : i < 63 ? ["kinetic", "potential", "total"][i - 60] : `frame:tip:${i - 63}`;
    return { name, unit: { position: "rad", velocity: "rad/s", energy: "J", frame: "m" }[group], group, values: f64(time.map((t) => 1 + angle(i, t))) };
  });
  return { linkwright: 1, title: "Thirty joints", mode: "run", gravity: [0, 0, -9.81], size: 3, bodies, joints, frames: [], meshes: [],
    q0: joints.map((_, i) => angle(i, 0)),
    run: { time: f64(time), q: f64(time.flatMap((t) => joints.map((_, i) => angle(i, t)))), channels, forces: [], events: [], summary: [] } };
}
