import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { parseJson, recordOf } from "../../lib/json.ts";
import { readRegular } from "../../lib/read-source.ts";

/** Words with which a shell begins something else than a program of its own. */
const OF_THE_SHELL =
  /^(?:[!.:[{(]|\[\[|if|for|while|case|test|cd|echo|printf|true|false|exit|set|export|source|eval|command|exec|time|ulimit|read|unset|trap|wait)$|[$"'`\\*?<>|&;~(]/;
/** `test` needs no `run`, except with bun, which has one of its own. */
const SCRIPT =
  /^(?:(?:npm|pnpm|yarn|bun)\s+run\s+(?:-\S+\s+)*([\w:.-]+)|(?:npm|pnpm|yarn)\s+(test))(?=\s|$)(?!.*(?:--workspace|--recursive|\s-[wr]\s|--filter|--prefix|\s-C\s))/;

const TARGET = /^make\s+([\w.-]+)\s*$/;
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
/** What brings rules that the file does not name. */
const MORE_RULES = /^\s*-?s?include\b|%|^[^#\n]*\$[^\n]*:/m;

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
      const [, named, script = named] = SCRIPT.exec(bare) ?? [];
      if (script !== undefined && !(await hasScript(folder, script)))
        return [`The check ${id} cannot run: package.json has no script "${script}"`];
      const target = TARGET.exec(bare)?.[1];
      return target === undefined || (await hasTarget(folder, target))
        ? []
        : [`The check ${id} cannot run: there is no rule for "${target}" in the Makefile`];
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

async function hasTarget(folder: string, name: string): Promise<boolean> {
  const file = MAKEFILES.map((each) => join(folder, each)).find((path) => existsSync(path));
  if (file === undefined) return existsSync(join(folder, name));
  const text = (await readRegular(file))?.toString("utf8") ?? null;
  if (text === null || MORE_RULES.test(text)) return true;
  const named = text
    .split(/\r?\n/)
    .flatMap((line) => /^([^\s#:=][^#:=]*):(?!=)/.exec(line)?.[1]?.trim().split(/\s+/) ?? []);
  return named.includes(name);
}

/** Package managers look for a package.json further up; without one here it cannot be told. */
async function hasScript(folder: string, name: string): Promise<boolean> {
  const text = (await readRegular(join(folder, "package.json")))?.toString("utf8") ?? null;
  return text === null || name in recordOf(recordOf(parseJson(text))["scripts"]);
}
