// The page at several sizes, in light and dark, under fingers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, pageWith } from "./support/browser.mjs";
import { branched, everyJoint, f64, largeRun, run } from "./support/data.mjs";
import { rimOfDifference, settled } from "./support/pictures.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const sizes = [[1440, 900], [1024, 768], [768, 1024], [390, 844], [360, 640], [844, 390]];

/** Everything that sticks out sideways, and every two controls in sight that lie on each other. */
function inspect() {
  const complaints = [];
  const width = window.innerWidth;
  if (document.documentElement.scrollWidth > width) complaints.push(`page is ${document.documentElement.scrollWidth} wide`);
  for (const element of document.querySelectorAll("#panel, .page:not([hidden]), #head, #timeline, .card")) {
    if (element.scrollWidth > element.clientWidth + 1) complaints.push(`${element.id || element.className} overflows`);
  }
  const name = (element) => element.id || element.getAttribute("aria-label") || element.textContent;
  const controls = [...document.querySelectorAll("button, select, input, .u-over")].flatMap((element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (box.width === 0 || y < 0 || y > window.innerHeight) return [];
    // A control that its scrolling panel cuts off is not in sight.
    const side = element.closest("#panel")?.getBoundingClientRect();
    if (side && (box.top < side.top || box.bottom > side.bottom)) return [];
    if (element.closest(".channel-groups")) return [];
    if (box.left < -1 || box.right > width + 1) complaints.push(`${name(element)} sticks out`);
    const hit = document.elementFromPoint(x, y);
    if (hit !== element && !element.contains(hit)) complaints.push(`${name(element)} is covered by ${name(hit)}`);
    // Marks of events lie above the line of the slider by design.
    return element.matches(".event-mark") ? [] : [{ element, box }];
  });
  for (const a of controls) {
    for (const b of controls) {
      if (a === b || a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > 1 && down > 1) complaints.push(`${name(a.element)} lies on ${name(b.element)}`);
    }
  }
  return complaints;
}

test("the first view shows the whole mechanism", async () => {
  for (const data of [everyJoint(), branched(), run()]) {
    for (const size of [[1280, 800], [390, 844]]) {
      const page = await browser.open({ html: await pageWith(data), size });
      await page.click("#tab-layers");
      await page.uncheck("#layer-ground");
      const stage = page.locator("#canvas");
      await settled(page);
      const shown = await stage.screenshot();
      await page.uncheck("#layer-shapes");
      if (data.run) await page.uncheck("#layer-forces");
      await settled(page);
      const rim = await rimOfDifference(page, [shown, await stage.screenshot()]);
      const box = await stage.boundingBox();
      assert.ok(Math.min(...rim) >= 4, `${data.title} at ${size}: ${rim}`);
      assert.ok(rim[0] + rim[2] < 0.8 * box.width || rim[1] + rim[3] < 0.8 * box.height, "and not from far away");
      await page.context().close();
    }
  }
});

test("the whole motion of a run is in sight, also after the window has changed", async () => {
  // It moves aside, so that a narrow window is too narrow for the distance that fits a wide one.
  const data = run();
  data.run.q = f64(Array.from({ length: 101 }, (_, k) => [1, 0, 0, 0, 0.025 * k, 0.02 * k, 1, 0.5]).flat());
  const page = await browser.open({ html: await pageWith(data), size: [1280, 520] });
  await page.click("#tab-layers");
  await page.uncheck("#layer-ground");
  await page.uncheck("#layer-forces");
  await page.selectOption("#trail", "");
  const stage = page.locator("#canvas");
  for (const [width, height] of [[1280, 520], [340, 1000]]) {
    await page.setViewportSize({ width, height });
    for (const time of [0, 5.3, 10]) {
      await page.evaluate((t) => linkwright.seek(t), time);
      await settled(page);
      const shown = await stage.screenshot();
      await page.uncheck("#layer-shapes");
      await settled(page);
      const rim = await rimOfDifference(page, [shown, await stage.screenshot()]);
      assert.ok(Math.min(...rim) >= 3, `${width} × ${height} at ${time} s: ${rim}`);
      await page.check("#layer-shapes");
    }
  }
});

test("nothing sticks out or lies on something else at any size", async () => {
  for (const data of [everyJoint(), run(), largeRun()]) {
    const page = await browser.open({ html: await pageWith(data) });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        await settled(page);
        assert.deepEqual(await page.evaluate(inspect), [], `${data.title} at ${width} × ${height}, ${await tab.textContent()}`);
      }
      const stage = await page.locator("#stage").boundingBox();
      assert.ok(stage.height > 140 && stage.width > 300, `stage ${stage.width} × ${stage.height} at ${width} × ${height}`);
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test("long names do not break the page", async () => {
  const data = run();
  const long = "a_very_long_name_without_any_space_".repeat(8);
  data.title = long;
  data.bodies[1].name = data.joints[1].name = data.run.channels[0].name = data.run.events[0].name = long;
  data.run.summary.push([long, long]);
  for (const size of [[390, 844], [1440, 900]]) {
    const page = await browser.open({ html: await pageWith(data), size });
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      assert.deepEqual(await page.evaluate(inspect), []);
    }
    const view = await browser.open({ html: await pageWith({ ...data, mode: "view" }), size });
    assert.deepEqual(await view.evaluate(inspect), []);
  }
});

const brightness = (page) => page.evaluate(() => {
  const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  return (r + g + b) / 3;
});

test("follows the system's light or dark, until the button says otherwise", async () => {
  for (const [colorScheme, dark] of [["light", false], ["dark", true]]) {
    const page = await browser.open({ html: await pageWith(run()), colorScheme });
    assert.equal((await brightness(page)) < 128, dark, colorScheme);
    await page.click("#theme");
    assert.equal((await brightness(page)) < 128, !dark, `${colorScheme} after the button`);
    await page.reload();
    await page.evaluate(() => linkwright.ready);
    assert.equal((await brightness(page)) < 128, !dark, "the choice is remembered");
    assert.deepEqual(page.problems, []);
  }
});

test("text stands out from its ground in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.open({ html: await pageWith(run()), colorScheme });
    const ratios = await page.evaluate(() => {
      const value = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      const light = (hex) => {
        const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => {
        const [x, y] = [light(value(a)), light(value(b))].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
      };
      return [["--text", "--page"], ["--text-soft", "--page"], ["--text-soft", "--card"], ["--accent", "--page"], ["--on-accent", "--accent"]].map(([a, b]) => [a, b, contrast(a, b)]);
    });
    // 4.5 is what the accessibility guidelines (WCAG 2, level AA) ask for body text.
    for (const [a, b, ratio] of ratios) assert.ok(ratio >= 4.5, `${a} on ${b} in ${colorScheme}: ${ratio.toFixed(2)}`);
  }
});

test("every control has a name for those who cannot see it", async () => {
  for (const data of [everyJoint(), run()]) {
    const page = await browser.open({ html: await pageWith(data) });
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input")]
      .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.closest("label")?.textContent.trim()))
      .map((element) => element.outerHTML));
    assert.deepEqual(nameless, []);
  }
});

test("fingers: a tap plays, a drag turns the view, a drag on a plot moves the time", async () => {
  const page = await browser.open({ html: await pageWith(run()), size: [390, 844], touch: true });
  await page.tap("#play");
  assert.equal(await page.evaluate(() => linkwright.clock.playing), true);
  await page.tap("#play");
  const touch = await page.context().newCDPSession(page);
  const drag = async (from, to) => {
    const at = ([x, y]) => ({ touchPoints: [{ x, y }] });
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(from) });
    for (let i = 1; i <= 5; ++i) {
      const point = from.map((x, k) => x + ((to[k] - x) * i) / 5);
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(point) });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  const before = await page.evaluate(() => linkwright.project("arm"));
  await drag([200, 200], [300, 200]);
  const now = await page.evaluate(() => linkwright.project("arm"));
  assert.ok(Math.hypot(now[0] - before[0], now[1] - before[1]) > 5, "the view did not turn");
  const box = await page.locator(".plot .u-over").first().boundingBox();
  await drag([box.x + box.width * 0.3, box.y + 30], [box.x + box.width * 0.7, box.y + 30]);
  assert.ok(Math.abs((await page.evaluate(() => linkwright.time)) - 7) < 0.3, `${await page.evaluate(() => linkwright.time)}`);
  assert.deepEqual(page.problems, []);
});

test("the mouse turns, moves and zooms the view; Fit brings it back", async () => {
  const page = await browser.open({ html: await pageWith(branched()) });
  const where = () => page.evaluate(() => [...linkwright.project("antenna"), ...linkwright.project("hand")]);
  const apart = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));
  const box = await page.locator("#canvas").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const start = await where();
  for (const button of ["left", "right"]) {
    const before = await where();
    await page.mouse.move(...middle);
    await page.mouse.down({ button });
    await page.mouse.move(middle[0] + 120, middle[1] + 30, { steps: 5 });
    await page.mouse.up({ button });
    assert.ok(apart(before, await where()) > 20, `${button} drag`);
  }
  const before = await where();
  await page.mouse.wheel(0, -400);
  await page.waitForTimeout(300);
  assert.ok(apart(before, await where()) > 5, "wheel");
  await page.click("#fit");
  await page.waitForTimeout(100);
  const [x, y] = await page.evaluate(() => linkwright.project("upper"));
  assert.ok(x > 0 && x < box.width && y > 0 && y < box.height, "fit");
  assert.ok(apart(start, await where()) > 0);
});
