import type { CommandNode } from "unbash";

/** One shell with what its commands have set so far. */
export interface Shell {
  readonly folder: string;
  readonly depth: number;
  /** It runs the text of a script of the project. */
  readonly isProjects: boolean;
  readonly functions: Map<string, CommandNode>;
  failsAtOnce: boolean;
  pipesFail: boolean;
}

export function newShell(folder: string, depth: number, isProjects = false): Shell {
  return { folder, depth, isProjects, functions: new Map(), failsAtOnce: false, pipesFail: false };
}

/** What `set` and a shell's own options change. */
export function setOptions(words: readonly string[], shell: Shell): void {
  for (const [at, word] of words.entries()) {
    if (/^-[a-z]*e/u.test(word) || (words[at - 1] === "-o" && word === "errexit")) shell.failsAtOnce = true;
    if (/^\+[a-z]*e/u.test(word)) shell.failsAtOnce = false;
    if (word === "pipefail") shell.pipesFail = words[at - 1]?.startsWith("+") !== true;
  }
}
