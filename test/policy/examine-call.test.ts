import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type ToolEffect } from "../../src/host/tool-call.ts";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { type CallContext, examineCall } from "../../src/policy/examine-call.ts";
import { policyContext } from "../support/examination.ts";
import { readCases } from "../support/cases.ts";

const examine = async (tool: string, args: unknown, rest: Partial<CallContext> = {}) =>
  examineCall(tool, readToolCall(tool, args), policyContext("/home/alice/x", rest));

describe("examineCall", () => {
  test.each(readCases<string>("policy/examine-call.looks-or-asks"))("%s looks or asks", async (tool) => {
    expect((await examine(tool, {})).effect).toBe("read");
  });

  test.each(["edit", "write", "apply_patch"])("%s changes files", async (tool) => {
    expect(await examine(tool, { filePath: "src/a.ts" })).toMatchObject({
      effect: "project",
      reason: `${tool} changes files`,
    });
  });

  test.each(["/etc/hosts", "../other/a.ts", "src/../../a.ts", "link/a.ts"])(
    "%s lies outside of the project",
    async (filePath) => {
      const realPath = (path: string): string => path.replace("/home/alice/x/link", "/srv");
      expect((await examine("write", { filePath }, { realPath })).effect).toBe("outside");
    },
  );

  it("takes an edit of what may hold secrets, or of what git may run, for more than one of the project", async () => {
    expect(await examine("write", { filePath: ".env" })).toMatchObject({ effect: "outside" });
    expect(await examine("write", { filePath: ".husky/pre-commit" })).toMatchObject({
      effect: "outside",
      protectedTarget: { kind: "hook" },
    });
    expect((await examine("write", { filePath: ".env.example" })).effect).toBe("project");
  });

  it("names a file that is not UTF-8, which an edit would damage and a deletion does not", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gaia-latin-"));
    await writeFile(join(folder, "latin.txt"), Buffer.from("caf\u00e9\n", "latin1"));
    await writeFile(join(folder, "utf8.txt"), "caf\u00e9\n");
    const damaged = async (tool: string, args: object) => (await examine(tool, args, { folder })).damages;
    const path = join(folder, "latin.txt");
    expect(await damaged("edit", { filePath: path, oldString: "caf", newString: "Caf" })).toBe(path);
    expect(await damaged("write", { filePath: path, content: "x" })).toBe(path);
    expect(await damaged("write", { filePath: join(folder, "utf8.txt"), content: "x" })).toBeNull();
    expect(await damaged("write", { filePath: join(folder, "new.txt"), content: "x" })).toBeNull();
    const deletion = "*** Begin Patch\n*** Delete File: latin.txt\n*** End Patch";
    expect(await damaged("apply_patch", { patchText: deletion })).toBeNull();
    await rm(folder, { recursive: true });
  });

  it("takes a patch that deletes what git ignores, and no tool makes anew, for more than one of the project", async () => {
    const rest = { ignored: async (paths: readonly string[]) => paths };
    const patch = async (line: string) =>
      examine("apply_patch", { patchText: `*** Begin Patch\n*** ${line}\n*** End Patch` }, rest);
    expect(await patch("Delete File: notes/a.md")).toMatchObject({
      effect: "outside",
      reason: "apply_patch deletes notes/a.md, and nothing else holds it",
    });
    expect((await patch("Delete File: dist/a.js")).effect).toBe("project");
    expect((await patch("Add File: notes/a.md\n+a")).effect).toBe("project");
  });

  test.each(["github_create_issue", "hashline_edit", "Bash", "readFile", "__proto__", ""])(
    "%j is not known",
    async (tool) => {
      expect((await examine(tool, { path: "x" })).effect).toBe("unknown");
    },
  );

  it("lets the plugin's own tools guard themselves", async () => {
    const own = ["delegate_gaia", "plan_gaia"];
    expect((await examine("delegate_gaia", {}, { own })).effect).toBe("read");
    expect((await examine("recall_gaia", {}, { own })).effect).toBe("unknown");
  });

  it("takes an edit for one, by whosever tool it is made", async () => {
    const edits = [{ path: ".gaia/config.jsonc", before: "a", after: "b" }];
    const context = policyContext("/p", { own: ["edit_gaia"] });
    expect(await examineCall("edit_gaia", { kind: "edit", isPatch: false, edits }, context)).toMatchObject({
      effect: "project",
      writes: ["/p/.gaia/config.jsonc"],
      protectedTarget: { kind: "path" },
    });
  });

  it("takes what the host's formatter does to a file for a command outside of the sandbox", async () => {
    const formatters = async (path: string) =>
      path.endsWith(".js") ? ["mine"] : path.endsWith(".ts") ? ["mine", "theirs"] : [];
    const effectOf = async (tool: string, path: string, allow: string[] = [], movedFrom?: string) => {
      const edits = [{ path, before: "a", after: "b", ...(movedFrom !== undefined && { movedFrom }) }];
      const context = policyContext("/p", { own: ["edit_gaia"], formatters, allow });
      return (await examineCall(tool, { kind: "edit", isPatch: false, edits }, context)).effect;
    };
    expect(await effectOf("edit", "a.js")).toBe("outside");
    expect(await effectOf("edit", "a.txt")).toBe("project");
    // The plugin's own are formatted in the sandbox.
    expect(await effectOf("edit_gaia", "a.js")).toBe("project");
    expect(await effectOf("edit", "a.js", ["GAIA_SANDBOX=off mine *"])).toBe("project");
    // Each that runs is one, and of a file that is moved it runs on where it comes to lie.
    expect(await effectOf("edit", "a.ts", ["GAIA_SANDBOX=off mine *"])).toBe("outside");
    expect(await effectOf("apply_patch", "a.js", [], "a.txt")).toBe("outside");
    for (const other of ["mine *", "GAIA_SANDBOX=network mine *", "GAIA_SANDBOX=off yours *"])
      expect(await effectOf("edit", "a.js", [other])).toBe("outside");
  });

  it("takes what changes the project for more while the host's language servers run its code", async () => {
    const look = async (effect: ToolEffect, allow: string[] = [], tool = "edit_gaia") => {
      const own = ["edit_gaia"];
      const context = policyContext("/p", { own, allow, languageServers: () => true });
      const { effect: what, escapes } = await examineCall(tool, effect, context);
      return [what, escapes];
    };
    const edit = {
      kind: "edit",
      isPatch: false,
      edits: [{ path: "a.js", before: "a", after: "b" }],
    } as const;
    const command = { kind: "command", command: "touch x", workdir: null } as const;
    expect(await look(edit)).toEqual(["outside", true]);
    expect(await look(edit, [], "edit")).toEqual(["outside", true]);
    expect(await look(command)).toEqual(["unknown", true]);
    const allow = ["GAIA_SANDBOX=off lsp *"];
    expect(await look(edit, allow)).toEqual(["project", true]);
    expect(await look(command, allow)).toEqual(["unknown", false]);
    expect(await look(command, ["lsp *"])).toEqual(["unknown", true]);
  });

  it("examines a command in its folder, with the user's patterns", async () => {
    const bash = async (args: unknown) => (await examine("bash", args, { dangerous: ["helm *"] })).effect;
    expect(await bash({ command: "ls" })).toBe("read");
    expect(await bash({ command: "touch x" })).toBe("unknown");
    expect(await bash({ command: "helm list" })).toBe("forbidden");
    expect(await bash({ command: "rm -rf *", workdir: "/" })).toBe("forbidden");
    expect(await bash({ command: "rm -rf *", workdir: "sub" })).toBe("unknown");
    expect(await bash({ command: "rm -rf *", workdir: ".." })).toBe("forbidden");
    expect(await bash({ command: 5 })).toBe("unknown");
    expect(await bash({})).toBe("unknown");
  });

  it("answers for any tool and any arguments", async () => {
    const words = fc.constantFrom(
      "a",
      "$(",
      "`",
      "'",
      '"',
      "{",
      "<<E",
      "\n",
      "\0",
      "((",
      "[[",
      ";",
      "|",
      "env",
      "~",
      "*",
    );
    const line = fc.array(fc.oneof(words, fc.string({ unit: "binary" }))).map((parts) => parts.join(" "));
    const args = fc.oneof(
      fc.anything(),
      fc.record({ command: line, workdir: fc.string() }),
      fc.record({ filePath: fc.string({ unit: "binary" }), patchText: line }),
    );
    const tools = fc.oneof(fc.constantFrom("bash", "edit", "write", "read", "apply_patch", "x"), fc.string());
    await fc.assert(
      fc.asyncProperty(tools, args, async (tool, given) => {
        const { effect } = await examine(tool, given);
        expect(["read", "project", "outside", "unknown", "forbidden"]).toContain(effect);
      }),
    );
  });

  test.each(readCases<string>("policy/examine-call.takes-a-line-of-in"))(
    "takes a line of %j in time, however long it is",
    async (piece) => {
      for (const length of [30_000, 2_000_000]) {
        const started = performance.now();
        await examine("bash", { command: piece.repeat(Math.floor(length / piece.length)) });
        expect(performance.now() - started).toBeLessThan(5_000);
      }
    },
  );
});
