import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { doctor } from "../../../src/cli/doctor/command.ts";
import { createRunOpenCode, openCodeCommand, type RunOpenCode } from "../../../src/cli/doctor/opencode.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gaia-run-")));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

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
  it("gives back all that it printed, however much, and its exit code", async () => {
    await script("head -c 200000 /dev/zero | tr '\\0' x; echo trouble >&2; exit 3");
    const result = await runner()([]);
    expect(result).toMatchObject({ state: "ended", code: 3, stderr: "trouble\n" });
    expect(result.state === "ended" && result.stdout.length).toBe(200_000);
  });

  it("says so when there is no such program", async () => {
    expect(await runner()([])).toEqual({ state: "missing" });
  });

  it.each(["at the limit", "when interrupted"])("ends it and all that it started %s", async (how) => {
    await script("sleep 60 & echo $! > child; wait");
    const interrupt = new AbortController();
    const result = runner(how === "at the limit" ? 3_000 : 60_000, interrupt)([]);
    const child = await childOfScript();
    if (how === "when interrupted") interrupt.abort();
    expect(await result).toEqual({ state: "timed out" });
    await expect.poll(async () => isRunning(child), { timeout: 5_000 }).toBe(false);
  });
});

describe("the command, with an OpenCode on the PATH that is too old", () => {
  it("says which version is needed, asks it nothing else, and exits with 1", async () => {
    await script('echo "$@" >> asked; echo 1.10.0');
    const lines: string[] = [];
    const before = { path: process.env["PATH"], directory: process.cwd() };
    process.env["PATH"] = `${folder}:/usr/bin:/bin`;
    process.chdir(folder);
    try {
      expect(await doctor.run(["--json"], (text) => void lines.push(text))).toBe(1);
    } finally {
      process.chdir(before.directory);
      process.env["PATH"] = before.path;
    }
    const report = JSON.parse(lines.join("\n")) as { versions: object; findings: { what: string }[] };
    expect(report.versions).toMatchObject({ opencode: "1.10.0" });
    expect(report.findings.map(({ what }) => what).join("\n")).toContain("OpenCode 1.10.0 is not supported");
    expect(await readFile(join(folder, "asked"), "utf8")).toBe("--version\n");
  });
});

describe("openCodeCommand", () => {
  it("has Windows' shell find npm's opencode.cmd, and needs none elsewhere", () => {
    expect(openCodeCommand(["debug", "config"], "win32")).toEqual([
      "cmd.exe",
      "/d",
      "/s",
      "/c",
      "opencode",
      "debug",
      "config",
    ]);
    expect(openCodeCommand(["models"], "linux")).toEqual(["opencode", "models"]);
  });
});
