import type { Verdict } from "../../../src/policy/judgement.ts";

/** A command of the corpus with the verdict it has to get. */
export interface Sample {
  readonly command: string;
  readonly verdict: Verdict;
  /** It runs anywhere, without network, and ends by itself: the differential test runs it. */
  readonly harmless?: true;
}

export function samples(verdict: Verdict, commands: readonly string[]): Sample[] {
  return commands.map((command) => ({ command, verdict }));
}

export function harmless(commands: readonly string[]): Sample[] {
  return commands.map((command) => ({ command, verdict: "read-only", harmless: true }));
}
