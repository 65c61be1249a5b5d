import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { init } from "../../../src/cli/init/command.ts";
import type { Command } from "../../../src/cli/main.ts";
import { doctor } from "../../../src/cli/doctor/command.ts";
import { createRunOpenCode, openCodeCommand, type RunOpenCode } from "../../../src/cli/doctor/opencode.ts";
import { openFolder } from "../../support/folder.ts";

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

describe("the commands, with another OpenCode on the PATH", () => {
  async function run(command: Command, args: readonly string[]): Promise<{ code: number; said: string }> {
    const lines: string[] = [];
    const environment = { ...process.env, PATH: `${folder}:/usr/bin:/bin` };
    const print = (text: string): void => void lines.push(text);
    const code = await command.run(args, { print, from: folder, environment, confirm: async () => false });
    return { code, said: lines.join("\n") };
  }

  it("ask it nothing else, say which version is needed, and exit with 1: doctor", async () => {
    await script('echo "$@" >> asked; echo 1.10.0');
    const { code, said } = await run(doctor, []);
    expect(code).toBe(1);
    expect(said.split("\n")[2]).toContain("OpenCode 1.10.0 is not supported");
    expect(await readFile(join(folder, "asked"), "utf8")).toBe("--version\n");
  });

  it("say it beside what they write: init, with an OpenCode 2", async () => {
    await script("echo 2.3.2");
    const { code, said } = await run(init, ["--dry-run"]);
    expect(code).toBe(0);
    expect(said).toContain(
      "yours to decide: OpenCode 2.3.2 is not supported: opencode-gaia needs >=1.15.13 <2. Install",
    );
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
