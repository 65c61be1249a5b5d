import type { Risk } from "../../support/risk.ts";

/** A command of the corpus with the risk it has to get. */
export interface Sample {
  readonly command: string;
  readonly risk: Risk;
  /** It runs anywhere, without network, and ends by itself: the differential test runs it. */
  readonly harmless?: true;
}

export function samples(risk: Risk, commands: readonly string[]): Sample[] {
  return commands.map((command) => ({ command, risk }));
}

export function harmless(commands: readonly string[]): Sample[] {
  return commands.map((command) => ({ command, risk: "read-only", harmless: true }));
}
