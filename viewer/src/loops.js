// The loops of a mechanism: which joints depend on each other, and the equations of their closures at a position.
import { closureFrames, gearGap, measuresWay, opening, rowsOf } from "./closures.js";
import { add, compose, conjugate, cross, relative, rotate } from "./group.js";
import { freedomCount, freedomMotions, numberFreedoms, slides, stepJoint } from "./freedoms.js";
import { bodyPoses } from "./kinematics.js";
import { largestEntry, takeApart } from "./linear.js";

/** Singular values below this part of the largest count as zero, as in the library. */
export const rankThreshold = 1e-6;

/** Joints that move between the frames of a closure, with the sign of what they do to b seen from a. */
function jointsBetween(data, closure) {
  if (closure.pair === "gear") return new Map([[closure.leader, 1], [closure.follower, 1]]);
  const carrying = ({ joint }) => (joint >= 0 && freedomCount(data.joints[joint]) > 0 ? [joint] : []);
  const toWorld = (body) => (body > 0 ? [...carrying(data.bodies[body]), ...toWorld(data.bodies[body].parent)] : []);
  const [a, b] = [toWorld(closure.a), toWorld(closure.b)];
  const signs = new Map();
  for (const joint of b) if (!a.includes(joint)) signs.set(joint, 1);
  for (const joint of a) if (!b.includes(joint)) signs.set(joint, -1);
  return signs;
}

/** Groups of joints whose loops share joints: {joints, closures}, indices into the data. */
function findClusters(between) {
  let clusters = [];
  between.forEach((signs, index) => {
    const own = [...signs.keys()];
    const touched = clusters.filter((cluster) => own.some((joint) => cluster.joints.includes(joint)));
    const merged = {
      joints: [...new Set([...touched.flatMap((cluster) => cluster.joints), ...own])].sort((i, k) => i - k),
      closures: [...touched.flatMap((cluster) => cluster.closures), index],
    };
    clusters = [...clusters.filter((cluster) => !touched.includes(cluster)), merged];
  });
  return clusters;
}

/** Rows of one closure over the velocities of a cluster, and its residual; velocity rows have none. */
function equationsOf(data, closure, signs, cluster, poses, motions, q) {
  if (closure.pair === "gear") {
    const row = new Float64Array(cluster.count);
    row[cluster.column.get(closure.leader)] -= closure.ratio;
    row[cluster.column.get(closure.follower)] += 1;
    const unit = slides(data.joints[closure.follower], 0) ? data.size : 1;
    return [{ row, residual: gearGap(closure, data.joints, q), unit, isPosition: true }];
  }
  const { a, b } = closureFrames(closure, poses);
  const X = relative(a, b);
  const { residual } = opening(closure, X);
  const equations = rowsOf(closure, X).map((force, i) => ({
    force, row: new Float64Array(cluster.count), residual: residual[i] ?? 0, isPosition: i < residual.length,
    unit: measuresWay(closure, force) ? data.size : 1,
  }));
  const back = conjugate(b.q);
  for (const [joint, sign] of signs) {
    motions[joint].forEach((motion, freedom) => {
      const w = motion.slice(0, 3);
      const seen = [...rotate(back, w), ...rotate(back, add(motion.slice(3, 6), cross(w, b.p)))];
      for (const { force, row } of equations) {
        row[cluster.column.get(joint) + freedom] = sign * force.reduce((sum, value, i) => sum + value * seen[i], 0);
      }
    });
  }
  return equations;
}

export function createLoops(data) {
  const { start } = numberFreedoms(data.joints);
  const between = data.closures.map((closure) => jointsBetween(data, closure));
  const clusters = findClusters(between);
  for (const cluster of clusters) {
    cluster.column = new Map();
    cluster.scale = [];
    for (const joint of cluster.joints) {
      cluster.column.set(joint, cluster.scale.length);
      for (let i = 0; i < freedomCount(data.joints[joint]); ++i) cluster.scale.push(slides(data.joints[joint], i) ? data.size : 1);
    }
    cluster.count = cluster.scale.length;
  }

  /** The motions of all joints of a cluster, by joint. */
  function motionsAt(cluster, poses) {
    const motions = {};
    for (const index of cluster.joints) {
      const joint = data.joints[index];
      motions[index] = freedomMotions(joint, compose(poses[joint.parent], joint.pose), poses[joint.child]);
    }
    return motions;
  }

  const loops = {
    clusters,
    start,
    /** The cluster that a joint belongs to, or null. */
    clusterOf: (joint) => clusters.find((cluster) => cluster.joints.includes(joint)) ?? null,

    /**
     * The closures of a cluster at q, lengths in parts of the mechanism's size: their rows, what they are off by, the
     * largest of that, the units, and which rows bind positions.
     */
    equations(cluster, q) {
      const poses = bodyPoses(data, q);
      const motions = motionsAt(cluster, poses);
      const all = cluster.closures.flatMap((index) =>
        equationsOf(data, data.closures[index], between[index], cluster, poses, motions, q));
      const rows = all.map(({ row, unit }) => row.map((value, i) => (value * cluster.scale[i]) / unit));
      const residual = all.map((equation) => equation.residual / equation.unit);
      return { rows, residual, gap: largestEntry(residual), units: all.map(({ unit }) => unit), isPosition: all.map((equation) => equation.isPosition) };
    },

    /** The rows taken apart; `rank` bounds how many are kept. */
    takeApart: (cluster, rows, rank) => takeApart(rows, cluster.count, rankThreshold, rank),

    /** q after a motion of a cluster's joints, in the units of `scale`. */
    step(cluster, q, amounts) {
      const next = Float64Array.from(q);
      for (const index of cluster.joints) {
        const joint = data.joints[index];
        const first = cluster.column.get(index);
        const own = Array.from({ length: freedomCount(joint) }, (_, i) => amounts[first + i] * cluster.scale[first + i]);
        next.set(stepJoint(joint, q.slice(joint.q, joint.q + joint.nq), own), joint.q);
      }
      return next;
    },

    /** How far every closure is open: {distance, angle, at}; a gear's gap counts as an angle. */
    openings(q, poses = bodyPoses(data, q)) {
      return data.closures.map((closure) => {
        if (closure.pair === "gear") return { distance: 0, angle: Math.abs(gearGap(closure, data.joints, q)), at: null };
        const { a, b } = closureFrames(closure, poses);
        const { distance, angle, at } = opening(closure, relative(a, b));
        return { distance, angle, at: compose(a, at) };
      });
    },
    gap: (q) => loops.openings(q).reduce((most, { distance, angle }) => Math.max(most, distance, angle), 0),

    /** q with all loops closed, moved as little as may be; null where that does not succeed nearby. */
    close(q) {
      let closed = Float64Array.from(q);
      for (const cluster of clusters) {
        closed = closed && closeCluster(loops, cluster, closed, cluster.rank);
      }
      return closed;
    },
  };
  for (const cluster of clusters) cluster.rank = rankNearby(loops, cluster, data.q0);
  return loops;
}

/** How many rows count at q and around it: where the start is singular some are missing there. */
function rankNearby(loops, cluster, q) {
  const parts = loops.takeApart(cluster, loops.equations(cluster, q).rows);
  return parts.open().reduce((rank, direction) => {
    const near = closeCluster(loops, cluster, loops.step(cluster, q, direction.map((value) => 0.01 * value)), undefined);
    return near ? Math.max(rank, loops.takeApart(cluster, loops.equations(cluster, near).rows).rank) : rank;
  }, parts.rank);
}

const closedEnough = 1e-12;

/** Newton's method with the shortest steps. Rows beyond `rank` are left out: they are satisfied with the others. */
function closeCluster(loops, cluster, start, rank) {
  let q = start;
  let before = Infinity;
  for (let i = 0; i < 20; ++i) {
    const { rows, residual, gap } = loops.equations(cluster, q);
    if (gap <= closedEnough || (gap < 1e-10 && gap > 0.5 * before)) return q;
    const parts = loops.takeApart(cluster, rows, rank);
    const step = parts.solve(residual.map((value) => -value));
    if (largestEntry(step) > 0.5) return null;
    before = gap;
    q = loops.step(cluster, q, step);
  }
  return null;
}
