import type { Effect, Finding } from "../examination.ts";
import { type Arg, leading, mayHideOption, shown, textOf } from "../shell/arg.ts";
import type { StdinSource, Walk } from "../shell/walk-state.ts";

/** How a program hands on what it runs, so that it is classified as if it stood there by itself. */
export interface Follow {
  /** A command with its own program name first. */
  command(argv: readonly Arg[], stdin?: StdinSource): void;
  /** Shell source in a shell of its own. */
  script(source: string, shell: "bash" | "posix"): void;
  /** A script that lies in a file, in a shell of its own. */
  file(source: string, shell: "bash" | "posix"): void;
  /** Shell source in this very shell. */
  here(source: string): void;
}

/** A program and its arguments, about to be classified. */
export interface Call {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly stdin: StdinSource;
  readonly walk: Walk;
  readonly follow: Follow;
}

/** What a call does more than read; a text alone says why that cannot be told. */
export type Problem = string | Finding;

/** Effects in words for a person, as they follow what has them. */
const DOES: Readonly<Record<Effect, string>> = {
  read: "only reads",
  project: "changes the project",
  history: "changes commits, branches or tags",
  unknown: "is not known to be read-only",
  lossy: "throws away what nothing else may hold",
  outside: "reaches beyond the project",
  forbidden: "is dangerous",
};

/** The first words of a call, as a person would name it. */
export function startOf({ name, args }: Pick<Call, "name" | "args">): string {
  return [name, ...args.slice(0, 2).map((arg) => shown(arg))].join(" ");
}

/**
 * What a call is known to do.
 * @param paths the files that this is about, where it is about nothing else
 */
export function found(effect: Effect, call: Pick<Call, "name" | "args">, paths?: readonly string[]): Finding {
  const finding = { effect, reason: `${startOf(call)} ${DOES[effect]}` };
  return paths === undefined ? finding : { ...finding, paths };
}

/** Says what this call does more than read, undefined when it only reads. */
export type Program = (call: Call) => Problem | undefined;

/** Why an argument list may hold an option that is not shown, undefined when every argument shows its kind. */
export function hiddenOption(args: readonly Arg[]): string | undefined {
  for (const arg of args) {
    if (textOf(arg) === "--") return undefined;
    const open =
      leading(arg).startsWith("-") && textOf(arg) === undefined && !/^(?:--[\w-]+=|-\w)/u.test(leading(arg));
    if (open || mayHideOption(arg))
      return `${shown(arg)} may turn into an option; put it after -- or write ./ before it`;
  }
  return undefined;
}

/** True when `given` (up to its `=`) is one of these long options or a short form of one. */
export function abbreviates(given: string, options: readonly string[]): boolean {
  if (!given.startsWith("--")) return false;
  const name = given.split("=", 1)[0] ?? given;
  return name.length > 2 && options.some((option) => option.startsWith(name));
}
