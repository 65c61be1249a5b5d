import { type Arg, shown, textOf } from "../shell/arg.ts";
import type { VerbArgs } from "./git-history.ts";

/** Variables by which git or a manager of hooks leaves hooks out. */
export const UNHOOKING =
  /^(?:GIT_CONFIG\w*|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|HOME|XDG_CONFIG_HOME|HUSKY\w*|LEFTHOOK\w*|OVERCOMMIT\w*|SKIP|PRE_COMMIT\w*|PREK\w*|SKIP_\w*HOOKS?|\w*NO_VERIFY|SKIP_GIT_HOOKS|SKIP_SIMPLE_GIT_HOOKS|HOOKS_?(?:OFF|DISABLED?)|DISABLE_\w*HOOKS?|\w*HOOKS_?PATH)$/iu;
/** Of them, those that a line may set long before; others are found by their assignment. */
export const UNHOOKING_NAMES = [
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_PARAMETERS",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG",
  "GIT_EXEC_PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "HUSKY",
  "HUSKY_SKIP_HOOKS",
  "LEFTHOOK",
  "LEFTHOOK_EXCLUDE",
  "LEFTHOOK_BIN",
  "OVERCOMMIT_DISABLE",
  "SKIP",
  "SKIP_SIMPLE_GIT_HOOKS",
  "SIMPLE_GIT_HOOKS_RC",
  "PRE_COMMIT_ALLOW_NO_CONFIG",
  "PREK_SKIP",
];

const SETTING = /core\.hookspath|include(?:if\b.*)?\.path|core\.(?:gitdir|worktree)|^hook\.|^--exec-path=/iu;
/** The same in source, and in words for another program. */
const IN_TEXT =
  /(?<![\w-])--no-v(?:e|er|eri|erif|erify)?(?![\w-])|\b(?:HUSKY|LEFTHOOK|OVERCOMMIT_DISABLE|SKIP)\b["'\]]*\s*[=:,]|\bcommit\b[^\n;&|]{0,160}?(?<![\w-])-[aeiopqsuvz]*n(?:[a-z]*)(?![\w-])/u;
/** Verbs with hooks that an option keeps from running. */
const HOOKED = /^(?:commit|merge|push|rebase|am|pull|send-pack)$/u;
/** Managers of hooks, asked to take them out. */
const MANAGER = /^(?:husky|pre-commit|prek|lefthook|simple-git-hooks|overcommit)$/u;
const TAKES_OUT = /^(?:uninstall|remove|--uninstall|-u)$/u;
const HIDING = /^--(?:assume-un|skip-w|fsmonitor-v)/u;

/**
 * What in the arguments of a git command keeps its hooks from running; undefined for nothing.
 * @param globals what stands before the verb
 */
export function findUnhooked(verb: string, globals: readonly Arg[], args: VerbArgs): string | undefined {
  const setting = globals.find(
    (arg, at) =>
      SETTING.test(shown(arg)) ||
      (textOf(arg) === undefined && /^(?:-c|--config-env)/u.test(shown(globals[at - 1] ?? arg))),
  );
  if (setting !== undefined) return shown(setting);
  if (!HOOKED.test(verb)) return undefined;
  const option = args.options.find(
    (text) =>
      /^--no-ver?i?f?y?$|^--no-v$/u.test(text) || (text === "-n" && (verb === "commit" || verb === "am")),
  );
  if (option !== undefined) return option;
  // What is pushed the user is asked about.
  return args.hidden === undefined || verb === "push" ? undefined : shown(args.hidden);
}

/** What hides changes of files from git, and so from every look at what is to be committed. */
export function findHiding(verb: string, { options }: VerbArgs): string | undefined {
  return verb === "update-index" ? options.find((option) => HIDING.test(option)) : undefined;
}

/** What keeps hooks from running in a text that records something, once a program or a shell reads it. */
export function findUnhookedText(text: string): string | undefined {
  return (IN_TEXT.exec(text) ?? /core\.hookspath/iu.exec(text))?.[0];
}

/** A variable that leaves hooks out, among words by which a program sets some for what it runs. */
export function findUnhookedWord(words: readonly string[]): string | undefined {
  return words.find((word) => UNHOOKING.test(/^(?:-\w|--[\w-]+=)?(\w+)=/u.exec(word)?.[1] ?? ""));
}

/** A manager of hooks that takes them out, in the first words of a command. */
export function findTakenOut(argv: readonly Arg[]): string | undefined {
  const words = argv.slice(0, 5).map((arg) => textOf(arg) ?? "");
  const at = words.findIndex((word) => MANAGER.test(word.slice(word.lastIndexOf("/") + 1)));
  if (at === -1 || (at > 0 && !/^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun|uvx|pipx|uv)$/u.test(words[0] ?? "")))
    return undefined;
  return TAKES_OUT.test(words[at + 1] ?? "") ? words.slice(at, at + 2).join(" ") : undefined;
}
