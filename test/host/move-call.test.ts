import { describe, expect, it } from "vitest";
import { moveCall } from "../../src/host/opencode/tool-call.ts";
import type { JsonRecord } from "../../src/lib/json.ts";

const move = { at: "/home/a/project/packages/one", from: "/home/a/project", to: "/data/lane" };

describe("a call that is moved", () => {
  it.each<[tool: string, args: JsonRecord, moved: JsonRecord]>([
    ["read", { filePath: "src/a.ts" }, { filePath: "/data/lane/packages/one/src/a.ts" }],
    [
      "edit",
      { filePath: "/home/a/project/b.ts", oldString: "/home/a/project" },
      { filePath: "/data/lane/b.ts", oldString: "/home/a/project" },
    ],
    ["write", { filePath: "../two/c.ts" }, { filePath: "/data/lane/packages/two/c.ts" }],
    // Elsewhere is elsewhere, and the record stays in the user's tree.
    ["read", { filePath: "/etc/hosts" }, { filePath: "/etc/hosts" }],
    ["read", { filePath: "/home/a/project-two/x" }, { filePath: "/home/a/project-two/x" }],
    [
      "read",
      { filePath: "/home/a/project/.gaia/unit/plan.md" },
      { filePath: "/home/a/project/.gaia/unit/plan.md" },
    ],
    ["grep", { pattern: "x" }, { pattern: "x", path: "/data/lane/packages/one" }],
    ["glob", { pattern: "*.ts", path: "/home/a/project" }, { pattern: "*.ts", path: "/data/lane" }],
    ["skill", { name: "x" }, { name: "x" }],
    ["webfetch", { url: "file:///home/a/project" }, { url: "file:///home/a/project" }],
    ["other_tool", { path: "/home/a/project/a" }, { path: "/home/a/project/a" }],
    [
      "apply_patch",
      {
        patchText:
          "*** Begin Patch\n*** Update File: a.ts\n*** Move to: /home/a/project/b.ts\n@@\n+*** Add File: text\n*** End Patch",
      },
      {
        patchText:
          "*** Begin Patch\n*** Update File: /data/lane/packages/one/a.ts\n*** Move to: /data/lane/b.ts\n@@\n+*** Add File: text\n*** End Patch",
      },
    ],
    ["bash", { command: "npm test" }, { command: "npm test", workdir: "/data/lane/packages/one" }],
    [
      "bash",
      {
        command:
          "cd /home/a/project && cat '/home/a/project/a' /home/a/project-two/b /home/a/project/.gaia/x >/home/a/project/c",
        workdir: "/home/a/project",
      },
      {
        command:
          "cd /data/lane && cat '/data/lane/a' /home/a/project-two/b /home/a/project/.gaia/x >/data/lane/c",
        workdir: "/data/lane",
      },
    ],
  ])("%s %j", (tool, args, moved) => {
    moveCall(tool, args, move);
    expect(args).toEqual(moved);
  });
});
