// The mechanism as it stands now: joint positions, and the poses that follow from them. Its loops stay closed.
import { listeners } from "./dom.js";
import { createDrive } from "./drive.js";
import { bodyPoses, locate, positionAt } from "./kinematics.js";
import { createLoops } from "./loops.js";

/** Loops that are farther open at the start are left so, and the sliders move the tree. */
const closedStart = 1e-6;

/** Less, in parts of the mechanism's size, is not seen. */
const hair = 1e-4;

const partOf = (joint, q) => q.slice(joint.q, joint.q + joint.nq);

/** Drives goals cluster by cluster. */
function createMover(data, loops) {
  const { drive, isIndependent } = createDrive(data, loops);
  function move(q0, goals, options) {
    let q = q0;
    let stopped = null;
    for (const cluster of new Set(goals.map((goal) => loops.clusterOf(goal.joint)))) {
      const own = goals.filter((goal) => loops.clusterOf(goal.joint) === cluster);
      const result = drive(cluster, q, own, options);
      q = result.q;
      if (result.reached < 1) stopped = own;
    }
    return { q, stopped };
  }
  return { move, isIndependent };
}

export function createMechanism(data) {
  const changed = listeners();
  const loops = data.closures.length > 0 ? createLoops(data) : null;
  const start = loops?.close(data.q0) ?? null;
  const closes = start !== null && loops.gap(data.q0) < closedStart;
  const mover = closes ? createMover(data, loops) : null;

  const mechanism = {
    q: closes ? start : Float64Array.from(data.q0),
    poses: [],
    loops,
    /** Whether the sliders keep the loops closed. */
    closes,
    onChange: changed.add,
    isIndependent: (joint, slider) => !mover || !loops.clusterOf(joint) || mover.isIndependent(joint, slider),
    /** Whether the loops of a joint leave no motion at all. */
    isRigid(joint) {
      const cluster = loops?.clusterOf(joint);
      return Boolean(cluster) && cluster.rank >= cluster.count;
    },
    inLoop: (joint) => closes && loops.clusterOf(joint) !== null,
    /** Sets all joint positions. */
    set(q) {
      mechanism.q = Float64Array.from(q);
      mechanism.poses = bodyPoses(data, mechanism.q);
      changed.emit();
    },
    /**
     * As a run has it at this time. Between samples its loops are closed, if they are open by more than a hair; not where
     * the samples themselves are: a contact has let go.
     */
    show(time) {
      const q = positionAt(data, time);
      const { k, s } = locate(data.run.time, time);
      const isOpen = (at) => loops.gap(at) > hair * data.size;
      const opens = closes && s !== 0 && isOpen(q) && ![k, k + 1].some((i) => isOpen(positionAt(data, data.run.time[i])));
      mechanism.set((opens && loops.close(q)) || q);
    },
    reset: () => mechanism.set(closes ? start : data.q0),
    /** Sets the numbers of one joint that is in no loop. */
    setJoint(joint, values) {
      const q = Float64Array.from(mechanism.q);
      q.set(values, joint.q);
      mechanism.set(q);
    },
    /**
     * Moves sliders of joints in loops, goals [{joint, slider, value, base}] with joint an index, and what depends on
     * them; `base` is where a custom joint's sliders stand at zero, by default where it is now. Returns the goals of the loop that stopped at a dead point, or null. `limits` stops where a joint reaches its own.
     */
    move(goals, { limits = false } = {}) {
      const base = (index) => goals.find((goal) => goal.joint === index)?.base ?? partOf(data.joints[index], mechanism.q);
      const { q, stopped } = mover.move(mechanism.q, goals, { base, limits });
      mechanism.set(q);
      return stopped;
    },
    openings: () => (loops ? loops.openings(mechanism.q, mechanism.poses) : []),
  };
  mechanism.poses = bodyPoses(data, mechanism.q);
  return mechanism;
}
