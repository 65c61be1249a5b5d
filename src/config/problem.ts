import { visible } from "../lib/text.ts";
import type { KeyPath } from "./json-value.ts";

/** Problems that are told of one source; a file with more has another trouble than misspelt keys. */
export const MAX_PROBLEMS = 50;

/** Something in a configuration source that does not take effect as written (SPEC 7). */
export interface ConfigProblem {
  readonly kind: "unknown-key" | "wrong-value" | "missing-key" | "syntax" | "unreadable" | "more-problems";
  /** As shown to a person: a path, or `plugin options`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The path of the key, `agents.gaia.model`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong; never the user's value, which may be a secret. */
  readonly message: string;
  /** What would be right. */
  readonly suggestion?: string;
  /** Of an unknown key: the sections of the configuration that it may have been meant for. */
  readonly meant?: readonly string[] | "any";
}

/** Whether what was left out may have said what a section says. @param isSaid by another key already */
export function mayConcern({ path, meant = [] }: ConfigProblem, section: string, isSaid: boolean): boolean {
  return path === "" || path.startsWith(section) || (meant === "any" ? !isSaid : meant.includes(section));
}

/** A place in a text, both 1-based; columns count UTF-16 units, as editors do. Nothing is known of a value that has no text. */
export type Position = Pick<ConfigProblem, "line" | "column">;

/** Before anyone knows which file it stood in. */
export type LocatedProblem = Omit<ConfigProblem, "file">;

/** The place of a key, or of the value at a path. */
export type Locate = (path: KeyPath, side: "key" | "value") => Position;

/** A problem as one line: where, what is wrong, and what to do. Names of files and keys are the project's own words. */
export function renderProblem(problem: ConfigProblem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":");
  const subject = problem.path === "" ? place : `${place} ${problem.path}`;
  return visible([`${subject}: ${problem.message}.`, problem.suggestion].filter(Boolean).join(" "));
}
