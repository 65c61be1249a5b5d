import { judgeSetting } from "../settings.ts";
import { partsOf } from "../words.ts";
import { lefthookRun, preCommitRun } from "./git-hooks.ts";
import { listedTask } from "./listed-tasks.ts";
import { packageManagerRun, taskRunnerRun } from "./package-runners.ts";
import type { ScriptReader } from "./reader.ts";
import { parseJustfile, parseMakefile, rulesOf, type Recipes, withIncluded } from "./recipes.ts";
import { below, named, NOTHING, type Run, type Script } from "./script.ts";
import { composerScript, projectTask, taskfileTask, toxRun } from "./task-files.ts";

const MAKE_OPTION =
  /^(?:-[jklnrRsBiOqw]\d*|-[jkns]{2,4}\d*|--(?:jobs|keep-going|silent|quiet|dry-run|just-print|no-print-directory|always-make|output-sync|load-average|trace|no-builtin-rules|warn-undefined-variables))$/u;
/** With these, make says what it would do. */
const TRIES = /^(?:-[jks]*n[jks]*|-q|--dry-run|--just-print)$/u;
const MAKE_VALUED = new Set(["-C", "--directory", "-j", "-l", "--jobs", "-f", "--file"]);
/** Recipes that are looked at because another one needs them. */
const MAX_NEEDS = 40;
const PLAIN = /^[\w.,:/@=+ *-]*$/u;

/** What a command runs of the project's own scripts; undefined when it is no script runner, or told to do something else. */
export function findRun(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  switch (words[0]) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return packageManagerRun(words, folder, reader);
    case "make":
    case "gmake":
      return make(words.slice(1), folder, reader);
    case "just":
      return just(words.slice(1), folder, reader);
    case "task":
    case "go-task":
      return taskfileTask(words, folder, reader);
    case "deno":
    case "devbox":
    case "melos":
      return listedTask(words, folder, reader);
    case "lefthook":
      return lefthookRun(words, folder, reader);
    case "dbt":
      return dbtRun(folder, reader);
    case "composer":
      return composerScript(words, folder, reader);
    case "pre-commit":
    case "prek":
      return preCommitRun(words, folder, reader);
    case "tox":
      return toxRun(words, folder, reader);
    default:
      return projectTask(words, folder, reader) ?? taskRunnerRun(words, folder, reader);
  }
}

function make(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  // A number behind -j is its own.
  const own = words.filter((word, index) => !(/^\d+$/u.test(word) && words[index - 1] === "-j"));
  const valued = new Set([...MAKE_VALUED].filter((option) => option !== "-j"));
  const { options, operands } = partsOf(own, valued, Infinity);
  const path = options.get("-C")?.[0] ?? options.get("--directory")?.[0] ?? ".";
  const isKnown = [...options.keys()].every((option) => MAKE_OPTION.test(option) || MAKE_VALUED.has(option));
  const settings = operands.filter((word) => /^[A-Za-z_]\w*[:?+]?=/u.test(word));
  const isPlain = settings.every((word) => {
    const [name = "", ...value] = word.split("=");
    return PLAIN.test(word) && judgeSetting(name.replace(/\W$/u, ""), value.join("=")).kind === "check";
  });
  const file = options.get("-f")?.[0] ?? options.get("--file")?.[0];
  const isOutside = [path, file ?? ""].some((name) => name.startsWith("/") || name.split("/").includes(".."));
  if (!isKnown || !isPlain || isOutside) return undefined;
  if ([...options.keys()].some((option) => TRIES.test(option))) return NOTHING;
  const at = below(folder, path);
  const text = (file === undefined ? ["GNUmakefile", "makefile", "Makefile"] : [file])
    .map((name) => reader.text(at, name))
    .find((found) => found !== undefined);
  if (file !== undefined && text === undefined) return undefined;
  const targets = operands.filter((word) => !settings.includes(word));
  const whole = text === undefined ? undefined : withIncluded(text, (name) => reader.text(at, name));
  const run = recipeRun(targets, at, whole === undefined ? undefined : parseMakefile(whole));
  return run === undefined || whole === undefined ? run : { ...run, rules: rulesOf(whole) };
}

function just(words: readonly string[], folder: string, reader: ScriptReader): Run | undefined {
  const { options, operands, rest } = partsOf(words, new Set(["-f", "--justfile"]), 1);
  if (["-l", "--list", "--summary", "-n", "--dry-run"].some((option) => options.has(option))) return NOTHING;
  const isKnown = /^(?:-q|--quiet|-v|--verbose|--yes|--no-deps|-f|--justfile)$/u;
  const file = options.get("-f")?.[0] ?? options.get("--justfile")?.[0];
  const isOutside = file?.startsWith("/") === true || file?.includes("/") === true;
  if (![...options.keys()].every((option) => isKnown.test(option)) || isOutside) return undefined;
  const text = (file === undefined ? ["justfile", "Justfile", ".justfile"] : [file])
    .map((name) => reader.text(folder, name))
    .find((found) => found !== undefined);
  const recipes = text === undefined ? undefined : parseJustfile(text);
  // Behind a recipe's name, its parameters may follow.
  const names = [...operands, ...rest.filter((word) => recipes === undefined || recipes.has(word))];
  const run = recipeRun(names, folder, recipes);
  return run === undefined || recipes === undefined ? run : { ...run, args: rest };
}

/** Statements that dbt sends before or after whatever it does; where there are none, the verb tells. */
function dbtRun(folder: string, reader: ScriptReader): Run | undefined {
  const settings = reader.text(folder, "dbt_project.yml") ?? "";
  const sends = /^\s*["']?(?:on-run-(?:start|end)|\+?store_failures)\b/mu.test(settings);
  return sends ? { scripts: [named("", undefined, folder)], args: [] } : undefined;
}

function recipeRun(names: readonly string[], folder: string, recipes: Recipes | undefined): Run | undefined {
  const targets = names.length === 0 && recipes?.first !== undefined ? [recipes.first] : names;
  if (targets.length === 0) return undefined;
  const seen = new Set<string>(targets);
  const scripts = targets.map((name): Script => ({ name, lines: recipes?.lines(name), folder }));
  const open = targets.flatMap((name) => recipes?.needs(name) ?? []);
  for (let need = open.pop(); need !== undefined && seen.size < MAX_NEEDS; need = open.pop()) {
    if (seen.has(need) || recipes?.has(need) !== true) continue;
    seen.add(need);
    scripts.push({ name: need, lines: recipes.lines(need), folder, isAside: true });
    open.push(...recipes.needs(need));
  }
  return { scripts, args: [] };
}
