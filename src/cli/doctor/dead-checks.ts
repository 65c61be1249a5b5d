import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { parseJson, recordOf } from "../../lib/json.ts";
import { readText } from "../../lib/read-source.ts";

/** A program and its words, with variables in front; anything else is left to the shell. */
const PLAIN = /^(?:[A-Za-z_]\w*=[\w./:-]* )*([\w./:@=+-]+(?: [\w./:@=+-]+)*)$/;
const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);

/** Checks whose program or script is not there, a sentence each; nothing is run, and what cannot be told is taken to be there. */
export async function findDeadChecks(
  checks: readonly Pick<CheckDefinition, "id" | "command" | "cwd">[],
  project: string,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const found = await Promise.all(
    checks.map(async ({ id, command, cwd = "." }) => {
      const why = await whyDead(command, cwd, join(project, cwd), environment);
      return why === null ? [] : [`The check ${id} cannot run: ${why}`];
    }),
  );
  return found.flat();
}

async function whyDead(
  command: string,
  cwd: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  if (!existsSync(folder)) return `the folder ${cwd} does not exist`;
  const words = PLAIN.exec(command.trim())?.[1]?.split(" ");
  const [program = "", ...rest] = words ?? [];
  if (program === "" || process.platform === "win32") return null;
  if (!(await isThere(program, folder, environment))) return `there is no program ${program}`;
  const script = scriptOf(program, rest);
  const text = script === null ? "" : await readText(join(folder, "package.json"));
  // Package managers look for a package.json further up; without one here it cannot be told.
  const isMissing =
    script !== null && text !== "" && !(script in recordOf(recordOf(parseJson(text))["scripts"]));
  return isMissing ? `package.json has no script "${script}"` : null;
}

/** The shell knows what is one of its own. */
async function isThere(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("/bin/sh", ["-c", 'command -v "$1"', "sh", program], { cwd, env }, (error) => {
      resolve(error === null);
    });
  });
}

function scriptOf(program: string, [verb, name, ...more]: readonly string[]): string | null {
  if (!PACKAGE_MANAGERS.has(program) || more.length > 0) return null;
  if (verb === "run") return name ?? null;
  // Bun has a test runner of its own.
  return verb === "test" && name === undefined && program !== "bun" ? "test" : null;
}
