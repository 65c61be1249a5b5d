import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { runGit } from "./git-command.ts";

/** Words in front of what they define, in the languages that people use. */
const KEYWORDS =
  "function[*]?|class|defp?|fn|func|fun|const|let|var|type|interface|struct|enum|trait|mod|module|namespace|package|sub|proc|val|object|record|protocol|extension|macro|union|procedure|table|view|TABLE|VIEW|FUNCTION|#define";
const MAX_BYTES = 1_000;
const PROSE = ["*.md", "*.markdown", "*.txt", "*.rst", "*.adoc"].map((glob) => `:(exclude,icase)${glob}`);

/**
 * Whether the history of a text in the code says why something is as it is: a name that is written as one, several words, or a
 * plain word that the project's code defines. A word of everyday language stands in many commits that are about something else.
 */
export async function isTellingText(git: Repository, text: string): Promise<boolean> {
  if (!/^\p{L}+$/u.test(text) || /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(text)) return true;
  const patterns = definitionsOf(text).flatMap((each) => ["-e", each]);
  const args = ["grep", "-q", "-I", "-E", "--no-textconv", ...patterns, ...WITHOUT_RECORD, ...PROSE];
  return (await runGit(git, args, MAX_BYTES)).ok;
}

/** Lines that define a name, as extended regular expressions. @param name letters alone */
function definitionsOf(name: string): string[] {
  const end = "([^[:alnum:]_$]|$)";
  return [
    `(^|[^[:alnum:]_$])(${KEYWORDS})[[:space:]]+([(][^)]*[)][[:space:]]*)?${name}${end}`,
    // A function or method that says so by its body alone, a key, and something that is given a value.
    `^[[:space:]]*([[:alnum:]_.*&<>:,?[]+[[:space:]*&]+){0,4}${name}[[:space:]]*[(].*[)][^;()]*[{][[:space:]]*$`,
    `^[[:space:]]*["']?${name}["']?[[:space:]]*(:|=[^=]|[?]:)`,
  ];
}
