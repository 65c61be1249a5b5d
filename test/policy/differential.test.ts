import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { examineCommand } from "../../src/policy/examine-command.ts";
import { riskOf } from "../support/risk.ts";
import { corpus } from "./corpus/index.ts";

const root = mkdtempSync(join(tmpdir(), "gaia-policy-"));
const repository = join(root, "repository");
const home = join(root, "home");
const environment = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_CACHE_HOME: join(home, "cache"),
  XDG_DATA_HOME: join(home, "data"),
  XDG_STATE_HOME: join(home, "state"),
  GIT_CONFIG_GLOBAL: join(home, "gitconfig"),
  GIT_CONFIG_NOSYSTEM: "1",
  TMPDIR: join(root, "tmp"),
  LC_ALL: "C",
};
const files: Readonly<Record<string, string>> = {
  "README.md": "# Title\nfoo and bar\n",
  "a.txt": "3 foo\n1 bar\n2 baz\n",
  "b.txt": "1 bar\n4 qux\n",
  "data.csv": "b,2\na,1\n",
  "data.json": '{"items": [{"name": "x"}]}\n',
  "package.json": '{"name": "sample", "version": "1.0.0", "scripts": {"test": "true"}}\n',
  "script.sh": "echo hello\n",
  "src/a.ts": "export const a = 1;\n",
  "src/b.ts": "export function b() {}\n",
};

function run(program: string, args: readonly string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(program, args, {
    cwd: repository,
    env: environment,
    input: "",
    timeout: 20_000,
    encoding: "utf8",
  });
  return { status, stderr };
}

/** One line for every file below the folder. Git's index is left out: every query may refresh the times in it. */
function snapshot(): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !(entry.name === "index" && entry.parentPath.endsWith(".git")))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${relative(root, path)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .toSorted();
}

beforeAll(() => {
  for (const folder of [join(repository, "src"), home, join(root, "tmp")])
    mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
  writeFileSync(environment.GIT_CONFIG_GLOBAL, "[user]\n\tname = Test\n\temail = test@example.com\n");
  const steps = [
    "git init -q -b main",
    "git add .",
    "git commit -qm one",
    "tar czf archive.tgz src",
    "git tag v1",
  ];
  for (const step of steps) expect(run("bash", ["-c", step]).status).toBe(0);
  writeFileSync(join(repository, "src/a.ts"), "export const a = 2;\n");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it("runs every harmless command of the corpus that is classified as read-only, and finds nothing changed", () => {
  const commands = corpus.filter(
    ({ command, harmless }) => harmless && riskOf(examineCommand(command)) === "read-only",
  );
  expect(commands.length).toBeGreaterThanOrEqual(200);
  let before = snapshot();
  const changing: string[] = [];
  let succeeded = 0;
  for (const { command } of commands) {
    if (run("bash", ["-c", command]).status === 0) succeeded++;
    const after = snapshot();
    if (after.join("\n") !== before.join("\n")) changing.push(command);
    before = after;
  }
  expect(changing).toEqual([]);
  expect(succeeded).toBeGreaterThan(commands.length * 0.8);
}, 120_000);

it("would notice a change", () => {
  const before = snapshot();
  writeFileSync(join(home, "new"), "");
  expect(snapshot()).not.toEqual(before);
});
