import { visible } from "../lib/text.ts";

/** Problems that are told of one source; a file with more has another trouble than misspelt keys. */
export const MAX_PROBLEMS = 50;

/** Something in a configuration source that does not take effect as written (SPEC 7). */
export interface ConfigProblem {
  readonly kind: "unknown-key" | "wrong-value" | "missing-key" | "syntax" | "unreadable" | "more-problems";
  /** As shown to a person: a path, or `plugin options`. */
  readonly file: string;
  /** 1-based, absent where there is no text to point at. */
  readonly line?: number;
  /** 1-based, in UTF-16 units as editors count. */
  readonly column?: number;
  /** The path of the key, `agents.gaia.model`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong; never the user's value, which may be a secret. */
  readonly message: string;
  /** What would be right. */
  readonly suggestion?: string;
}

/** A problem as one line: where, what is wrong, and what to do. Names of files and keys are the project's own words. */
export function renderProblem(problem: ConfigProblem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":");
  const subject = problem.path === "" ? place : `${place} ${problem.path}`;
  return visible([`${subject}: ${problem.message}.`, problem.suggestion].filter(Boolean).join(" "));
}
