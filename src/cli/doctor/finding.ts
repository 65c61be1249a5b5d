/** `error` makes `doctor` exit with 1; `warn` deserves a look and does not. */
export type Level = "ok" | "warn" | "error";

/** What a check says. */
export interface Diagnosis {
  readonly level: Level;
  readonly what: string;
  /** How to have it otherwise, where someone may want to. */
  readonly fix: string | null;
}

export function ok(what: string, fix: string | null = null): Diagnosis {
  return { level: "ok", what, fix };
}

export function warn(what: string, fix: string): Diagnosis {
  return { level: "warn", what, fix };
}

export function error(what: string, fix: string): Diagnosis {
  return { level: "error", what, fix };
}
