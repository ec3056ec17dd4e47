// The program under test, and data of pages that it writes. LINKWRIGHT_SOURCE is the root of the repository.
import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { decodeData } from "../../src/data.js";

const program = process.env.LINKWRIGHT_PROGRAM;
export const root = process.env.LINKWRIGHT_SOURCE ?? new URL("../../..", import.meta.url).pathname;
const absent = !program || !(await access(program).then(() => true, () => false));

export const linkwright = async (...words) => (await promisify(execFile)(program, words, { cwd: root, maxBuffer: 1e8 })).stdout;

/** Why tests that need this command of the program are skipped; false where it is there. */
export async function skipWithout(command) {
  if (absent) return "LINKWRIGHT_PROGRAM is not set to a program";
  const knows = (await linkwright("--help")).split("\n").some((line) => line.trim().startsWith(`${command} `));
  return knows ? false : `this program has no ${command}`;
}

/** The page of a model as it is written, its path, and its data decoded. */
export async function viewOf(model, folder, ...more) {
  const path = join(folder, `view-${Math.random()}.html`);
  await linkwright("view", model, "--quiet", ...more, "-o", path);
  const html = await readFile(path, "utf8");
  const begin = '<script type="application/json" id="linkwright-data">';
  const start = html.indexOf(begin) + begin.length;
  return { path, data: decodeData(JSON.parse(html.slice(start, html.indexOf("</script>", start)))) };
}

/** Repeatable numbers in −1 … 1. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}
