import { execFile, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, it, vi } from "vitest";
import { openFolder } from "../support/directory.ts";

const run = promisify(execFile);
const CLI = resolve("dist/cli.js");
/** A whole demo on a busy machine, in milliseconds. */
const PATIENCE_MS = 240_000;

let folder: string;
beforeEach(async () => {
  folder = await openFolder();
});

/** The demo in a process of its own, whose temporary folders are below `folder`. */
function startDemo(args: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const env = { ...environment, TMPDIR: folder };
  const child = spawn(process.execPath, [CLI, "demo", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  }
  return {
    child,
    output: () => output,
    /** Resolves with the output when it says this. */
    says: async (words: string | RegExp) =>
      new Promise<string>((found, missed) => {
        const look = (): void => {
          if (output.search(words) >= 0) found(output);
        };
        child.stdout.on("data", look);
        child.once("close", () => {
          missed(new Error(`It never said ${String(words)}, but:\n${output}`));
        });
        look();
      }),
    code: new Promise<number | null>((ended) => {
      child.once("close", ended);
    }),
  };
}

/** The processes that a process started and that still live. */
async function childrenOf(pid: number | undefined): Promise<number[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
  const rows = stdout.trim().split("\n");
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // There is no such process.
  }
}

it(
  "opencode-gaia demo builds the feature in the real OpenCode, shows it, and leaves only what it was asked to keep",
  async () => {
    const demo = startDemo(["--keep"]);
    await demo.says("● ");
    const started = await childrenOf(demo.child.pid);
    expect(started.length).toBeGreaterThan(0);
    expect({ code: await demo.code, output: demo.output() }).toMatchObject({ code: 0 });
    // What watches over the group ends a moment after it.
    await vi.waitFor(() => expect(started.filter(isAlive)).toEqual([]), 5_000);

    /** Who works side by side begins in any order. */
    const sideBySide = [["minerva", "apollo"], ["hephaestus"], ["artemis"], ["aether", "hades"], ["demeter"]];
    const [root = ""] = await readdir(folder);
    expect(await readdir(join(folder, root))).toEqual(["errands"]);
    const project = join(folder, root, "errands");
    const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
    const tests = await run(process.execPath, ["--test", "--test-reporter=spec"], { cwd: project, env });
    expect(tests.stdout).toMatch(/^\S+ pass 16$/m);
    const record = async (name: string) => readFile(join(project, ".gaia", "due-dates", name), "utf8");
    expect(await record("plan.md")).not.toContain("- [ ]");
    expect(await record("log.md")).toContain("aether ran node --test");
    expect(await record("decisions.md")).toContain("How is a due date kept?");
    const { stdout: commits } = await run("git", ["log", "--format=%s"], { cwd: project });
    expect(commits.trim().split("\n")).toHaveLength(2);
    const written = /^What was done there and what it cost, as a page:\n(.*)$/m.exec(demo.output())?.[1];
    const page = await readFile(written ?? "", "utf8");
    // Of the unit, which begins behind minerva and apollo. It is sealed by the plugin that did the work, whose home is gone.
    expect(page).not.toContain("proves nothing here");
    for (const agent of sideBySide.slice(1).flat()) expect(page).toContain(`<td class="">${agent} <small>`);
    expect(page).toMatch(/<dd class="">(\d) of \1 done<\/dd>/);
    expect(page).toContain("How is a due date kept?");
    expect(page).toMatch(/src\/\S+ \+\d+ −\d+/);

    const output = demo.output();
    const sentences = output.replace(/\s+/g, " ");
    expect(sentences).toContain("The model is SCRIPTED");
    expect(sentences).toContain("says nothing about how well a model plans or codes");
    expect(output).toContain("tests before  fail\ntests now     pass");
    // What `opencode run` prints, with its verdict.
    expect(output).toMatch(/^GAIA: done: /mu);
    expect(output).not.toContain("\u001B[");
    const begins = sideBySide.slice(1).map((agents) => agents.map((name) => output.indexOf(`● ${name} `)));
    expect(Math.min(...begins.flat())).toBeGreaterThan(0);
    for (const [n, next] of begins.slice(1).entries())
      expect(Math.min(...next)).toBeGreaterThan(Math.max(...(begins[n] ?? [])));
  },
  PATIENCE_MS,
);
