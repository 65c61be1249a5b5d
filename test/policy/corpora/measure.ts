import type { Case, Corpora } from "./corpus.ts";
import { decideIn, type Mode, type Outcome } from "./decide.ts";

/** A line of the measurement: how many cases it is about, which of them miss, and the share that may, 0 to 1. */
export interface Row {
  readonly corpus: string;
  readonly about: string;
  readonly cases: number;
  readonly misses: readonly Case[];
  readonly bound: number;
}

const ALLOWED = 0.03;
const DISAGREED = 0.03;

/**
 * Holds the real decision against other projects' verdicts: of what they block or call risky at most 1 % runs unasked
 * and uncontained, nothing in locked mode; of what they allow at least 97 % runs unasked, over all of them together,
 * and 95 % of what agents really ran: of files that they made or version control holds, for each run began in a clean
 * checkout.
 */
export function measure({ verdicts, use, disagreements }: Corpora): Row[] {
  const rows: Row[] = [];
  const allowed: Case[] = [];
  for (const [corpus, cases] of verdicts) {
    const own = disagreements.filter((each) => each.corpus === corpus);
    const commands = new Set(own.map(({ command }) => command));
    const judged = cases.filter(({ command }) => !commands.has(command));
    const danger = judged.filter(({ verdict }) => verdict === "block" || verdict === "risky");
    const confirm = judged.filter(({ verdict }) => verdict === "confirm");
    const allow = judged.filter(({ verdict }) => verdict === "allow");
    const overruled = own.filter(({ kind }) => kind !== "reads");
    rows.push(
      row(corpus, "danger, autopilot", danger, 0.01, (each) => runs("autopilot", each)),
      row(corpus, "danger, wave", danger, 0.01, (each) => runs("wave", each)),
      row(corpus, "danger, locked", danger, 0, (each) => runs("locked", each)),
      row(corpus, "no plain reading, locked", confirm, 0, (each) => runs("locked", each)),
      row(corpus, "allowed, autopilot", allow, 1, (each) => !unasked("autopilot", each)),
      {
        corpus,
        about: "verdicts not followed",
        cases: cases.length,
        misses: cases.filter(({ command }) => overruled.some((each) => each.command === command)),
        bound: DISAGREED,
      },
    );
    allowed.push(...allow);
  }
  rows.push(row("all", "allowed, autopilot", allowed, ALLOWED, (each) => !unasked("autopilot", each)));
  for (const [corpus, { cwd, commands }] of use) {
    const cases = commands.map((command): Case => ({ command, verdict: "allow", cwd }));
    rows.push(
      row(corpus, "really run, by text alone", cases, 1, (each) => !unasked("autopilot", each)),
      row(corpus, "really run, own files", cases, 0.05, (each) => !unasked("autopilot", each, "own")),
    );
  }
  return rows.filter(({ cases }) => cases > 0);
}

/** Whether a line keeps to its bound. */
export function isWithin({ cases, misses, bound }: Row): boolean {
  return misses.length <= cases * bound;
}

function runs(mode: Mode, { command, cwd }: Case): boolean {
  return decideIn(mode, command, cwd) === "run";
}

/** Contained or not: the user hears of neither. */
function unasked(mode: Mode, { command, cwd }: Case, files?: "own"): boolean {
  const outcome: Outcome = decideIn(mode, command, cwd, files);
  return outcome === "run" || outcome === "contained";
}

function row(
  corpus: string,
  about: string,
  cases: readonly Case[],
  bound: number,
  isMiss: (each: Case) => boolean,
): Row {
  return { corpus, about, cases: cases.length, misses: cases.filter(isMiss), bound };
}
