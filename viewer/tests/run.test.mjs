// A run: playing, scrubbing, plots and keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, pageWith } from "./support/browser.mjs";
import { f64, run } from "./support/data.mjs";
import { bodyMatrix, difference } from "./support/matrices.mjs";

let browser, plain;
before(async () => {
  browser = await openBrowser();
  // Plots and keys do not need the picture; without it the tests are quicker, and show that all else works alone.
  plain = await openBrowser({ webgl: false });
});
after(() => Promise.all([browser.close(), plain.close()]));

const opened = async (options = {}) => plain.open({ html: await pageWith(run(options)) });
const drawn = async (options = {}) => browser.open({ html: await pageWith(run(options)) });
const timeOf = (page) => page.evaluate(() => linkwright.time);

/** Joint positions of the made-up run at any time, as its author wrote them. */
function position(t) {
  return [Math.cos(t / 2), 0, 0.6 * Math.sin(t / 2), 0.8 * Math.sin(t / 2), 0.1 * t, 0, 1, Math.sin(2 * t)];
}

test("plays at the chosen speed, pauses, and the mechanism follows", async () => {
  const page = await drawn();
  const start = await page.evaluate(() => linkwright.bodyPose("arm"));
  await page.selectOption("#speed", "0.5");
  const rate = await page.evaluate(async () => {
    document.getElementById("play").click();
    const frames = (n) => new Promise((done) => { const next = () => (n-- ? requestAnimationFrame(next) : done()); next(); });
    await frames(3);
    const [wall, time] = [performance.now(), linkwright.time];
    await new Promise((done) => setTimeout(done, 700));
    await frames(1);
    return (linkwright.time - time) / ((performance.now() - wall) / 1000);
  });
  // Frames of software drawing are long; a third of the speed is still far from its neighbours 0.25 and 1.
  assert.ok(rate > 0.33 && rate < 0.7, `${rate} simulated seconds per second at 0.5×`);
  await page.click("#play");
  const stopped = await timeOf(page);
  await page.waitForTimeout(150);
  assert.equal(await timeOf(page), stopped);
  const now = await page.evaluate(() => linkwright.bodyPose("arm"));
  assert.ok(Math.hypot(...now.p.map((x, i) => x - start.p[i])) > 1e-3, "the arm did not move");
  assert.deepEqual(page.problems, []);
});

test("at the end it starts again, or stops when it is told not to repeat", async () => {
  const page = await drawn({ length: 0.4, samples: 21 });
  await page.click("#play");
  await page.waitForFunction(() => linkwright.time > 0.2);
  await page.waitForFunction(() => linkwright.time < 0.2, null, { polling: "raf" });
  assert.equal(await page.evaluate(() => linkwright.clock.playing), true);
  await page.getByRole("button", { name: "Repeat" }).click();
  await page.waitForFunction(() => !linkwright.clock.playing);
  assert.equal(await timeOf(page), 0.4);
});

test("scrubbing shows the pose of that time: exact at samples, turns at constant rate between them", async () => {
  const page = await drawn();
  const data = run();
  const slider = await page.locator("#scrub").boundingBox();
  await page.mouse.click(slider.x + 8 + (slider.width - 16) * 0.37, slider.y + slider.height / 2 + 2);
  assert.ok(Math.abs((await timeOf(page)) - 3.7) < 0.1, `clicked at 3.7, got ${await timeOf(page)}`);
  for (const t of [0, 2.5, 3.3, 10]) {
    await page.evaluate((time) => linkwright.seek(time), t);
    for (const index of [1, 2]) {
      const error = difference(await page.evaluate((name) => linkwright.bodyPose(name), data.bodies[index].name), bodyMatrix(data, index, position(t)));
      assert.ok(error < 1e-12, `${data.bodies[index].name} at ${t}: ${error}`);
    }
  }
  // The bus turns steadily, so that half-way between samples it must be exactly where the motion is.
  await page.evaluate(() => linkwright.seek(3.35));
  const error = difference(await page.evaluate(() => linkwright.bodyPose("bus")), bodyMatrix(data, 1, position(3.35)));
  assert.ok(error < 1e-12, `between samples: ${error}`);
});

test("a mechanism that travels far stays in sight", async () => {
  const data = run();
  const q = Array.from({ length: 101 }, (_, k) => [1, 0, 0, 0, 20 * k, -9 * k, 1, 0]).flat();
  data.run.q = f64(q);
  const page = await browser.open({ html: await pageWith(data) });
  const stage = await page.locator("#stage").boundingBox();
  for (const time of [0, 3, 10]) {
    await page.evaluate((t) => linkwright.seek(t), time);
    const [x, y] = await page.evaluate(() => linkwright.project("bus"));
    assert.ok(x > 0 && x < stage.width && y > 0 && y < stage.height, `at ${time} s it is at ${x}, ${y}`);
  }
  await page.click("#tab-layers");
  assert.equal(await page.isChecked("#follow"), true);
});

test("keys: space, arrows, home, end, plus, minus, help", async () => {
  const page = await opened();
  await page.keyboard.press("ArrowRight");
  assert.equal(await timeOf(page), 0.1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await timeOf(page), 0.1);
  await page.keyboard.press("End");
  assert.equal(await timeOf(page), 10);
  await page.keyboard.press("ArrowRight");
  assert.equal(await timeOf(page), 10);
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal(await timeOf(page), 9.5);
  await page.keyboard.press("Home");
  assert.equal(await timeOf(page), 0);
  await page.keyboard.press("+");
  assert.equal(await page.inputValue("#speed"), "2");
  for (let i = 0; i < 9; ++i) await page.keyboard.press("-");
  assert.equal(await page.inputValue("#speed"), "0.1");
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => linkwright.clock.playing), true);
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => linkwright.clock.playing), false);
  await page.keyboard.press("?");
  assert.equal(await page.locator("#help").isVisible(), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#help").isVisible(), false);
  await page.keyboard.press("e");
  assert.equal(await page.getByRole("region", { name: "Energy drift" }).count(), 1);
  assert.deepEqual(page.problems, []);
});

test("typing in a field is left to the field", async () => {
  const page = await opened();
  await page.getByRole("button", { name: "Channels" }).first().click();
  await page.getByLabel("Search channels").first().fill("");
  await page.keyboard.type("pivot e");
  assert.equal(await page.getByLabel("Search channels").first().inputValue(), "pivot e");
  assert.equal(await page.evaluate(() => linkwright.clock.playing), false);
  assert.equal(await page.getByRole("region", { name: "Energy drift" }).count(), 0);
});

test("energy drift is one click away and keeps every digit", async () => {
  const page = await opened();
  await page.click("#energy-drift");
  const drift = await page.evaluate(() => {
    const card = linkwright.plots.find(({ title }) => title === "Energy drift");
    return { values: [...card.plot.data[1]], range: card.plot.range("") };
  });
  const energy = Float64Array.from({ length: 101 }, (_, k) => 80 * (1 + 3e-13 * Math.sin(0.3 * k)));
  assert.deepEqual(drift.values, [...energy].map((value) => (value - energy[0]) / energy[0]));
  const largest = Math.max(...drift.values);
  assert.ok(largest > 2.5e-13 && largest < 3.5e-13, `${largest}`);
  assert.ok(drift.range[1] >= largest && drift.range[1] < 1.5 * largest, `axis ends at ${drift.range[1]}`);
  await page.click("#energy-drift");
  assert.equal(await page.getByRole("region", { name: "Energy drift" }).count(), 1);
});

test("without a recorded energy the button is off", async () => {
  const data = run();
  data.run.channels = data.run.channels.filter(({ group }) => group !== "energy");
  const page = await plain.open({ html: await pageWith(data) });
  assert.equal(await page.locator("#energy-drift").isDisabled(), true);
});

test("channels can be searched, added to and taken from a plot; each unit has its axis", async () => {
  const page = await opened();
  await page.getByRole("button", { name: "Add a plot" }).click();
  const card = page.locator(".plot-card").last();
  await card.getByLabel("Search channels").fill("piv");
  assert.deepEqual(await card.locator(".channel .name").allTextContents(), ["pivot", "pivot rate"]);
  assert.deepEqual(await card.locator("legend").allTextContents(), ["Joint positions", "Joint velocities"]);
  await card.getByRole("checkbox", { name: "pivot rad", exact: true }).check();
  await card.getByRole("checkbox", { name: "pivot rate rad/s" }).check();
  const shown = () => page.evaluate(() => linkwright.plots.at(-1).channels.map(({ name }) => name));
  assert.deepEqual(await shown(), ["pivot", "pivot rate"]);
  const ranges = await page.evaluate(() => ["rad", "rad/s"].map((unit) => linkwright.plots.at(-1).plot.range(unit)));
  assert.ok(ranges[0][1] < 1.3 && ranges[1][1] > 1.9, JSON.stringify(ranges));
  await card.locator(".chip").first().click();
  assert.deepEqual(await shown(), ["pivot rate"]);
  assert.deepEqual(page.problems, []);
});

test("the line on a plot is tied to the timeline, both ways", async () => {
  const page = await opened();
  const over = page.locator(".plot .u-over").first();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 4 });
  await page.mouse.up();
  assert.ok(Math.abs((await timeOf(page)) - 6) < 0.05, `${await timeOf(page)}`);
  assert.ok(Math.abs(Number(await page.inputValue("#scrub")) - 6) < 0.05);
  await page.evaluate(() => linkwright.seek(2.5));
  const line = await page.locator(".time-line").first().boundingBox();
  assert.ok(Math.abs(line.x - (box.x + box.width * 0.25)) < 2, `line at ${line.x - box.x} of ${box.width}`);
  const value = await page.locator(".chip .value").first().textContent();
  assert.equal(value, `−${Math.abs(Math.sin(5)).toPrecision(4)}`);
});

test("events are marked on the timeline and lead to their time", async () => {
  const page = await opened();
  assert.equal(await page.locator(".event-mark").count(), 2);
  await page.getByRole("button", { name: "Go to release at 7.75 s" }).click();
  assert.equal(await timeOf(page), 7.75);
  await page.click("#tab-summary");
  await page.locator(".events button").first().click();
  assert.equal(await timeOf(page), 2.5);
  assert.deepEqual(await page.locator(".summary .pairs").first().locator("tr").allTextContents(),
    run().run.summary.map((pair) => pair.join("")));
});

test("a run of one sample, and values that are not numbers, are shown", async () => {
  const one = await opened({ samples: 1 });
  for (const key of ["Space", "ArrowRight", "ArrowLeft", "End", "Home"]) await one.keyboard.press(key);
  assert.equal(await timeOf(one), 0);
  assert.deepEqual(one.problems, []);
  const data = run();
  const values = Float64Array.from({ length: 101 }, (_, k) => (k % 7 === 0 ? NaN : k));
  data.run.channels[0].values = { f64: Buffer.from(values.buffer).toString("base64") };
  const page = await plain.open({ html: await pageWith(data) });
  assert.equal(await page.locator(".chip .value").first().textContent(), "–");
  assert.deepEqual(await page.evaluate(() => linkwright.plots[0].plot.range("rad").map(Math.round)), [-7, 108]);
  assert.deepEqual(page.problems, []);
});
