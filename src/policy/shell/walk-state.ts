import type { ParsedScript, SyntaxNode } from "unbash";
import type { Verdict } from "../checks/verdict.ts";
import type { Effect, Finding, Span } from "../examination.ts";
import type { PlaceOf } from "../places.ts";
import { type Arg, shown, textOf } from "./arg.ts";
import type { Scope } from "./scope.ts";

/** Text that is known to arrive on a program's standard input. */
export interface Stdin {
  readonly text: string;
  /** Nothing else arrives; false when the text is only an example of what does. */
  readonly complete: boolean;
}

/** Works out what arrives on a program's standard input; undefined when nothing is known of it. */
export type StdinSource = () => Stdin | undefined;

/** What arrives where nothing is piped to a program. */
export const NOT_PIPED: StdinSource = () => undefined;

/** One simple command as the shell would run it, with one choice made for everything that has alternatives. */
export interface Invocation {
  readonly argv: readonly Arg[];
  readonly stdin: StdinSource;
  readonly walk: Walk;
  readonly node: Span;
}

/** What a simple command does by itself. */
export interface Invoked extends Finding {
  /** What it is to one who may only run checks. */
  readonly check: Verdict;
}

/** What an effect comes from, where a listener can judge it by that. */
export type EffectCause =
  | { readonly kind: "output" }
  | { readonly kind: "setting"; readonly name: string; readonly value: string | undefined };

/** Who listens to a walk over a script. */
export interface Visitor {
  /** Something other than a simple command that changes, or may change, state. */
  onEffect(finding: Finding, node: Span, cause?: EffectCause): void;
  /** Something that cannot be followed, so that nothing is known of what it does. */
  onUnfollowed(reason: string, node: Span): void;
  /** Something that no mode allows. */
  onDanger(reason: string, node: Span): void;
  /** @returns what it does more than read by itself, undefined when it only reads */
  onInvocation(invocation: Invocation): Invoked | undefined;
  /** A file that is opened for reading by a redirection. */
  onInput(file: Arg, walk: Walk, node: Span): void;
  /** A file that is opened for writing by a redirection. */
  onOutput?(file: Arg, walk: Walk): void;
  /** Who listens to what a script's file holds; without it, this visitor. */
  readonly inFile?: Visitor;
}

/** Where a walk stands. */
export interface Walk {
  readonly visitor: Visitor;
  /** The text that the offsets of the nodes point into. */
  readonly source: string;
  readonly scope: Scope;
  /** The absolute path of the project, where it is known. */
  readonly project: string;
  /** Where the files lie that the script names. */
  readonly placeOf: PlaceOf;
  /** The text of a script that lies in a file; undefined where there is none, or none that is short enough. */
  readonly readScript: (path: string) => string | undefined;
  /** Scripts inside scripts, the outermost being 0. */
  readonly depth: number;
  /** The script may be run by a plain POSIX shell, which reads some constructs differently. */
  readonly posix: boolean;
  /** Walks the body of each function that was defined so far, by its name, as a call of it would run; shared by the whole walk. */
  readonly functions: Map<string, (walk: Walk) => void>;
  /** Steps left before the script counts as too much to follow; shared by the whole walk. */
  readonly budget: { steps: number; toldTo?: Visitor };
  /** Whether a folder is there now; false where that is not known. */
  readonly isFolder: (path: string) => boolean;
  /** Whether the script may have moved or deleted folders by now; shared by the whole walk. */
  readonly disk: { isMoved: boolean };
  /** Walks source inside this one, in a shell of its own. */
  readonly follow: (source: string, walk: Walk) => void;
  /** Walks a script inside this one; refuses what is nested too deeply. */
  readonly enter: (script: ParsedScript, walk: Walk) => void;
}

/** Arguments that braces and variables easily make of a few words. */
const FEW = 16;

/**
 * Takes what it costs to judge an invocation from the budget: each argument is looked at for each folder it may be in.
 * @returns false when it is not to be judged any more
 */
export function affords({ budget, scope }: Walk, argv: readonly Arg[]): boolean {
  budget.steps -= 4 + argv.length * scope.folders.length + (Math.max(0, argv.length - FEW) >> 1);
  for (const { pieces } of argv) budget.steps -= pieces.length >> 1;
  return budget.steps > 0;
}

/** Takes steps from the budget; false when there are none left. */
export function spend({ budget }: Walk, steps: number): boolean {
  budget.steps -= steps;
  return budget.steps > 0;
}

/** A script inside a script inside … more than this is refused, not followed. */
export const MAX_DEPTH = 16;

export function spanOf(node: SyntaxNode, walk: Walk): Span {
  return { start: node.pos, end: node.end, text: walk.source.slice(node.pos, node.end) };
}

export function unfollowed(walk: Walk, node: SyntaxNode, reason: string): void {
  walk.visitor.onUnfollowed(reason, spanOf(node, walk));
}

/** Reports what the shell itself does; without an effect that is beyond telling. */
export function effect(
  walk: Walk,
  node: SyntaxNode,
  reason: string,
  finding: Partial<Finding> = {},
  cause?: EffectCause,
): void {
  walk.visitor.onEffect({ effect: "unknown", reason, ...finding }, spanOf(node, walk), cause);
}

/** Where a file may be that an argument names in full; empty when it does not. */
export function pathsOf(file: Arg, { scope }: Pick<Walk, "scope">): string[] {
  const text = textOf(file);
  if (text === undefined) return [];
  return scope.folders.map((folder) => (text.startsWith("/") || folder === "" ? text : `${folder}/${text}`));
}

/** What belongs to a version control system, which alone may write there. */
const HISTORY_FOLDER = /(?:^|\/)\.(?:git|jj|hg|svn)(?:\/|$)/iu;

/** What writing a file does, by where it lies: inside of the history it may destroy all of that. */
export function effectOfWriting(file: Arg, { placeOf, scope }: Pick<Walk, "placeOf" | "scope">): Effect {
  const place = placeOf(file, scope.folders);
  if (place === "temporary") return "project";
  if (place === "project" && [shown(file), ...scope.folders].some((path) => HISTORY_FOLDER.test(path)))
    return "lossy";
  return place === "device" ? "read" : place;
}

/** As `spend`; what can't be paid for is reported, once to each visitor, and then left out. */
export function pays(walk: Walk, steps: number, node: SyntaxNode): boolean {
  if (spend(walk, steps)) return true;
  if (walk.budget.toldTo !== walk.visitor) unfollowed(walk, node, "is too long to be followed");
  walk.budget.toldTo = walk.visitor;
  return false;
}
