import { matchesParsed, parsePattern } from "../lib/path-pattern.ts";
import { visible } from "../lib/text.ts";
import { wordsOf } from "../record/memory.ts";
import { tagged } from "../lib/quoting.ts";

const MAX_MARKS = 100;
const MAX_LENGTH = 300;
/** As much of a task as says what it is about. */
const MAX_TEXT = 20_000;

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

/** A rule that answers for what it is. Pure. Each question takes time in proportion to the text and to what is looked for, whatever they are. */
export function withMatcher<R extends When>(rule: R): R & Matcher {
  const { paths, words, always } = rule;
  const patterns = paths.slice(0, MAX_MARKS).map((path) => ({ path, steps: readPattern(path) }));
  const matches = (path: string, isNot: boolean): boolean =>
    patterns.some(
      ({ path: { 0: mark }, steps }) => (mark === "!") === isNot && matchesParsed(path, steps ?? []),
    );
  const wanted = words
    .slice(0, MAX_MARKS)
    .flatMap(readings)
    .filter((word) => word.trim() !== "");
  const meetsTask = (text: string): boolean => {
    const [apart = "", whole = ""] = readings(text.slice(0, MAX_TEXT));
    return always || wanted.some((word) => apart.includes(word) || whole.includes(word));
  };
  return {
    ...rule,
    useless: patterns.flatMap(({ path, steps }) => (steps === null ? path : [])),
    meetsTask,
    meetsPath: (path) =>
      always ||
      (matches(path, false) && !matches(path, true)) ||
      // The record is named after tasks, and is about none of the project's files.
      (!path.startsWith(".gaia/") && meetsTask(path)),
  };
}

/** A name without wildcards is that of a file, or of a folder and all that is in it. */
function readPattern(path: string): ReturnType<typeof parsePattern> {
  const pattern = path.replace(/^!?(?:\.?\/)?/, "").replace(/\/$/, "");
  if (pattern.length > MAX_LENGTH) return null;
  return parsePattern(/[*?]/.test(pattern) ? pattern : `{${pattern},${pattern}/**}`, true);
}

/** Words between single spaces. A name in code counts by its humps and as a whole: GraphQL or graphql. */
function readings(text: string): readonly string[] {
  return [text, text.toLowerCase()].map((each) => ` ${wordsOf(each).join(" ")} `);
}

/** A pattern without a folder means files in any of them. */
export function anywhere(pattern: string): string {
  return pattern.includes("/") ? pattern : pattern.replace(/^!?/, "$&**/");
}
