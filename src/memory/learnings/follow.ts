import type { LearningKind } from "../../workspace/documents/learning.ts";
import { isCommandNamed, isFileNamed, subjectsOf } from "./subjects.ts";

/** A learning that a conversation was told, and what has been seen of it there. */
export interface Followed {
  readonly kind: LearningKind;
  readonly text: string;
  /** A file that it names was changed, and nothing has passed since. */
  readonly isTouched: boolean;
  readonly confirmed: boolean;
  readonly contradicted: boolean;
}

/** What the host saw; no words of anyone's are among it. Paths are relative to the project. */
export type Fact =
  | { readonly type: "command"; readonly command: string; readonly passed: boolean }
  /** A command did not work as it was written, and another one did, twice. */
  | { readonly type: "corrected"; readonly command: string }
  | { readonly type: "changed"; readonly paths: readonly string[] }
  /** The project's checks passed, or a command that had failed before. */
  | { readonly type: "green" }
  /** The user took changes back, or refused them. */
  | { readonly type: "taken-back"; readonly paths: readonly string[] };

/** One that was just told. */
export function beginFollowing({ kind, text }: Pick<Followed, "kind" | "text">): Followed {
  return { kind, text, isTouched: false, confirmed: false, contradicted: false };
}

/**
 * What a fact says of a learning: confirmed when the command that it names passes, or when work on a file that it names is
 * green; contradicted when its command had to be corrected, or the user took back or refused a change of its file. Pure.
 */
export function follow(learning: Followed, fact: Fact): Followed {
  const { files, commands } = subjectsOf(learning.text);
  const namesFile = (paths: readonly string[]): boolean => files.some((file) => isFileNamed(file, paths));
  const namesCommand = (ran: string): boolean => commands.some((command) => isCommandNamed(command, ran));
  switch (fact.type) {
    case "command":
      // What is not to be done is not followed by doing it.
      return fact.passed && learning.kind !== "anti_pattern" && namesCommand(fact.command)
        ? { ...learning, confirmed: true }
        : learning;
    case "corrected":
      return namesCommand(fact.command) ? { ...learning, contradicted: true } : learning;
    case "changed":
      return namesFile(fact.paths) ? { ...learning, isTouched: true } : learning;
    case "green":
      return learning.isTouched ? { ...learning, isTouched: false, confirmed: true } : learning;
    case "taken-back":
      return namesFile(fact.paths) ? { ...learning, isTouched: false, contradicted: true } : learning;
  }
}
