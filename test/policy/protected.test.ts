import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { type CallContext, examineCall } from "../../src/policy/examine-call.ts";
import { type ExamineCall, loadPolicy, userFolders } from "../../src/policy/policy.ts";
import { isProtectedPath } from "../../src/policy/protected-path.ts";
import { policyContext } from "../support/examination.ts";
import { readCases } from "../support/cases.ts";

const PROTECTED = readCases<string>("policy/protected.protected");

describe("isProtectedPath", () => {
  test.each([
    ...PROTECTED,
    ".gaia/Config.jsonc",
    ".GAIA/AGENTS/me.md",
    ".gaia/config.jsonc::$DATA",
    ".gaia/config.jsonc.",
    ".gaia./config.jsonc ",
    ".gaia\\agents\\me.md",
    "C:\\p\\.git\\config",
    ".gaia//./config.jsonc",
    "a/../.gaia/x/../config.jsonc",
    ".g\u200dit/config",
    "OpenCode.JSON",
  ])("%j is for people only", (path) => {
    expect(isProtectedPath(path)).toBe(true);
    expect(isProtectedPath(`/project/${path}`)).toBe(true);
  });

  test.each(readCases<string>("policy/protected.is-not"))("%j is not", (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });

  it("knows the user's folders wherever the environment puts them", () => {
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

const examine = async (tool: string, args: unknown, context: Partial<CallContext> = {}) =>
  examineCall(tool, readToolCall(tool, args), policyContext("/project", { own: ["plan_gaia"], ...context }));
const find = async (tool: string, args: unknown, context: Partial<CallContext> = {}) =>
  (await examine(tool, args, context)).protectedTarget;

describe("a call that changes what only a person may", () => {
  test.each<[string, unknown]>(readCases<[string, unknown]>("policy/protected.a-call-that-changes-what"))(
    "%s %j",
    async (tool, args) => {
      expect(await find(tool, args)).toMatchObject({ kind: "path" });
    },
  );

  test.each<[string, unknown]>(readCases<[string, unknown]>("policy/protected.not"))(
    "not %s %j",
    async (tool, args) => {
      expect(await find(tool, args)).toBeNull();
    },
  );
});

describe("what a manager of hooks has git run", () => {
  test.each(readCases<string>("policy/protected.is-changed-with-the-user"))(
    "%s is changed with the user's yes",
    async (filePath) => {
      expect(await examine("write", { filePath, content: "" })).toMatchObject({
        effect: "outside",
        protectedTarget: { kind: "hook", text: filePath },
      });
      expect(await examine("read", { filePath })).toMatchObject({ effect: "read", protectedTarget: null });
      for (const command of [`echo x > ${filePath}`, `rm ${filePath}`, `cp a ${filePath}`])
        expect((await examine("bash", { command })).protectedTarget, command).toMatchObject({ kind: "hook" });
    },
  );

  test.each(["src/hooks/use-husky.ts", "docs/pre-commit.md", "hooks/pre-commit.ts", "src/lefthook.ts"])(
    "%s is ordinary work",
    async (filePath) => {
      expect(await examine("write", { filePath, content: "" })).toMatchObject({
        effect: "project",
        protectedTarget: null,
      });
    },
  );
});

describe("links", () => {
  let directory: string;
  let examine: ExamineCall;
  beforeAll(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-protected-")));
    await mkdir(join(directory, ".gaia/agents"), { recursive: true });
    await writeFile(join(directory, ".gaia/config.jsonc"), "{}");
    await writeFile(join(directory, "run.sh"), "cp a .gaia/config.jsonc\n");
    await symlink(".gaia/config.jsonc", join(directory, "notes.md"));
    await symlink(".gaia", join(directory, "record"));
    await symlink(".gaia/config.json", join(directory, "dangling"));
    await symlink("loop", join(directory, "loop"));
    examine = loadPolicy({ directory, own: [], dangerous: [], allowSensitive: [], allow: [] });
  });
  afterAll(async () => rm(directory, { recursive: true }));

  it.each(["notes.md", "record/agents/new/a.md", "dangling", "record/config.json"])(
    "are followed to what they lead to: %s",
    async (path) => {
      const write = readToolCall("write", { filePath: join(directory, path), content: "" });
      expect((await examine("write", write)).protectedTarget).toMatchObject({ kind: "path" });
      const command = readToolCall("bash", { command: `echo x > ${path}` });
      expect((await examine("bash", command)).protectedTarget).toMatchObject({ kind: "path" });
    },
  );

  it("lead out of where they point, and not of where they lie", async () => {
    await mkdir(join(directory, "deep/.gaia/agents"), { recursive: true });
    await symlink("deep/.gaia/agents", join(directory, "src-link"));
    const command = readToolCall("bash", { command: "echo x > src-link/../config.jsonc" });
    expect((await examine("bash", command)).protectedTarget).toMatchObject({ kind: "path" });
  });

  it("lead nowhere else", async () => {
    for (const path of ["src/new/a.ts", "loop", "loop/a"]) {
      const write = readToolCall("write", { filePath: path, content: "" });
      expect((await examine("write", write)).protectedTarget).toBeNull();
    }
  });
});
