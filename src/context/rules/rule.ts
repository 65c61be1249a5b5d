import type { ConfigProblem } from "../../config/problem.ts";
import type { Matcher } from "./match.ts";

/** When a text of the project's own applies. */
export interface When {
  /** Patterns of paths; those behind `!` are left out again. */
  readonly paths: readonly string[];
  /** Words of a task, or of a path. */
  readonly words: readonly string[];
  /** To whatever is done. */
  readonly always: boolean;
}

/** A text of the project's own for whoever works on what it is about. */
export interface Rule extends When {
  /** The file that holds it, relative to the project; also its identity. */
  readonly source: string;
  /** What it is about, in its author's words; may be empty. */
  readonly about: string;
  /** Without its front matter, and without secrets. */
  readonly text: string;
  /** Whether it describes the project and so may become untrue, as principles and domain documents do. */
  readonly isDocument: boolean;
  readonly matcher: Matcher;
}

/** The most that a specialist is given of rules in one session, in bytes. */
export const MAX_GIVEN = 8_000;

/** What somebody is given, and which rules that are. */
export interface Given {
  /** Empty for nothing. */
  readonly text: string;
  readonly sources: readonly string[];
}

/** All rules of a project, as its files were when they were read. */
export interface Catalogue {
  /** Those that are given first where room is short before the others. */
  readonly rules: readonly Rule[];
  /** What of them does not take effect as written. */
  readonly problems: readonly ConfigProblem[];
  /** Those that fit the words of a task. */
  forTask(task: string): Rule[];
  /** As many as there is room for; of one that does not fit, its name. @param room in bytes */
  render(rules: readonly Rule[], room: number): Given;
  /** What GAIA knows of them when she plans: what there is, when it applies, and where it stands. */
  index(): string;
  /** Documents that a change may have made untrue, and by which of its files. @param changed paths relative to the project */
  touched(changed: readonly string[]): TouchedDocument[];
}

/** A document that may have become untrue. */
export interface TouchedDocument {
  readonly source: string;
  readonly files: readonly string[];
}

/** An entry of an index: files, and when they apply. */
export interface Entry extends When {
  readonly about: string;
  readonly files: readonly string[];
  /** In the index, from 1. */
  readonly line: number;
}

/** What an index says. */
export interface Listed {
  readonly entries: readonly Entry[];
  readonly problems: readonly ConfigProblem[];
}

/** A line that could not be used; the rest of its file holds. */
export function lineProblem(file: string, line: number, message: string, suggestion: string): ConfigProblem {
  return { kind: "wrong-value", file, line, path: "", message, suggestion };
}
