/** `error` makes `doctor` exit with 1; `warn` deserves a look and does not. */
export type Level = "ok" | "warn" | "error";

/** What a check says. */
export interface Diagnosis {
  readonly level: Level;
  readonly what: string;
  /** How to have it otherwise, where someone may want to. */
  readonly fix: string | null;
}

export const ok = (what: string, fix: string | null = null): Diagnosis => ({ level: "ok", what, fix });
export const warn = (what: string, fix: string): Diagnosis => ({ level: "warn", what, fix });
export const error = (what: string, fix: string): Diagnosis => ({ level: "error", what, fix });
