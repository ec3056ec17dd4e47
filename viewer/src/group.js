// Rotations and rigid displacements. Vectors are [x, y, z], unit quaternions [w, x, y, z], poses {p, q}:
// x_parent = rotate(q, x_child) + p.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (k, a) => [k * a[0], k * a[1], k * a[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => scale(1 / norm(a), a);

export const identityPose = { p: [0, 0, 0], q: [1, 0, 0, 0] };

export function multiply(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** A quaternion of length 1; one without a length becomes "no turn". */
export function normalize(q) {
  const size = Math.hypot(q[0], q[1], q[2], q[3]);
  return size > 0 ? q.map((value) => value / size) : [1, 0, 0, 0];
}

export function rotate(q, v) {
  const u = [q[1], q[2], q[3]];
  const t = scale(2, cross(u, v));
  return add(add(v, scale(q[0], t)), cross(u, t));
}

/** Turn by |r| about r / |r|. */
export function expRotation(r) {
  const angle = norm(r);
  // sin(½a)/a by its series where the quotient would lose digits.
  const k = angle < 1e-4 ? 0.5 - (angle * angle) / 48 : Math.sin(angle / 2) / angle;
  return normalize([Math.cos(angle / 2), k * r[0], k * r[1], k * r[2]]);
}

/** The shortest rotation vector, |r| ≤ π. */
export function logRotation(q) {
  const flip = q[0] < 0 ? -1 : 1;
  const u = [flip * q[1], flip * q[2], flip * q[3]];
  const s = norm(u);
  const c = flip * q[0];
  return scale(s < 1e-8 ? 2 / c : (2 * Math.atan2(s, c)) / s, u);
}

/** From a (s = 0) to b (s = 1) at constant turning rate, the short way round. */
export function slerp(a, b, s) {
  return normalize(multiply(a, expRotation(scale(s, logRotation(multiply(conjugate(a), b))))));
}

export const conjugate = (q) => [q[0], -q[1], -q[2], -q[3]];

export const compose = (a, b) => ({ p: add(a.p, rotate(a.q, b.p)), q: normalize(multiply(a.q, b.q)) });

/** The pose of b seen from a. */
export const relative = (a, b) => ({
  p: rotate(conjugate(a.q), add(b.p, scale(-1, a.p))), q: normalize(multiply(conjugate(a.q), b.q)),
});

/** exp of a constant twist [angular; linear] of the moving frame, held for unit time. */
export function expPose(twist) {
  const r = twist.slice(0, 3);
  const t = twist.slice(3, 6);
  const a2 = dot(r, r);
  const a = Math.sqrt(a2);
  const k1 = a2 < 1e-4 ? 0.5 - a2 / 24 + (a2 * a2) / 720 : (1 - Math.cos(a)) / a2;
  const k2 = a2 < 1e-4 ? 1 / 6 - a2 / 120 + (a2 * a2) / 5040 : (a - Math.sin(a)) / (a2 * a);
  const rt = cross(r, t);
  return { p: add(t, add(scale(k1, rt), scale(k2, cross(r, rt)))), q: expRotation(r) };
}

/** The constant twist that makes a displacement in unit time, of the shortest turn. */
export function logPose({ p, q }) {
  const r = logRotation(q);
  const a2 = dot(r, r);
  const a = Math.sqrt(a2);
  const k = a2 < 1e-4 ? 1 / 12 + a2 / 720 : (1 - a / 2 / Math.tan(a / 2)) / a2;
  const rp = cross(r, p);
  return [...r, ...add(p, add(scale(-0.5, rp), scale(k, cross(r, rp))))];
}

/** The rotation vector of q that is nearest to another one: whole turns are not lost. */
export function logRotationNear(q, near) {
  const r = logRotation(q);
  const angle = norm(r);
  if (angle < 1e-9) return norm(near) > Math.PI ? scale(2 * Math.PI, unit(near)) : r;
  const along = dot(near, r) / angle;
  const turns = Math.round((along - angle) / (2 * Math.PI));
  return scale((angle + 2 * Math.PI * turns) / angle, r);
}

/** Rates of a rotation vector per unit of angular velocity in the turning frame: three rows. */
export function rotationVectorRates(r) {
  const a2 = dot(r, r);
  const a = Math.sqrt(a2);
  const k = a2 < 1e-4 ? 1 / 12 + a2 / 720 : 1 / a2 - 1 / (2 * a * Math.tan(a / 2));
  const columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((e) => {
    const re = cross(r, e);
    return add(e, add(scale(0.5, re), scale(k, cross(r, re))));
  });
  return [0, 1, 2].map((i) => columns.map((column) => column[i]));
}

/** Rate of the twist `x` of logPose per unit of the moving frame's velocity `v`; for turns of less than one. */
export function twistRate(x, v) {
  const bracket = (w) => {
    const [r, t] = [x.slice(0, 3), x.slice(3, 6)];
    return [...cross(r, w.slice(0, 3)), ...add(cross(t, w.slice(0, 3)), cross(r, w.slice(3, 6)))];
  };
  // Bernoulli's numbers over the factorials of their places.
  const series = [[1, 1 / 2], [2, 1 / 12], [4, -1 / 720], [6, 1 / 30240], [8, -1 / 1209600]];
  let [sum, term, order] = [[...v], [...v], 0];
  for (const [power, factor] of series) {
    for (; order < power; ++order) term = bracket(term);
    sum = sum.map((value, i) => value + factor * term[i]);
  }
  return sum;
}
