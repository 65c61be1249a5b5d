import { type Arg, textOf } from "../../shell/arg.ts";
import { type OptionTable, optionReader } from "../options.ts";
import type { ArgsRule } from "../program.ts";
import { listings } from "./listings.ts";
import { query } from "./refused.ts";

/** A query that may be given the options of a table and nothing else. */
function strict(
  table: OptionTable,
  check?: (operands: readonly Arg[], given: ReadonlyMap<string, readonly Arg[]>) => string | undefined,
): ArgsRule {
  const read = optionReader(table);
  return (args) => {
    const options = read(args);
    return "problem" in options ? options.problem : check?.(options.operands, options.given);
  };
}

const grep = strict({
  short: "aiIwvhHFGEPlLzcpWnoqr e: f: A: B: C: m:",
  long: "cached untracked no-index recurse-submodules text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count all-match quiet max-depth= max-count= context= after-context= before-context= function-context show-function heading break and or not threads= color? no-color exclude-standard",
  digits: true,
});

const remoteNames = strict(
  { short: "hqt", long: "heads tags branches refs quiet exit-code get-url symref sort=" },
  (operands) =>
    operands.every((arg) => /^(?:[\w./*-]+|https:\/\/[\w./@:~-]+)$/u.test(textOf(arg) ?? ""))
      ? undefined
      : "the remote's address may run a program",
);

const archive = strict({ short: "lv", long: "list format= prefix= verbose" }, (_, given) =>
  (given.get("format") ?? []).every((arg) => /^(?:tar|zip)$/u.test(textOf(arg) ?? ""))
    ? undefined
    : "the format may run a program",
);

/** A change that is only tried out: one of `marks` has to be given. */
function triedOut(table: OptionTable, ...marks: readonly string[]): ArgsRule {
  return strict(table, (_, given) =>
    marks.some((mark) => given.has(mark)) ? undefined : "git would make the change, not only show it",
  );
}

/** Git's verbs that can be read-only, each with its rule; a verb that is not here changes the repository. */
export const gitVerbs: Readonly<Record<string, ArgsRule>> = {
  ...Object.fromEntries(
    `status log diff show shortlog whatchanged rev-list rev-parse describe name-rev blame annotate cherry merge-base
     ls-files ls-tree show-ref for-each-ref show-branch cat-file diff-tree diff-index diff-files range-diff count-objects
     check-ignore check-attr check-mailmap check-ref-format version var verify-pack fsck patch-id stripspace get-tar-commit-id`
      .split(/\s+/u)
      .map((verb) => [verb, query]),
  ),
  ...listings,
  grep,
  archive,
  "ls-remote": remoteNames,
  apply: triedOut(
    { short: "vR p: C:", long: "check stat numstat summary verbose reverse" },
    "check",
    "stat",
    "numstat",
    "summary",
  ),
  clean: triedOut({ short: "ndxXq e:", long: "dry-run exclude= quiet" }, "n", "dry-run"),
  add: triedOut({ short: "nvAu", long: "dry-run verbose all update" }, "n", "dry-run"),
  rm: triedOut({ short: "nrq", long: "dry-run cached quiet" }, "n", "dry-run"),
  mv: triedOut({ short: "nvk", long: "dry-run verbose" }, "n", "dry-run"),
  "hash-object": strict({ short: "t:", long: "stdin no-filters path=" }),
};
