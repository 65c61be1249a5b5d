import type { ParsedScript } from "unbash";
import { parse } from "../../libraries/unbash.ts";
import type { Span } from "../examination.ts";
import { createPlaces } from "../places.ts";
import { Scope, START_FOLDER } from "./scope.ts";
import { walkScript } from "./walk.ts";
import type { Visitor, Walk } from "./walk-state.ts";

/** Characters of source that are followed; a longer script is refused unread. */
export const MAX_SOURCE = 16 * 1024;
/** The budget of a whole line: statements, invocations, nodes of loop bodies and, by the dozen, arguments and characters. */
const MAX_STEPS = 4_200;
/** What a script inside another one costs besides its statements, for it is parsed by itself. */
const SCRIPT_STEPS = 6;

/** Control characters that shells disagree about, line ends from other systems included. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\u0008\u000b-\u001f\u007f]/u;

/** A line that goes on where the end of one word or operator could be part of the next. */
const JOINED = /[^\s\\]\\\n[()<>{}"'`$&|;=]|[$<>&|(){}=`]\\\n/u;

/** Openings that are not closed yet; quotes are not looked at, so this is an estimate. */
const MAX_OPEN = 64;
/** The sum of how deep each character stands, as the parser reads it once for each level. */
const MAX_READ = 48 * 1024;

/** The parser follows nesting at a cost that grows with its square, so what is plainly too deep does not reach it. */
function isTooDeep(source: string): boolean {
  let open = 0;
  let ticks = 0;
  let brackets = 0;
  let read = 0;
  for (let index = 0; index < source.length; index++) {
    const char = source.charAt(index);
    if (char === "`") ticks++;
    else if (char === "(" || (char === "{" && source.charAt(index - 1) === "$")) open++;
    else if ((char === ")" || char === "}") && open > 0) open--;
    else if (char === "[" && source.charAt(index - 1) === "$") brackets++;
    else if (char === "]" && brackets > 0) brackets--;
    read += open + brackets;
    if (open + brackets > MAX_OPEN || ticks > MAX_OPEN * 8 || read > MAX_READ) return true;
  }
  return false;
}

/** Why a source is not followed at all, undefined when it is. */
export function refuseSource(source: string): string | undefined {
  if (source.length > MAX_SOURCE) return "is longer than 16 KB";
  if (CONTROL.test(source)) return "holds control characters";
  if (JOINED.test(source)) return "breaks a line where shells disagree about what it joins";
  return isTooDeep(source) ? "is nested too deeply" : undefined;
}

/**
 * Walks source that stands inside a walk, such as the argument of `bash -c`.
 * @returns the parsed source, undefined when it is not followed at all
 */
export function walkInnerSource(source: string, walk: Walk): ParsedScript | undefined {
  const reason = refuseSource(source);
  if (reason !== undefined) {
    walk.visitor.onUnfollowed(reason, wholeOf(source));
    return undefined;
  }
  walk.budget.steps -= source.length >> 4;
  if (walk.budget.steps <= 0) {
    walk.visitor.onUnfollowed("is too long to be followed", wholeOf(source));
    return undefined;
  }
  const script = parse(source);
  walk.enter(script, { ...walk, source });
  return script;
}

function wholeOf(source: string): Span {
  return { start: 0, end: source.length, text: source.slice(0, 200) };
}

/**
 * Walks a whole command line. Never throws on any source and takes time in proportion to its length: what it cannot
 * follow it reports.
 * @param folder the absolute path of the folder it runs in, where that is known
 * @returns the parsed line, undefined when it is not followed to its end
 */
export function walkSource(
  source: string,
  visitor: Visitor,
  folder: string = START_FOLDER,
  {
    project = START_FOLDER,
    placeOf = createPlaces({}),
    readScript = () => undefined,
    isFolder = () => false,
  }: Partial<Pick<Walk, "project" | "placeOf" | "readScript" | "isFolder">> = {},
): ParsedScript | undefined {
  const walk: Walk = {
    visitor,
    project,
    placeOf,
    readScript,
    isFolder,
    disk: { isMoved: false },
    source,
    scope: new Scope(new Map(), [folder]),
    depth: -1,
    posix: false,
    functions: new Map(),
    budget: { steps: MAX_STEPS },
    follow: (text, at) => {
      walkInnerSource(text, { ...at, depth: at.depth + 1, scope: at.scope.forChildShell() });
    },
    enter(script, at) {
      at.budget.steps -= SCRIPT_STEPS;
      walkScript(script, { ...at, depth: at.depth + 1 });
    },
  };
  try {
    return walkInnerSource(source, walk);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    visitor.onUnfollowed(`could not be followed: ${reason}`, wholeOf(source));
    return undefined;
  }
}
