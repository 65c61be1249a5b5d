import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runDefinition, type WrittenCheck } from "../definition.ts";
import { createProject } from "../project.ts";

async function runChecks(checks: WrittenCheck[], files: Record<string, string> = {}) {
  return runDefinition(await createProject(files), { checks });
}

describe("runDefinitionOfDone", () => {
  it("reports exit codes, output and order, and passes when everything does", async () => {
    const report = await runChecks([
      { id: "slow", command: "sleep 0.1; echo slow" },
      { id: "quick", command: "echo out; echo err >&2" },
    ]);
    expect(report).toMatchObject({ passed: true, gate: "all", scope: "full", cancelled: false, notes: [] });
    expect(report.checks).toMatchObject([
      { id: "slow", status: "passed", exit_code: 0, output_tail: "slow" },
      { id: "quick", status: "passed", exit_code: 0 },
    ]);
    expect(report.checks[1]?.output_tail.split("\n").toSorted()).toEqual(["err", "out"]);
  });

  it("fails with the exit code and the end of the output", async () => {
    const report = await runChecks([
      { id: "ok", command: "true" },
      { id: "bad", command: "seq 1 200; exit 3" },
    ]);
    const lines = report.checks[1]?.output_tail.split("\n");
    expect(report.passed).toBe(false);
    expect(report.checks[1]).toMatchObject({ status: "failed", exit_code: 3 });
    expect(lines).toHaveLength(80);
    expect(lines?.at(-1)).toBe("200");
  });

  it("runs where the check says, by real path, and nowhere outside of the project", async () => {
    const outside = await mkdtemp(join(tmpdir(), "gaia-outside-"));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    const directory = await createProject({ "sub/here.txt": "", "file.txt": "" });
    await symlink(outside, join(directory, "link"));
    const command = "ls";
    const report = await runDefinition(directory, {
      checks: [
        { id: "inside", command, cwd: "sub" },
        { id: "dots", command, cwd: ".." },
        { id: "absolute", command, cwd: "/" },
        { id: "link", command, cwd: "link" },
        { id: "absent", command, cwd: "nowhere" },
        { id: "file", command, cwd: "file.txt" },
      ],
    });
    expect(report.checks.map(({ status }) => status)).toEqual(["passed", ...Array(5).fill("error")]);
    expect(report.checks[0]?.output_tail).toBe("here.txt");
    expect(report.checks.slice(1).map(({ detail }) => detail)).toEqual([
      "the folder .. is outside of the project",
      "the folder / is outside of the project",
      "the folder link is outside of the project",
      "the folder nowhere does not exist",
      "file.txt is not a folder",
    ]);
  });

  it("runs in an environment in which nothing asks, and which is that of a person otherwise", async () => {
    vi.stubEnv("TERM", "dumb");
    vi.stubEnv("CI", undefined);
    vi.stubEnv("NO_COLOR", undefined);
    vi.stubEnv("FORCE_COLOR", "2");
    const command = 'echo "${CI-none} $TERM ${NO_COLOR-none} $FORCE_COLOR $PAGER $GIT_TERMINAL_PROMPT"';
    const report = await runChecks([{ id: "env", command }]);
    expect(report.checks[0]?.output_tail).toBe("none xterm-256color none 2 cat 0");
  });

  it("tells what failed of an output of any size", async () => {
    const passing =
      'for i in $(seq 1 20000); do echo "ok $i - a test that passes and says so at some length"; done';
    const failing = "printf 'not ok 7 - adds\\n  ---\\n  error: two is not three\\n  ...\\n'";
    const sums = "printf '# tests 40001\\n# pass 40000\\n# fail 1\\n'";
    const [check] = (
      await runChecks([{ id: "tap", command: `${passing}; ${failing}; ${passing}; ${sums}; exit 1` }])
    ).checks;
    expect(check?.output_tail).toContain("not ok 7 - adds\n  ---\n  error: two is not three\n");
    expect(check?.output_tail).toMatch(/\n# pass 40000\n# fail 1$/);
    expect(check?.output_tail.length).toBeLessThanOrEqual(4_000);
  });

  it("runs checks side by side, four at most", async () => {
    const directory = await createProject();
    // Each waits for the other's file, so both can only pass together.
    const meet = (own: string, other: string): WrittenCheck => ({
      id: own,
      command: `touch ${own}; for i in $(seq 200); do test -e ${other} && exit 0; sleep 0.05; done; exit 1`,
      timeoutSeconds: 12,
    });
    expect((await runDefinition(directory, { checks: [meet("a", "b"), meet("b", "a")] })).passed).toBe(true);
    // A fifth that ran beside four others would see all their locks.
    const checks = Array.from({ length: 9 }, (_, at) => ({
      id: `check-${at}`,
      command: `mkdir lock-${at} && sleep 0.1 && test $(ls -d lock-* | wc -l) -le 4; code=$?; rmdir lock-${at}; exit $code`,
    }));
    expect((await runDefinition(directory, { checks })).passed).toBe(true);
  });

  it("looks for artifacts after the checks that make them", async () => {
    const directory = await createProject();
    const report = await runDefinition(directory, {
      checks: [{ id: "build", command: "mkdir dist && echo x > dist/a.js" }],
      artifacts: [{ path: "dist/*.js" }, { path: "docs/**/*.md", optional: true }, { path: "LICENSE" }],
    });
    expect(report.passed).toBe(false);
    expect(report.artifacts).toEqual([
      { path: "dist/*.js", optional: false, found: true },
      { path: "docs/**/*.md", optional: true, found: false },
      { path: "LICENSE", optional: false, found: false },
    ]);
  });

  it("redacts what a check prints before anybody sees it", async () => {
    const directory = await createProject();
    const redact = (text: string): string => text.replaceAll("abc123", "[REDACTED]");
    const leak = { checks: [{ id: "leak", command: "echo token=abc123" }] };
    const report = await runDefinition(directory, leak, { redact });
    expect(JSON.stringify(report)).not.toContain("abc123");
  });

  it("does not follow links in circles when it looks for artifacts", async () => {
    const directory = await createProject();
    await mkdir(join(directory, "a"));
    await symlink("..", join(directory, "a", "up"));
    const report = await runDefinition(directory, { artifacts: [{ path: "**/nothing.txt" }] });
    expect(report.artifacts[0]).toMatchObject({ found: false });
  });
});
