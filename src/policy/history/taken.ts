import { posix } from "node:path";
import { type Arg, shown, textOf } from "../shell/arg.ts";
import type { Walk } from "../shell/walk-state.ts";
import type { VerbArgs } from "./git-history.ts";
import type { Taken } from "./history.ts";

/** What arguments of git name. */
type Named = Pick<Taken, "paths" | "pathspecs" | "unread">;

/** What a line has staged so far, and what its commits take. */
export interface Taking {
  readonly staged: Named & Pick<Taken, "everything" | "tracked">;
  readonly taken: Taken | null;
}

/** Where a command of git runs. */
export interface Place {
  /** What stands before the verb. */
  readonly globals: readonly Arg[];
  /** Folders among {@link globals}. */
  readonly places: readonly Arg[];
  /** A variable of the line by which git reads pathspecs otherwise. */
  readonly reading: string | null;
  readonly walk: Walk;
}

const NOTHING: Named = { paths: [], pathspecs: [], unread: null };

export const NOTHING_TAKEN: Taking = {
  staged: { ...NOTHING, everything: false, tracked: false },
  taken: null,
};

/** Pathspecs with a language of their own. */
const MAGIC = /^:|[*?[\]\\]/u;
const WHOLE = /^:(?:\/|\(top\))$/u;
/** What makes git read pathspecs in another way than by itself, as an option and as a variable. */
const READING = /^--(?:literal|glob|noglob|icase)-pathspecs$/u;
export const READING_VARIABLE = /^GIT_(?:LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS$/u;

/** @param tracked of files that the index knows, and no others */
function namedBy(
  operands: readonly Arg[],
  { globals, places, reading, walk }: Place,
  tracked: boolean,
): Named {
  const [first] = operands;
  if (first === undefined) return NOTHING;
  const { folders } = walk.scope;
  const [folder = ""] = folders;
  const steps = places.flatMap((place) => textOf(place) ?? []);
  const texts = operands.flatMap((operand) => textOf(operand) ?? []);
  const base = posix.resolve(walk.project, folder, ...steps);
  const isPlaced = folders.length === 1 && steps.length === places.length;
  const untold = operands.find((operand) => !isPlaced || textOf(operand) === undefined);
  const unread = untold ?? globals.find((arg) => READING.test(shown(arg)));
  if (unread !== undefined || reading !== null) {
    // Plain names are taken in every reading, unless another excludes them.
    const isPlain = isPlaced && !tracked && !texts.some((text) => MAGIC.test(text));
    const paths = isPlain ? texts.map((text) => posix.resolve(base, text)) : [];
    return { ...NOTHING, paths, unread: unread === undefined ? reading : shown(unread) };
  }
  if (!tracked && !texts.some((text) => MAGIC.test(text)))
    return { ...NOTHING, paths: texts.map((text) => posix.resolve(base, text)) };
  // An exclusion among them holds for all of them.
  return { ...NOTHING, pathspecs: [{ folder: base, specs: texts, tracked }] };
}

function both(one: Named, other: Named): Named {
  return {
    paths: [...one.paths, ...other.paths],
    pathspecs: [...one.pathspecs, ...other.pathspecs],
    unread: one.unread ?? other.unread,
  };
}

/** Whether the whole repository is among them, and no exclusion of a part of it. */
function areWhole(operands: readonly Arg[]): boolean {
  const texts = operands.map((operand) => textOf(operand) ?? ":");
  return (
    texts.some((text) => WHOLE.test(text)) && texts.every((text) => WHOLE.test(text) || !MAGIC.test(text))
  );
}

const has = ({ options }: VerbArgs, pattern: RegExp): boolean =>
  options.some((option) => pattern.test(option));

/** What `git add` stages, as far as its arguments tell; what they do not tell counts as left out. */
export function noteStaged(before: Taking, args: VerbArgs, place: Place): Taking {
  if (has(args, /^(?:-[pieNn]|--(?:patch|interactive|edit|intent|dry|chmod|refresh|pathspec-from).*)$/u))
    return before;
  const { operands } = args;
  const isUpdate = has(args, /^(?:-u|--update)$/u);
  const isBare = operands.length === 0;
  const { staged } = before;
  const isWhole = areWhole(operands);
  const isAll = isBare && has(args, /^(?:-A|--all|--no-ignore-removal)$/u);
  const named = isWhole ? NOTHING : namedBy(operands, place, isUpdate);
  return {
    ...before,
    staged: {
      ...both(staged, named),
      everything: staged.everything || (!isUpdate && (isAll || isWhole)),
      tracked: staged.tracked || (isUpdate && (isBare || isWhole)),
    },
  };
}

/** What a `git commit` takes of what the line has staged, and by itself. */
export function noteCommit(before: Taking, args: VerbArgs, place: Place): Taking {
  const { staged, taken } = before;
  const { operands } = args;
  const includes = has(args, /^(?:-i|--include)$/u);
  const only = operands.length > 0 && !includes;
  // What the line has not staged itself can only be what the index knew before.
  const isFirst = !staged.everything && staged.paths.length + staged.pathspecs.length === 0;
  const named = namedBy(operands, place, isFirst);
  const isOpen = has(args, /^(?:-p|--patch|--interactive|--pathspec-from-file)$/u);
  const now: Taken = {
    ...(only ? named : both(staged, named)),
    everything: staged.everything && !only,
    tracked: (staged.tracked && !only) || has(args, /^(?:-a|--all)$/u),
    only,
    isOpen,
  };
  if (taken === null) return { ...before, taken: now };
  // Several commits of one line: what counts is where they end.
  return {
    ...before,
    taken: {
      ...both(taken, now),
      everything: taken.everything || now.everything,
      tracked: taken.tracked || now.tracked,
      only: taken.only && now.only,
      isOpen: taken.isOpen || now.isOpen,
    },
  };
}
