import type { ConfigProblem } from "../../config/problem.ts";
import type { Given } from "../given.ts";

export interface When {
  /** Patterns of paths; those behind `!` are left out again. */
  readonly paths: readonly string[];
  readonly words: readonly string[];
  readonly always: boolean;
}

/** Whether a rule applies, once read for many questions. */
export interface Matcher {
  /** @param words of a task, as `asWords` gives them */
  meetsTask(words: string): boolean;
  meetsPath(path: string): boolean;
  readonly useless: readonly string[];
}

export interface Rule extends When, Matcher {
  /** The file that holds it, relative to the project; also its identity. */
  readonly source: string;
  /** What it is about, in its author's words; may be empty. */
  readonly about: string;
  /** Without its front matter, and without secrets. */
  readonly text: string;
  /** Whether it describes the project and so may become untrue, as principles and domain documents do. */
  readonly isDocument: boolean;
}

export interface RuleCatalogue {
  /** Those that are given first where room is short before the others. */
  readonly rules: readonly Rule[];
  readonly problems: readonly ConfigProblem[];
  forTask(task: string): Rule[];
  render(rules: readonly Rule[], used: number): Given;
  /** What GAIA knows of them when she plans: what there is, when it applies, and where it stands; empty for none. */
  index(): string;
  /** Documents that a change may have made untrue, a line each with the files; empty for none. @param changed from the project */
  touched(changed: readonly string[]): string;
}

export interface RuleEntry extends When {
  readonly about: string;
  /** The files that hold the text; none where the entry's own file does. */
  readonly files: readonly string[];
  readonly line: number;
}

/** Takes note of something that does not take effect as written; the rest holds. */
export type Tell = (file: string, message: string, line?: number) => void;
