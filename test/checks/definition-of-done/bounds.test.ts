import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CheckDefinition } from "../../../src/checks/definition-of-done/definition.ts";
import { runDefinitionOfDone } from "../../../src/checks/definition-of-done/run.ts";
import { createProject, processesWith } from "../project.ts";

/** A command line that nothing else on this machine has, so that a survivor can be recognised. */
function marked(): { sleep: string; mark: string } {
  const mark = `3${String(Number.parseInt(randomUUID().slice(0, 8), 16))}`;
  return { sleep: `sleep ${mark}`, mark };
}

async function runOne(
  check: Omit<CheckDefinition, "id">,
  { graceMs = 10_000, signal }: { graceMs?: number; signal?: AbortSignal } = {},
) {
  const report = await runDefinitionOfDone({
    directory: await createProject(),
    definition: { artifacts: [], checks: [{ id: "check", ...check }], gate: "all" },
    graceMs,
    signal,
  });
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

  it("ignores the polite signal: killed after the grace", async () => {
    const { sleep, mark } = marked();
    const command = `trap '' TERM; while :; do ${sleep}; done`;
    expect((await runOne({ command, timeoutSeconds: 1 }, { graceMs: 200 })).check.status).toBe("timeout");
    expect(await processesWith(mark)).toEqual([]);
  });

  it("gets the time to clean up when it wants it", async () => {
    const command = "trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.02; done";
    const { check } = await runOne({ command, timeoutSeconds: 1 });
    expect(check.status).toBe("timeout");
    expect(check.output_tail).toMatch(/cleaned$/);
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
  });

  it("prints 100 MB on one line: the end of it", async () => {
    const { check } = await runOne({ command: "head -c 100000000 /dev/zero | tr '\\0' x; echo the end" });
    expect(check.output_tail).toMatch(/^…x+the end$/);
    expect(check.output_tail.length).toBeLessThanOrEqual(4_000);
  });

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
    const report = await runDefinitionOfDone({
      directory: await createProject(),
      definition: {
        artifacts: [],
        checks: ["a", "b", "c"].map((id) => ({ id, command: sleep })),
        gate: "none",
      },
      concurrency: 2,
      graceMs: 200,
      signal: stop.signal,
      onProgress: ({ kind, id }) => {
        if (kind === "started" && id === "b") stop.abort();
      },
    });
    expect(report).toMatchObject({ passed: false, cancelled: true });
    expect(report.checks.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(await processesWith(mark)).toEqual([]);
  });

  it("is cancelled before it starts: nothing runs", async () => {
    const { check } = await runOne({ command: "echo ran" }, { signal: AbortSignal.abort() });
    expect(check).toMatchObject({ status: "cancelled", output_tail: "" });
  });
});
