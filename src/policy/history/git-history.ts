import { type Arg, leading, mayHideOption, shown, textOf } from "../shell/arg.ts";
import type { RecordingKind } from "./history.ts";

/** What a verb of git does to the history. */
export type VerbEffect =
  | { readonly kind: "records"; readonly as: RecordingKind }
  /** `keeps`: without touching the files. */
  | { readonly kind: "moves"; readonly keeps: boolean; readonly fetches?: true }
  | { readonly kind: "stages" }
  | { readonly kind: "none" };

/** Arguments of a verb: options with their dashes, letters that were run together one by one, and operands. */
export interface VerbArgs {
  readonly options: readonly string[];
  readonly operands: readonly Arg[];
  /** An argument that may turn out to be any option. */
  readonly hidden: Arg | undefined;
}

const NONE: VerbEffect = { kind: "none" };
const MOVES: VerbEffect = { kind: "moves", keeps: false };
const KEEPS: VerbEffect = { kind: "moves", keeps: true };

/** Short options with a value, which may be attached, by verb. */
const VALUES: Readonly<Record<string, string>> = {
  commit: "mFCct",
  merge: "msXF",
  tag: "mFu",
  rebase: "sXCx",
  "cherry-pick": "mXs",
  revert: "mXs",
  am: "pC",
  checkout: "bB",
  switch: "cC",
  push: "o",
  "commit-tree": "pmF",
};
const LONG_VALUES =
  /^--(?:message|file|author|date|template|reuse-message|reedit-message|fixup|squash|trailer|cleanup|pathspec-from-file|strategy|strategy-option|onto|exec|mainline|local-user|push-option|repo|receive-pack|whitespace|directory|exclude|include|orphan|conflict|parent)$/u;

/** Takes the arguments of a verb apart. */
export function readVerbArgs(verb: string, args: readonly Arg[]): VerbArgs {
  const values = VALUES[verb] ?? "";
  const options: string[] = [];
  const operands: Arg[] = [];
  let hidden: Arg | undefined;
  /** A value that the shell may split can bring options along. */
  const skip = (value: Arg | undefined): void => {
    if (
      value?.many === true ||
      value?.pieces.some((piece) => typeof piece !== "string" && piece.split) === true
    )
      hidden ??= value;
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    if (textOf(arg) === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    const text = leading(arg);
    if (!text.startsWith("-") || text === "-") {
      if (mayHideOption(arg)) hidden ??= arg;
      operands.push(arg);
    } else if (text.startsWith("--")) {
      options.push(text.split("=", 1)[0] ?? text);
      if (textOf(arg) === undefined && !text.includes("=")) hidden ??= arg;
      if (LONG_VALUES.test(text)) skip(args[++at]);
    } else {
      const letters = text.slice(1);
      const end = letters.split("").findIndex((letter) => values.includes(letter));
      options.push(...(end === -1 ? letters : letters.slice(0, end + 1)).split("").map((each) => `-${each}`));
      if (end === -1 && textOf(arg) === undefined) hidden ??= arg;
      if (end !== -1 && end === letters.length - 1 && arg.pieces.length === 1) skip(args[++at]);
    }
  }
  return { options, operands, hidden };
}

/** What takes an option back again by which nothing would be recorded. */
const UNDOING = /^--(?:no-(?:d|sh|po|lo|sq)|c|ff?$)/u;

/** Whether one of these options is given, and none that may take it back. */
function given({ options }: VerbArgs, ...names: readonly string[]): boolean {
  return options.some((option) => names.includes(option)) && !options.some((option) => UNDOING.test(option));
}

const records = (as: RecordingKind): VerbEffect => ({ kind: "records", as });
/** The verb, unless it only takes back what it began. */
const unless = (args: VerbArgs, names: readonly string[], otherwise: VerbEffect): VerbEffect =>
  args.options.some((option) => names.includes(option)) ? MOVES : otherwise;

const ENDS = ["--abort", "--quit"];
const LOOKS = /^--(?:dry-run|short|porcelain|long|show-current-patch|edit-todo)$/u;

type Rule = VerbEffect | ((args: VerbArgs) => VerbEffect);

const looks = ({ options }: VerbArgs): boolean =>
  options.some((option) => LOOKS.test(option)) && !options.some((option) => UNDOING.test(option));
const commitRule: Rule = (args) => (looks(args) ? NONE : records("commit"));
const resumed: Rule = (args) => (looks(args) ? NONE : unless(args, ENDS, records("merge")));
const pickRule: Rule = (args) =>
  given(args, "-n", "--no-commit") ? NONE : unless(args, ENDS, records("merge"));
const mergeRule: Rule = (args) => {
  if (given(args, "--squash")) return NONE;
  const keepsHead = given(args, "--no-commit") && given(args, "--no-ff");
  return keepsHead ? NONE : unless(args, ENDS, records("merge"));
};
/** A branch that begins here leaves the files as they are. */
const branchRule: Rule = (args) =>
  args.options.some((option) => /^-(?:b|c|-create)$/u.test(option)) &&
  args.operands.length <= (args.options.includes("--create") ? 1 : 0)
    ? KEEPS
    : MOVES;
const fetchRule: Rule = ({ operands, options }) =>
  operands.some((arg) => textOf(arg) === undefined || shown(arg).includes(":")) ||
  options.some((option) => option === "-u" || option === "--update-head-ok")
    ? records("refs")
    : { kind: "moves", keeps: true, fetches: true };
const pushRule: Rule = (args) => (given(args, "-n", "--dry-run") ? NONE : records("push"));

const RULES: Readonly<Record<string, Rule>> = {
  commit: commitRule,
  merge: mergeRule,
  rebase: resumed,
  "cherry-pick": pickRule,
  revert: pickRule,
  am: resumed,
  pull: records("merge"),
  tag: records("tag"),
  push: pushRule,
  "send-pack": pushRule,
  "http-push": pushRule,
  svn: records("push"),
  p4: records("push"),
  "commit-tree": records("refs"),
  "update-ref": records("refs"),
  "symbolic-ref": records("refs"),
  "fast-import": records("refs"),
  "filter-branch": records("refs"),
  "filter-repo": records("refs"),
  add: { kind: "stages" },
  stage: { kind: "stages" },
  checkout: branchRule,
  switch: branchRule,
  branch: KEEPS,
  fetch: fetchRule,
  remote: { kind: "moves", keeps: true, fetches: true },
  submodule: { kind: "moves", keeps: false, fetches: true },
  clone: MOVES,
  init: MOVES,
  worktree: KEEPS,
};
/** Further verbs of git's own that move HEAD, a branch or a tag, if any of them. */
const MOVING =
  /^(?:reset|bisect|stash|restore|read-tree|gc|maintenance|pack-refs|repack|prune|replace|reflog|lfs|clean|checkout-index)$/u;
/** Git's own verbs that leave HEAD, branches and tags where they are. */
const OTHERS =
  /^(?:rm|mv|apply|notes|rerere|merge-file|write-tree|update-index|mktag|mktree|format-patch|archive|bundle|hash-object|sparse-checkout|diff|log|show|grep|mailsplit|pack-objects|index-pack|unpack-objects|fsck|multi-pack-index|commit-graph|request-pull|send-email|daemon|instaweb|imap-send|credential|config|web--browse|cvsserver|help|version|difftool|mergetool|gitk|merge-tree|merge-base|status|blame|describe|archimport|ls-remote|ls-files|rev-parse|rev-list)$/u;

/** What a verb with these arguments does to the history. A verb that git does not have may be an alias of any. */
export function effectOfVerb(verb: string, args: VerbArgs): VerbEffect {
  const rule = Object.hasOwn(RULES, verb) ? RULES[verb] : undefined;
  if (rule !== undefined) return typeof rule === "function" ? rule(args) : rule;
  if (MOVING.test(verb)) return MOVES;
  return OTHERS.test(verb) ? NONE : records("unclear");
}
