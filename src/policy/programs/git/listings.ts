import { type Arg, leading, textOf } from "../../shell/arg.ts";
import { type Options, optionReader } from "../options.ts";
import type { ArgsRule } from "../program.ts";
import { checksSignature, query } from "./refused.ts";

const LISTING_LONG =
  "list sort= format= contains= no-contains= merged? no-merged? points-at= color? no-color column? no-column ignore-case";
const SELECTING = ["list", "contains", "no-contains", "merged", "no-merged", "points-at"];

const readBranch = optionReader({
  short: "arvliq",
  long: `${LISTING_LONG} all remotes verbose show-current abbrev? no-abbrev quiet`,
});
const readTag = optionReader({ short: "li n?", long: LISTING_LONG });

/** Without an option that selects, an operand would be the name of something new. */
function listing(
  read: (args: readonly Arg[]) => { problem: string } | Options,
  selecting: readonly string[],
): ArgsRule {
  return (args) => {
    const options = read(args);
    if ("problem" in options) return options.problem;
    if (args.some((arg) => checksSignature(arg))) return "git would check signatures with another program";
    const selects = selecting.some((name) => options.given.has(name));
    const operand = options.operands[0];
    return operand === undefined || selects
      ? undefined
      : `git would create ${textOf(operand) ?? "what the operand names"}`;
  };
}

/** A verb with verbs of its own: those that only show, and whether it shows when there is none. */
function subverbs(showing: RegExp, bare: boolean): ArgsRule {
  return (args, call) => {
    const verb = args.map((arg) => textOf(arg) ?? leading(arg)).find((text) => !text.startsWith("-"));
    const shows = verb === undefined ? bare : showing.test(verb);
    return shows ? query(args, call) : `git ${verb ?? "without a verb"} changes something here`;
  };
}

const CONFIG_READING = /^--(?:get|get-all|get-regexp|get-urlmatch|list)$|^-l$/u;
const CONFIG_HARMLESS =
  /^(?:--(?:global|system|local|worktree|null|name-only|show-origin|show-scope|includes|no-includes|bool|int|bool-or-int|path|type=\w+|default=.*|all|regexp|value=.*|show-names|file|file=.*|blob=.*)|-[zf])$/u;

/** `git config key` reads, `git config key value` writes. */
const config: ArgsRule = (args) => {
  const texts = args.map((arg) => textOf(arg));
  if (texts.includes(undefined)) return "what git config is given is only known at run time";
  const words = texts.filter((text) => text !== undefined);
  const rest = words.filter((text) => !CONFIG_HARMLESS.test(text) && !CONFIG_READING.test(text));
  const unknown = rest.find((text) => text.startsWith("-"));
  if (unknown !== undefined) return `git config ${unknown} is not known to be harmless`;
  if (words.some((text) => CONFIG_READING.test(text))) return undefined;
  if (/^(?:get|list)$/u.test(rest[0] ?? "")) return undefined;
  return rest.length === 1 && rest[0]?.includes(".") === true ? undefined : "git config changes a setting";
};

/** `git reflog` takes a revision where it takes a verb, and its list of verbs grows. */
const reflog = subverbs(/^(?:show|list|exists|HEAD.*|stash.*|main|master|\d+|.*[/@{].*)$/u, true);

/** Reading it takes one name, writing it two. */
const symbolicRef: ArgsRule = (args) => {
  const texts = args.map((arg) => textOf(arg) ?? "--unknown");
  const names = texts.filter((text) => !/^(?:-q|--quiet|--short|--recurse|--no-recurse)$/u.test(text));
  return names.length === 1 && names[0]?.startsWith("-") === false
    ? undefined
    : "git symbolic-ref changes a reference";
};

/** Verbs that list in one form and create, move or delete in another. */
export const listings: Readonly<Record<string, ArgsRule>> = {
  branch: listing(readBranch, SELECTING),
  tag: listing(readTag, [...SELECTING, "l", "n"]),
  config,
  reflog,
  "symbolic-ref": symbolicRef,
  remote: subverbs(/^(?:show|get-url)$/u, true),
  stash: subverbs(/^(?:list|show)$/u, false),
  worktree: subverbs(/^list$/u, false),
  notes: subverbs(/^(?:list|show)$/u, true),
  submodule: subverbs(/^(?:status|summary)$/u, true),
  bisect: subverbs(/^(?:log|terms)$/u, false),
  bundle: subverbs(/^(?:verify|list-heads)$/u, false),
  lfs: subverbs(/^(?:ls-files|env|version|status|locks)$/u, false),
  rerere: subverbs(/^(?:status|diff|remaining)$/u, false),
  "sparse-checkout": subverbs(/^list$/u, false),
};
