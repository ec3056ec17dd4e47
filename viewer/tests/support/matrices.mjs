// Forward kinematics by 4×4 matrices and power series, written without a look at the page's own: the page uses
// quaternions and closed forms. A matrix is a list of four rows.

export const identity = () => [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1 : 0)));
export const times = (a, b) => a.map((row) => [0, 1, 2, 3].map((j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));

/** The matrix exponential of a twist [ω; v], by squaring a Taylor series of a small step. */
export function exponential([wx, wy, wz, vx, vy, vz]) {
  const halvings = 20;
  const k = 2 ** -halvings;
  const A = [[0, -wz, wy, vx], [wz, 0, -wx, vy], [-wy, wx, 0, vz], [0, 0, 0, 0]].map((row) => row.map((x) => x * k));
  // exp(A) − 1 is kept apart from the 1, so that squaring loses no digits: (1 + E)² − 1 = 2E + E².
  let E = A.map((row, i) => row.map((x, j) => x + times(A, A)[i][j] / 2 + times(times(A, A), A)[i][j] / 6));
  for (let n = 0; n < halvings; ++n) {
    const square = times(E, E);
    E = E.map((row, i) => row.map((x, j) => 2 * x + square[i][j]));
  }
  return E.map((row, i) => row.map((x, j) => x + (i === j ? 1 : 0)));
}

export function fromPose({ p, q: [w, x, y, z] }) {
  const n = Math.hypot(w, x, y, z);
  [w, x, y, z] = [w / n, x / n, y / n, z / n];
  return [
    [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), p[0]],
    [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x), p[1]],
    [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z, p[2]],
    [0, 0, 0, 1],
  ];
}

const unit = (v) => v.map((x) => x / Math.hypot(...v));
const about = (axis, angle) => exponential([...unit(axis).map((x) => x * angle), 0, 0, 0]);
const along = (direction, distance) => exponential([0, 0, 0, ...unit(direction).map((x) => x * distance)]);

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** What each joint type means, as docs/system_file.md and README.md say it. */
export function jointMatrix(joint, q) {
  switch (joint.type) {
    case "fixed":
      return identity();
    case "revolute":
    case "continuous":
      return about(joint.axis, q[0]);
    case "prismatic":
      return along(joint.axis, q[0]);
    case "helical":
      return exponential([...unit(joint.axis).map((x) => x * q[0]), ...unit(joint.axis).map((x) => x * q[0] * joint.pitch)]);
    case "cylindrical":
      return times(about(joint.axis, q[0]), along(joint.axis, q[1]));
    case "universal":
      return times(about(joint.axis, q[0]), about(joint.axis2, q[1]));
    case "planar":
      return times(times(along(joint.axis2, q[0]), along(cross(joint.axis, joint.axis2), q[1])), about(joint.axis, q[2]));
    case "spherical":
      return fromPose({ p: [0, 0, 0], q });
    case "free":
      return fromPose({ p: q.slice(4, 7), q: q.slice(0, 4) });
    case "custom":
      if (!joint.commute) return fromPose({ p: q.slice(4, 7), q: q.slice(0, 4) });
      return joint.modes.reduce((pose, mode, i) => times(pose, exponential(mode.map((x) => x * q[i]))), identity());
    default:
      throw new Error(`no such joint type: ${joint.type}`);
  }
}

/** World matrix of the body `index` for all joint numbers q. */
export function bodyMatrix(data, index, q) {
  if (index === 0) return identity();
  const body = data.bodies[index];
  const joint = data.joints[body.joint];
  const own = jointMatrix(joint, q.slice(joint.q, joint.q + joint.nq));
  return times(times(bodyMatrix(data, body.parent, q), fromPose(joint.pose)), own);
}

/** The largest difference between the entries of a drawn pose and a matrix. */
export function difference(pose, matrix) {
  const drawn = fromPose(pose);
  return Math.max(...drawn.flatMap((row, i) => row.map((x, j) => Math.abs(x - matrix[i][j]))));
}
