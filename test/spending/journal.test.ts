import { spawn } from "node:child_process";
import { appendFile, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { once } from "node:events";
import { build } from "esbuild";
import { beforeEach, expect, it } from "vitest";
import { createJournal } from "../../src/record/store.ts";
import { openFolder } from "../support/directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await openFolder();
});

const open = () => createJournal(directory, () => "2026-11", { XDG_DATA_HOME: join(directory, "data") });
const folder = async (): Promise<string> => {
  const own = join(directory, "data/opencode-gaia/spending");
  return join(own, (await readdir(own))[0] ?? "");
};

it("gives every process what others added, once", async () => {
  const [one, other] = [open(), open()];
  await one.append(["a", "b"]);
  expect(await other.read()).toEqual(["a", "b"]);
  await one.append(["c"]);
  expect(await other.read()).toEqual(["c"]);
  expect(await other.read()).toEqual([]);
});

it("reads past a line that a kill has torn, and no line before its end", async () => {
  const journal = open();
  await journal.append(["a"]);
  await appendFile(join(await folder(), "2026-11.jsonl"), '{"torn');
  expect(await journal.read()).toEqual(["a"]);
  await journal.append(["b"]);
  expect(await journal.read()).toEqual(['{"torn', "b"]);
});

it("keeps the files of twelve months", async () => {
  await open().append(["old"]);
  for (let month = 10; month < 23; month += 1)
    await writeFile(join(await folder(), `20${month}-01.jsonl`), `${month}\n`);
  await open().append(["new"]);
  expect(await readdir(await folder())).toHaveLength(12);
  expect((await open().read()).at(-1)).toBe("new");
});

it("has every line that was added before its process was killed", async () => {
  const script = join(directory, "writer.mjs");
  await build({
    stdin: {
      contents: `import { createJournal } from ${JSON.stringify(resolve("src/record/store.ts"))};
const journal = createJournal(${JSON.stringify(directory)}, () => "2026-11", { XDG_DATA_HOME: ${JSON.stringify(join(directory, "data"))} });
for (let at = 0; ; at += 1) { await journal.append([String(at)]); process.stdout.write(at + "\\n"); }`,
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
