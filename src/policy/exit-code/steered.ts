import type { Command } from "unbash";
import { judgeSetting } from "../checks/settings.ts";
import { plainWord } from "./words.ts";

/** Variables by which runtimes load other code, and runners of tests or builds run less, or something else. */
const STEERS =
  /^(?:LD_\w+|DYLD_\w+|PATH|SHELL|ENV|BASH_ENV|PYTHON\w*|PYTEST_(?:ADDOPTS|PLUGINS)|PERL5\w+|RUBYLIB|NODE_PATH|DOTNET_STARTUP_HOOKS|PHPRC|PHP_INI_\w+|npm_config_\w+|\w*(?:OPT|OPTS|OPTIONS|_ARGS|FLAGS|WRAPPER|RUNNER))$/iu;
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
    ...[...prefix, ...args].flatMap((item) => {
      if (item.type !== "Assignment") return [];
      const { value } = item;
      const word = value.type === "ArrayValue" ? null : plainWord(value);
      return [[item.name, word === null || word.isOpen ? undefined : word.text] as const];
    }),
  ];
  const found = settings.find(
    ([key, value]) => STEERS.test(key) && judgeSetting(key, value).kind !== "check",
  );
  return found === undefined ? null : `it sets ${found[0]}, by which something else may run`;
}
