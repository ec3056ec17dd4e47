// node build.mjs OUT.html: bundles the page into one file that needs no network. The program puts its data in
// place of `null` in the block with the id "linkwright-data".
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const placeholder = '<script type="application/json" id="linkwright-data">null</script>';
const read = (...path) => readFile(join(here, ...path), "utf8");

async function bundle() {
  const result = await build({
    entryPoints: [join(here, "src/main.js")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  const text = result.outputFiles[0].text;
  // Inside a script element these would end it or change how it is read.
  if (/<\/script|<!--/i.test(text)) throw new Error("The bundle contains </script or <!--, which an HTML file cannot hold.");
  return text.trim();
}

async function style() {
  const sources = [await read("node_modules/uplot/dist/uPlot.min.css"), await read("src/page.css")].join("\n");
  const { code } = await transform(sources, { loader: "css", minify: true });
  return code.trim();
}

/** Both libraries ask that their licence goes along. */
async function licences() {
  const texts = await Promise.all([["three.js", "three"], ["uPlot", "uplot"]].map(async ([name, folder]) =>
    `${name}\n\n${(await read("node_modules", folder, "LICENSE")).trim()}`));
  return `<!--\nThis page contains the following libraries.\n\n${texts.join("\n\n")}\n-->`;
}

/** Replaces one mark; the new text is taken as it is, without the `$` patterns of String.replace. */
function put(page, mark, text) {
  if (page.split(mark).length !== 2) throw new Error(`src/page.html must contain ${mark} exactly once.`);
  return page.replace(mark, () => text);
}

async function main() {
  const target = process.argv[2];
  if (!target) throw new Error("Usage: node build.mjs OUT.html");
  let page = await read("src/page.html");
  page = put(page, "/*STYLE*/", await style());
  page = put(page, "<body>", `<body>\n${await licences()}`);
  page = put(page, "/*SCRIPT*/", await bundle());
  if (page.split(placeholder).length !== 2) throw new Error(`The page must contain ${placeholder} exactly once.`);
  const out = resolve(target);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(`${out}.part`, page);
  await rename(`${out}.part`, out);
  console.log(`${target}: ${(Buffer.byteLength(page) / 1024).toFixed(0)} KiB`);
}

main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
