import { execFile } from "node:child_process";
import { cp, mkdir, readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createError } from "../../lib/error.ts";
import { recordOf } from "../../lib/json.ts";
import { sampleTemplate } from "./package-folder.ts";
import { countTests, type TestCounts } from "./test-counts.ts";

const execute = promisify(execFile);

/** The test that describes the feature. Whoever changes it has not built the feature. */
export const ACCEPTANCE = "test/due-dates.test.js";

/** How long git or the sample's tests may take, in milliseconds. */
const COMMAND_LIMIT_MS = 60_000;

export interface TestRun {
  /** All tests pass, and the one that describes the feature is as it was. */
  readonly passed: boolean;
  readonly counts: TestCounts | null;
  /** Somebody edited or removed the test that describes the feature. */
  readonly tampered: boolean;
  /** What the runner printed. */
  readonly output: string;
}

/** The sample project, as a git repository of its own. */
export interface Sample {
  readonly directory: string;
  /** Runs its tests with this very Node. */
  test(): Promise<TestRun>;
  /**
   * What changed since the sample was made, committed or not; never the record.
   * @param options of `git diff`
   * @param path where to look
   */
  diff(options: readonly string[], path: string): Promise<string>;
  /** The commits since the sample was made, one line each. */
  commits(): Promise<string>;
}

/** Copies the sample and makes its first commit. @throws GaiaError when there is no git */
export async function createSample(directory: string): Promise<Sample> {
  await mkdir(directory, { recursive: true });
  await cp(sampleTemplate(), directory, { recursive: true });
  const git = async (...args: string[]): Promise<string> => runGit(directory, args);
  await git("init", "--quiet", "--initial-branch", "main");
  await git("config", "user.name", "GAIA demo");
  await git("config", "user.email", "demo@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Start the sample");
  const start = (await git("rev-parse", "HEAD")).trim();
  return {
    directory,
    commits: async () => git("log", "--oneline", `${start}..HEAD`),
    async diff(options, path) {
      // Else a new file that nobody committed would be missing.
      await git("add", "--intent-to-add", "--", ".", ":!.gaia");
      return git("diff", ...options, start, "--", path, ":!.gaia");
    },
    async test() {
      const output = await runTests(directory);
      const tampered = !(await isAcceptanceUnchanged(directory));
      const counts = countTests(output.text);
      return { passed: output.ok && !tampered, counts, tampered, output: output.text };
    },
  };
}

async function isAcceptanceUnchanged(directory: string): Promise<boolean> {
  const path = join(directory, ACCEPTANCE);
  if (!existsSync(path)) return false;
  const original = await readFile(join(sampleTemplate(), ACCEPTANCE), "utf8");
  return (await readFile(path, "utf8")) === original;
}

async function runTests(directory: string): Promise<{ ok: boolean; text: string }> {
  // A runner that finds itself inside another one reports in a format that is not for people.
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
  try {
    const options = { cwd: directory, timeout: COMMAND_LIMIT_MS, env };
    const { stdout } = await execute(process.execPath, ["--test", "--test-reporter=spec"], options);
    return { ok: true, text: stdout };
  } catch (error) {
    const { stdout, stderr } = recordOf(error);
    return { ok: false, text: [stdout, stderr].filter(Boolean).map(String).join("\n") };
  }
}

async function runGit(directory: string, args: readonly string[]): Promise<string> {
  // The user's own git settings (hooks, signing, templates) are none of the demo's business.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };
  try {
    return (await execute("git", [...args], { cwd: directory, timeout: COMMAND_LIMIT_MS, env })).stdout;
  } catch (error) {
    const words = recordOf(error)["stderr"];
    throw createError("demo", `git ${args[0] ?? ""} failed: ${String(words || error).trim()}`, {
      cause: error,
      hint: "The demo needs git 2.28 or newer.",
    });
  }
}
