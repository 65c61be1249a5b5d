/** What the host has seen of a candidate's work; nothing of it is what a model says. */
export interface Evidence {
  /** Which of the candidates, from 1. */
  readonly candidate: number;
  /** Why it does not pass; empty for one that does. */
  readonly fails: readonly string[];
  /** It passes by the check files of before as well, and not only with its own version of those that are its task's. */
  readonly isStrict: boolean;
  /** Checks that failed before the work and still do. */
  readonly red: number;
  /** Errors that the language servers see since the work; null where nobody can tell. */
  readonly newErrors: number | null;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Of its files as they were judged: the same for the same content, no matter who made it. */
  readonly digest: string;
}

/** Candidates by what is known of them. */
export interface Ranking<E extends Evidence> {
  /** Those that pass, the best first, and then the others, the one that lacks least first. */
  readonly order: readonly E[];
  readonly passing: readonly E[];
  /** The best of those that pass, between which nothing decides but a reader. */
  readonly equals: readonly E[];
  /** What sets the first apart from the next of those that pass. */
  readonly why: string;
}

const ERRORS = ({ newErrors }: Evidence): number => newErrors ?? 0;

/** What is looked at in its order; less is better. */
const MEASURES: readonly (readonly [why: string, of: (evidence: Evidence) => number])[] = [
  ["the only one that passes", ({ fails }) => fails.length],
  ["it passes by the tests of before", ({ isStrict }) => (isStrict ? 0 : 1)],
  ["it fixes a check that failed before", ({ red }) => red],
  ["it makes the fewest new errors", ERRORS],
  ["the smallest change", ({ added, removed }) => added + removed],
  ["the fewest files", ({ files }) => files],
];

/** Ranks candidates by evidence alone; the order in which they are given changes nothing. Pure. */
export function rank<E extends Evidence>(all: readonly E[]): Ranking<E> {
  const passes = ({ fails }: E): boolean => fails.length === 0;
  const isTold = all.filter(passes).every(({ newErrors }) => newErrors !== null);
  const apart = (one: E, other: E): Apart | null => compare(one, other, isTold);
  const order = all.toSorted((one, other) => apart(one, other)?.by || compareText(one, other));
  const passing = order.filter(passes);
  const [first] = passing;
  const equals = passing.filter((each) => first !== undefined && apart(first, each) === null);
  const next = order.find((each) => !equals.includes(each));
  const why = first === undefined || next === undefined ? "" : (apart(first, next)?.why ?? "");
  return { order, passing, equals, why };
}

interface Apart {
  readonly by: number;
  readonly why: string;
}

/** @param isTold whether the new errors of all that pass are known: else they are held against nobody */
function compare(one: Evidence, other: Evidence, isTold: boolean): Apart | null {
  for (const [why, of] of MEASURES) {
    if (of === ERRORS && !isTold) continue;
    if (of(one) !== of(other)) return { by: of(one) - of(other), why };
  }
  return null;
}

function compareText(one: Evidence, other: Evidence): number {
  return one.digest < other.digest ? -1 : one.digest > other.digest ? 1 : 0;
}
