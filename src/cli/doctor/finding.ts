/** `error` makes `doctor` exit with 1; `warn` deserves a look and does not. */
export type Level = "ok" | "warn" | "error";

export interface DoctorFinding {
  /** The check that says it; stable, for scripts. */
  readonly check: string;
  readonly level: Level;
  readonly what: string;
  readonly fix: string | null;
}

/** A finding before its check has put its name on it. */
export type Diagnosis = Omit<DoctorFinding, "check">;

/** @param fix how to have it otherwise, where someone may want to */
export function ok(what: string, fix: string | null = null): Diagnosis {
  return { level: "ok", what, fix };
}

export function warn(what: string, fix: string): Diagnosis {
  return { level: "warn", what, fix };
}

export function error(what: string, fix: string): Diagnosis {
  return { level: "error", what, fix };
}
