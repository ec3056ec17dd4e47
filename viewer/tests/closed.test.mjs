// Closed mechanisms in the browser, from pages that the program writes: loops stay closed on the screen, whatever slider is
// dragged; closures, springs and their forces are drawn; a run is in sight from end to end.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser } from "./support/browser.mjs";
import { fromPose, times } from "./support/matrices.mjs";
import { rimOfDifference, settled } from "./support/pictures.mjs";
import { linkwright, numbers, root, skipWithout, viewOf } from "./support/program.mjs";

const [skip, skipRun] = [await skipWithout("view"), await skipWithout("simulate")];
const bundled = (name) => join(root, "models", name);

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const openView = async (name, options = {}) => browser.open({ path: (await viewOf(bundled(name), browser.folder)).path, ...options });

/**
 * The largest distance on the screen between what must coincide: both closure frames' origins and, for hinges, a point of
 * the axis. Made from the drawn poses of the links, not from what the page says of its loops.
 */
async function pixelGap(page) {
  const { closures, names, poses, size } = await page.evaluate(() => ({
    closures: linkwright.data.closures, names: linkwright.data.bodies.map(({ name }) => name), size: linkwright.data.size,
    poses: linkwright.data.bodies.map(({ name }) => linkwright.bodyPose(name)),
  }));
  assert.equal(names.length, poses.length);
  const pairs = closures.filter(({ pair, joint }) => pair === "lower_pair" && ["revolute", "spherical"].includes(joint)).flatMap((closure) => {
    const [a, b] = [["a", "at_a"], ["b", "at_b"]].map(([body, at]) => times(fromPose(poses[closure[body]]), fromPose(closure[at])));
    const local = [[0, 0, 0], ...(closure.joint === "revolute" ? [closure.axis.map((x) => 0.2 * size * x)] : [])];
    const place = (matrix, p) => [0, 1, 2].map((i) => matrix[i][3] + p.reduce((sum, x, k) => sum + matrix[i][k] * x, 0));
    return local.map((p) => [place(a, p), place(b, p)]);
  });
  assert.ok(pairs.length > 0);
  const gaps = await page.evaluate((all) => all.map(([a, b]) => {
    const [p, q] = [linkwright.toScreen(a), linkwright.toScreen(b)];
    return Math.hypot(p[0] - q[0], p[1] - q[1]);
  }), pairs);
  return Math.max(...gaps);
}

/** Drags a slider with the mouse to a fraction of its length, in a few steps. */
async function drag(page, slider, fraction) {
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const [value, min, max] = [Number(await slider.inputValue()), Number(await slider.getAttribute("min")), Number(await slider.getAttribute("max"))];
  const at = (f) => box.x + 8 + (box.width - 16) * f;
  await page.mouse.move(at((value - min) / (max - min)), box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(at(fraction), box.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
}

test("whatever slider is dragged, every closure stays within a pixel", { skip }, async () => {
  const random = numbers(41);
  for (const model of ["four_bar.yaml", "bricard.yaml", "gripper.yaml", "delta.yaml", "stewart.yaml", "swinging_load.yaml"]) {
    const page = await openView(model, { size: [760, 520] });
    assert.ok((await pixelGap(page)) < 1, model);
    const sliders = page.locator(".slider-row input[type=range]");
    const count = await sliders.count();
    const start = await page.evaluate(() => linkwright.q);
    let worst = 0;
    for (const k of [0, 1 % count, count - 1, count - 2]) {
      // The first ones are independent, the last ones follow.
      await drag(page, sliders.nth(k), 0.5 + 0.35 * random());
      worst = Math.max(worst, await pixelGap(page));
    }
    await page.click("#random");
    worst = Math.max(worst, await pixelGap(page));
    assert.ok(worst <= 1, `${model}: ${worst} pixels`);
    assert.notDeepEqual(await page.evaluate(() => linkwright.q), start, `${model} moved`);
    const gaps = await page.evaluate(() => linkwright.openings().map(({ distance, angle }) => Math.max(distance, angle)));
    assert.ok(Math.max(...gaps) <= 1e-9, `${model}: ${gaps}`);
    await page.click("#reset");
    (await page.evaluate(() => linkwright.q)).forEach((x, i) => assert.ok(Math.abs(x - start[i]) < 1e-12, `${model}: q${i} after Reset`));
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test("independent sliders stand first, the others look different and follow", { skip }, async () => {
  const page = await openView("four_bar.yaml");
  assert.deepEqual(await page.locator(".joint h3").allTextContents(), ["crank_pivot", "crank_pin", "rocker_pivot"]);
  assert.equal(await page.locator(".slider-row.dependent").count(), 2);
  assert.deepEqual(await page.locator(".kind").allTextContents(), ["turns without end", "turns without end, follows", "turns without end, follows"]);
  const look = (name) => page.getByLabel(`${name}, angle, number`, { exact: true }).evaluate((field) => getComputedStyle(field).borderStyle);
  assert.notEqual(await look("crank_pivot"), await look("rocker_pivot"));
  const rocker = page.getByLabel("rocker_pivot, angle", { exact: true });
  const before = await rocker.inputValue();
  await page.getByLabel("crank_pivot, angle, number", { exact: true }).fill("2");
  assert.notEqual(await rocker.inputValue(), before, "the rocker's slider moved along");
  assert.equal((await page.evaluate(() => linkwright.q))[0], 2, "the typed number is taken as it is");
});

test("a slider that meets a dead point stops there and says so, and goes on when another one leads", { skip }, async () => {
  const page = await openView("four_bar.yaml");
  const field = page.getByLabel("rocker_pivot, angle, number", { exact: true });
  await field.fill("3");
  const told = page.locator(".loops");
  assert.match(await told.textContent(), /rocker_pivot stops here: a dead point/);
  const slider = page.getByLabel("rocker_pivot, angle", { exact: true });
  assert.ok(Number(await slider.inputValue()) < 2.6, `the slider shows where it stopped, ${await slider.inputValue()}`);
  assert.ok((await pixelGap(page)) < 1);
  await page.getByLabel("crank_pivot, angle, number", { exact: true }).fill("0");
  assert.match(await told.textContent(), /All loops closed/);
  assert.equal(await page.locator(".kind.outside").count(), 0);
  assert.deepEqual(page.problems, []);
});

test("closures are named where they are and listed with their kind, gears with their ratio", { skip }, async () => {
  const page = await openView("gripper.yaml");
  assert.deepEqual(await page.locator(".label.closure").allTextContents(), ["left_pin", "right_pin"]);
  await page.click("#tab-summary");
  const text = await page.locator(".summary").innerText();
  for (const words of ["hinge, left_link – left_finger", "right_driver = −left_motor"]) assert.ok(text.includes(words), words);
});

/** A page of a run of the bundled crane. */
async function craneRun(more = [], options = {}) {
  const path = join(browser.folder, `crane-${Math.random()}.html`);
  await linkwright("simulate", bundled("swinging_load.yaml"), "--time", "6", "--step", "0.002", ...more, "--html", path);
  return browser.open({ path, ...options });
}

test("a run brings closure forces and drift along, and every layer changes the picture", { skip: skipRun }, async () => {
  const page = await craneRun(["--every", "0.05", "--record", "frame:load"]);
  const forces = await page.evaluate(() => linkwright.data.run.channels.filter(({ name }) => /^closure:.*:f[xyz]$/.test(name)).length);
  assert.equal(forces, 18, "three per closure, though none was asked for");
  await page.click("#closure-drift");
  const card = page.getByRole("region", { name: "Closure drift" });
  assert.deepEqual(await card.locator(".chip .name").allTextContents(), ["closure_error", "velocity_error"]);
  await page.keyboard.press("c");
  assert.equal(await card.count(), 1, "it is opened once");
  await page.click("#tab-layers");
  const stage = page.locator("#stage");
  for (const id of ["closures", "springs", "closure-forces"]) {
    const before = await stage.screenshot();
    await page.click(`#layer-${id}`);
    await settled(page);
    assert.ok(!before.equals(await stage.screenshot()), `layer ${id} changed nothing`);
  }
  assert.deepEqual(page.problems, []);
  assert.deepEqual(page.requests, []);
});

test("between coarse samples of a run the loops are closed too", { skip: skipRun }, async () => {
  const page = await craneRun(["--every", "0.25"]);
  for (const time of [0.125, 1.1, 3.37, 5.9]) {
    await page.evaluate((t) => linkwright.seek(t), time);
    const gap = await pixelGap(page);
    assert.ok(gap <= 1, `${gap} pixels at ${time} s`);
  }
});

test("arms that hold a box between soft fingers keep it, wherever they go", { skip }, async () => {
  const page = await openView("two_arms_and_box.yaml", { size: [500, 400] });
  const start = await page.evaluate(() => linkwright.q);
  await page.click("#random");
  const gaps = await page.evaluate(() => linkwright.openings().map(({ distance }) => distance));
  assert.equal(gaps.length, 2);
  assert.ok(Math.max(...gaps) <= 1e-9, `${gaps}`);
  const q = await page.evaluate(() => linkwright.q);
  assert.ok(Math.max(...q.map((value, i) => Math.abs(value - start[i]))) > 0.01, "they moved");
});

test("a box that the arms have let go is drawn in its flight, between samples too", { skip: skipRun }, async () => {
  const path = join(browser.folder, "dropped.html");
  // Pushed apart, the hands let go at once; the box falls from there.
  await linkwright("simulate", bundled("two_arms_and_box.yaml"), "--time", "0.5", "--tau", "left/joint2=-150,right/joint2=-150",
    "--on-slip", "release", "--every", "0.05", "--html", path);
  const page = await browser.open({ path, size: [400, 300] });
  assert.equal(await page.evaluate(() => linkwright.data.run.events.length), 2, "both contacts are marked on the timeline");
  for (const time of [0.1, 0.125, 0.2, 0.3, 0.325, 0.45, 0.475]) {
    const height = await page.evaluate((t) => { linkwright.seek(t); return linkwright.q.at(-1); }, time);
    // Straight between samples 0.05 s apart: at most g/8 · 0.05² above the parabola.
    const above = height + 0.5 * 9.81 * time * time;
    assert.ok(Math.abs(above) < 0.004, `at ${time} s ${height} m, ${above} off the parabola`);
  }
});

test("the whole motion of a closed run is in sight, closures and springs too", { skip: skipRun }, async () => {
  for (const size of [[1280, 800], [390, 844]]) {
    const page = await craneRun(["--every", "0.05"], { size });
    await page.click("#tab-layers");
    await page.uncheck("#layer-ground");
    const stage = page.locator("#canvas");
    for (const time of [0.4, 3.1]) {
      await page.evaluate((t) => linkwright.seek(t), time);
      await settled(page);
      const shown = await stage.screenshot();
      const layers = ["shapes", "closures", "springs"];
      for (const id of layers) await page.uncheck(`#layer-${id}`);
      await settled(page);
      const rim = await rimOfDifference(page, [shown, await stage.screenshot()]);
      assert.ok(Math.min(...rim) >= 3, `${size}: ${rim} at ${time} s`);
      for (const id of layers) await page.check(`#layer-${id}`);
    }
    await page.context().close();
  }
});
