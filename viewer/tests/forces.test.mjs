// Arrows of what closures carry: recorded at b's closure frame, in its axes, drawn in the world. Without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Group, Vector3 } from "three";
import { decodeData } from "../src/data.js";
import { closureForcesLayer } from "../src/force_layers.js";
import { bodyPoses } from "../src/kinematics.js";
import { f64, pose, world } from "./support/data.mjs";
import { bodyMatrix, fromPose, times } from "./support/matrices.mjs";

const unit = (v) => v.map((x) => x / Math.hypot(...v));
const force = [[1, 2, 3], [-4, 0.5, 2]];

/** A body that turns, held by a ball whose frame is turned on it. */
function held({ recorded = true } = {}) {
  const at_b = pose([0.1, 0.2, -0.3], unit([0.8, 0.3, -0.4, 0.2]));
  const q = [[...unit([0.9, 0.1, 0.3, -0.2]), 1, 2, 3], [...unit([0.5, -0.5, 0.1, 0.4]), -1, 0, 2]];
  const channels = ["fx", "fy", "fz"].map((part, i) => ({ name: `closure:ball:${part}`, unit: "N", group: "force", values: f64(force.map((f) => f[i])) }));
  return {
    linkwright: 1, title: "held", mode: "run", size: 2, q0: q[0],
    bodies: [world(), { name: "body", parent: 0, joint: 0, mass: 1, com: [0, 0, 0], shapes: [] }],
    joints: [{ name: "floating", type: "free", parent: 0, child: 1, q: 0, nq: 7, pose: pose([0.5, 0, 0], unit([1, 0.2, 0, 0])) }],
    closures: [{ name: "ball", pair: "lower_pair", joint: "spherical", a: 0, b: 1, at_a: pose(), at_b, rows: [], modes: [], duals: [], complement: [] }],
    run: { time: f64([0, 1]), q: f64(q.flat()), channels: recorded ? channels : [], forces: [], events: [], summary: [] },
  };
}

test("an arrow starts at b's closure frame and points where the force does, the longest a third of the mechanism", () => {
  const raw = held();
  const data = decodeData(structuredClone(raw));
  const root = new Group();
  const layer = closureForcesLayer(data, root);
  assert.ok(Math.abs(layer.largest - Math.hypot(...force[1])) < 1e-12);
  [0, 1].forEach((time) => {
    const q = [...data.run.q.slice(7 * time, 7 * time + 7)];
    layer.update({ poses: bodyPoses(data, q), time });
    const frame = times(bodyMatrix(raw, 1, q), fromPose(raw.closures[0].at_b));
    const [arrow] = root.children;
    const expected = unit([0, 1, 2].map((i) => force[time].reduce((sum, f, k) => sum + frame[i][k] * f, 0)));
    const direction = new Vector3(0, 0, 1).applyQuaternion(arrow.quaternion);
    arrow.position.toArray().forEach((x, i) => assert.ok(Math.abs(x - frame[i][3]) < 1e-12, "place"));
    direction.toArray().forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-12, "direction"));
  });
  layer.objects[0].visible = false;
  layer.update({ poses: bodyPoses(data, data.q0), time: 0 });
  assert.equal(root.children[0].visible, false);
});

test("a run without recorded forces of closures has no such layer", () => {
  assert.equal(closureForcesLayer(decodeData(held({ recorded: false })), new Group()), null);
});

test("closures and springs that are attached to nothing are named", () => {
  const spoilt = (change) => {
    const raw = held();
    change(raw);
    return () => decodeData(raw);
  };
  assert.throws(spoilt((raw) => (raw.closures[0].b = 7)), /Closure "ball" has no valid "b"/);
  assert.throws(spoilt((raw) => (raw.closures = [{ name: "gears", pair: "gear", leader: 0, follower: 3 }])), /Closure "gears" has no valid "follower"/);
  assert.throws(spoilt((raw) => (raw.springs = [{ type: "line", name: "coil", a: 0, b: 9 }])), /Spring "coil" is attached to nothing/);
});
