import { describe, expect, it } from "vitest";
import { readEditedTexts } from "../../../src/conversation/tool-calls/edited-texts.ts";
import { runningCall } from "../../support/running-call.ts";

const read = (tool: string, args: unknown, before: string | null = null) =>
  readEditedTexts(runningCall(tool, args, before), { directory: "/project", project: "/project" });

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@ class A
 kept
-old
+new
*** Update File: src/b.ts
*** Move to: src/c.ts
@@
+moved
*** Add File: /project/d.ts
+// added
*** Delete File: e.ts
*** End Patch`;

describe("what an edit put where", () => {
  it.each<[string, unknown, string | null, object[]]>([
    ["write", { filePath: "a.ts", content: "new" }, "old", [{ path: "a.ts", before: "old", after: "new" }]],
    [
      "write",
      { filePath: "/project/a.ts", content: "new" },
      null,
      [{ path: "a.ts", before: "", after: "new" }],
    ],
    [
      "edit",
      { filePath: "./src/../a.ts", oldString: "x", newString: "y" },
      null,
      [{ path: "a.ts", before: "x", after: "y" }],
    ],
    [
      "edit",
      { filePath: "/elsewhere/a.ts", oldString: "", newString: "y" },
      null,
      [{ path: "../elsewhere/a.ts" }],
    ],
    [
      "apply_patch",
      { patchText: PATCH },
      null,
      [
        { path: "src/a.ts", before: "kept\nold\n", after: "kept\nnew\n" },
        { path: "src/c.ts", before: "", after: "moved\n" },
        { path: "d.ts", before: "", after: "// added\n" },
        { path: "e.ts", before: "", after: "" },
      ],
    ],
    ["bash", { command: "echo > a.ts" }, null, []],
    ["write", null, null, []],
  ])("%s %j", (tool, args, before, expected) => {
    expect(read(tool, args, before)).toMatchObject(expected);
    expect(read(tool, args, before)).toHaveLength(expected.length);
  });
});
