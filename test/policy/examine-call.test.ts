import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { examineCall, type CallContext } from "../../src/policy/examine-call.ts";
import { riskOf } from "../support/risk.ts";

const examine = (tool: string, args: unknown, context: CallContext = {}) =>
  examineCall(tool, readToolCall(tool, args), context);

describe("examineCall", () => {
  test.each([
    "read",
    "grep",
    "glob",
    "list",
    "webfetch",
    "websearch",
    "todowrite",
    "todoread",
    "question",
    "skill",
    "lsp",
    "StructuredOutput",
  ])("%s looks or asks", (tool) => {
    expect(riskOf(examine(tool, {}))).toBe("read-only");
  });

  test.each(["edit", "write", "multiedit", "patch", "apply_patch"])("%s changes files", (tool) => {
    expect(examine(tool, { filePath: "src/a.ts" })).toMatchObject({
      effect: "project",
      reason: `${tool} changes files`,
    });
  });

  test.each(["/etc/hosts", "../other/a.ts", "src/../../a.ts"])(
    "%s lies outside of the project",
    (filePath) => {
      expect(
        examine("write", { filePath }, { folder: "/home/alice/x", project: "/home/alice/x" }).effect,
      ).toBe("outside");
    },
  );

  test.each(["github_create_issue", "hashline_edit", "Bash", "readFile", "__proto__", ""])(
    "%j is not known, so it is mutating",
    (tool) => {
      expect(riskOf(examine(tool, { path: "x" }))).toBe("mutating");
    },
  );

  it("looks at a subtask where it calls something", () => {
    expect(riskOf(examine("task", { prompt: "x" }))).toBe("read-only");
  });

  it("lets the plugin's own tools guard themselves", () => {
    const own = ["delegate_gaia", "plan_gaia"];
    expect(riskOf(examine("delegate_gaia", {}, { own }))).toBe("read-only");
    expect(riskOf(examine("recall_gaia", {}, { own }))).toBe("mutating");
  });

  it("takes an edit for one, by whosever tool it is made", () => {
    const own = ["edit_gaia"];
    const edits = [{ path: ".gaia/config.jsonc", before: "a", after: "b" }];
    const seen = examineCall(
      "edit_gaia",
      { kind: "edit", isPatch: false, edits },
      { own, folder: "/p", project: "/p" },
    );
    expect(seen).toMatchObject({
      effect: "project",
      writes: ["/p/.gaia/config.jsonc"],
      protectedTarget: { kind: "path" },
    });
  });

  it("takes a patch that deletes a file for one that may lose it, unless tools make it anew", () => {
    const deletes = (path: string) =>
      examineCall(
        "apply_patch",
        {
          kind: "edit",
          isPatch: true,
          edits: [
            { path: "a.ts", before: "a", after: "b" },
            { path, before: "", after: "", isDeleted: true },
          ],
        },
        { folder: "/p", project: "/p" },
      );
    expect(deletes("notes.md")).toMatchObject({
      effect: "lossy",
      losses: { paths: ["/p/notes.md"], otherwise: "project" },
    });
    expect(deletes("dist/a.js")).toMatchObject({ effect: "project", losses: null });
    expect(deletes("../notes.md")).toMatchObject({ effect: "outside", losses: null });
  });

  it("takes an edit that replaces a file with keys as a whole for one that may lose them", () => {
    const writes = (path: string, before: string | null) =>
      examineCall(
        "write",
        { kind: "edit", isPatch: false, edits: [{ path, before, after: "b" }] },
        { folder: "/p", project: "/p" },
      );
    expect(writes("web/.env", null)).toMatchObject({
      effect: "lossy",
      reason: "write replaces .env, of which nothing else may hold what is in it",
      losses: { paths: ["/p/web/.env"], otherwise: "project" },
    });
    for (const [path, before] of [
      [".env", "A=1"],
      [".env.example", null],
      ["a.ts", null],
    ] as const)
      expect(writes(path, before)).toMatchObject({ effect: "project", losses: null });
  });

  it.each([
    ["adds", "*** Add File: .env\n+A=1", "lossy"],
    ["moves another one over", "*** Update File: a.ts\n*** Move to: .env\n@@\n-a\n+b", "lossy"],
    ["changes", "*** Update File: .env\n@@\n-A=1\n+A=2", "project"],
    ["moves away", "*** Update File: .env\n*** Move to: a.ts\n@@\n-a\n+b", "project"],
  ])("takes a patch that %s a file with keys for what it does", (_what, patch, effect) => {
    const call = readToolCall("apply_patch", { patchText: `*** Begin Patch\n${patch}\n*** End Patch` });
    expect(examineCall("apply_patch", call, { folder: "/p", project: "/p" }).effect).toBe(effect);
  });

  it("classifies bash by its command, with the user's patterns and the folder", () => {
    const bash = (args: unknown): string => riskOf(examine("bash", args, { dangerous: ["helm *"] }));
    expect(bash({ command: "ls" })).toBe("read-only");
    expect(bash({ command: "touch x" })).toBe("mutating");
    expect(bash({ command: "helm list" })).toBe("dangerous");
    expect(bash({ command: "rm -rf *", workdir: "/" })).toBe("dangerous");
    expect(bash({ command: "rm -rf *", workdir: "sub" })).toBe("mutating");
    expect(riskOf(examine("bash", { command: "rm -rf *", workdir: ".." }, { folder: "/home/alice/x" }))).toBe(
      "dangerous",
    );
    expect(bash({ command: 5 })).toBe("mutating");
    expect(bash(undefined)).toBe("mutating");
  });

  it("answers for any tool and any arguments", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom("bash", "edit", "apply_patch"), fc.string()),
        fc.anything(),
        (tool, args) => {
          expect(["read-only", "mutating", "dangerous"]).toContain(riskOf(examine(tool, args)));
        },
      ),
    );
  });
});
