// The loops of a mechanism as the page solves them, without a browser: the same equations as the program's, rows that are
// their derivatives, and sliders that never open a loop.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sliderRates, slidersNear, toSliders } from "../src/coordinates.js";
import { freedomCount, numberFreedoms, stepJoint } from "../src/freedoms.js";
import { createLoops } from "../src/loops.js";
import { takeApart } from "../src/linear.js";
import { createMechanism } from "../src/mechanism.js";
import { everyClosure, mimicHand } from "./support/closed_models.mjs";
import { linkwright, numbers, root, skipWithout, viewOf } from "./support/program.mjs";

const skip = await skipWithout("view");
let folder;
before(async () => (folder = await mkdtemp(join(tmpdir(), "linkwright-loops-"))));
after(() => rm(folder, { recursive: true, force: true }));

/** Bundled models with closures. */
async function closedModels() {
  const files = (await readdir(join(root, "models"))).filter((file) => file.endsWith(".yaml")).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(root, "models", file), "utf8")));
  return files.filter((_, i) => /^closures:/m.test(texts[i])).map((file) => join(root, "models", file));
}

async function written(name, text) {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** A position near `q` or anywhere: every joint moved by up to `size` per freedom. */
function moved(data, q, random, size) {
  const next = Float64Array.from(q);
  for (const joint of data.joints) {
    const amounts = Array.from({ length: freedomCount(joint) }, () => size * random());
    next.set(stepJoint(joint, next.slice(joint.q, joint.q + joint.nq), amounts), joint.q);
  }
  return next;
}

/** Residuals of all closures in the program's order, velocity rows as zeros. */
function residuals(data, loops, q) {
  const byClosure = new Map();
  for (const cluster of loops.clusters) {
    for (const index of cluster.closures) {
      const { rows, residual, units } = loops.equations({ ...cluster, closures: [index] }, q);
      byClosure.set(index, rows.map((_, i) => residual[i] * units[i]));
    }
  }
  return data.closures.flatMap((_, index) => byClosure.get(index) ?? []);
}

/** The program's residuals at many positions. */
async function computed(model, data, positions) {
  const names = data.joints.flatMap((joint) =>
    Array.from({ length: joint.nq }, (_, i) => (joint.nq === 1 ? `q:${joint.name}` : `q:${joint.name}:${i}`)));
  const order = data.joints.flatMap((joint) => Array.from({ length: joint.nq }, (_, i) => joint.q + i));
  const rows = positions.map((q) => order.map((i) => q[i]).join(","));
  const states = await written(`states-${Math.random()}.csv`, [names.join(","), ...rows].join("\n") + "\n");
  const lines = (await linkwright("compute", "closure", model, "--states", states, "--out", "-", "--quiet")).trim().split("\n");
  const columns = lines[0].split(",");
  const wanted = columns.flatMap((name, i) => (name.startsWith("closure:") ? [i] : []));
  return lines.slice(1).map((line) => wanted.map((i) => Number(line.split(",")[i])));
}

test("residuals are the program's, for every kind of closure and all bundled models", { skip }, async () => {
  const models = [await written("every.yaml", everyClosure()), ...(await closedModels())];
  assert.ok(models.length > 10);
  const random = numbers(11);
  for (const model of models) {
    const { data } = await viewOf(model, folder);
    const loops = createLoops(data);
    const positions = [0.02, 0.3, 1.2].map((size) => moved(data, data.q0, random, size));
    const expected = await computed(model, data, positions);
    positions.forEach((q, k) => {
      const got = residuals(data, loops, q);
      assert.equal(got.length, expected[k].length, model);
      got.forEach((value, i) => {
        const error = Math.abs(value - expected[k][i]);
        // Poses have entries of a few metres; a pair far from closed is settled by up to fifty steps.
        assert.ok(error < 1e-11 * (1 + Math.abs(expected[k][i])), `${model}, row ${i} of position ${k}: ${value}, expected ${expected[k][i]}`);
      });
    });
  }
});

test("rows are derivatives of the residuals where the loops are closed", { skip }, async () => {
  for (const model of [await written("every.yaml", everyClosure()), ...(await closedModels())]) {
    const { data } = await viewOf(model, folder);
    const loops = createLoops(data);
    for (const cluster of loops.clusters) {
      const { rows, isPosition } = loops.equations(cluster, data.q0);
      for (let column = 0; column < cluster.count; ++column) {
        const h = 1e-5;
        const amounts = new Float64Array(cluster.count);
        amounts[column] = h;
        const [ahead, behind] = [h, -h].map((step) => {
          amounts[column] = step;
          return loops.equations(cluster, loops.step(cluster, data.q0, amounts)).residual;
        });
        rows.forEach((row, i) => {
          if (!isPosition[i]) return;
          const slope = (ahead[i] - behind[i]) / (2 * h);
          assert.ok(Math.abs(row[column] - slope) < 1e-7, `${model}, row ${i}, column ${column}: ${row[column]}, slope ${slope}`);
        });
      }
    }
  }
});

test("rates of the sliders are derivatives of their numbers, for every joint", () => {
  const random = numbers(5);
  const joints = [
    { type: "spherical", nq: 4, q: 0 }, { type: "free", nq: 7, q: 0 }, { type: "universal", nq: 2, q: 0 },
    { type: "custom", nq: 7, q: 0, commute: false, modes: [[1, 0, 0, 0, 0.2, 0], [0, 1, 0, 0, 0, 0]] },
  ];
  for (const joint of joints) {
    const start = joint.nq === 2 ? [0, 0] : [1, 0, 0, 0, 0, 0, 0].slice(0, joint.nq);
    const base = Float64Array.from(start);
    for (let k = 0; k < 10; ++k) {
      const q = Float64Array.from(stepJoint(joint, base, Array.from({ length: freedomCount(joint) }, () => 1.5 * random())));
      const near = slidersNear(joint, q, [0, 0, 0], base);
      const rates = sliderRates(joint, q, near, base);
      for (let column = 0; column < freedomCount(joint); ++column) {
        const [ahead, behind] = [1e-5, -1e-5].map((h) => {
          const amounts = Array.from({ length: freedomCount(joint) }, (_, i) => (i === column ? h : 0));
          return slidersNear(joint, Float64Array.from(stepJoint(joint, q, amounts)), near, base);
        });
        rates.forEach((row, i) => assert.ok(Math.abs(row[column] - (ahead[i] - behind[i]) / 2e-5) < 1e-5, `${joint.type} ${i} ${column}`));
      }
    }
  }
});

test("equations that repeat others are found, and the shortest solution is taken", () => {
  const random = numbers(3);
  for (let k = 0; k < 20; ++k) {
    const rows = Array.from({ length: 4 }, () => Float64Array.from({ length: 7 }, () => random()));
    rows.push(rows[0].map((value, i) => 2 * value - rows[3][i]));
    const x = Float64Array.from({ length: 7 }, () => random());
    const right = rows.map((row) => row.reduce((sum, value, i) => sum + value * x[i], 0));
    const parts = takeApart(rows, 7, 1e-9);
    assert.equal(parts.rank, 4);
    const solution = parts.solve(right);
    const open = parts.open();
    assert.equal(open.length, 3);
    rows.forEach((row, i) => assert.ok(Math.abs(row.reduce((sum, value, j) => sum + value * solution[j], 0) - right[i]) < 1e-12));
    for (const direction of open) {
      assert.ok(Math.abs(direction.reduce((sum, value, i) => sum + value * solution[i], 0)) < 1e-12, "it has no part along what is open");
      for (const row of rows) assert.ok(Math.abs(row.reduce((sum, value, i) => sum + value * direction[i], 0)) < 1e-12);
    }
  }
});

/** All sliders of joints in loops. */
const slidersOf = (data, mechanism) => data.joints.flatMap((joint, index) => {
  if (joint.nq === 0 || !mechanism.inLoop(index)) return [];
  return toSliders(joint, mechanism.q.slice(joint.q, joint.q + joint.nq)).map((_, slider) => ({ index, joint, slider }));
});
const valueOf = (mechanism, { joint, slider }) => toSliders(joint, mechanism.q.slice(joint.q, joint.q + joint.nq))[slider];

test("random moves of any slider of any bundled mechanism keep every loop closed to 1e-9", { skip }, async () => {
  const random = numbers(17);
  for (const model of await closedModels()) {
    const { data } = await viewOf(model, folder);
    const mechanism = createMechanism(data);
    assert.ok(mechanism.closes, model);
    const sliders = slidersOf(data, mechanism);
    let reached = 0;
    for (let k = 0; k < 40; ++k) {
      const chosen = sliders[Math.floor(((random() + 1) / 2) * sliders.length) % sliders.length];
      const span = { rad: 0.6, m: 0.15 * data.size }[chosen.joint.type === "prismatic" || (chosen.joint.type === "free" && chosen.slider > 2) ? "m" : "rad"];
      const goal = valueOf(mechanism, chosen) + span * random();
      const stopped = mechanism.move([{ joint: chosen.index, slider: chosen.slider, value: goal }]);
      if (!stopped) ++reached;
      const gap = Math.max(...mechanism.openings().map(({ distance, angle }) => Math.max(distance, angle)));
      assert.ok(gap <= 1e-9, `${model} after ${chosen.joint.name}: ${gap}`);
      if (k % 20 === 19) mechanism.reset();
    }
    assert.ok(reached > 0, `${model}: nothing moved`);
    console.log(`${model.split("/").pop()}: ${reached} of 40 moves went all the way`);
  }
});

test("an independent slider goes where it is told, and the other independents stay", { skip }, async () => {
  const random = numbers(23);
  for (const model of await closedModels()) {
    const { data } = await viewOf(model, folder);
    const mechanism = createMechanism(data);
    const sliders = slidersOf(data, mechanism).filter(({ index, slider }) => mechanism.isIndependent(index, slider));
    for (let k = 0; k < 12 && sliders.length > 0; ++k) {
      mechanism.reset();
      const moved = sliders[k % sliders.length];
      const before = sliders.map((slider) => valueOf(mechanism, slider));
      const goal = before[k % sliders.length] + 0.03 * random() * Math.min(1, data.size);
      const stopped = mechanism.move([{ joint: moved.index, slider: moved.slider, value: goal }]);
      assert.equal(stopped, null, `${model}: ${moved.joint.name}`);
      sliders.forEach((slider, i) => {
        const expected = slider === moved ? goal : before[i];
        assert.ok(Math.abs(valueOf(mechanism, slider) - expected) < 1e-10, `${model}: ${slider.joint.name} with ${moved.joint.name}`);
      });
    }
  }
});

test("there and back again the mechanism stands where it stood: no branch is changed", { skip }, async () => {
  for (const file of ["five_bar.yaml", "four_bar.yaml", "delta.yaml", "bricard.yaml", "gripper.yaml", "stewart.yaml"]) {
    const { data } = await viewOf(join(root, "models", file), folder);
    const mechanism = createMechanism(data);
    const sliders = slidersOf(data, mechanism).filter(({ index, slider }) => mechanism.isIndependent(index, slider));
    const start = Float64Array.from(mechanism.q);
    for (const slider of sliders) {
      const value = valueOf(mechanism, slider);
      for (const goal of [value + 0.1, value - 0.1, value]) {
        assert.equal(mechanism.move([{ joint: slider.index, slider: slider.slider, value: goal }]), null, `${file}: ${slider.joint.name}`);
      }
    }
    start.forEach((value, i) => assert.ok(Math.abs(mechanism.q[i] - value) < 1e-8, `${file}, q${i}: ${mechanism.q[i]}, was ${value}`));
  }
});

test("one long move leads where many short ones do", { skip }, async () => {
  const moves = [["four_bar.yaml", "crank_pivot", 2.6], ["slider_crank.yaml", "crank", 2.8], ["five_bar.yaml", "left_motor", 1.2],
    ["bricard.yaml", "hinge1", 1.5], ["delta.yaml", "motor1", 0.9], ["planar_platform.yaml", "motor1", -1.6], ["gripper.yaml", "left_motor", 0.9]];
  for (const [file, name, way] of moves) {
    const { data } = await viewOf(join(root, "models", file), folder);
    const joint = data.joints.findIndex((candidate) => candidate.name === name);
    const [once, often] = [createMechanism(data), createMechanism(data)];
    const start = once.q[data.joints[joint].q];
    assert.equal(once.move([{ joint, slider: 0, value: start + way }]), null, file);
    for (let k = 1; k <= 100; ++k) assert.equal(often.move([{ joint, slider: 0, value: start + (way * k) / 100 }]), null, file);
    once.q.forEach((value, i) => assert.ok(Math.abs(value - often.q[i]) < 1e-7, `${file}, q${i}: ${value}, by short steps ${often.q[i]}`));
  }
});

test("rows that repeat others do not make the steps shorter", { skip }, async () => {
  const { data } = await viewOf(join(root, "models/bricard.yaml"), folder);
  const mechanism = createMechanism(data);
  const { equations } = mechanism.loops;
  let count = 0;
  mechanism.loops.equations = (...given) => {
    ++count;
    return equations(...given);
  };
  assert.equal(mechanism.move([{ joint: 0, slider: 0, value: mechanism.q[0] + 1.5 }]), null);
  // Steps of at most 0.12 of any joint, each with a tangent and a few corrections.
  assert.ok(count < 100, `${count} times the equations`);
});

test("a rocker stops at its dead point, says so, and comes back", { skip }, async () => {
  const { data } = await viewOf(join(root, "models/four_bar.yaml"), folder);
  const mechanism = createMechanism(data);
  const rocker = data.joints.findIndex(({ name }) => name === "rocker_pivot");
  const start = Float64Array.from(mechanism.q);
  // Crank 0.1 and coupler 0.35 in one line, 0.45 long; rocker 0.25, ground 0.4.
  const inner = Math.acos((0.25 ** 2 + 0.4 ** 2 - 0.45 ** 2) / (2 * 0.25 * 0.4));
  const outer = Math.acos((0.25 ** 2 + 0.4 ** 2 - 0.25 ** 2) / (2 * 0.25 * 0.4));
  const ends = [Math.PI - inner, Math.PI - outer];
  const stopped = mechanism.move([{ joint: rocker, slider: 0, value: 3 }]);
  assert.ok(stopped, "it went beyond its dead point");
  const at = mechanism.q[data.joints[rocker].q];
  assert.ok(Math.min(...ends.map((end) => Math.abs(at - end))) < 1e-5, `stopped at ${at}, dead points ${ends}`);
  assert.ok(Math.max(...mechanism.openings().map(({ distance }) => distance)) < 1e-9);
  assert.equal(mechanism.move([{ joint: rocker, slider: 0, value: start[data.joints[rocker].q] }]), null);
  start.forEach((value, i) => assert.ok(Math.abs(mechanism.q[i] - value) < 1e-7, `q${i}: ${mechanism.q[i]}, was ${value}`));
});

test("a mechanism that starts singular leaves it along a branch, and passes it again", { skip }, async () => {
  const hinge = (name, parent, child, x) => `  - {name: ${name}, type: continuous, parent: ${parent}, child: ${child}, pose: {xyz: [${x}, 0, 0]}, axis: [0, 0, 1]}`;
  // A parallelogram folded flat: here it has two freedoms, everywhere else one.
  const { data } = await viewOf(await written("flat.yaml", `linkwright: 1
bodies: [{name: a, mass: 1}, {name: b, mass: 1}, {name: c, mass: 1}]
joints:
${[hinge("ja", "world", "a", 0), hinge("jb", "a", "b", 0.5), hinge("jc", "world", "c", 1)].join("\n")}
closures: [{name: pin, between: [b, c], joint: revolute, axis: [0, 0, 1], at_a: {xyz: [1, 0, 0]}, at_b: {xyz: [0.5, 0, 0]}}]
`), folder);
  for (const joint of [0, 1, 2]) {
    const mechanism = createMechanism(data);
    for (const value of [0.3, -0.3]) {
      assert.equal(mechanism.move([{ joint, slider: 0, value }]), null, `${data.joints[joint].name} to ${value}`);
      assert.equal(mechanism.q[joint], value);
      assert.ok(mechanism.openings()[0].distance < 1e-9);
    }
  }
});

test("a crank goes all the way round", { skip }, async () => {
  const { data } = await viewOf(join(root, "models/four_bar.yaml"), folder);
  const mechanism = createMechanism(data);
  const crank = data.joints.findIndex(({ name }) => name === "crank_pivot");
  const start = Float64Array.from(mechanism.q);
  const own = data.joints[crank].q;
  assert.equal(mechanism.move([{ joint: crank, slider: 0, value: start[own] + 2 * Math.PI }]), null);
  const pin = data.joints.find(({ name }) => name === "crank_pin").q;
  assert.ok(Math.abs(mechanism.q[own] - start[own] - 2 * Math.PI) < 1e-12);
  // Against the coupler, which only rocks, the crank makes a whole turn.
  assert.ok(Math.abs(mechanism.q[pin] - start[pin] + 2 * Math.PI) < 1e-8);
});

test("mimic joints and gears move along, both ways", { skip }, async () => {
  const { data } = await viewOf(await written("hand.urdf", mimicHand), folder);
  const mechanism = createMechanism(data);
  const [lead, follow] = ["lead", "follow"].map((name) => data.joints.findIndex((joint) => joint.name === name));
  mechanism.move([{ joint: lead, slider: 0, value: 0.8 }]);
  assert.ok(Math.abs(mechanism.q[data.joints[follow].q] - (-0.5 * 0.8 + 0.1)) < 1e-12);
  mechanism.move([{ joint: follow, slider: 0, value: 0.2 }]);
  assert.ok(Math.abs(mechanism.q[data.joints[lead].q] + 0.2) < 1e-12);
});

test("every kind of closure holds while sliders of the chain are moved", { skip }, async () => {
  const { data } = await viewOf(await written("every.yaml", everyClosure()), folder);
  const mechanism = createMechanism(data);
  assert.ok(mechanism.closes);
  const random = numbers(29);
  const sliders = slidersOf(data, mechanism);
  for (let k = 0; k < 12; ++k) {
    const chosen = sliders[Math.floor(((random() + 1) / 2) * sliders.length) % sliders.length];
    mechanism.move([{ joint: chosen.index, slider: chosen.slider, value: valueOf(mechanism, chosen) + 0.1 * random() }]);
    const gap = Math.max(...mechanism.openings().map(({ distance, angle }) => Math.max(distance, angle)));
    assert.ok(gap <= 1e-9, `after ${chosen.joint.name}: ${gap}`);
  }
});

test("a ball that rolls comes to lie where the way it rolled has turned it", { skip }, async () => {
  const model = await written("ball.yaml", `linkwright: 1
bodies: [{name: ball, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
joints: [{name: floating, type: free, parent: world, child: ball, pose: {xyz: [0, 0, 0.2]}}]
closures: [{name: floor, between: [world, ball], joint: rolling, radius: 0.2}]
`);
  const { data } = await viewOf(model, folder);
  const mechanism = createMechanism(data);
  const sliders = slidersOf(data, mechanism);
  // Turned about y by 0.5 it must roll 0.1 along x.
  mechanism.move([{ joint: sliders[1].index, slider: 1, value: 0.5 }]);
  const x = mechanism.q[data.joints[0].q + 4];
  assert.ok(Math.abs(x - 0.1) < 1e-6, `rolled ${x}`);
  const count = numberFreedoms(data.joints).count;
  assert.equal(count, 6);
});

test("a move that watches limits stops where a joint reaches its own, and starts outside of others", { skip }, async () => {
  const { data } = await viewOf(join(root, "models/stewart.yaml"), folder);
  const legs = data.joints.map(({ name }, index) => ({ name, index })).filter(({ name }) => /^leg\d$/.test(name)).map(({ index }) => index);
  const plate = data.joints.findIndex(({ name }) => name === "floating");
  const up = { joint: plate, slider: 5, value: 0.5 };
  const free = createMechanism(data);
  free.move([up]);
  assert.ok(legs.some((leg) => free.q[data.joints[leg].q] > 0.3), "without watching, legs pass their limit of 0.25 m");
  const watched = createMechanism(data);
  watched.move([up], { limits: true });
  const longest = Math.max(...legs.map((leg) => watched.q[data.joints[leg].q]));
  assert.ok(longest > 0.24 && longest <= 0.25 + 1e-9, `${longest}`);
  // Joints that stand outside already do not keep the others from moving.
  free.move([{ joint: plate, slider: 3, value: 0.02 }], { limits: true });
  assert.equal(free.q[data.joints[plate].q + 4], 0.02);
});
