// Pages that the program itself writes: what is drawn equals what the program computes. Needs LINKWRIGHT_PROGRAM;
// LINKWRIGHT_SOURCE is the root of the repository.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser } from "./support/browser.mjs";
import { difference, fromPose } from "./support/matrices.mjs";
import { linkwright, root, skipWithout } from "./support/program.mjs";

// The program prints poses with all digits; both sides round a few dozen products of metres.
const tolerance = 1e-11;
const [skipView, skipRun] = [await skipWithout("view"), await skipWithout("simulate")];

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

/** The program's pose of a frame at q. */
async function computed(model, more, frame, q) {
  const text = await linkwright("compute", "forward-kinematics", model, ...more, "--frame", frame, `--q=${q.join(",")}`, "--json");
  const { names, values } = JSON.parse(text);
  const [x, y, z, qw, qx, qy, qz] = ["x", "y", "z", "qw", "qx", "qy", "qz"].map((part) => values[names.indexOf(`frame:${frame}:${part}`)]);
  return { p: [x, y, z], q: [qw, qx, qy, qz] };
}

async function openView(model, ...more) {
  const path = join(browser.folder, `view-${Math.random()}.html`);
  await linkwright("view", model, ...more, "-o", path);
  return browser.open({ path });
}

/** Every link as it is drawn, against the program. */
async function compareAll(page, model, more) {
  const q = await page.evaluate(() => linkwright.q);
  const names = await page.evaluate(() => linkwright.data.bodies.slice(1).map(({ name }) => name));
  for (const name of [names.at(-1), names[Math.floor(names.length / 2)], names[0]]) {
    const drawn = await page.evaluate((body) => linkwright.bodyPose(body), name);
    const error = difference(drawn, fromPose(await computed(model, more, name, q)));
    assert.ok(error < tolerance, `${name} of ${model}: ${error}`);
  }
}

test("a slider of the arm's page moves the hand to where the program says", { skip: skipView }, async () => {
  const model = join(root, "models/arm7.urdf");
  const page = await openView(model);
  const sliders = page.locator(".slider-row input[type=range]");
  assert.equal(await sliders.count(), 7);
  for (const [i, fraction] of [[1, 0.7], [3, 0.25], [5, 0.9]]) {
    await sliders.nth(i).scrollIntoViewIfNeeded();
    const box = await sliders.nth(i).boundingBox();
    await page.mouse.click(box.x + 8 + (box.width - 16) * fraction, box.y + box.height / 2);
  }
  const q = await page.evaluate(() => linkwright.q);
  assert.equal(q.filter((value) => value !== 0).length, 3, `q is ${q}`);
  await compareAll(page, model, []);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(page.requests, []);
});

test("random positions of bundled models are drawn where the program says", { skip: skipView }, async () => {
  for (const [model, ...more] of [["models/humanoid.urdf", "--base", "free"], ["models/space_robot.yaml"]]) {
    const page = await openView(join(root, model), ...more);
    await page.click("#random");
    await compareAll(page, join(root, model), more);
    assert.deepEqual(page.problems, []);
  }
});

const everyType = `
linkwright: 1
bodies: [{name: a, mass: 1}, {name: b, mass: 1}, {name: c, mass: 1}, {name: d, mass: 1}, {name: e, mass: 1}, {name: f, mass: 1},
         {name: g, mass: 1}, {name: h, mass: 1}, {name: i, mass: 1}, {name: j, mass: 1}, {name: k, mass: 1}]
joints:
  - {name: ja, type: free, parent: world, child: a, pose: {xyz: [0.1, 0.2, 0.3], rpy: [0.3, 0.2, 0.1]}}
  - {name: jb, type: revolute, parent: a, child: b, pose: {xyz: [0.2, 0, 0.1], rpy: [0.1, 0.4, 0]}, axis: [1, 1, 0]}
  - {name: jc, type: prismatic, parent: b, child: c, pose: {xyz: [0.2, 0, 0.1], rpy: [0, 0.4, 1]}, axis: [0, 1, 2]}
  - {name: jd, type: helical, pitch: 0.05, parent: c, child: d, pose: {xyz: [0.1, 0.1, 0]}, axis: [1, 0, 2]}
  - {name: je, type: cylindrical, parent: d, child: e, pose: {xyz: [0.1, 0.1, 0]}, axis: [1, -1, 2]}
  - {name: jf, type: universal, parent: e, child: f, pose: {xyz: [0.1, 0.1, 0]}, axis: [1, 0, 0], axis2: [0, 1, 0]}
  - {name: jg, type: planar, parent: f, child: g, pose: {xyz: [0.1, 0.1, 0]}, axis: [1, 2, -2]}
  - {name: jh, type: spherical, parent: g, child: h, pose: {xyz: [0.1, 0.3, 0]}}
  - {name: ji, type: custom, parent: h, child: i, pose: {xyz: [0.1, 0, 0]}, modes: [[0, 0, 1, 0, 0, 0.1], [0, 0, 0, 0, 0, 1]]}
  - {name: jj, type: custom, parent: i, child: j, pose: {xyz: [0.1, 0, 0]}, modes: [[1, 0, 0, 0, 0.2, 0], [0, 1, 0, 0, 0, 0]]}
  - {name: jk, type: fixed, parent: j, child: k, pose: {xyz: [0.1, 0, 0.4], rpy: [1, 0, 0]}}
`;

test("every joint type of a system file is drawn where the program says", { skip: skipView }, async () => {
  const model = join(browser.folder, "every.yaml");
  await writeFile(model, everyType);
  const page = await openView(model);
  for (let i = 0; i < 3; ++i) {
    await page.click("#random");
    await compareAll(page, model, []);
  }
  assert.deepEqual(page.problems, []);
});

test("the page of a simulation plays what the program computed", { skip: skipRun }, async () => {
  const model = join(root, "models/space_robot.yaml");
  const path = join(browser.folder, "run.html");
  await linkwright("simulate", model, "--time", "1", "--step", "0.01", "--out", join(browser.folder, "run.csv"), "--html", path);
  const page = await browser.open({ path });
  const times = await page.evaluate(() => [...linkwright.clock.times]);
  assert.equal(times[0], 0);
  assert.equal(times.at(-1), 1);
  await page.evaluate((time) => linkwright.seek(time), times[Math.floor(times.length / 2)]);
  await compareAll(page, model, []);
  await page.click("#energy-drift");
  assert.equal(await page.getByRole("region", { name: "Energy drift" }).count(), 1);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(page.requests, []);
});
