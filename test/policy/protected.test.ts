import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { loadPolicy, userFolders } from "../../src/policy/policy.ts";
import { isProtectedPath } from "../../src/policy/protected-path.ts";
import { openFolder, writeIn } from "../support/directory.ts";
import { readCases } from "../support/cases.ts";

const PROTECTED = readCases<string>("policy/protected.protected");

describe("a path", () => {
  test.each([...PROTECTED, ...readCases<string>("policy/protected.spelled")])(
    "%j is for people only",
    (path) => {
      expect(isProtectedPath(path)).toBe(true);
      expect(isProtectedPath(`/project/${path}`)).toBe(true);
    },
  );

  test.each(readCases<string>("policy/protected.is-not"))("%j is not", (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });

  it("in the user's folders is, wherever the environment puts them", () => {
    const folders = userFolders({ XDG_CONFIG_HOME: "/etc/conf", OPENCODE_CONFIG: "/srv/oc.json" }, "/u");
    for (const path of ["/etc/conf/opencode/x.ts", "/u/.local/share/opencode-gaia/k", "/srv/oc.json"])
      expect(isProtectedPath(path, folders)).toBe(true);
    for (const path of ["/etc/conf/other", "/u/project/a.ts", "/etc/conf/opencoded"])
      expect(isProtectedPath(path, folders)).toBe(false);
  });

  it("stays what it is in any spelling that a file system may take for the same", () => {
    const spelled = fc.tuple(
      fc.constantFrom(...PROTECTED),
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom("", ".", " ", "::$DATA", "/", "/."),
      fc.constantFrom("", "./", "a/../", "/p//"),
    );
    fc.assert(
      fc.property(spelled, ([path, cases, end, start]) => {
        const mixed = path
          .split("")
          .map((char) => (cases.next().value === true ? char.toUpperCase() : char))
          .join("");
        expect(isProtectedPath(start + mixed + end)).toBe(true);
      }),
    );
  });
});

describe("a call", () => {
  const open = (directory: string) => {
    const policy = loadPolicy({ directory, own: [], dangerous: [], allowSensitive: [], allow: [] });
    return async (tool: string, args: object) => policy(tool, readToolCall(tool, args));
  };

  test.each(readCases<string>("policy/protected.hooks"))(
    "changes %s, what a manager of hooks has git run, with the user's yes",
    async (filePath) => {
      const examine = open("/project");
      expect(await examine("write", { filePath, content: "" })).toMatchObject({
        effect: "outside",
        protectedTarget: { kind: "hook", text: filePath },
      });
      expect(await examine("read", { filePath })).toMatchObject({ effect: "read", protectedTarget: null });
      for (const command of [`echo x > ${filePath}`, `rm ${filePath}`, `cp a ${filePath}`])
        expect((await examine("bash", { command })).protectedTarget, command).toMatchObject({ kind: "hook" });
    },
  );

  it("changes what links lead to", async () => {
    const directory = await openFolder();
    await mkdir(join(directory, ".gaia/agents"), { recursive: true });
    await mkdir(join(directory, "deep/.gaia/agents"), { recursive: true });
    await writeIn(directory, ".gaia/config.jsonc", "{}");
    for (const [link, target] of [
      ["notes.md", ".gaia/config.jsonc"],
      ["record", ".gaia"],
      ["dangling", ".gaia/config.json"],
      ["loop", "loop"],
      ["src-link", "deep/.gaia/agents"],
    ] as const)
      await symlink(target, join(directory, link));
    const examine = open(directory);
    const write = async (path: string) =>
      (await examine("write", { filePath: join(directory, path), content: "" })).protectedTarget;
    const redirect = async (path: string) =>
      (await examine("bash", { command: `echo x > ${path}` })).protectedTarget;
    for (const path of ["notes.md", "record/agents/new/a.md", "dangling", "record/config.json"]) {
      expect(await write(path), path).toMatchObject({ kind: "path" });
      expect(await redirect(path), path).toMatchObject({ kind: "path" });
    }
    // Out of where they point, and not of where they lie.
    expect(await redirect("src-link/../config.jsonc")).toMatchObject({ kind: "path" });
    for (const path of ["src/new/a.ts", "loop", "loop/a"]) expect(await write(path), path).toBeNull();
  });
});
