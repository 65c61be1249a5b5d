import type { BashRules } from "./permission.ts";

/** Programs that write nothing, but for the options below. */
const READERS =
  "ls|cat|head|tail|wc|stat|file|du|df|pwd|echo|printf|which|type|basename|dirname|realpath|readlink|grep|egrep|fgrep|" +
  "cut|tr|nl|comm|cmp|diff|jq|true|test|cd|sed -n|rg|tree|find|sort|uname|date|" +
  "git status|git log|git diff|git show|git blame|git ls-files|git rev-parse|git grep|git shortlog|git describe|" +
  "git branch --list|git branch -a|git tag --list|git remote -v|jj status|jj log|jj diff|jj show|jj file list";

/** Options of the above that write or run something. They stand behind, so they win. */
const WRITERS =
  "*-exec*|*-ok*|*-delete*|*-fprint*|*-fls*|*--pre*|*--output*|*--hostname-bin*|*--ext-diff*|*--textconv*|" +
  "*--open-files-in-pager*|git grep *-O*|sort *-o*|sort *--compress-program*|tree *-o*|sed *-i*|sed *--in-place*|" +
  "date *-s*|date *--set*|*>*|*`*|*$(*|*<(*";

/** Ends of a command that only silence it. */
const QUIET = ["2>&1", "2>/dev/null", ">/dev/null", "> /dev/null"];

/**
 * What a read-only agent may run, as OpenCode's own bash patterns: the second line of defence. The first is the policy,
 * which parses the command; these patterns only see its text. The last matching pattern wins.
 */
export const READ_ONLY_BASH: BashRules = {
  "*": "deny",
  ...rules(READERS, (program) => [`${program} *`], "allow"),
  ...rules(WRITERS, (pattern) => [pattern], "deny"),
  ...rules(READERS, (program) => QUIET.map((end) => `${program} * ${end}`), "allow"),
};

function rules(names: string, patterns: (name: string) => string[], action: "allow" | "deny"): BashRules {
  return Object.fromEntries(
    names
      .split("|")
      .flatMap(patterns)
      .map((pattern) => [pattern, action]),
  );
}
