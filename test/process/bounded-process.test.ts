import { open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { type BoundedProcess, runBoundedProcess } from "../../src/process/bounded-process.ts";
import { marked, processesWith } from "../checks/project.ts";
import { openFolder } from "../support/directory.ts";

async function run(command: BoundedProcess["command"], options: Partial<BoundedProcess> = {}) {
  const printed = { stdout: "", stderr: "" };
  const ending = await runBoundedProcess({
    command,
    cwd: tmpdir(),
    env: process.env,
    timeoutMs: 20_000,
    graceMs: 10_000,
    clock: systemClock,
    output: { write: (source, chunk) => void (printed[source] += chunk.toString("utf8")) },
    ...options,
  });
  return { ending, ...printed };
}

describe("a bounded process", () => {
  it("tells of its end and hands on what it prints", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toEqual({
      ending: { kind: "exited", code: 3, signal: null },
      stdout: "out\n",
      stderr: "err\n",
    });
    const program: BoundedProcess["command"] = ["printf", "%s", "$HOME `x`"];
    expect((await run(program)).stdout).toBe("$HOME `x`");
  });

  it("writes into files as well", async () => {
    const folder = await openFolder();
    const [out, err] = [await open(join(folder, "out"), "w"), await open(join(folder, "err"), "w")];
    await run("echo out; echo err >&2", { output: { stdout: out.fd, stderr: err.fd } });
    await Promise.all([out.close(), err.close()]);
    expect(await readFile(join(folder, "out"), "utf8")).toBe("out\n");
    expect(await readFile(join(folder, "err"), "utf8")).toBe("err\n");
  });

  it("says why a program cannot be started", async () => {
    for (const [program, why] of [
      ["no-such-program-at-all", "ENOENT"],
      [tmpdir(), "EACCES"],
    ] as const)
      expect((await run([program])).ending).toMatchObject({
        kind: "unstartable",
        problem: expect.stringContaining(why),
      });
  });

  it("that ignores the polite signal is killed after the grace", async () => {
    const { sleep, mark } = marked();
    const command = `trap '' TERM; while :; do ${sleep}; done`;
    expect((await run(command, { timeoutMs: 1_000, graceMs: 200 })).ending).toEqual({ kind: "timeout" });
    expect(await processesWith(mark)).toEqual([]);
  });

  it("gets the time to clean up when it wants it", async () => {
    const command = "trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.02; done";
    const { ending, stdout } = await run(command, { timeoutMs: 1_000 });
    expect(ending.kind).toBe("timeout");
    expect(stdout).toBe("cleaned\n");
  });
});
