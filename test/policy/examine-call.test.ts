import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type ToolEffect } from "../../src/host/tool-call.ts";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { type CallContext, examineCall } from "../../src/policy/examine-call.ts";
import { openFolder } from "../support/directory.ts";
import { policyContext } from "../support/examination.ts";
import { readCases } from "../support/cases.ts";

const LINKS: Readonly<Record<string, string>> = {
  "/project/notes.txt": "/project/.env",
  "/project/sub/notes.txt": "/project/.env",
  "/project/link/a.ts": "/srv/a.ts",
};
const SETTINGS: Partial<CallContext> = {
  own: ["plan_gaia"],
  dangerous: ["terraform * destroy"],
  allowSensitive: [".env.test"],
  server: { host: "10.0.0.7", port: 43_127 },
  machine: ["my-laptop"],
  realPath: (path) => LINKS[path] ?? path,
};
const examine = async (tool: string, args: unknown, rest = SETTINGS) =>
  examineCall(tool, readToolCall(tool, args), policyContext("/project", rest));

describe("a call", () => {
  test.each(readCases<[string, string, unknown, object]>("policy/calls"))(
    "%s: %s %j",
    async (_about, tool, args, expected) => {
      expect(await examine(tool, args)).toMatchObject(expected);
    },
  );

  it("is to OpenCode's own address at its usual port, where that is not known", async () => {
    const target = async (url: string) => (await examine("webfetch", { url }, {})).protectedTarget;
    expect(await target("http://127.0.0.1:4096/x")).toMatchObject({ kind: "address" });
    expect(await target("http://example.com:4096/x")).toBeNull();
  });

  it("names a file that is not UTF-8, which an edit would damage and a deletion does not", async () => {
    const folder = await openFolder();
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
  });

  it("that deletes what git ignores, and no tool makes anew, is more than one of the project", async () => {
    const patch = async (line: string) =>
      examine(
        "apply_patch",
        { patchText: `*** Begin Patch\n*** ${line}\n*** End Patch` },
        { ignored: async (paths) => paths },
      );
    expect(await patch("Delete File: notes/a.md")).toMatchObject({
      effect: "outside",
      reason: "apply_patch deletes notes/a.md, and nothing else holds it",
    });
    expect((await patch("Delete File: dist/a.js")).effect).toBe("project");
    expect((await patch("Add File: notes/a.md\n+a")).effect).toBe("project");
  });

  it("answers for any tool and any arguments", async () => {
    const words = fc.constantFrom(..."a $( ` ' \" { <<E \n \0 (( [[ ; | env ~ *".split(" "));
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

  test.each(readCases<string>("policy/examine-call.long"))(
    "takes its share of time for a line of %j, however long it is",
    async (piece) => {
      for (const [length, mostMs] of [
        [30_000, 2_000],
        [2_000_000, 5_000],
      ] as const) {
        const started = process.cpuUsage();
        await examine("bash", { command: piece.repeat(Math.floor(length / piece.length)) });
        expect(process.cpuUsage(started).user / 1_000).toBeLessThan(mostMs);
      }
    },
  );
});

describe("an edit", () => {
  const edit = (path: string, movedFrom?: string): ToolEffect => ({
    kind: "edit",
    isPatch: false,
    edits: [{ path, before: "a", after: "b", ...(movedFrom !== undefined && { movedFrom }) }],
  });
  const examineEffect = async (tool: string, effect: ToolEffect, rest: Partial<CallContext>) =>
    examineCall(tool, effect, policyContext("/p", { own: ["edit_gaia"], ...rest }));

  it("is one, by whosever tool it is made", async () => {
    expect(await examineEffect("edit_gaia", edit(".gaia/config.jsonc"), {})).toMatchObject({
      effect: "project",
      writes: ["/p/.gaia/config.jsonc"],
      protectedTarget: { kind: "path" },
    });
  });

  it("is a command outside of the sandbox where the host's formatter runs on it", async () => {
    const formatters = async (path: string) =>
      path.endsWith(".js") ? ["mine"] : path.endsWith(".ts") ? ["mine", "theirs"] : [];
    const effectOf = async (tool: string, path: string, allow: string[] = [], movedFrom?: string) =>
      (await examineEffect(tool, edit(path, movedFrom), { formatters, allow })).effect;
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

  it("and a command are more while the host's language servers run the project's code", async () => {
    const look = async (given: ToolEffect, allow: string[] = [], tool = "edit_gaia") => {
      const { effect, escapes } = await examineEffect(tool, given, { allow, languageServers: () => true });
      return [effect, escapes];
    };
    const command = { kind: "command", command: "touch x", workdir: null } as const;
    expect(await look(edit("a.js"))).toEqual(["outside", true]);
    expect(await look(edit("a.js"), [], "edit")).toEqual(["outside", true]);
    expect(await look(command)).toEqual(["unknown", true]);
    const allow = ["GAIA_SANDBOX=off lsp *"];
    expect(await look(edit("a.js"), allow)).toEqual(["project", true]);
    expect(await look(command, allow)).toEqual(["unknown", false]);
    expect(await look(command, ["lsp *"])).toEqual(["unknown", true]);
  });
});
