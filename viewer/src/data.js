// Reads the data block of the page (see README.md) into plain arrays and typed arrays, and complains in
// words when something does not fit.

export class DataError extends Error {}

const kinds = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array };

/** A list of numbers, or {"f64": base64} and its kin, as a typed array. */
export function decodeNumbers(value, what) {
  if (Array.isArray(value)) return Float64Array.from(value, (entry) => (entry === null ? NaN : entry));
  for (const [key, Kind] of Object.entries(kinds)) {
    if (typeof value?.[key] !== "string") continue;
    let text;
    try {
      text = atob(value[key]);
    } catch {
      throw new DataError(`${what} is not valid base64.`);
    }
    if (text.length % Kind.BYTES_PER_ELEMENT !== 0) {
      throw new DataError(`${what} has ${text.length} bytes, which is not a whole number of ${key} values.`);
    }
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return new Kind(bytes.buffer);
  }
  throw new DataError(`${what} is neither a list of numbers nor base64 under f64, f32, u32 or u16.`);
}

function expectLength(array, length, what) {
  if (array.length !== length) {
    throw new DataError(`${what} holds ${array.length} numbers, ${length} were expected.`);
  }
  return array;
}

const identity = () => ({ p: [0, 0, 0], q: [1, 0, 0, 0] });

function decodeJoint(joint) {
  return {
    axis: [1, 0, 0],
    pitch: 0,
    modes: [],
    commute: true,
    limits: [],
    q: 0,
    nq: 0,
    ...joint,
    pose: joint.pose ?? identity(),
  };
}

function decodeBodies(bodies) {
  return bodies.map((body, index) => {
    if (index > 0 && !(body.parent >= 0 && body.parent < index)) {
      throw new DataError(`Body "${body.name}" stands before its parent.`);
    }
    const shapes = (body.shapes ?? []).map((shape) => ({ ...shape, pose: shape.pose ?? identity() }));
    return { mass: 0, com: [0, 0, 0], ...body, shapes };
  });
}

const within = (index, list) => Number.isInteger(index) && index >= 0 && index < list.length;

function decodeClosure(closure, bodies, joints) {
  const [list, ends] = closure.pair === "gear" ? [joints, ["leader", "follower"]] : [bodies, ["a", "b"]];
  for (const end of ends) {
    if (!within(closure[end], list)) throw new DataError(`Closure "${closure.name}" has no valid "${end}".`);
  }
  return {
    pair: "lower_pair", joint: "fixed", axis: [0, 0, 1], axis2: [0, 1, 0], length: 0, disc: false, ratio: 1, offset: 0,
    rows: [], modes: [], duals: [], complement: [], position_rows: closure.rows?.length ?? 0,
    ...closure, at_a: closure.at_a ?? identity(), at_b: closure.at_b ?? identity(),
  };
}

function decodeSpring(spring, { bodies, joints, closures }) {
  const known = spring.type === "line"
    ? within(spring.a, bodies) && within(spring.b, bodies)
    : within(spring.joint, joints) || within(spring.closure, closures);
  if (!known) throw new DataError(`Spring "${spring.name ?? ""}" is attached to nothing.`);
  return { name: "", stiffness: 0, rest: 0, freedom: 0, at_a: [0, 0, 0], at_b: [0, 0, 0], ...spring };
}

function decodeRun(run, nq) {
  const time = decodeNumbers(run.time, "The list of times");
  const count = time.length;
  if (count === 0) throw new DataError("The run holds no samples.");
  return {
    time,
    q: expectLength(decodeNumbers(run.q, "The list of positions"), count * nq, "The list of positions"),
    channels: (run.channels ?? []).map((channel) => {
      const what = `Channel "${channel.name}"`;
      const values = expectLength(decodeNumbers(channel.values, what), count, what);
      const unit = channel.unit === "1" ? "" : (channel.unit ?? "");
      return { group: "user", ...channel, unit, values };
    }),
    forces: (run.forces ?? []).map((force) => {
      const what = `Force "${force.name}"`;
      const values = expectLength(decodeNumbers(force.values, what), 3 * count, what);
      return { at: [0, 0, 0], ...force, values };
    }),
    events: run.events ?? [],
    summary: run.summary ?? [],
    energyScale: run.energy_scale ?? 0,
  };
}

/** The decoded data; null when the page holds none. Throws DataError when it cannot be used. */
export function decodeData(raw) {
  if (raw === null) return null;
  if (raw.linkwright !== 1) {
    throw new DataError(`This page reads format 1; its data says ${JSON.stringify(raw.linkwright)}.`);
  }
  const joints = (raw.joints ?? []).map(decodeJoint);
  const bodies = decodeBodies(raw.bodies ?? []);
  const closures = (raw.closures ?? []).map((closure) => decodeClosure(closure, bodies, joints));
  const nq = joints.reduce((count, joint) => Math.max(count, joint.q + joint.nq), 0);
  return {
    title: raw.title ?? "",
    mode: raw.mode === "run" && raw.run ? "run" : "view",
    gravity: raw.gravity ?? [0, 0, 0],
    size: raw.size > 0 ? raw.size : 1,
    bodies,
    joints,
    closures,
    independent: (raw.independent ?? []).filter(({ joint }) => within(joint, joints)),
    springs: (raw.springs ?? []).map((spring) => decodeSpring(spring, { bodies, joints, closures })),
    frames: (raw.frames ?? []).map((frame) => ({ ...frame, pose: frame.pose ?? identity() })),
    meshes: (raw.meshes ?? []).map((mesh, index) => ({
      positions: decodeNumbers(mesh.positions, `Mesh ${index}`),
      indices: decodeNumbers(mesh.indices, `Mesh ${index}`),
    })),
    nq,
    q0: expectLength(decodeNumbers(raw.q0 ?? [], "q0"), nq, "q0"),
    run: raw.mode === "run" && raw.run ? decodeRun(raw.run, nq) : null,
  };
}
