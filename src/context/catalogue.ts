import { visible } from "../lib/text.ts";
import { tagged } from "../lib/quoting.ts";

export interface When {
  /** Patterns of paths; those behind `!` are left out again. */
  readonly paths: readonly string[];
  readonly words: readonly string[];
  readonly always: boolean;
}

/** Whether a rule applies, once read for many questions. */
export interface Matcher {
  meetsTask(task: string): boolean;
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

export interface RuleEntry extends When {
  readonly about: string;
  /** The files that hold the text; none where the entry's own file does. */
  readonly files: readonly string[];
  readonly line: number;
}

/** Takes note of something that does not take effect as written; the rest holds. */
export type Tell = (file: string, message: string, line?: number) => void;

export interface SkillServer {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** `${NAME}` in a value stands for the user's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it asks for the network, where it is contained. */
  readonly network: boolean;
}

/** A skill as OpenCode finds it; it applies by paths alone. Its source is what a specialist reads above its text. */
export interface Skill extends Rule {
  readonly name: string;
  /** The file that holds it: from the project's root, or absolute for one of the user's own. */
  readonly path: string;
  readonly servers: readonly SkillServer[];
  /** What is said of these to who has the skill; empty for none. */
  readonly reach: string;
}

export interface Given {
  readonly text: string;
  readonly sources: readonly string[];
}

export interface Manner {
  readonly tag: string;
  readonly head: string;
  /** Stands for a text for which there is no room. */
  readonly tooLong: string;
  /** The most that anyone is given of them in one session, in bytes. */
  readonly max: number;
}

/** As many texts as there is room for; of one that does not fit, its name. @param used what was given before, in bytes */
export function renderContextGiven(
  manner: Manner,
  texts: readonly Pick<Rule, "source" | "text">[],
  used: number,
): Given {
  const { tag, head, tooLong, max } = manner;
  const sources: string[] = [];
  let text = "";
  let pieces: readonly string[] = [head];
  for (const { source, text: whole } of texts) {
    for (const body of [whole, tooLong]) {
      const next = [...pieces, `## ${visible(source)}\n${body}`];
      const given = tagged(tag, next.join("\n\n"));
      if (used + Buffer.byteLength(given) > max) continue;
      [text, pieces] = [given, next];
      sources.push(source);
      break;
    }
  }
  return { text, sources };
}
