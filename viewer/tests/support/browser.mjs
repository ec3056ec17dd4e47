// Opens pages in Debian's Chromium, headless, with an empty profile, and notes everything that must not happen.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const always = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const softwareWebgl = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const withoutWebgl = ["--disable-3d-apis"];

const templatePath = process.env.LINKWRIGHT_PAGE ?? new URL("../../dist/page.html", import.meta.url).pathname;
const placeholder = '<script type="application/json" id="linkwright-data">null</script>';

/** The bundled page with data in it, as the program writes it; `data` may be the JSON text itself. */
export async function pageWith(data) {
  const template = await readFile(templatePath, "utf8");
  if (template.split(placeholder).length !== 2) throw new Error(`${templatePath} has no place for the data`);
  const text = (typeof data === "string" ? data : JSON.stringify(data)).replaceAll("<", "\\u003c");
  return template.replace(placeholder, () => placeholder.replace("null", () => text));
}

/** A browser for one test file; `close` ends it and removes what it wrote. */
export async function openBrowser({ webgl = true } = {}) {
  const browser = await chromium.launch({
    executablePath: process.env.LINKWRIGHT_CHROMIUM ?? "/usr/bin/chromium",
    args: [...always, ...(webgl ? softwareWebgl : withoutWebgl)],
    ignoreDefaultArgs: ["--enable-automation"],
  });
  const folder = await mkdtemp(join(tmpdir(), "linkwright-page-"));
  let count = 0;

  /** Opens HTML text, or a file by `path`; the page carries `problems` and `requests`. */
  async function open({ html, path, size = [900, 640], colorScheme = "light", touch = false }) {
    const file = path ?? join(folder, `${++count}.html`);
    if (html) await writeFile(file, html);
    const context = await browser.newContext({
      viewport: { width: size[0], height: size[1] }, colorScheme, hasTouch: touch, isMobile: touch, reducedMotion: "reduce",
    });
    // Software drawing on a busy machine is slow; what hangs for good still ends.
    context.setDefaultTimeout(120000);
    const page = await context.newPage();
    const url = pathToFileURL(file).href;
    page.problems = [];
    page.requests = [];
    page.on("console", (message) => {
      // Headless software drawing reads pixels back slowly; Chromium's own remark says nothing about the page.
      const driver = /GL Driver Message|GPU stall due to ReadPixels/.test(message.text());
      if (["error", "warning"].includes(message.type()) && !driver) page.problems.push(message.text());
    });
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("request", (request) => {
      if (request.url() !== url && !request.url().startsWith("data:")) page.requests.push(request.url());
    });
    await page.goto(url);
    await page.evaluate(() => window.linkwright.ready);
    return page;
  }

  return {
    open,
    folder,
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
