import { posix } from "node:path";
import { type Arg, textOf } from "../shell/arg.ts";
import type { Walk } from "../shell/walk-state.ts";
import type { VerbArgs } from "./git-history.ts";
import type { Taken } from "./history.ts";

/** What a line has staged so far, and what its commits take. */
export interface Taking {
  readonly staged: {
    readonly everything: boolean;
    readonly tracked: boolean;
    readonly paths: readonly string[];
  };
  readonly taken: Taken | null;
}

export const NOTHING_TAKEN: Taking = {
  staged: { everything: false, tracked: false, paths: [] },
  taken: null,
};

/** Pathspecs with a language of their own. */
const MAGIC = /^:|[*?[\]\\]/u;
const WHOLE = /^:(?:\/|\(top\))$/u;

/** Files and folders by their absolute paths; those that are not known for sure are left out. */
function namedPaths(operands: readonly Arg[], places: readonly Arg[], walk: Walk): string[] {
  const { folders } = walk.scope;
  const [folder = ""] = folders;
  const steps = places.map((place) => textOf(place));
  if (folders.length !== 1 || steps.includes(undefined)) return [];
  const base = posix.resolve(walk.project, folder, ...steps.map((step) => step ?? ""));
  return operands.flatMap((operand) => {
    const text = textOf(operand);
    return text === undefined || MAGIC.test(text) ? [] : [posix.resolve(base, text)];
  });
}

const isWhole = (operand: Arg): boolean => WHOLE.test(textOf(operand) ?? "");
const has = ({ options }: VerbArgs, pattern: RegExp): boolean =>
  options.some((option) => pattern.test(option));

/** What `git add` stages, as far as its arguments tell; what they do not tell counts as left out. */
export function noteStaged(before: Taking, args: VerbArgs, places: readonly Arg[], walk: Walk): Taking {
  if (has(args, /^(?:-[pieNn]|--(?:patch|interactive|edit|intent|dry|chmod|refresh|pathspec-from).*)$/u))
    return before;
  const { operands } = args;
  const isUpdate = has(args, /^(?:-u|--update)$/u);
  const isBare = operands.length === 0;
  const { staged } = before;
  const everything =
    !isUpdate && ((isBare && has(args, /^(?:-A|--all|--no-ignore-removal)$/u)) || operands.some(isWhole));
  const paths = isUpdate ? [] : namedPaths(operands, places, walk);
  return {
    ...before,
    staged: {
      everything: staged.everything || everything,
      tracked: staged.tracked || (isUpdate && isBare),
      paths: [...staged.paths, ...paths],
    },
  };
}

/** What a `git commit` takes of what the line has staged, and by itself. */
export function noteCommit(before: Taking, args: VerbArgs, places: readonly Arg[], walk: Walk): Taking {
  const { staged, taken } = before;
  const { operands } = args;
  const includes = has(args, /^(?:-i|--include)$/u);
  const only = operands.length > 0 && !includes;
  const named = operands.length === 0 ? [] : namedPaths(operands, places, walk);
  const isOpen = has(args, /^(?:-p|--patch|--interactive|--pathspec-from-file)$/u);
  const now: Taken = {
    everything: staged.everything && !only,
    tracked: (staged.tracked && !only) || has(args, /^(?:-a|--all)$/u),
    paths: only ? named : [...staged.paths, ...named],
    only,
    isOpen,
  };
  if (taken === null) return { ...before, taken: now };
  // Several commits of one line: what counts is where they end.
  return {
    ...before,
    taken: {
      everything: taken.everything || now.everything,
      tracked: taken.tracked || now.tracked,
      paths: [...taken.paths, ...now.paths],
      only: taken.only && now.only,
      isOpen: taken.isOpen || now.isOpen,
    },
  };
}
