import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { once } from "node:events";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createJournal } from "../../src/record/store.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-journal-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (month = "2026-11") => createJournal(directory, "spending", () => month);
const folder = () => join(directory, ".gaia/.local/spending");

it("gives every process what others added, once, and ignores itself in git", async () => {
  const [one, other] = [open(), open()];
  expect(await one.append(["a", "b"], true)).toBe(true);
  expect(await other.read()).toEqual(["a", "b"]);
  await one.append(["c"], false);
  expect(await other.read()).toEqual(["c"]);
  expect(await other.read()).toEqual([]);
  expect(await readFile(join(directory, ".gaia/.local/.gitignore"), "utf8")).toBe("*\n");
});

it("reads past a line that a kill has torn, and no line before its end", async () => {
  const journal = open();
  await journal.append(["a"], true);
  await appendFile(join(folder(), "2026-11.jsonl"), '{"torn');
  expect(await journal.read()).toEqual(["a"]);
  await journal.append(["b"], true);
  expect(await journal.read()).toEqual(['{"torn', "b"]);
});

it("has every line that was added before its process was killed", async () => {
  const script = join(directory, "writer.mjs");
  await build({
    stdin: {
      contents: `import { createJournal } from ${JSON.stringify(resolve("src/record/store.ts"))};
const journal = createJournal(${JSON.stringify(directory)}, "spending", () => "2026-11");
for (let at = 0; ; at += 1) { await journal.append([String(at)], true); process.stdout.write(at + "\\n"); }`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
  });
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  child.stdout.on("data", (chunk: Buffer) => {
    told += String(chunk);
    if (told.length > 200) child.kill("SIGKILL");
  });
  await once(child, "close");
  const last = Number(told.slice(0, told.lastIndexOf("\n")).split("\n").at(-1));
  const lines = await open().read();
  expect(lines.slice(0, last + 1)).toEqual(Array.from({ length: last + 1 }, (_none, at) => String(at)));
});
