// A view: the drawn pose of every link is that of forward kinematics, for every joint type, and a slider moves
// its own link and what hangs on it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, pageWith } from "./support/browser.mjs";
import { branched, everyJoint, neutral } from "./support/data.mjs";
import { bodyMatrix, difference, exponential, fromPose, jointMatrix, times } from "./support/matrices.mjs";

// Poses are products of a dozen matrices with entries of a few metres: 1e-12 is some thousand roundings.
const tolerance = 1e-12;

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

/** Repeatable numbers in −1 … 1. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

function anyPosition(joint, random) {
  const q = neutral(joint).map(() => random());
  if (q.length !== 4 && q.length !== 7) return q;
  const length = Math.hypot(...q.slice(0, 4));
  return q.map((x, i) => (i < 4 ? x / length : x));
}

const poseOf = (page, name) => page.evaluate((body) => linkwright.bodyPose(body), name);

test("the drawn pose equals forward kinematics for every joint type", async () => {
  const data = everyJoint();
  const page = await browser.open({ html: await pageWith(data) });
  const random = numbers(7);
  const q = [...data.q0];
  for (const joint of data.joints.filter(({ nq }) => nq > 0)) {
    const values = anyPosition(joint, random);
    values.forEach((value, i) => (q[joint.q + i] = value));
    await page.evaluate(([name, numbers]) => linkwright.setJoint(name, numbers), [joint.name, values]);
    for (let index = 1; index < data.bodies.length; ++index) {
      const error = difference(await poseOf(page, data.bodies[index].name), bodyMatrix(data, index, q));
      assert.ok(error < tolerance, `${data.bodies[index].name} after ${joint.name}: ${error}`);
    }
  }
  assert.deepEqual(page.problems, []);
});

/** Clicks a slider at a fraction of its length. */
async function clickSlider(page, label, fraction) {
  const slider = page.getByLabel(label, { exact: true });
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  await page.mouse.click(box.x + 8 + (box.width - 16) * fraction, box.y + box.height / 2);
}

test("a slider moves its own link and what hangs on it, and nothing else", async () => {
  const data = branched();
  const page = await browser.open({ html: await pageWith(data) });
  const names = data.bodies.slice(1).map(({ name }) => name);
  const all = async () => Object.fromEntries(await Promise.all(names.map(async (name) => [name, await poseOf(page, name)])));
  const moves = { shoulder: names, elbow: ["lower", "hand"], wrist: ["hand"], swing: ["antenna"] };
  for (const [joint, moved] of Object.entries(moves)) {
    const before = await all();
    await clickSlider(page, `${joint}, angle`, 0.9);
    const now = await all();
    const q = await page.evaluate(() => linkwright.q);
    const own = data.joints.find(({ name }) => name === joint).q;
    assert.ok(Math.abs(q[own] - 1.6) < 0.06, `${joint} went to ${q[own]}, expected about 1.6 of −2 … 2`);
    for (const name of names) {
      const went = difference(before[name], fromPose(now[name]));
      assert.ok(moved.includes(name) ? went > 0.05 : went === 0, `${name} moved by ${went} with ${joint}`);
      const error = difference(now[name], bodyMatrix(data, names.indexOf(name) + 1, q));
      assert.ok(error < tolerance, `${name}: ${error}`);
    }
  }
});

test("sliders end at the limits; without limits half a turn each way", async () => {
  const data = everyJoint();
  const page = await browser.open({ html: await pageWith(data) });
  const ends = async (label) => {
    const slider = page.getByLabel(label, { exact: true });
    return [Number(await slider.getAttribute("min")), Number(await slider.getAttribute("max"))];
  };
  assert.deepEqual(await ends("j_revolute_0, angle"), [-2, 2.5]);
  assert.deepEqual(await ends("j_prismatic_2, distance"), [-0.2, 0.6]);
  assert.deepEqual(await ends("j_continuous_1, angle"), [-Math.PI, Math.PI]);
  assert.deepEqual(await ends("j_cylindrical_4, distance"), [-2, 2]);
  const field = page.getByLabel("j_revolute_0, angle, number", { exact: true });
  await field.fill("1.25");
  assert.equal((await page.evaluate(() => linkwright.q))[0], 1.25);
  await page.getByLabel("Degrees").check();
  await field.fill("90");
  assert.ok(Math.abs((await page.evaluate(() => linkwright.q))[0] - Math.PI / 2) < 1e-15);
});

test("joints that turn freely take a rotation vector, and the quaternion keeps length 1", async () => {
  const data = everyJoint();
  const page = await browser.open({ html: await pageWith(data) });
  const joint = data.joints.find(({ type }) => type === "free");
  for (const [label, value] of [["turn x", "0.4"], ["turn y", "-1.1"], ["turn z", "2.2"], ["x", "0.3"], ["z", "-0.2"]]) {
    await page.getByLabel(`${joint.name}, ${label}, number`, { exact: true }).fill(value);
  }
  const q = await page.evaluate(() => linkwright.q);
  const part = q.slice(joint.q, joint.q + 7);
  assert.ok(Math.abs(Math.hypot(...part.slice(0, 4)) - 1) < 1e-15);
  const expected = times(exponential([0, 0, 0, 0.3, 0, -0.2]), exponential([0.4, -1.1, 2.2, 0, 0, 0]));
  const got = jointMatrix(joint, part);
  got.forEach((row, i) => row.forEach((x, j) => assert.ok(Math.abs(x - expected[i][j]) < tolerance, `entry ${i} ${j}`)));
});

test("a custom joint whose motions do not commute moves along its modes", async () => {
  const data = everyJoint();
  const page = await browser.open({ html: await pageWith(data) });
  const joint = data.joints.find(({ type, commute }) => type === "custom" && !commute);
  await page.getByLabel(`${joint.name}, motion 1, number`, { exact: true }).fill("0.7");
  await page.getByLabel(`${joint.name}, motion 2, number`, { exact: true }).fill("-0.4");
  const q = await page.evaluate(() => linkwright.q);
  const expected = exponential(joint.modes[0].map((x, i) => 0.7 * x - 0.4 * joint.modes[1][i]));
  const got = jointMatrix(joint, q.slice(joint.q, joint.q + 7));
  got.forEach((row, i) => row.forEach((x, j) => assert.ok(Math.abs(x - expected[i][j]) < tolerance, `entry ${i} ${j}`)));
});

test("limits stand at the slider, and a value outside them is marked", async () => {
  const data = everyJoint();
  data.joints[2].limits = [[-0.2, null]];
  const page = await browser.open({ html: await pageWith(data) });
  const card = (name) => page.getByRole("region", { name: `Joint ${name}`, exact: true });
  const revolute = card("j_revolute_0");
  assert.deepEqual(await revolute.locator(".limits span").allTextContents(), ["−2", "2.5"]);
  assert.deepEqual(await card("j_prismatic_2").locator(".limits span").allTextContents(), ["−0.2", ""]);
  assert.equal(await card("j_continuous_1").locator(".limits").isVisible(), false);
  const field = page.getByLabel("j_revolute_0, angle, number", { exact: true });
  const state = async () => [await field.getAttribute("aria-invalid"), await revolute.locator(".kind").textContent()];
  assert.deepEqual(await state(), ["false", "turns"]);
  await field.fill("3");
  assert.equal((await page.evaluate(() => linkwright.q))[0], 3, "the mechanism goes where it is told");
  assert.deepEqual(await state(), ["true", "outside its limits"]);
  const slider = page.getByLabel("j_revolute_0, angle", { exact: true });
  assert.deepEqual([await slider.getAttribute("max"), await slider.inputValue()], ["3", "3"], "the slider reaches the value");
  await field.fill("2.5");
  assert.deepEqual(await state(), ["false", "turns"]);
  await page.getByLabel("Degrees").check();
  assert.deepEqual(await revolute.locator(".limits span").allTextContents(), ["−114.6", "143.2"]);
});

test("a start outside the limits is marked at once", async () => {
  const data = everyJoint();
  data.joints[0].limits = [[0.5, 1]];
  const page = await browser.open({ html: await pageWith(data) });
  assert.equal(await page.locator(".kind.outside").count(), 1);
  await page.click("#random");
  assert.equal(await page.locator(".kind.outside").count(), 0, "random positions keep within the limits");
});

test("Random stays within limits and on the group, Reset goes back", async () => {
  const data = everyJoint();
  const page = await browser.open({ html: await pageWith(data) });
  for (let i = 0; i < 20; ++i) {
    await page.click("#random");
    const q = await page.evaluate(() => linkwright.q);
    assert.notDeepEqual(q, data.q0);
    assert.ok(q[0] >= -2 && q[0] <= 2.5, `revolute ${q[0]}`);
    assert.ok(q[2] >= -0.2 && q[2] <= 0.6, `prismatic ${q[2]}`);
    for (const joint of data.joints.filter(({ nq }) => nq === 4 || nq === 7)) {
      assert.ok(Math.abs(Math.hypot(...q.slice(joint.q, joint.q + 4)) - 1) < 1e-14, joint.name);
    }
    const last = data.bodies.length - 1;
    assert.ok(difference(await poseOf(page, data.bodies[last].name), bodyMatrix(data, last, q)) < tolerance);
  }
  await page.click("#reset");
  assert.deepEqual(await page.evaluate(() => linkwright.q), data.q0);
  await page.keyboard.press("n");
  assert.notDeepEqual(await page.evaluate(() => linkwright.q), data.q0);
  await page.keyboard.press("r");
  assert.deepEqual(await page.evaluate(() => linkwright.q), data.q0);
});
