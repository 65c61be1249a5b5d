import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { classifyTool } from "../../src/policy/classify-tool.ts";

const PATCH = `*** Begin Patch
*** Add File: docs/new.md
+hello
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
-old
+*** Delete File: not-a-header.ts
*** Delete File: src/old file.ts
*** End Patch`;

describe("classifyTool", () => {
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
    expect(classifyTool(tool, {}).verdict).toBe("read-only");
  });

  test.each([
    ["edit", { filePath: "src/a.ts", oldString: "a", newString: "b" }, ["src/a.ts"]],
    ["write", { filePath: "/projects/x.md", content: "" }, ["/projects/x.md"]],
    ["multiedit", { filePath: "src/a.ts", edits: [] }, ["src/a.ts"]],
    ["apply_patch", { patchText: PATCH }, ["docs/new.md", "src/a.ts", "src/b.ts", "src/old file.ts"]],
    ["patch", { patchText: "*** Update File: a\n*** Update File: a\n" }, ["a"]],
    ["apply_patch", {}, []],
    ["edit", null, []],
    ["write", { filePath: 5 }, []],
  ])("%s changes the files it names", (tool, args, files) => {
    expect(classifyTool(tool, args)).toMatchObject({ verdict: "mutating", files });
  });

  test.each(["github_create_issue", "task", "hashline_edit", "Bash", "readFile", "__proto__", ""])(
    "%j is not known, so it is mutating",
    (tool) => {
      expect(classifyTool(tool, { path: "x" }).verdict).toBe("mutating");
    },
  );

  it("lets the plugin's own tools guard themselves", () => {
    const own = ["delegate_gaia", "plan_gaia"];
    expect(classifyTool("delegate_gaia", {}, { own }).verdict).toBe("read-only");
    expect(classifyTool("recall_gaia", {}, { own }).verdict).toBe("mutating");
    expect(classifyTool("bash", { command: "rm a" }, { own: ["bash"] }).verdict).toBe("read-only");
  });

  it("judges bash by its command, with the user's patterns and the folder", () => {
    const bash = (args: unknown): string => classifyTool("bash", args, { dangerous: ["helm *"] }).verdict;
    expect(bash({ command: "ls" })).toBe("read-only");
    expect(bash({ command: "touch x" })).toBe("mutating");
    expect(bash({ command: "helm list" })).toBe("dangerous");
    expect(bash({ command: "rm -rf *", workdir: "/" })).toBe("dangerous");
    expect(bash({ command: "rm -rf *", workdir: "sub" })).toBe("mutating");
    expect(bash({ command: 5 })).toBe("mutating");
    expect(bash(undefined)).toBe("mutating");
  });

  it("answers for any tool and any arguments", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom("bash", "edit", "apply_patch"), fc.string()),
        fc.anything(),
        (tool, args) => {
          expect(["read-only", "mutating", "dangerous"]).toContain(classifyTool(tool, args).verdict);
        },
      ),
    );
  });
});
