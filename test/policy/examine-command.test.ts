import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type CommandContext, examineCommand } from "../../src/policy/examine-command.ts";
import { loadPolicy } from "../../src/policy/policy.ts";
import { policyContext } from "../support/examination.ts";
import { readCases } from "../support/cases.ts";

const examine = async (command: string, rest: Partial<CommandContext> = {}) =>
  examineCommand(command, policyContext("/project", rest));

describe("a command", () => {
  test.each<[string, object]>(readCases<[string, object]>("policy/examine-command.a-command"))(
    "%j",
    async (command, expected) => {
      expect(await examine(command)).toMatchObject(expected);
    },
  );

  it("is not read where another shell runs it", async () => {
    const seen = await examine("ls", { isPosix: false, allow: ["ls"] });
    expect(seen).toMatchObject({ effect: "unknown", isAllowed: false });
    expect((await examine("sudo ls", { isPosix: false })).effect).toBe("forbidden");
  });
});

describe("a command that the user allows", () => {
  const allow = [
    "npm run fmt",
    "make *",
    "./bin/gen",
    "GAIA_SANDBOX=network npm ci",
    "GAIA_SANDBOX=off docker ps",
  ];
  test.each(readCases<string>("policy/examine-command.is"))("is %j", async (command) => {
    expect((await examine(command, { allow })).isAllowed).toBe(true);
  });

  test.each(readCases<string>("policy/examine-command.is-not"))("is not %j", async (command) => {
    expect((await examine(command, { allow })).isAllowed).toBe(false);
  });
});

describe("a command that the user calls dangerous", () => {
  const dangerous = ["helm uninstall *", "terraform * destroy"];
  test.each(readCases<string>("policy/examine-command.is-2"))("is %j", async (command) => {
    expect(await examine(command, { dangerous })).toMatchObject({ effect: "forbidden" });
  });

  test.each(["helm list", "echo helm uninstall x", "helm", "terraform plan"])(
    "is not %j",
    async (command) => {
      expect((await examine(command, { dangerous })).effect).not.toBe("forbidden");
    },
  );
});

describe("paths that a command names plainly", () => {
  test.each(readCases<string>("policy/examine-command.shows-a-secret"))(
    "shows a secret: %j",
    async (command) => {
      const realPath = (path: string): string => (path === "/project/notes.txt" ? "/project/.env" : path);
      expect((await examine(command, { realPath })).secret).not.toBeNull();
    },
  );

  test.each(["cat .env.example", "cat a.ts", "npm test", "echo process.env", "cat .env.test", "cat *"])(
    "shows none: %j",
    async (command) => {
      expect((await examine(command, { allowSensitive: [".env.test"] })).secret).toBeNull();
    },
  );

  test.each([
    ["cat .e*", true],
    ["cat -- a* | wc -l", true],
    ["wc < b*", true],
    ["cat '.e*' a.ts", false],
    ["grep '.*' src", false],
  ])("says whether names of files stand for a word: %j", async (command, hasPattern) => {
    expect(await examine(command)).toMatchObject({ effect: "read", hasPattern, secret: null });
  });

  test.each(readCases<string>("policy/examine-command.changes-what-only-a-person"))(
    "changes what only a person may: %j",
    async (command) => {
      expect((await examine(command)).protectedTarget).toMatchObject({ kind: "path" });
    },
  );

  test.each(["cat .gaia/config.jsonc", "npm test", "node src/opencode.ts"])(
    "changes none: %j",
    async (command) => {
      expect((await examine(command)).protectedTarget).toBeNull();
    },
  );
});

describe("what nothing holds and a command plainly deletes", () => {
  let folder = "";
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "gaia-deletes-")));
    for (const name of [
      "data",
      "kept/only",
      "src",
      "node_modules/a",
      "packages/a/node_modules",
      "packages/a/dist",
    ])
      mkdirSync(join(folder, name), { recursive: true });
    const files = [
      "dev.db",
      "data/a.db",
      "kept/only/b.db",
      "src/a.ts",
      "untracked.txt",
      "node_modules/a/x.db",
    ];
    for (const name of [...files, "packages/a/node_modules/x.db", "packages/a/dist/y.db", "a[1].db"])
      writeFileSync(join(folder, name), "x");
    writeFileSync(join(folder, ".gitignore"), "*.db\nnode_modules\n");
    const git = (...args: string[]): unknown =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder });
    git("init", "-q");
    git("add", "src", ".gitignore");
    git("commit", "-qm", "x");
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const deletes = async (command: string, workdir: string | null = null): Promise<string | null> => {
    const policy = loadPolicy({ directory: folder, dangerous: [], allow: [], allowSensitive: [] });
    return (await policy("bash", { kind: "command", command, workdir })).deletes;
  };

  test.each(readCases<[string, string]>("policy/examine-command.is-asked-about"))(
    "%s is asked about",
    async (command, expected) => {
      expect(await deletes(command)).toBe(expected);
    },
  );

  test.each(readCases<string>("policy/examine-command.is-not-2"))("%s is not", async (command) => {
    expect(await deletes(command)).toBeNull();
  });

  it("is read from the folder of the command", async () => {
    expect(await deletes("rm a.db", "data")).toBe("data/a.db");
    expect(await deletes("rm dev.db", "data")).toBeNull();
  });

  it("is nothing where no repository is", async () => {
    const plain = mkdtempSync(join(tmpdir(), "gaia-plain-"));
    writeFileSync(join(plain, "a.db"), "x");
    const policy = loadPolicy({ directory: plain, dangerous: [], allow: [], allowSensitive: [] });
    expect((await policy("bash", { kind: "command", command: "rm a.db", workdir: null })).deletes).toBeNull();
    rmSync(plain, { recursive: true });
  });
});
