import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../../lib/error.ts";
import { type ProgramStart, runProgram } from "../../process/bounded-process.ts";
import { hostGit } from "../../process/git.ts";

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
  const run = async (start: ProgramStart) =>
    runProgram(start, directory, { timeoutMs: COMMAND_LIMIT_MS, startsProjects: true });
  const git = async (...args: string[]): Promise<string> => {
    // The user's own git settings (hooks, signing, templates) do not belong into the sample.
    const { ok, text, words } = await run(hostGit(args, { settings: "own" }));
    if (ok) return text.trim();
    throw createError("demo", `git ${args[0] ?? ""} failed: ${words}`, {
      hint: "The demo needs git 2.28 or newer.",
    });
  };
  await git("init", "--quiet", "--initial-branch", "main");
  await git("config", "user.name", "GAIA demo");
  await git("config", "user.email", "demo@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Start the sample");
  const start = await git("rev-parse", "HEAD");
  return {
    commits: async (): Promise<string> => git("log", "--oneline", `${start}..HEAD`),
    /** The files that changed since the sample was made, committed or not, the record's too. */
    async stat(): Promise<string> {
      // Else a new file that nobody committed would be missing.
      await git("add", "--intent-to-add", "--", ".");
      return git("diff", "--stat=80", start);
    },
    async test() {
      // A runner that finds itself inside another one reports in a format that is not for people.
      const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
      const command = [process.execPath, "--test", "--test-reporter=spec"] as const;
      const { ok, text, words } = await run({ command, env });
      return { passed: ok, counts: countTests(text) ?? "no result", output: text + words };
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
