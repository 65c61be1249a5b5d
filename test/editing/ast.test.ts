import { chmod, mkdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { AstCall } from "../../src/extras/ast/search.ts";
import { prepareAst } from "../../src/extras/ast/tool.ts";
import type { FileToolCall } from "../../src/host/port.ts";
import { steadyClock } from "../../src/lib/async.ts";
import { isRefusal } from "../../src/lib/error.ts";
import { containPrograms } from "../../src/sandbox/load.ts";
import { openVcs } from "../../src/snapshot/vcs.ts";
import { canContain } from "../support/bubblewrap.ts";
import { createRepository, fileCall, type Repository } from "./scene.ts";
import { readCases } from "../support/cases.ts";

let repository: Repository;

const input = (given: object = {}) => ({
  host: { project: repository.directory, worktree: repository.directory },
  vcs: openVcs(repository.directory, repository.directory),
  contained: { of: async () => null, dispose: () => undefined },
  environment: { PATH: "" },
  clock: steadyClock,
  began: { day: Date.now() + 60_000 },
  config: { policy: { allowSensitive: [] } },
  ...given,
});

/** What the model reads, whichever way it ends. */
async function ask(call: Partial<AstCall>, by: Partial<FileToolCall> = {}, given = {}): Promise<string> {
  const prepared = await prepareAst(
    { pattern: "old($A)", lang: "ts", ...call },
    repository.place,
    input(given),
  );
  if (isRefusal(prepared)) return `refused: ${prepared.reason} ${prepared.hint}`;
  return prepared.run(fileCall(by)).then(
    ({ text }) => text,
    (error: unknown) => `failed: ${String(error)}`,
  );
}

const open = async (files: Record<string, string | Buffer>): Promise<void> => {
  repository = await createRepository(files);
  await repository.install();
};

it("a search finds code, not strings or comments, and nothing in files that version control leaves alone", async () => {
  await open({
    "a.ts": 'old(1);\nconst s = "old(2)"; // old(3)\nold(\n  4,\n);\n',
    ".gitignore": "dist\n",
    "secret.env.ts": "old(5);\n",
    "id_rsa.ts": "x\n",
  });
  await repository.write("dist/b.ts", "old(6);\n");
  await repository.write(".env.ts", "old(7);\n");
  expect(await ask({})).toBe(
    "a.ts:1: old(1);\na.ts:3: old( … (+2 lines)\nsecret.env.ts:1: old(5);\nLeft out, as they may hold secrets: .env.ts.",
  );
  expect(await ask({ paths: ["dist"] })).toMatch(/^refused: dist is ignored by version control/);
  expect(await ask({ paths: [".env.ts"] })).toMatch(/^refused: .env.ts may hold secrets/);
  expect(await ask({ paths: ["../x"] })).toMatch(/outside of the project/);
  expect(await ask({ paths: ["gone"] })).toMatch(/There is no gone/);
});

describe("a rewrite", () => {
  it("is shown first, in the lines that differ, and changes nothing", async () => {
    await open({ "a.ts": "if (x) old(1);\n", "b.ts": "old(2);\nold(old(3));\n" });
    const text = await ask({ rewrite: "fresh($A)" });
    expect(text).toBe(readCases<string>("editing/ast.is-shown-first-in-the").join("\n"));
    expect(await repository.read("a.ts")).toBe("if (x) old(1);\n");
  });

  it("is made in all files, with their modes, line ends and marks kept, once it is allowed", async () => {
    await open({
      "a.ts": "\uFEFFold(1);\r\nold(2);\r\n",
      "b.ts": "é; old(3)",
      "c.ts": 'const s = "old(4)"; // old(4)\n',
    });
    await chmod(join(repository.directory, "b.ts"), 0o755);
    const asked: string[] = [];
    const text = await ask(
      { rewrite: "fresh(\n  $A,\n)", dry_run: false },
      { askToEdit: async (paths, diff) => void asked.push(...paths, diff) },
    );
    expect(text).toBe("Changed 3 places in 2 files:\na.ts\nb.ts");
    expect(asked.slice(0, 2)).toEqual(["a.ts", "b.ts"]);
    expect(asked[2]).toContain("-é; old(3)\n+é; fresh(");
    expect(await repository.read("a.ts")).toBe("\uFEFFfresh(\r\n  1,\r\n);\r\nfresh(\r\n  2,\r\n);\r\n");
    expect(await repository.read("b.ts")).toBe("é; fresh(\n  3,\n)");
    expect((await stat(join(repository.directory, "b.ts"))).mode & 0o777).toBe(0o755);
    expect(await repository.read("c.ts")).toBe('const s = "old(4)"; // old(4)\n');
  });

  it("leaves out what may hold secrets, and says so", async () => {
    await open({
      "a.ts": "old(1);\n",
      "config/app.keystore": "",
      "credentials.json": "[1, 1]\n",
      "b.json": "[1]\n",
    });
    const text = await ask({ pattern: "1", lang: "json", rewrite: "2", dry_run: false });
    expect(text).toBe(
      "Changed 1 place in 1 file:\nb.json\nLeft out, as they may hold secrets: credentials.json.",
    );
    expect(await repository.read("credentials.json")).toBe("[1, 1]\n");
  });
});

describe("ast-grep itself", () => {
  /** A program that says that it ran, and answers as one that finds nothing. */
  const script = async (path: string): Promise<void> => {
    const full = join(repository.directory, path);
    await mkdir(join(full, ".."), { recursive: true });
    await writeFile(full, `#!/bin/sh\n: > ${repository.directory}/ran\n`);
    await chmod(full, 0o755);
  };
  const hasRun = async (given = {}): Promise<boolean> => {
    await ask({}, {}, given);
    const ran = await stat(join(repository.directory, "ran")).catch(() => null);
    await rm(join(repository.directory, "ran"), { force: true });
    return ran !== null;
  };

  it("is the project's own, else the one on the PATH, and never `sg`", async () => {
    await open({ "a.ts": "old(1);\n" });
    await rm(join(repository.directory, "node_modules"), { recursive: true });
    const away = await createRepository();
    const path = { environment: { PATH: `${away.directory}:relative` } };
    await symlink(resolve("node_modules/.bin/vitest"), join(away.directory, "sg"));
    expect(await ask({}, {}, path)).toMatch(/ast-grep is not installed/);
    await writeFile(join(away.directory, "ast-grep"), "#!/bin/sh\necho away >&2; exit 3\n", { mode: 0o755 });
    expect(await ask({}, {}, path)).toMatch(/away/);
    await script("node_modules/.bin/ast-grep");
    expect(await hasRun(path)).toBe(true);
  });

  it.runIf(canContain)("runs contained where commands do, and writes nothing", async () => {
    await open({ "a.ts": "old(1);\n" });
    await rm(join(repository.directory, "node_modules"), { recursive: true });
    await script("node_modules/.bin/ast-grep");
    const limits = {
      environment: process.env,
      clock: steadyClock,
      shell: () => "/bin/bash",
      writable: [],
      allowSensitive: [],
    };
    const contained = containPrograms({ mode: "on", network: false, writable: [] }, limits, () => undefined);
    expect(await ask({}, {}, { contained })).toMatch(/Read-only file system/);
    expect(await hasRun({ contained })).toBe(false);
    contained.dispose();
  });
});
