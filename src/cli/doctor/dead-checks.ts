import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { parseJson, recordOf } from "../../lib/json.ts";

/** Words with which a shell begins something else than a program of its own. */
const OF_THE_SHELL =
  /^(?:[!.:[{(]|\[\[|if|for|while|case|test|cd|echo|printf|true|false|exit|set|export|source|eval|command|exec|time|ulimit|read|unset|trap|wait)$|[$"'`\\*?<>|&;~(]/;
const SCRIPT =
  /^(?:npm|pnpm|yarn|bun)\s+run\s+(?:-\S+\s+)*([\w:.-]+)(?=\s|$)(?!.*(?:--workspace|\s-w\s|--filter|--prefix|\s-C\s))/;

/** Checks whose program or script is not there, a sentence each; nothing is run, and what cannot be told is taken to be there. */
export async function findDeadChecks(
  checks: readonly Pick<CheckDefinition, "id" | "command" | "cwd">[],
  project: string,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const found = await Promise.all(
    checks.map(async ({ id, command, cwd = "." }) => {
      const folder = join(project, cwd);
      if (!existsSync(folder)) return [`The check ${id} cannot run: the folder ${cwd} does not exist`];
      const bare = command.trim().replace(/^(?:[A-Za-z_]\w*=[^\s"'$`]*\s+)+/, "");
      const program = bare.split(/[\s;&|]/)[0] ?? "";
      if (program === "" || OF_THE_SHELL.test(program)) return [];
      if (!isThere(program, folder, environment))
        return [`The check ${id} cannot run: there is no program ${program}`];
      const script = SCRIPT.exec(bare)?.[1];
      return script === undefined || (await hasScript(folder, script))
        ? []
        : [`The check ${id} cannot run: package.json has no script "${script}"`];
    }),
  );
  return found.flat();
}

function isThere(program: string, folder: string, { PATH = "", PATHEXT = "" }: NodeJS.ProcessEnv): boolean {
  const ends = ["", ...(process.platform === "win32" ? PATHEXT.split(";") : [])];
  const folders = /[\\/]/.test(program)
    ? [isAbsolute(program) ? "" : folder]
    : PATH.split(delimiter).filter(Boolean);
  return folders.some((place) => ends.some((end) => existsSync(join(place, `${program}${end}`))));
}

/** Package managers look for a package.json further up; without one here it cannot be told. */
async function hasScript(folder: string, name: string): Promise<boolean> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  return text === null || name in recordOf(recordOf(parseJson(text))["scripts"]);
}
