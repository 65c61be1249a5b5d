import type { ConfigProblem } from "../../config/problem.ts";
import { linesOf, readList, readText } from "./front-matter.ts";
import { MANIFEST } from "./places.ts";
import { lineProblem, type Entry, type Listed } from "./rule.ts";

const SETTING = /^(?:export[ \t]+)?([A-Za-z]\w*?)_(STATE|RECALL|FILE|ALWAYS_ON)[ \t]*=(.*)$/i;
const MAX_LINE = 2_000;
const YES = /^(?:active|true|yes|on|1)$/i;

interface Draft {
  readonly line: number;
  readonly values: Map<string, string>;
}

/** Reads `NAME_STATE`, `NAME_RECALL` and `NAME_FILE`, a line each. What is not active is left out; other settings are not ours. */
export function readManifest(content: string): Listed {
  const drafts = new Map<string, Draft>();
  const problems: ConfigProblem[] = [];
  const tell = (line: number, message: string, suggestion: string): void => {
    problems.push(lineProblem(MANIFEST, line, message, suggestion));
  };
  for (const [at, text] of linesOf(content).entries()) {
    const line = text.slice(0, MAX_LINE).trim();
    const [, name = "", setting = "", value = ""] = SETTING.exec(line) ?? [];
    if (name !== "") {
      const draft = drafts.get(name.toUpperCase()) ?? { line: at + 1, values: new Map() };
      drafts.set(name.toUpperCase(), draft);
      draft.values.set(setting.toUpperCase(), value.trim());
    } else if (line !== "" && !/^#|=/.test(line))
      tell(at + 1, "this line is not understood", "Write NAME_RECALL=words or NAME_FILE=path.");
  }
  const entries = [...drafts].flatMap(([name, { line, values }]): Entry[] => {
    const state = values.get("STATE");
    if (state !== undefined && !YES.test(readText(state))) return [];
    const files = readList(values.get("FILE") ?? "");
    const words = readList(values.get("RECALL") ?? "");
    const always = YES.test(readText(values.get("ALWAYS_ON") ?? ""));
    if (files.length === 0) tell(line, `${name} names no file`, `Add ${name}_FILE=path.`);
    else if (words.length === 0 && !always)
      tell(line, `${name} has no words that recall it`, `Add ${name}_RECALL=words.`);
    return [{ files, words, always, paths: [], about: name.toLowerCase().replaceAll("_", " "), line }];
  });
  return { entries, problems };
}
