import type { Assignment, Command } from "unbash";
import { judgeSetting, SKIPS } from "../checks/settings.ts";
import { plainWord } from "./words.ts";

/** Variables by which runtimes load other code, and runners of tests or builds run less, or something else. */
const STEERS =
  /^(?:LD_(?!LIBRARY_PATH$)\w+|DYLD_(?!LIBRARY_PATH$)\w+|PATH|SHELL|BASH_ENV|PYTHON\w+|PYTEST_(?:ADDOPTS|PLUGINS)|PERL5\w+|RUBYLIB|NODE_PATH|DOTNET_STARTUP_HOOKS|PHPRC|PHP_INI_\w+|npm_config_\w+|\w*(?:OPT|OPTS|OPTIONS|_ARGS|FLAGS|WRAPPER|RUNNER))$/iu;
/** Where a project's own tools are installed. */
const TOOLS = /^(?:\.\/)?(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$/u;
const SHELLS = /^(?:[\w./-]*\/)?(?:ba|da|k|z)?sh$/u;
/** Options of compilers and runners that change what is printed, warned of or made fast, and not what is tested. */
const PLAIN_FLAGS =
  /^(?:\d+|(?:\s*(?:-(?:v+|q|g|O\w?|W[\w=-]*|f[\w=,-]+|std=\S+|race|j\d*|w)|--(?:verbose|quiet|color(?:=\w+)?)))*\s*)$/u;
/** What node loads of installed packages, as the command itself may. */
const LOADS =
  /(?:--(?:import|require|loader|experimental-loader)[= ]|-r )@?[a-z][\w-]*(?:\/(?!\.)[\w.-]+)*(?=\s|$)/gu;
/** Programs that set what stands among their words. */
const SETS = /^(?:env|cross-env|export|declare|typeset|sudo)$/u;
const SETTING = /^([A-Za-z_]\w*)=(.*)$/su;

/** What a simple command sets by which other things may run than its text says, in words for a person; null for nothing. */
export function steeredBy({ prefix, name, args }: Command): string | null {
  const words = (name === undefined ? [] : [name, ...args]).map((word) =>
    word.type === "Assignment" ? "" : plainWord(word).text,
  );
  const given = words.some((word) => SETS.test(word)) ? words.map((word) => SETTING.exec(word)) : [];
  const settings = [
    ...given.flatMap((found) => (found === null ? [] : [[found[1] ?? "", found[2]] as const])),
    ...[...prefix, ...args].flatMap((item) =>
      item.type === "Assignment" ? [[item.name, valueOf(item)] as const] : [],
    ),
  ];
  const found = settings.find(
    ([name, value]) => (STEERS.test(name) || SKIPS.test(name)) && !isHarmless(name, value),
  );
  return found === undefined ? null : `it sets ${found[0]}, by which something else may run`;
}

function isHarmless(name: string, value: string | undefined): boolean {
  if (name === "PATH") return value?.split(":").every((folder) => TOOLS.test(folder)) === true;
  if (name === "SHELL") return SHELLS.test(value ?? "");
  if (name === "NODE_OPTIONS")
    return judgeSetting(name, value?.replaceAll(LOADS, "").trim()).kind === "check";
  const isPlain = PLAIN_FLAGS.test(value ?? "-") && !SKIPS.test(name);
  return isPlain || judgeSetting(name, value).kind === "check";
}

/** What is set, where the text tells it: the project's folder needs no name, and what was set before stays as it was. */
function valueOf({ name, value }: Assignment): string | undefined {
  if (value.type === "ArrayValue") return undefined;
  const { text, isOpen } = plainWord(value);
  if (!isOpen) return text;
  const parts = text
    .replaceAll('"', "")
    .replaceAll(/\$(?:PWD\b|\{PWD\})/gu, ".")
    .split(":");
  const told = parts.filter((part) => part !== `$${name}` && part !== `\${${name}}`).join(":");
  return /[$`']/u.test(told) ? undefined : told;
}
