/** `error` makes `doctor` exit with 1; `warn` deserves a look and does not. */
export type Level = "ok" | "warn" | "error";

/** One thing that `doctor` has to say. */
export interface DoctorFinding {
  /** The check that says it; stable, for scripts. */
  readonly check: string;
  readonly level: Level;
  /** What was found, as one sentence or two. */
  readonly what: string;
  /** What to do about it; null where there is nothing to do. */
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
