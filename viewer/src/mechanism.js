// The mechanism as it stands now: joint positions, and the poses that follow from them.
import { listeners } from "./dom.js";
import { bodyPoses } from "./kinematics.js";

export function createMechanism(data) {
  const changed = listeners();
  const mechanism = {
    q: Float64Array.from(data.q0),
    poses: [],
    onChange: changed.add,
    /** Sets all joint positions. */
    set(q) {
      mechanism.q = Float64Array.from(q);
      mechanism.poses = bodyPoses(data, mechanism.q);
      changed.emit();
    },
    /** Sets the numbers of one joint. */
    setJoint(joint, values) {
      const q = Float64Array.from(mechanism.q);
      q.set(values, joint.q);
      mechanism.set(q);
    },
  };
  mechanism.poses = bodyPoses(data, mechanism.q);
  return mechanism;
}
