import type { CommandRisk } from "../../../src/policy/examination.ts";

/** A command of the corpus with the risk it has to get. */
export interface Sample {
  readonly command: string;
  readonly risk: CommandRisk;
  /** It runs anywhere, without network, and ends by itself: the differential test runs it. */
  readonly harmless?: true;
}

export function samples(risk: CommandRisk, commands: readonly string[]): Sample[] {
  return commands.map((command) => ({ command, risk }));
}

export function harmless(commands: readonly string[]): Sample[] {
  return commands.map((command) => ({ command, risk: "read-only", harmless: true }));
}
