import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { doctor } from "../../../src/cli/doctor/command.ts";
import { createRunOpenCode, type RunOpenCode } from "../../../src/cli/doctor/opencode.ts";
import { openFolder } from "../../support/directory.ts";

let folder: string;
beforeEach(async () => {
  folder = await openFolder();
});

async function script(text: string): Promise<void> {
  await writeFile(join(folder, "opencode"), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, "opencode"), 0o755);
}

function runner(limit = 20_000, interrupt = new AbortController()): RunOpenCode {
  const environment = { PATH: `${folder}:/usr/bin:/bin` };
  return createRunOpenCode({ directory: folder, environment, limit, interrupt: interrupt.signal });
}

/** A process that was killed and that nobody has waited for yet is not running any more. */
async function isRunning(pid: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=", "-p", pid]).catch(() => ({
    stdout: "",
  }));
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

async function childOfScript(): Promise<string> {
  const read = async (): Promise<string> => readFile(join(folder, "child"), "utf8").catch(() => "");
  await expect.poll(read, { timeout: 10_000 }).toMatch(/^\d+\n$/);
  return (await read()).trim();
}

describe("running OpenCode", () => {
  it("gives back all that it printed, however much", async () => {
    await script("head -c 200000 /dev/zero | tr '\\0' x");
    expect(await runner()("models")).toEqual({ value: "x".repeat(200_000) });
  });

  it("gives its last words where it fails", async () => {
    await script("echo trouble >&2; exit 3");
    expect(await runner()("models")).toEqual({ problem: '"opencode models" failed: trouble' });
  });

  it("passes on where a file is broken, without what stands in it", async () => {
    const words =
      'Config file at /x/opencode.json is not valid JSON(C): \n--- JSONC Input ---\n{ "apiKey": "abc-def"\n\n' +
      '--- Errors ---\nCloseBraceExpected at line 1, column 20\n   Line 1: { "apiKey": "abc-def"\n   ^\n--- End ---';
    await writeFile(join(folder, "words"), words);
    await script("cat words >&2; exit 1");
    expect(await runner()("debug config")).toEqual({
      problem: expect.stringMatching(
        /opencode\.json is not valid JSON\(C\): CloseBraceExpected at line 1, column 20$/,
      ),
    });
  });

  it("says so when there is no such program", async () => {
    expect(await runner()("models")).toEqual({ problem: "OpenCode was not found on the PATH." });
  });

  it.each(["at the limit", "when interrupted"])("ends it and all that it started %s", async (how) => {
    await script("sleep 60 & echo $! > child; wait");
    const interrupt = new AbortController();
    const result = runner(how === "at the limit" ? 3_000 : 60_000, interrupt)("models");
    const child = await childOfScript();
    if (how === "when interrupted") interrupt.abort();
    expect(await result).toEqual({ problem: expect.stringContaining("did not end in time") });
    await expect.poll(async () => isRunning(child), { timeout: 5_000 }).toBe(false);
  });
});

it("asks another OpenCode nothing else, says which version is needed, and exits with 1", async () => {
  await script('echo "$@" >> asked; echo 1.10.0');
  const lines: string[] = [];
  const environment = { ...process.env, PATH: `${folder}:/usr/bin:/bin` };
  const print = (text: string): void => void lines.push(text);
  const code = await doctor.run([], { print, from: folder, environment, confirm: async () => false });
  expect(code).toBe(1);
  expect(lines.join("\n").split("\n")[2]).toContain("OpenCode 1.10.0 is not supported");
  expect(await readFile(join(folder, "asked"), "utf8")).toBe("--version\n");
});
