import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createError } from "../../lib/error.ts";
import { recordOf } from "../../lib/json.ts";

const execute = promisify(execFile);

/** How long git or the sample's tests may take, in milliseconds. */
const COMMAND_LIMIT_MS = 60_000;

export interface TestRun {
  readonly passed: boolean;
  /** As "9 pass, 4 fail". */
  readonly counts: string;
  /** What the runner printed. */
  readonly output: string;
}

/** The sample project, as a git repository of its own in a temporary folder. */
export interface Sample {
  readonly directory: string;
  /** Runs its tests with this very Node. */
  test(): Promise<TestRun>;
  /** Everything that changed in the code since the sample was made, committed or not. */
  diff(...options: string[]): Promise<string>;
  /** The commits since the sample was made, one line each. */
  commits(): Promise<string>;
  /** The record's files, relative to the project, sorted; without what only this machine needs. */
  record(): Promise<string[]>;
  /** Whether a work unit has its plan, log and decisions, and each says something. */
  hasRecord(): Promise<boolean>;
}

/** The folder of this package, which OpenCode loads as a plugin. @throws GaiaError when it is not built */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "templates", "demo-project")) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  if (existsSync(join(folder, "dist", "index.js"))) return folder;
  throw createError("demo", `The plugin is not built in ${folder}.`, { hint: "Run: npm run build" });
}

/** Copies the sample and makes its first commit. @throws GaiaError when there is no git */
export async function createSample(directory: string): Promise<Sample> {
  await mkdir(directory, { recursive: true });
  await cp(join(packageRoot(), "templates", "demo-project"), directory, { recursive: true });
  const git = async (...args: string[]): Promise<string> => runGit(directory, args);
  await git("init", "--quiet", "--initial-branch", "main");
  await git("config", "user.name", "GAIA demo");
  await git("config", "user.email", "demo@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Start the sample");
  const start = (await git("rev-parse", "HEAD")).trim();
  const record = async (): Promise<string[]> =>
    (await filesBelow(directory, ".gaia")).filter((file) => !file.startsWith(".gaia/.local/"));
  return {
    directory,
    record,
    commits: async () => git("log", "--oneline", `${start}..HEAD`),
    test: async () => runTests(directory),
    async diff(...options) {
      await git("add", "--intent-to-add", "."); // Else a new file that nobody committed would be missing.
      return git("diff", ...options, start, "--", ".", ":!.gaia");
    },
    async hasRecord() {
      const files = await record();
      const units = files.filter((file) => file.endsWith("/plan.md")).map((file) => dirname(file));
      const complete = await Promise.all(units.map(async (unit) => isComplete(directory, unit)));
      return complete.includes(true);
    },
  };
}

async function isComplete(directory: string, unit: string): Promise<boolean> {
  const expected: readonly [string, RegExp][] = [
    ["plan.md", /^- \[[ x]\] /m],
    ["log.md", /^## /m],
    ["decisions.md", /^\|\s*\d{4}-/m],
  ];
  const found = await Promise.all(
    expected.map(async ([name, entry]) => {
      const path = join(directory, unit, name);
      return existsSync(path) && entry.test(await readFile(path, "utf8"));
    }),
  );
  return !found.includes(false);
}

async function runTests(directory: string): Promise<TestRun> {
  // A runner that finds itself inside another one reports in a format that is not for people.
  const { NODE_TEST_CONTEXT: _inner, ...environment } = process.env;
  try {
    const options = { cwd: directory, timeout: COMMAND_LIMIT_MS, env: environment };
    const { stdout } = await execute(process.execPath, ["--test", "--test-reporter=spec"], options);
    return { passed: true, counts: countsOf(stdout), output: stdout };
  } catch (error) {
    const { stdout, stderr } = recordOf(error);
    const output = [stdout, stderr].filter(Boolean).map(String).join("\n");
    return { passed: false, counts: countsOf(output), output };
  }
}

function countsOf(output: string): string {
  const count = (what: string): string => new RegExp(`^\\S+ ${what} (\\d+)$`, "m").exec(output)?.[1] ?? "?";
  return `${count("pass")} pass, ${count("fail")} fail`;
}

async function runGit(directory: string, args: readonly string[]): Promise<string> {
  // The user's own git settings (hooks, signing, templates) are none of the demo's business.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };
  try {
    return (await execute("git", [...args], { cwd: directory, timeout: COMMAND_LIMIT_MS, env })).stdout;
  } catch (error) {
    throw createError("demo", `git ${args[0] ?? ""} failed: ${String(recordOf(error)["stderr"] ?? error)}`, {
      cause: error,
      hint: "The demo needs git 2.28 or newer.",
    });
  }
}

async function filesBelow(directory: string, folder: string): Promise<string[]> {
  if (!existsSync(join(directory, folder))) return [];
  const entries = await readdir(join(directory, folder), { withFileTypes: true });
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(directory, path) : [path];
    }),
  );
  return nested.flat().toSorted();
}
