import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runDefinition, type WrittenCheck } from "../definition.ts";
import { createProject, marked, processesWith } from "../project.ts";

async function runOne(check: Omit<WrittenCheck, "id">, signal = new AbortController().signal) {
  const checks = [{ id: "check", ...check }];
  const report = await runDefinition(await createProject(), { checks }, { signal });
  const [only] = report.checks;
  if (!only) throw new Error("the check is missing from the report");
  return { report, check: only };
}

describe("a check that misbehaves", () => {
  it("hangs: ended at its time-out with everything it started", async () => {
    const { sleep, mark } = marked();
    const { check } = await runOne({ command: `echo begun; ${sleep} & ${sleep} | cat`, timeoutSeconds: 1 });
    expect(check).toMatchObject({ status: "timeout", exit_code: null, output_tail: "begun" });
    expect(check.detail).toContain("1 s");
    expect(await processesWith(mark)).toEqual([]);
  });

  it.each([
    ["holds its output open", (sleep: string) => `${sleep} & echo started`],
    ["was cut off from its output", (sleep: string) => `${sleep} >/dev/null 2>&1 & echo started`],
    ["ignores the hang-up", (sleep: string) => `nohup ${sleep} & echo started`],
  ])("leaves a daemon that %s: passes and the daemon is gone", async (_name, command) => {
    const { sleep, mark } = marked();
    const { check } = await runOne({ command: command(sleep) });
    expect(check.status).toBe("passed");
    expect(check.output_tail).toContain("started");
    expect(await processesWith(mark)).toEqual([]);
  });

  it.runIf(process.platform === "linux")("leaves a daemon with a session of its own: gone too", async () => {
    const { sleep, mark } = marked();
    const { check } = await runOne({ command: `setsid sh -c '${sleep}; :' & echo started` });
    expect(check).toMatchObject({ status: "passed", output_tail: "started" });
    expect(await processesWith(mark)).toEqual([]);
  });

  it("prints 100 MB: bounded memory and the last lines", async () => {
    const before = process.memoryUsage().rss;
    const { check } = await runOne({
      command: "head -c 100000000 /dev/zero | tr '\\0' x | fold -w 99; echo; echo the end; exit 1",
    });
    const grown = process.memoryUsage().rss - before;
    expect(check).toMatchObject({ status: "failed", exit_code: 1 });
    expect(check.output_tail).toMatch(/the end$/);
    expect(check.output_tail.length).toBeLessThanOrEqual(4_000);
    // Less than what was printed; keeping it all would need more.
    expect(grown).toBeLessThan(100_000_000);
    // Each line of it is looked at.
  }, 120_000);

  it("is missing: said so, with what the shell said", async () => {
    const { report, check } = await runOne({ command: "no-such-program-at-all --version" });
    expect(check).toMatchObject({ status: "missing", exit_code: 127 });
    expect(check.output_tail).toContain("no-such-program-at-all");
    expect(report.passed).toBe(false);
  });

  it("needs input: reads end-of-file and has no terminal to ask on", async () => {
    const command = "read answer; echo got=$answer; cat; (read x </dev/tty) 2>/dev/null || echo no terminal";
    expect((await runOne({ command })).check.output_tail).toBe("got=\nno terminal");
  });

  it("is cancelled with everything that waits behind it", async () => {
    const { sleep, mark } = marked();
    const stop = new AbortController();
    const directory = await createProject();
    const checks = ["a", "b", "c", "d", "e"].map((id) => ({ id, command: `touch ${id}; ${sleep}` }));
    const running = runDefinition(directory, { checks, gate: "none" }, { signal: stop.signal });
    const begun = async (): Promise<boolean> =>
      access(join(directory, "d")).then(
        () => true,
        () => false,
      );
    await expect.poll(begun, { timeout: 10_000 }).toBe(true);
    stop.abort();
    const report = await running;
    expect(report).toMatchObject({ passed: false, cancelled: true });
    expect(report.checks.map(({ status }) => status)).toEqual(Array(5).fill("cancelled"));
    expect(await processesWith(mark)).toEqual([]);
  });

  it("is cancelled before it starts: nothing runs", async () => {
    const { check } = await runOne({ command: "echo ran" }, AbortSignal.abort());
    expect(check).toMatchObject({ status: "cancelled", output_tail: "" });
  });
});
