import { describe, expect, it } from "vitest";
import { readToolFact, renderTarget } from "../../../src/conversation/tool-calls/tool-fact.ts";
import { readOutcome, readTarget } from "../../../src/host/opencode/tool-call.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { runningCall } from "../../support/running-call.ts";

const redact = createRedactor({ SOME_TOKEN: "a-very-secret-value" });
const call = (tool: string, args: unknown, before: string | null = null) => ({ tool, args, before });
const PLACE = { directory: "/project", project: "/project" };
const read = ({ tool, args, before }: ReturnType<typeof call>, output: unknown, metadata: unknown) => {
  const running = runningCall(tool, args, before);
  return readToolFact(running, readOutcome(tool, args, { output, metadata }), PLACE, redact);
};

describe("readToolFact", () => {
  it("takes an edit's lines from OpenCode's account of it", () => {
    const fact = read(call("edit", { filePath: "/project/src/a.ts" }), "ok", {
      filediff: { file: "/project/src/a.ts", additions: 3, deletions: 1 },
    });
    expect(fact.files).toEqual([{ path: "src/a.ts", added: 3, removed: 1 }]);
  });

  it("shows nothing of a secret that begins before the end of an output that is kept", () => {
    const body = Array.from({ length: 60 }, (_, at) => `${"MIIJ+k/".repeat(9)}${at % 10}`).join("\n");
    const output = `key:\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\ndone\n`;
    const fact = read(call("bash", { command: "./print" }), output, { exit: 0 });
    expect(fact.command?.output).not.toContain("MIIJ");
    expect(fact.command?.output).toContain("done");
  });

  it("counts a write's lines itself", () => {
    const fact = read(call("write", { filePath: "b.ts", content: "1\n2\n" }, "1\n"), "ok", {});
    expect(fact.files).toEqual([{ path: "b.ts", added: 1, removed: 0 }]);
  });

  it("lists all files of a patch, a moved one where it went", () => {
    const files = [
      { filePath: "/project/a.ts", additions: 1, deletions: 0 },
      { filePath: "/project/b.ts", movePath: "/project/c.ts", additions: 2, deletions: 2 },
    ];
    expect(read(call("apply_patch", { patchText: "…" }), "ok", { files }).files).toEqual([
      { path: "a.ts", added: 1, removed: 0 },
      { path: "c.ts", added: 2, removed: 2 },
    ]);
  });

  it("names files from the project on, wherever in it the call was made", () => {
    const running = runningCall("edit", { filePath: "src/a.ts" });
    const outcome = readOutcome(
      "edit",
      {},
      {
        output: "ok",
        metadata: { filediff: { file: "/project/packages/a/src/a.ts", additions: 1, deletions: 0 } },
      },
    );
    const place = { directory: "/project/packages/a", project: "/project" };
    expect(readToolFact(running, outcome, place, redact).files).toMatchObject([
      { path: "packages/a/src/a.ts" },
    ]);
    expect(renderTarget(readTarget("read", { filePath: "src/a.ts" }), place, redact)).toBe(
      "packages/a/src/a.ts",
    );
  });

  it("keeps of a failing command what failed", () => {
    const passing = Array.from({ length: 50 }, (_, at) => `ok ${at} - fine`);
    const output = [
      "\u001B[31mnot ok 1 - adds\u001B[0m",
      "  ---",
      "  error: two",
      "  ...",
      ...passing,
      "# fail 1",
    ];
    const fact = read(call("bash", { command: "npm test" }), output.join("\n"), { exit: 1 });
    expect(fact.command?.output).toBe("not ok 1 - adds\n  ---\n  error: two\n…\nok 49 - fine\n# fail 1");
  });

  it("keeps a command with its exit code and the end of its output, without secrets", () => {
    const fact = read(
      call("bash", { command: "deploy a-very-secret-value" }),
      `${"x".repeat(5_000)} a-very-secret-value\n`,
      { exit: 2 },
    );
    expect(fact.command).toMatchObject({ exitCode: 2 });
    expect(JSON.stringify(fact)).not.toContain("very-secret");
    expect(fact.command?.output.length).toBeLessThan(2_100);
  });

  it.each([
    ["/project", "npm test"],
    ["api", "cd api && npm test"],
    ["/elsewhere", "cd /elsewhere && npm test"],
  ])("tells of a command in %s where it ran", (workdir, command) => {
    expect(read(call("bash", { command: "npm test", workdir }), "ok", { exit: 0 }).command).toMatchObject({
      command,
    });
  });

  it("does without what is missing", () => {
    expect(read(call("bash", {}), undefined, undefined).command).toEqual({
      command: "",
      exitCode: null,
      output: "",
    });
    expect(read(call("fixture_mark", null), [], null)).toEqual({
      sessionId: "s",
      tool: "fixture_mark",
      mutating: true,
      failed: false,
    });
  });
});

describe("renderTarget", () => {
  it.each([
    ["edit", { filePath: "/project/src/a.ts" }, "src/a.ts"],
    ["read", { filePath: "/etc/hosts" }, "/etc/hosts"],
    ["bash", { command: "curl -H a-very-secret-value" }, "curl -H [REDACTED:env…alue]"],
    ["grep", { pattern: "x" }, "x"],
    ["skill", {}, ""],
  ])("of %s", (tool, args, target) => {
    expect(renderTarget(readTarget(tool, args), PLACE, redact)).toBe(target);
  });
});
