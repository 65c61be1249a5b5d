import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createWorkspace } from "../../src/record/workspace.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCE = fileURLToPath(new URL("./writer-process.ts", import.meta.url));

/** The writer as one plain JavaScript file, which starts four times as fast as the source. */
export interface WriterBundle {
  readonly path: string;
  remove(): Promise<void>;
}

/** Bundles the writer as the package is bundled, below the repository so that it finds the templates as `dist/` does. */
export async function bundleWriter(): Promise<WriterBundle> {
  await mkdir(join(ROOT, ".tmp"), { recursive: true });
  const outDir = await mkdtemp(join(ROOT, ".tmp", "writer-"));
  await build({
    entry: [SOURCE],
    outDir,
    format: "esm",
    config: false,
    silent: true,
    dts: false,
    clean: false,
  });
  return {
    path: join(outDir, "writer-process.js"),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}

/** A running writer. */
export interface Writer {
  readonly child: ChildProcess;
  /** How many rounds of entries it reported as written so far. */
  written(): number;
  /** Resolves once it is about to write. */
  readonly ready: Promise<void>;
  /** Resolves with the exit code, or null when it was killed. */
  readonly exit: Promise<number | null>;
}

export function startWriter(bundle: WriterBundle, directory: string, name: string, count: number): Writer {
  const child = spawn(process.execPath, [bundle.path, directory, name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let written = 0;
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "ready") resolve();
      else written = Number(line) + 1;
    });
    exit.then(() => reject(new Error(`writer ${name} ended before it was ready`)), reject);
  });
  return { child, ready, exit, written: () => written };
}

/** Makes the work unit that the writers write to. */
export async function createUnit(directory: string): Promise<void> {
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
  const created = await workspace.createWorkUnit({ slug: "unit", title: "Written by many" });
  if (!created.ok) throw new Error(created.error);
}

/** What stands in log, decisions and entries, these one after the other as they were written. */
async function readTexts(directory: string): Promise<Map<string, string>> {
  const read = async (path: string): Promise<string> => readFile(join(directory, ".gaia", path), "utf8");
  const order = new Intl.Collator("en", { numeric: true });
  const names = (await readdir(join(directory, ".gaia/knowledge"))).toSorted(order.compare);
  const entries = await Promise.all(names.map(async (name) => read(`knowledge/${name}`)));
  return new Map([
    ["unit/log.md", await read("unit/log.md")],
    ["unit/decisions.md", await read("unit/decisions.md")],
    ["knowledge", entries.join("")],
  ]);
}

/** The numbers of the entries of each writer in each of the three, in their order. */
export async function readEntries(directory: string): Promise<Map<string, Map<string, number[]>>> {
  const found = new Map<string, Map<string, number[]>>();
  for (const [file, text] of await readTexts(directory)) {
    const byWriter = new Map<string, number[]>();
    for (const [, name = "", number = ""] of text.matchAll(/\bentry ([\w-]+)\.(\d+)\b/g)) {
      byWriter.set(name, [...(byWriter.get(name) ?? []), Number(number)]);
    }
    found.set(file, byWriter);
  }
  return found;
}

/** Every line of them that is neither an entry nor part of a template. */
export async function findDamage(directory: string): Promise<string[]> {
  const damage: string[] = [];
  const shapes: Readonly<Record<string, RegExp>> = {
    "unit/log.md": /^(?:# Log|## \d{4}-\d\d-\d\d|- entry [\w-]+\.\d+|)$/,
    "unit/decisions.md":
      /^(?:# Decisions|\| Date \|.*\||\|(?: --- \|){5}|\| [\d-]{10} \| entry [\w-]+\.\d+ \| yes \| {2}\| {2}\||)$/,
    knowledge:
      /^(?:---|id: entry-[\w-]+|kind: insight|scope: project|status: (?:proposed|accepted)|(?:by|at|reason): "[^"]+"|entry [\w-]+\.\d+|)$/,
  };
  for (const [file, text] of await readTexts(directory)) {
    damage.push(
      ...text
        .split("\n")
        .filter((line) => shapes[file]?.test(line) !== true)
        .map((line) => `${file}: ${line}`),
    );
    if (!text.endsWith("\n")) damage.push(`${file}: cut off at its end`);
  }
  return damage;
}
