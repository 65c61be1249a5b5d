import { excerpt } from "../../lib/excerpt.ts";

const MAX_COMMAND = 100;
const MAX_ERROR = 100;
const MAX_WORKING = 10;
/** The share of their pairs of letters by which one command is another spelling of the other. */
const ALIKE = 0.5;
/** What shells and programs end with where they could not make sense of how they were called. */
const NOT_UNDERSTOOD = new Set([2, 64, 126, 127]);

/** A command that ran to its end. */
export interface RanCommand {
  readonly command: string;
  readonly exit: number;
  /** The line of its output that says most. */
  readonly error: string;
}

/** Commands that were not understood, and those that worked in their place. */
export interface Misspelt {
  /** The newest, as long as nothing was changed since. */
  readonly failed: RanCommand | null;
  readonly working: ReadonlyMap<string, RanCommand>;
}

export const NOTHING_MISSPELT: Misspelt = { failed: null, working: new Map() };

/**
 * Follows commands: one that was not understood, another spelling of it that works with nothing changed in between, and that one
 * again, is a correction, in whatever language people speak. Pure.
 * @returns `corrected`: how the command has to be written here
 */
export function followCommand(
  misspelt: Misspelt,
  ran: RanCommand,
): { misspelt: Misspelt; corrected: string | null } {
  const { failed, working } = misspelt;
  if (ran.exit !== 0) {
    return { misspelt: { working, failed: NOT_UNDERSTOOD.has(ran.exit) ? ran : failed }, corrected: null };
  }
  const wrong = working.get(ran.command);
  // What works after all was not misspelt.
  const others = [...working].filter(([to, from]) => to !== ran.command && from.command !== ran.command);
  if (wrong !== undefined) {
    const [bad, good] = [wrong, ran].map(({ command }) => excerpt(command, MAX_COMMAND));
    const corrected = `\`${good}\` works here; \`${bad}\` does not: "${excerpt(wrong.error, MAX_ERROR)}".`;
    return { misspelt: { failed, working: new Map(others) }, corrected };
  }
  const isOther = failed !== null && likeness(failed.command, ran.command) >= ALIKE;
  const next = isOther ? [...others, [ran.command, failed] as const].slice(-MAX_WORKING) : others;
  const isSettled = isOther || failed?.command === ran.command;
  return { misspelt: { failed: isSettled ? null : failed, working: new Map(next) }, corrected: null };
}

/** Files were changed: what works now may have failed for that. */
export function forgetFailed(misspelt: Misspelt): Misspelt {
  return misspelt.failed === null ? misspelt : { ...misspelt, failed: null };
}

/** Dice's measure over pairs of letters; 0 for the very same. */
function likeness(one: string, other: string): number {
  if (one === other) return 0;
  const [left, right] = [pairsOf(one), pairsOf(other)];
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return (2 * shared) / Math.max(1, left.size + right.size);
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}
