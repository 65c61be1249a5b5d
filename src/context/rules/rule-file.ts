import type { ConfigProblem } from "../../config/problem.ts";
import { readFrontMatter, readList, readText } from "./front-matter.ts";
import type { RuleFolder } from "./places.ts";
import { lineProblem, type When } from "./rule.ts";

/** The same under the names that each tool gave it. */
const PATH_FIELDS = ["paths", "globs", "applyto"];
const WORD_FIELDS = ["keywords"];

/** What a file of rules says. */
export interface RuleFile extends When {
  readonly about: string;
  readonly text: string;
  readonly problems: readonly ConfigProblem[];
}

/** Reads one file; what is not understood in it is a problem, the rest holds. Pure. @param file as problems show it */
export function readRuleFile(file: string, content: string, folder: RuleFolder): RuleFile {
  const { fields, body, broken } = readFrontMatter(content);
  const listOf = (names: readonly string[]): string[] =>
    names.flatMap((name) => readList(fields.get(name) ?? ""));
  const paths = listOf(PATH_FIELDS).map((path) =>
    folder.isAnywhere && !path.includes("/") ? path.replace(/^!?/, "$&**/") : path,
  );
  const words = listOf(WORD_FIELDS);
  const isUnclosed = broken[0] === 1;
  const isBare = paths.length + words.length === 0 && !isUnclosed;
  const isAsked = readText(fields.get("alwaysapply") ?? "").toLowerCase() === "true";
  return {
    paths,
    words,
    always: isAsked || (isBare && folder.isBareAlways),
    about: readText(fields.get("description") ?? ""),
    text: body,
    problems: broken.map((line) =>
      isUnclosed
        ? lineProblem(
            file,
            line,
            "its front matter is never closed, so it is left out",
            'End it with a line "---".',
          )
        : lineProblem(file, line, "this line of its front matter is not understood", "Write key: value."),
    ),
  };
}
