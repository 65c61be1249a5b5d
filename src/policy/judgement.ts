/** What a command or a tool call may do, from harmless to never (SPEC 9). */
export type Verdict = "read-only" | "mutating" | "dangerous";

/** A piece of shell source: UTF-16 offsets `[start, end)` into the script that holds it, and its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A verdict with the reason in words for a person, and the part of the command that decided it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly node?: Span;
}

const RANK: Record<Verdict, number> = { "read-only": 0, mutating: 1, dangerous: 2 };

/** Collects what a walk finds: the gravest verdict wins, and of equals the first. */
export class Findings {
  #worst: Judgement = { verdict: "read-only", reason: "only reads" };

  add(verdict: Verdict, reason: string, node?: Span): void {
    if (RANK[verdict] <= RANK[this.#worst.verdict]) return;
    this.#worst = node === undefined ? { verdict, reason } : { verdict, reason, node };
  }

  get judgement(): Judgement {
    return this.#worst;
  }
}
