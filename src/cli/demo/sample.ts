import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createError, describeError } from "../../lib/error.ts";
import { recordOf } from "../../lib/json.ts";
import { hostGit } from "../../process/git.ts";

const execute = promisify(execFile);

/** The test that describes the feature. Changing it is not building the feature. */
export const ACCEPTANCE = "test/due-dates.test.js";

/** How long git or the sample's tests may take, in milliseconds. */
const COMMAND_LIMIT_MS = 60_000;

/** A file or folder of the package's `templates`. Found upwards, for this file is bundled into `dist`. */
export function templatePath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "templates")) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, "templates", name);
}

/** Copies the sample and makes its first commit. @throws GaiaError when there is no git */
export async function createSample(directory: string) {
  await cp(templatePath("demo-project"), directory, { recursive: true });
  const git = async (...args: string[]): Promise<string> => runGit(directory, args);
  await git("init", "--quiet", "--initial-branch", "main");
  await git("config", "user.name", "GAIA demo");
  await git("config", "user.email", "demo@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Start the sample");
  const start = (await git("rev-parse", "HEAD")).trim();
  return {
    commits: async (): Promise<string> => git("log", "--oneline", `${start}..HEAD`),
    /** The files that changed since the sample was made, committed or not; never the record. */
    async stat(): Promise<string> {
      // Else a new file that nobody committed would be missing.
      await git("add", "--intent-to-add", "--", ".", ":!.gaia");
      return (await git("diff", "--stat=80", start, "--", ".", ":!.gaia")).trimEnd();
    },
    /** Whether all tests pass, and the one that describes the feature is as it was. */
    async test() {
      // A runner that finds itself inside another one reports in a format that is not for people.
      const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
      const args = ["--test", "--test-reporter=spec"];
      const { ok, output } = await run(process.execPath, args, directory, env);
      const described = [directory, templatePath("demo-project")].map((at) => readText(join(at, ACCEPTANCE)));
      const tampered = described[0] !== described[1];
      return { passed: ok && !tampered, counts: countTests(output) ?? "no result", tampered, output };
    },
  };
}

/**
 * The totals of Node's test runner in either of its formats: `# pass 9` (TAP) or `ℹ pass 9` (for people).
 * @returns `9 pass, 4 fail`; null for output without totals
 */
export function countTests(output: string): string | null {
  const [passed, failed] = ["pass", "fail"].map(
    (what) => new RegExp(`^[#ℹ] ${what} (\\d+)\\s*$`, "m").exec(output)?.[1],
  );
  return passed === undefined || failed === undefined ? null : `${passed} pass, ${failed} fail`;
}

/** The documents of the record, by their paths in the project. */
export function recordedFiles(directory: string): string[] {
  const gaia = join(directory, ".gaia");
  const entries = existsSync(gaia) ? readdirSync(gaia, { recursive: true, encoding: "utf8" }) : [];
  const files = entries.filter((entry) => !entry.startsWith(".local") && entry.endsWith(".md"));
  return files.toSorted().map((file) => `.gaia/${file.replaceAll("\\", "/")}`);
}

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

async function runGit(directory: string, args: readonly string[]): Promise<string> {
  // The user's own git settings (hooks, signing, templates) do not belong into the sample.
  const { command, env } = hostGit(args, { settings: "own" });
  const { ok, output } = await run(command[0], command.slice(1), directory, env);
  if (ok) return output;
  throw createError("demo", `git ${args[0] ?? ""} failed: ${output.trim()}`, {
    hint: "The demo needs git 2.28 or newer.",
  });
}

/** @returns what it wrote to standard output, or why it failed */
async function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  try {
    const { stdout } = await execute(program, [...args], { cwd, timeout: COMMAND_LIMIT_MS, env });
    return { ok: true, output: stdout };
  } catch (error) {
    const { stdout, stderr } = recordOf(error);
    return { ok: false, output: [stdout, stderr].filter(Boolean).join("\n") || describeError(error) };
  }
}
